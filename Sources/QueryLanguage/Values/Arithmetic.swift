internal import JSONCore

enum Arithmetic {
    /// Whole numbers up to here are exact as doubles, so integer and double arithmetic agree.
    private static let exactLimit = 1 << 53

    static func apply(
        _ op: BinaryOperator, _ a: JSONValue, _ b: JSONValue, _ limits: QueryLimits
    ) throws(Interruption) -> JSONValue {
        switch op {
        case .add: try add(a, b, limits)
        case .subtract: try subtract(a, b)
        case .multiply: try multiply(a, b, limits)
        case .divide: try divide(a, b)
        case .remainder: try remainder(a, b)
        default: .null
        }
    }

    static func apply(
        _ op: BinaryOperator, _ a: JSONValue, _ b: JSONValue, _ machine: Machine
    ) throws(Interruption) -> JSONValue {
        switch (op, a, b) {
        // These read all parts: elements are looked up by their hashes, and objects merged at all levels.
        case (.subtract, .array, .array), (.multiply, .object, .object):
            try machine.charge(partsOf: a)
            try machine.charge(partsOf: b)
        case (.divide, .string, .string): try machine.charge(work: 8 &* a.readingCost)
        default: try machine.charge(work: a.readingCost &+ b.readingCost)
        }
        let result = try apply(op, a, b, machine.limits)
        try machine.charge(work: result.buildingCost)
        return result
    }

    /// A computed number, stored as an integer if it is a small whole one.
    @inline(__always)
    static func number(_ value: Double) -> JSONValue {
        if let whole = Int(exactly: value), whole.magnitude < UInt(exactLimit), whole != 0 || value.sign == .plus {
            return .number(JSONNumber(whole))
        }
        return .number(JSONNumber(value))
    }

    /// Nil unless the result is exact; a fast path for `apply` that most arithmetic takes.
    @inline(__always)
    static func quick(_ op: BinaryOperator, _ a: JSONValue, _ b: JSONValue) -> JSONValue? {
        guard case .number(let m) = a, case .number(let n) = b, let (x, y) = exact(m, n) else { return nil }
        return quick(op, x, y)
    }

    /// A fast path like the one above, for a right side that is an exact whole number.
    @inline(__always)
    static func quick(_ op: BinaryOperator, _ a: JSONValue, _ y: Int) -> JSONValue? {
        guard case .number(let m) = a, case .integer(let x) = m.storage, isExact(x) else { return nil }
        return quick(op, x, y)
    }

    /// A fast path like the one above, for a left side that is an exact whole number.
    @inline(__always)
    static func quick(_ op: BinaryOperator, _ x: Int, _ b: JSONValue) -> JSONValue? {
        guard case .number(let n) = b, case .integer(let y) = n.storage, isExact(y) else { return nil }
        return quick(op, x, y)
    }

    @inline(__always)
    static func isExact(_ value: Int) -> Bool { value.magnitude < UInt(exactLimit) }

    @inline(__always)
    private static func quick(_ op: BinaryOperator, _ x: Int, _ y: Int) -> JSONValue? {
        let result: Int
        switch op {
        case .add: result = x &+ y
        case .subtract: result = x &- y
        case .multiply:
            let (product, overflow) = x.multipliedReportingOverflow(by: y)
            // Minus zero cannot be stored as an integer.
            guard !overflow, product != 0 else { return nil }
            result = product
        default: return nil
        }
        return result.magnitude < UInt(exactLimit) ? .number(JSONNumber(result)) : nil
    }

    static func failure(_ a: JSONValue, _ b: JSONValue, _ what: String) -> Interruption {
        .message("\(a.kindName) (\(ValueText.truncated(a))) and \(b.kindName) (\(ValueText.truncated(b))) \(what)")
    }

    @inline(__always)
    private static func exact(_ a: JSONNumber, _ b: JSONNumber) -> (Int, Int)? {
        guard case .integer(let x) = a.storage, case .integer(let y) = b.storage,
            x.magnitude < UInt(exactLimit), y.magnitude < UInt(exactLimit)
        else { return nil }
        return (x, y)
    }

    static func add(_ a: JSONValue, _ b: JSONValue, _ limits: QueryLimits) throws(Interruption) -> JSONValue {
        var result = a
        try add(b, to: &result, limits)
        return result
    }

    /// Appends to a value that only this evaluation refers to; binding `a` to a second name meanwhile would force a
    /// copy.
    static func add(_ b: JSONValue, to a: inout JSONValue, _ limits: QueryLimits) throws(Interruption) {
        if case .null = b { return }
        if case .null = a {
            a = b
            return
        }
        switch b {
        case .number(let y):
            guard case .number(let x) = a else { throw failure(a, b, "cannot be added") }
            if let (m, n) = exact(x, y), (m &+ n).magnitude < UInt(exactLimit) {
                a = .number(JSONNumber(m &+ n))
            } else {
                a = number(x.doubleValue + y.doubleValue)
            }
        case .string(let other): try append(other, to: &a, b, limits)
        case .array(let others): try append(others, to: &a, b, limits)
        case .object(let others):
            let done: Void? = a.modifyObject { members in others.forEachMember { key, value in members[key] = value } }
            if done == nil { throw failure(a, b, "cannot be added") }
        default: throw failure(a, b, "cannot be added")
        }
    }

    private static func append(
        _ other: String, to a: inout JSONValue, _ b: JSONValue, _ limits: QueryLimits
    ) throws(Interruption) {
        guard case .string(var text) = a else { throw failure(a, b, "cannot be added") }
        guard text.utf8.count + other.utf8.count <= limits.size else { throw .limit(.size) }
        a = .null
        text.append(contentsOf: other)
        a = .string(text)
    }

    private static func append(
        _ others: JSONArray, to a: inout JSONValue, _ b: JSONValue, _ limits: QueryLimits
    ) throws(Interruption) {
        let done: Bool? = a.modifyArray { elements in
            guard elements.count + others.count <= limits.elements else { return false }
            elements.append(contentsOf: others)
            return true
        }
        guard let done else { throw failure(a, b, "cannot be added") }
        if !done { throw .limit(.size) }
    }

    static func subtract(_ a: JSONValue, _ b: JSONValue) throws(Interruption) -> JSONValue {
        switch (a, b) {
        case (.number(let x), .number(let y)):
            if let (m, n) = exact(x, y), (m &- n).magnitude < UInt(exactLimit) { return .number(JSONNumber(m &- n)) }
            return number(x.doubleValue - y.doubleValue)
        case (.array(let elements), .array(let removed)):
            let set = Set(removed)
            return .array(elements.filter { !set.contains($0) })
        default: throw failure(a, b, "cannot be subtracted")
        }
    }

    static func multiply(_ a: JSONValue, _ b: JSONValue, _ limits: QueryLimits) throws(Interruption) -> JSONValue {
        switch (a, b) {
        case (.number(let x), .number(let y)): return number(x.doubleValue * y.doubleValue)
        case (.string(let text), .number(let count)), (.number(let count), .string(let text)):
            return try repeated(text, count.doubleValue, limits)
        case (.object(let x), .object(let y)): return .object(try deepMerge(x, y, depth: 0))
        default: throw failure(a, b, "cannot be multiplied")
        }
    }

    private static func repeated(
        _ text: String, _ count: Double, _ limits: QueryLimits
    ) throws(Interruption) -> JSONValue {
        guard count >= 0 else { return .null }  // negative counts and NaN
        let times = count.rounded(.down)
        if text.isEmpty || times == 0 { return .string("") }
        guard times * Double(text.utf8.count) <= Double(limits.size) else {
            throw .message("Repeat string result too long")
        }
        return .string(String(repeating: text, count: Int(times)))
    }

    private static func deepMerge(_ a: JSONObject, _ b: JSONObject, depth: Int) throws(Interruption) -> JSONObject {
        guard depth <= QueryLimits.depth, StackRoom.hasRoom else { throw .message("Object merge too deep") }
        var result = a
        for (key, value) in b {
            if case .object(let inner) = value, case .object(let old)? = result[key] {
                result[key] = .object(try deepMerge(old, inner, depth: depth + 1))
            } else {
                result[key] = value
            }
        }
        return result
    }

    static func divide(_ a: JSONValue, _ b: JSONValue) throws(Interruption) -> JSONValue {
        switch (a, b) {
        case (.number(let x), .number(let y)):
            guard y.doubleValue != 0 else { throw failure(a, b, "cannot be divided because the divisor is zero") }
            return number(x.doubleValue / y.doubleValue)
        case (.string(let text), .string(let separator)):
            return .array(StringFunctions.parts(of: text, between: separator))
        default: throw failure(a, b, "cannot be divided")
        }
    }

    static func remainder(_ a: JSONValue, _ b: JSONValue) throws(Interruption) -> JSONValue {
        guard case .number(let x) = a, case .number(let y) = b else {
            throw failure(a, b, "cannot be divided (remainder)")
        }
        let (dividend, divisor) = (x.doubleValue, y.doubleValue)
        if dividend.isNaN || divisor.isNaN { return .number(JSONNumber(Double.nan)) }
        let m = truncated(dividend)
        let n = truncated(divisor)
        guard n != 0 else { throw failure(a, b, "cannot be divided (remainder) because the divisor is zero") }
        // The sign is the dividend's. Dividing the magnitudes makes the smallest integer an ordinary case.
        let rest = m.magnitude % n.magnitude
        let signed = m < 0 ? -Double(rest) : Double(rest)
        return number(signed == 0 ? 0 : signed)
    }

    private static func truncated(_ value: Double) -> Int {
        if value <= -0x1p63 { return .min }
        return value >= 0x1p63 ? .max : Int(value)
    }

    static func negate(_ value: JSONValue) throws(Interruption) -> JSONValue {
        guard case .number(let number) = value else {
            throw .message("\(value.kindName) (\(ValueText.truncated(value))) cannot be negated")
        }
        switch number.storage {
        // Zero keeps its sign, as a literal does in jq; only a computed double can become minus zero.
        case .integer(let whole) where whole != .min: return .number(JSONNumber(-whole))
        case .text(let text):
            if text.utf8.first == UInt8(ascii: "-") { return .number(JSONNumber(literal: String(text.dropFirst()))) }
            return number == 0 ? value : .number(JSONNumber(literal: "-" + text))
        default: return .number(JSONNumber(-number.doubleValue))
        }
    }
}
