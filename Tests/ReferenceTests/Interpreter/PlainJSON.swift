/// A JSON value of this interpreter alone, so that the product's values can change without it.
///
/// Equality is that of the data: strings by their bytes, numbers by their value, objects without regard to the order of their
/// members.
enum PlainJSON: Sendable {
    case null
    case bool(Bool)
    case number(PlainNumber)
    case string(String)
    case array([PlainJSON])
    case object(PlainObject)
}

extension PlainJSON: Equatable {
    static func == (a: PlainJSON, b: PlainJSON) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.bool(let x), .bool(let y)): x == y
        case (.number(let x), .number(let y)): x == y
        case (.string(let x), .string(let y)): PlainKey(x) == PlainKey(y)
        case (.array(let x), .array(let y)): x == y
        case (.object(let x), .object(let y)): x == y
        default: false
        }
    }
}

extension PlainJSON {
    init(_ number: Int) { self = .number(PlainNumber(number)) }

    var object: PlainObject? { if case .object(let members) = self { members } else { nil } }
    var array: [PlainJSON]? { if case .array(let elements) = self { elements } else { nil } }
    var string: String? { if case .string(let text) = self { text } else { nil } }
    var number: PlainNumber? { if case .number(let number) = self { number } else { nil } }
    var isScalar: Bool { array == nil && object == nil }

    /// The value with the members of every object in ascending order of their bytes, as states are shown.
    func ascending() -> PlainJSON {
        switch self {
        case .array(let elements): return .array(elements.map { $0.ascending() })
        case .object(let members):
            let sorted = members.sorted { PlainKey($0.key) < PlainKey($1.key) }
            return .object(PlainObject(sorted.map { ($0.key, $0.value.ascending()) }))
        default: return self
        }
    }

    /// The value as JSON, without white space.
    func text() -> String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let number): number.json
        case .string(let text): Self.quoted(text)
        case .array(let elements): "[" + elements.map { $0.text() }.joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { Self.quoted($0.key) + ":" + $0.value.text() }.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\u{8}": quoted += "\\b"
            case "\u{C}": quoted += "\\f"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension PlainJSON: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(integerLiteral value: Int) { self.init(value) }
    init(stringLiteral value: String) { self = .string(value) }
    init(arrayLiteral elements: PlainJSON...) { self = .array(elements) }
    init(dictionaryLiteral members: (String, PlainJSON)...) { self = .object(PlainObject(members)) }
}

/// The members of an object in their order, their keys compared by their bytes.
struct PlainObject: Sequence, Equatable, Sendable, ExpressibleByDictionaryLiteral {
    private var members: [(key: String, value: PlainJSON)] = []

    init() {}

    /// Of a repeated key the last value stays, at the first one's place.
    init(_ members: some Sequence<(String, PlainJSON)>) { for (key, value) in members { self[key] = value } }

    init(dictionaryLiteral members: (String, PlainJSON)...) { self.init(members) }

    /// Members of which some may be missing.
    init(some members: [(String, PlainJSON?)]) {
        self.init(members.compactMap { key, value in value.map { (key, $0) } })
    }

    subscript(key: String) -> PlainJSON? {
        get { index(of: key).map { members[$0].value } }
        set {
            switch (index(of: key), newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append((key, value))
            case (nil, nil): break
            }
        }
    }

    @discardableResult mutating func removeValue(forKey key: String) -> PlainJSON? {
        index(of: key).map { members.remove(at: $0).value }
    }

    var keys: [String] { members.map(\.key) }
    var count: Int { members.count }
    var isEmpty: Bool { members.isEmpty }
    func makeIterator() -> IndexingIterator<[(key: String, value: PlainJSON)]> { members.makeIterator() }

    private func index(of key: String) -> Int? {
        members.firstIndex { $0.key.utf8.count == key.utf8.count && $0.key.utf8.elementsEqual(key.utf8) }
    }

    static func == (a: PlainObject, b: PlainObject) -> Bool {
        a.count == b.count && a.members.allSatisfy { b[$0.key] == $0.value }
    }
}

/// A number as it was read, digit by digit, or as a query computed it.
struct PlainNumber: Sendable {
    /// The text that it was read with; of a computed one the shortest that reads back the same.
    let text: String
    /// Whether it is a double that a query computed: only what a double holds of the digits counts then.
    let isComputed: Bool

    init(_ text: String, isComputed: Bool = false) { (self.text, self.isComputed) = (text, isComputed) }
    init(_ number: Int) { self.init(String(number)) }

    /// The number as JSON, which has neither infinities nor what is no number.
    var json: String {
        guard let value = Double(text), isComputed, !value.isFinite else { return text }
        return value.isNaN ? "null" : value < 0 ? "-1.7976931348623157e+308" : "1.7976931348623157e+308"
    }

    /// The value where it is a whole number of 64 bits, also of `1.0` and `1e3`.
    var integerValue: Int? {
        let (isNegative, digits, exponent) = normal
        guard exponent >= 0, digits.count + exponent <= 19 else { return digits.isEmpty ? 0 : nil }
        let zeros = String(repeating: "0", count: exponent)
        return Int((isNegative ? "-" : "") + (digits.isEmpty ? "0" : digits) + zeros)
    }

    /// The parts that all texts of one value share: the sign, digits that neither begin nor end with a zero, and the power of ten
    /// that they are multiplied by.
    private var normal: (isNegative: Bool, digits: String, exponent: Int) {
        let parts = text.lowercased().split(separator: "e")
        let decimals = parts[0].drop { $0 == "-" }.split(separator: ".")
        var digits = decimals.joined().drop { $0 == "0" }
        // An exponent that fits no integer is written by no one; its sign is enough.
        let written = parts.count > 1 ? Int(parts[1]) ?? (parts[1].hasPrefix("-") ? -1 << 60 : 1 << 60) : 0
        var exponent = written - (decimals.count > 1 ? decimals[1].count : 0)
        while digits.last == "0" {
            digits.removeLast()
            exponent += 1
        }
        return digits.isEmpty ? (false, "", 0) : (text.hasPrefix("-"), String(digits), exponent)
    }
}

extension PlainNumber: Hashable {
    /// Whether both are the same number: as written exactly, whatever their notation; with a computed one as doubles.
    static func == (a: PlainNumber, b: PlainNumber) -> Bool {
        a.isComputed || b.isComputed ? Double(a.text) == Double(b.text) : a.normal == b.normal
    }

    func hash(into hasher: inout Hasher) { hasher.combine(Double(text)) }
}
