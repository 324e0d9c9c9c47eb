internal import JSONCore

/// Reading parts of values: `.a`, `.[0]`, `.[1:3]`, `has`, `getpath`.
enum Access {
    static func get(_ value: JSONValue, _ key: JSONValue) throws(Interruption) -> JSONValue {
        switch (value, key) {
        case (.object(let members), .string(let name)): return members[name] ?? .null
        case (.array(let elements), .number(let number)): return element(of: elements, at: number.doubleValue)
        case (.array, .object(let range)), (.string, .object(let range)):
            let (from, upTo) = ends(of: range)
            return try slice(value, from: from, upTo: upTo)
        case (.array(let elements), .array(let wanted)):
            return .array(try indices(of: wanted.array, in: elements.array, Machine(isIdle: true)))
        case (.null, .string), (.null, .number), (.null, .object): return .null
        default: throw cannotIndex(value, key)
        }
    }

    @inline(__always)
    static func get(_ value: JSONValue, _ key: JSONValue, _ machine: Machine) throws(Interruption) -> JSONValue {
        switch key {
        case .object, .array: return try getMetered(value, key, machine)
        case .number:
            try machine.charge(work: key.readingCost)
            return try get(value, key)
        default: return try get(value, key)
        }
    }

    @inline(never)
    private static func getMetered(
        _ value: JSONValue, _ key: JSONValue, _ machine: Machine
    ) throws(Interruption) -> JSONValue {
        try machine.charge(work: Machine.buildingCost &+ value.readingCost &+ key.buildingCost)
        let result: JSONValue
        if case .array(let elements) = value, case .array(let wanted) = key {
            // Each element is compared.
            try machine.charge(work: value.readingCost)
            result = .array(try indices(of: wanted.array, in: elements.array, machine))
        } else {
            result = try get(value, key)
        }
        try machine.charge(work: result.buildingCost)
        return result
    }

    @inline(__always)
    static func member(_ value: JSONValue, _ name: String, key: JSONValue) throws(Interruption) -> JSONValue {
        if let member = value.member(name) { return member }
        throw cannotIndex(value, key)
    }

    private static func element(of elements: JSONArray, at position: Double) -> JSONValue {
        guard let index = index(position, count: elements.count), index >= 0, index < elements.count else {
            return .null
        }
        return elements[index]
    }

    static func element(of elements: JSONArray, at index: Int) -> JSONValue {
        let place = index < 0 ? index &+ elements.count : index
        return place >= 0 && place < elements.count ? elements[place] : .null
    }

    static func index(_ position: Double, count: Int) -> Int? {
        guard !position.isNaN else { return nil }
        let whole = Int(max(-4e18, min(4e18, position.rounded(.towardZero))))
        return whole < 0 ? whole + count : whole
    }

    static func cannotIndex(_ value: JSONValue, _ key: JSONValue) -> Interruption {
        .message("Cannot index \(value.kindName) with \(key.kindName) (\(ValueText.truncated(key)))")
    }

    // MARK: Slices

    static func slice(_ value: JSONValue, from: JSONValue, upTo: JSONValue) throws(Interruption) -> JSONValue {
        switch value {
        case .null: return .null
        case .array(let elements):
            let range = try sliceRange(count: elements.count, from: from, upTo: upTo)
            return range.count == elements.count ? value : .array(elements.array(in: range))
        case .string(let text):
            let codePoints = CodePoints(text)
            return .string(codePoints.slice(try sliceRange(count: codePoints.count, from: from, upTo: upTo)))
        default: throw cannotIndex(value, sliceKey(from: from, upTo: upTo))
        }
    }

    static func ends(of range: JSONObject) -> (from: JSONValue, upTo: JSONValue) {
        (range["start"] ?? .bool(false), range["end"] ?? .bool(false))
    }

    static func sliceKey(from: JSONValue, upTo: JSONValue) -> JSONValue { .object(["start": from, "end": upTo]) }

    static func sliceRange(count: Int, from: JSONValue, upTo: JSONValue) throws(Interruption) -> Range<Int> {
        var (start, end) = (try sliceEnd(from) ?? 0, try sliceEnd(upTo) ?? Double(count))
        if start < 0 { start += Double(count) }
        if end < 0 { end += Double(count) }
        let first = Int(max(0, min(Double(count), start)).rounded(.down))
        let last = Int(max(0, min(Double(count), end)).rounded(.up))
        return first..<max(first, last)
    }

    /// Nil for null and NaN.
    private static func sliceEnd(_ value: JSONValue) throws(Interruption) -> Double? {
        switch value {
        case .null: return nil
        case .number(let number): return number.doubleValue.isNaN ? nil : number.doubleValue
        default: throw .message("Array/string slice indices must be integers")
        }
    }

    // MARK: Searching

    static func indices(
        of wanted: [JSONValue], in elements: [JSONValue], _ machine: Machine
    ) throws(Interruption) -> [JSONValue] {
        guard !wanted.isEmpty, wanted.count <= elements.count else { return [] }
        var found: [JSONValue] = []
        var limit: QueryLimit?
        func same(_ a: JSONValue, _ b: JSONValue) -> Bool {
            guard limit == nil else { return false }
            do throws(Interruption) { return try ValueOrder.equal(a, b, machine) } catch {
                // Values that are nested too deeply to be compared count as different.
                if case .limit(let reached) = error { limit = reached }
                return false
            }
        }
        Occurrences(of: wanted.count) { same(wanted[$0], wanted[$1]) }
            .forEach(in: 0..<elements.count, { same(elements[$0], wanted[$1]) }) { place in
                found.append(.number(JSONNumber(place)))
                return true
            }
        if let limit { throw .limit(limit) }
        return found
    }

    static func has(_ value: JSONValue, _ key: JSONValue) throws(Interruption) -> Bool {
        switch (value, key) {
        case (.object(let members), .string(let name)): return members[name] != nil
        case (.array(let elements), .number(let number)):
            let position = number.doubleValue
            return position >= 0 && position < Double(elements.count)
        case (.null, _): return false
        default: throw .message("Cannot check whether \(value.kindName) has a \(key.kindName) key")
        }
    }

    static func path(_ value: JSONValue, _ path: [JSONValue], _ machine: Machine) throws(Interruption) -> JSONValue {
        guard path.count <= QueryLimits.pathLength else { throw .message("Path too deep") }
        try machine.charge(work: path.count &>> 2)
        var current = value
        for key in path { current = try get(current, key, machine) }
        return current
    }
}
