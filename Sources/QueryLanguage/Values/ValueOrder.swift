internal import JSONCore

/// jq's order over all values: null, false, true, numbers, strings, arrays, objects.
enum ValueOrder {
    /// The most parts that one comparison reads: by sharing, a program can build values of very many parts.
    static let workLimit = QueryLimits.standard.size

    /// Charged by the parts that were read; throws where the values are nested deeper than jq 1.8.2 compares.
    static func compare(_ a: JSONValue, _ b: JSONValue, _ machine: Machine) throws(Interruption) -> Int {
        try metered(machine) { work throws(Interruption) in try compare(a, b, depth: 0, &work) }
    }

    static func equal(_ a: JSONValue, _ b: JSONValue, _ machine: Machine) throws(Interruption) -> Bool {
        try metered(machine) { work throws(Interruption) in try equal(a, b, depth: 0, &work) }
    }

    private static func metered<Result>(
        _ machine: Machine, _ body: (inout Int) throws(Interruption) -> Result
    ) throws(Interruption) -> Result {
        let allowed = machine.allowance(atMost: workLimit)
        var work = allowed
        let result = Swift.Result { () throws(Interruption) in try body(&work) }
        try machine.charge(work: (allowed - work) / Machine.partsPerStep)
        return try result.get()
    }

    /// Throws where the values are nested deeper than jq 1.8.2 compares.
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
            try descend(depth, reading: min(x.count, y.count), of: &work, "Comparison")
            for index in 0..<min(x.count, y.count) {
                let order = try compare(x[index], y[index], depth: depth + 1, &work)
                if order != 0 { return order }
            }
            return (x.count - y.count).signum()
        case (.object(let x), .object(let y)):
            // Objects are compared by their sorted members.
            try descend(depth, reading: 4 * (x.count + y.count), of: &work, "Comparison")
            return try compare(x, y, depth: depth + 1, &work)
        default: return (rank(a) - rank(b)).signum()
        }
    }

    private static func descend(
        _ depth: Int, reading parts: Int, of work: inout Int, _ what: StaticString
    ) throws(Interruption) {
        guard depth < QueryLimits.depth, StackRoom.hasRoom else { throw .message("\(what) too deep") }
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

    static func areEqual(_ a: JSONValue, _ b: JSONValue) -> Bool { (try? equal(a, b)) ?? false }

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
            if x.sharesStorage(with: y) { return true }
            try descend(depth, reading: x.count, of: &work, "Equality check")
            for index in x.indices where !JSONArray.isSame(x, y, at: index) {
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
        try descend(depth, reading: x.count, of: &work, "Equality check")
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

/// Measures values: how deep they are nested, and how many parts they have.
enum ValueExtent {
    /// The number of containers on a level from which duplicates are searched for.
    private static let crowd = 1_000

    /// Reads no deeper than `limit`; `count` grows by the number of parts that were read.
    static func isDeeper(_ value: JSONValue, than limit: Int, _ count: inout Int) -> Bool {
        // Breadth first, a level at a time: there is no recursion, and only containers are kept.
        var level = [value]
        var depth = 0
        while !level.isEmpty {
            depth += 1
            if depth > limit { return true }
            var next: [JSONValue] = []
            // The number of containers at which duplicates are removed next: twice what was left the last time.
            var limitOfSame = crowd
            for container in level {
                count &+= container.partCount
                switch container {
                case .array(let elements): next.append(contentsOf: elements.lazy.filter { !$0.isScalar })
                case .object(let members): next.append(contentsOf: members.lazy.map(\.value).filter { !$0.isScalar })
                default: break
                }
                guard next.count > limitOfSame else { continue }
                count &+= next.count
                next = distinct(next)
                limitOfSame = max(crowd, 2 * next.count)
            }
            level = next
        }
        return false
    }

    private static func distinct(_ containers: [JSONValue]) -> [JSONValue] {
        var seen: Set<UInt> = []
        return containers.filter { container in
            guard let identity = container.storageIdentity else { return true }
            return seen.insert(identity).inserted
        }
    }

    /// The parts of a value, each as often as it occurs, a long string counting for several; nil for more than `limit`.
    static func count(_ value: JSONValue, upTo limit: Int) -> Int? {
        var open = [value]
        var count = 0
        while let next = open.popLast() {
            switch next {
            case .array(let elements):
                count += elements.count
                if count <= limit { open.append(contentsOf: elements.lazy.filter(\.hasExtent)) }
            case .object(let members):
                count += members.count
                if count <= limit { open.append(contentsOf: members.lazy.map(\.value).filter(\.hasExtent)) }
            default: count += next.readingCost
            }
            if count > limit { return nil }
        }
        return count
    }
}

extension JSONValue {
    fileprivate var partCount: Int {
        switch self {
        case .array(let elements): elements.count
        case .object(let members): members.count
        default: 0
        }
    }

    fileprivate var hasExtent: Bool { !isScalar || readingCost > 0 }
}
