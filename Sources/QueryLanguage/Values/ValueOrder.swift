internal import JSONCore

/// jq's order over all values: null, false, true, numbers, strings, arrays, objects.
enum ValueOrder {
    /// The most parts that one comparison reads: by sharing, a program can build values of very many parts.
    static let workLimit = QueryLimits.standard.size

    /// The order as -1, 0 or 1, charged by the parts that were read.
    ///
    /// - Throws: an error where the values are nested deeper than jq 1.8.2 compares; a limit.
    static func compare(_ a: JSONValue, _ b: JSONValue, _ machine: Machine) throws(Interruption) -> Int {
        try metered(machine) { work throws(Interruption) in try compare(a, b, depth: 0, &work) }
    }

    /// `a == b`, charged by the parts that were read.
    static func equal(_ a: JSONValue, _ b: JSONValue, _ machine: Machine) throws(Interruption) -> Bool {
        try metered(machine) { work throws(Interruption) in try equal(a, b, depth: 0, &work) }
    }

    /// Does work that counts the parts it reads, and charges it even if it fails.
    private static func metered<Result>(
        _ machine: Machine, _ body: (inout Int) throws(Interruption) -> Result
    ) throws(Interruption) -> Result {
        let allowed = machine.allowance(atMost: workLimit)
        var work = allowed
        let result = Swift.Result { () throws(Interruption) in try body(&work) }
        try machine.charge(work: (allowed - work) / Machine.partsPerStep)
        return try result.get()
    }

    /// The order as -1, 0 or 1.
    ///
    /// - Throws: an error where the values are nested deeper than jq 1.8.2 compares.
    static func compare(_ a: JSONValue, _ b: JSONValue) throws(Interruption) -> Int {
        if case .number(let x) = a, case .number(let y) = b { return compare(x, y) }
        var work = workLimit
        return try compare(a, b, depth: 0, &work)
    }

    private static func compare(
        _ a: JSONValue, _ b: JSONValue, depth: Int, _ work: inout Int
    ) throws(Interruption) -> Int {
        if case .number(let x) = a, case .number(let y) = b {
            work -= Machine.partsPerStep &* (a.readingCost &+ b.readingCost)
            return compare(x, y)
        }
        if case .string(let x) = a, case .string(let y) = b {
            work -= min(x.utf8.count, y.utf8.count) &>> 4
            return UTF8Order.equal(x, y) ? 0 : UTF8Order.compare(x, y).signum()
        }
        switch (a, b) {
        case (.array(let x), .array(let y)):
            guard depth < QueryLimits.depth, StackRoom.hasRoom else { throw .message("Comparison too deep") }
            try spend(min(x.count, y.count), of: &work)
            for index in 0..<min(x.count, y.count) {
                let order = try compare(x[index], y[index], depth: depth + 1, &work)
                if order != 0 { return order }
            }
            return (x.count - y.count).signum()
        case (.object(let x), .object(let y)):
            guard depth < QueryLimits.depth, StackRoom.hasRoom else { throw .message("Comparison too deep") }
            // Objects are compared by their sorted members.
            try spend(4 * (x.count + y.count), of: &work)
            return try compare(x, y, depth: depth + 1, &work)
        default: return (rank(a) - rank(b)).signum()
        }
    }

    private static func spend(_ parts: Int, of work: inout Int) throws(Interruption) {
        work -= parts + 1
        if work < 0 { throw .limit(.steps) }
    }

    /// NaN is less than every number, itself included.
    static func compare(_ a: JSONNumber, _ b: JSONNumber) -> Int {
        if case .integer(let x) = a.storage, case .integer(let y) = b.storage { return x < y ? -1 : (x == y ? 0 : 1) }
        if a < b { return -1 }
        return a == b ? 0 : (isNaN(b) && isNaN(a) ? -1 : 1)
    }

    private static func isNaN(_ number: JSONNumber) -> Bool {
        if case .double(let value) = number.storage { return value.isNaN }
        return false
    }

    private static func compare(
        _ a: JSONObject, _ b: JSONObject, depth: Int, _ work: inout Int
    ) throws(Interruption) -> Int {
        let left = a.ascending()
        let right = b.ascending()
        let leftKeys = left.keys
        let rightKeys = right.keys
        for index in 0..<min(leftKeys.count, rightKeys.count) {
            let order = UTF8Order.compare(leftKeys[index], rightKeys[index])
            if order != 0 { return order.signum() }
        }
        if leftKeys.count != rightKeys.count { return (leftKeys.count - rightKeys.count).signum() }
        for (x, y) in zip(left, right) {
            let order = try compare(x.value, y.value, depth: depth, &work)
            if order != 0 { return order }
        }
        return 0
    }

    /// The rank of a kind in the order.
    static func rank(_ value: JSONValue) -> Int {
        switch value {
        case .null: 0
        case .bool(let flag): flag ? 2 : 1
        case .number: 3
        case .string: 4
        case .array: 5
        case .object: 6
        }
    }

    /// Whether both are equal, for values whose depth cannot matter.
    static func areEqual(_ a: JSONValue, _ b: JSONValue) -> Bool {
        (try? equal(a, b)) ?? false
    }

    /// `a == b`.
    static func equal(_ a: JSONValue, _ b: JSONValue) throws(Interruption) -> Bool {
        if case .number(let x) = a, case .number(let y) = b { return x == y }
        if case .string(let x) = a, case .string(let y) = b { return UTF8Order.equal(x, y) }
        var work = workLimit
        return try equal(a, b, depth: 0, &work)
    }

    private static func equal(
        _ a: JSONValue, _ b: JSONValue, depth: Int, _ work: inout Int
    ) throws(Interruption) -> Bool {
        switch (a, b) {
        case (.number(let x), .number(let y)):
            work -= Machine.partsPerStep &* (a.readingCost &+ b.readingCost)
            return x == y
        case (.string(let x), .string(let y)):
            if x.utf8.count == y.utf8.count { work -= x.utf8.count &>> 4 }
            return UTF8Order.equal(x, y)
        case (.null, .null): return true
        case (.bool(let x), .bool(let y)): return x == y
        case (.array(let x), .array(let y)):
            guard x.count == y.count else { return false }
            // As in jq, an array equals itself, whatever it holds, and so does an object.
            if x.storageAddress == y.storageAddress { return true }
            guard depth < QueryLimits.depth, StackRoom.hasRoom else { throw .message("Equality check too deep") }
            try spend(x.count, of: &work)
            for index in x.indices where !JSONValue.isSame(x, y, at: index) {
                if try !equal(x[index], y[index], depth: depth + 1, &work) { return false }
            }
            return true
        case (.object(let x), .object(let y)): return try equal(x, y, depth: depth, &work)
        default: return false
        }
    }

    private static func equal(
        _ x: JSONObject, _ y: JSONObject, depth: Int, _ work: inout Int
    ) throws(Interruption) -> Bool {
        if x.sharesStorage(with: y) { return true }
        guard x.count == y.count else { return false }
        guard depth < QueryLimits.depth, StackRoom.hasRoom else { throw .message("Equality check too deep") }
        try spend(x.count, of: &work)
        let inOrder = try JSONObject.compareInOrder(x, y) { (a, b) throws(Interruption) in
            try equal(a, b, depth: depth + 1, &work)
        }
        if let inOrder { return inOrder }
        for (key, value) in x {
            guard let other = y[key], try equal(value, other, depth: depth + 1, &work) else { return false }
        }
        return true
    }
}
