internal import JSONCore

/// Built-ins over arrays.
enum ArrayFunctions {
    static let functions: [NativeFunction] = [
        NativeFunction(
            "sort", .zero { input throws(Interruption) in try ordered(.sort, input) }, effort: SortingNode.effort),
        NativeFunction(
            "unique", .zero { input throws(Interruption) in try ordered(.unique, input) }, effort: SortingNode.effort),
        NativeFunction("min", .zero { input throws(Interruption) in try ordered(.minimum, input) }),
        NativeFunction("max", .zero { input throws(Interruption) in try ordered(.maximum, input) }),
        NativeFunction("reverse", .zero(reverse)),
        NativeFunction(
            "flatten",
            .zero { input throws(Interruption) in try flatten(input, depth: .number(JSONNumber(Double.infinity))) }),
        NativeFunction("flatten", .one { input, a throws(Interruption) in try flatten(input, depth: a) }),
        NativeFunction("_transpose", .metered(arity: 0, transpose)),
        NativeFunction("indices", .one(indices)),
        NativeFunction(
            "index",
            .one { input, a throws(Interruption) in try Access.get(try indices(input, a), .number(JSONNumber(0))) }),
        NativeFunction(
            "rindex",
            .one { input, a throws(Interruption) in try Access.get(try indices(input, a), .number(JSONNumber(-1))) }),
        NativeFunction("bsearch", .one(binarySearch)),
        NativeFunction("join", .one(join)),
        NativeFunction("implode", .zero(StringFunctions.implode)),
    ]

    private static func ordered(_ kind: SortingKind, _ value: JSONValue) throws(Interruption) -> JSONValue {
        guard case .array(let elements) = value else {
            switch kind {
            case .minimum, .maximum: throw Arithmetic.failure(value, value, "cannot be iterated over")
            default: throw ValueFunctions.failure(value, "cannot be sorted, as it is not an array")
            }
        }
        return try SortingNode.apply(kind, elements, elements)
    }

    @Sendable private static func reverse(_ value: JSONValue) throws(Interruption) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.reversed())
        case .null: return .array([])
        default:
            // Anything of length 0 is an empty array backwards; the rest has no last element to begin with.
            let length = try ValueFunctions.length(value)
            guard try ValueOrder.compare(length, .number(JSONNumber(0))) > 0 else { return .array([]) }
            throw Access.cannotIndex(value, try Arithmetic.subtract(length, .number(JSONNumber(1))))
        }
    }

    private static func flatten(_ value: JSONValue, depth: JSONValue) throws(Interruption) -> JSONValue {
        guard try ValueOrder.compare(depth, .number(JSONNumber(0))) >= 0 else {
            throw .message("flatten depth must not be negative")
        }
        let levels = depth.number?.doubleValue ?? .infinity
        var result: [JSONValue] = []
        try flatten(value, levels: levels, nesting: 0, into: &result)
        return .array(result)
    }

    private static func flatten(
        _ value: JSONValue, levels: Double, nesting: Int, into result: inout [JSONValue]
    ) throws(Interruption) {
        guard nesting <= 2 * QueryLimits.depth, StackRoom.hasRoom else { throw .limit(.valueDepth) }
        let elements: [JSONValue]
        switch value {
        case .array(let array): elements = array
        case .object(let members): elements = members.map(\.value)
        default: throw IterateNode.cannotIterate(value)
        }
        for element in elements {
            guard result.count < QueryLimits.standard.size else { throw .limit(.size) }
            if levels > 0, case .array = element {
                try flatten(element, levels: levels - 1, nesting: nesting + 1, into: &result)
            } else {
                result.append(element)
            }
        }
    }

    @Sendable private static func transpose(
        _ value: JSONValue, _ arguments: [JSONValue], _ machine: Machine
    ) throws(Interruption) -> JSONValue {
        guard case .array(let rows) = value else { throw IterateNode.cannotIterate(value) }
        var width = 0
        for row in rows {
            guard case .array(let cells) = row else {
                throw Access.cannotIndex(row, .number(JSONNumber(0)))
            }
            width = max(width, cells.count)
        }
        let (cells, isTooMany) = width.multipliedReportingOverflow(by: max(rows.count, Machine.buildingCost))
        guard !isTooMany, cells <= machine.limits.size else { throw .limit(.size) }
        try machine.pay(cells)
        return .array(
            (0..<width).map { column in
                .array(rows.map { row in row.array.flatMap { column < $0.count ? $0[column] : nil } ?? .null })
            })
    }

    @Sendable private static func indices(
        _ value: JSONValue, _ wanted: JSONValue
    ) throws(Interruption) -> JSONValue {
        switch (value, wanted) {
        case (.array, .array): return try Access.get(value, wanted)
        case (.array, _): return try Access.get(value, .array([wanted]))
        case (.string(let text), .string(let part)): return .array(StringFunctions.indices(of: part, in: text))
        default: return try Access.get(value, wanted)
        }
    }

    /// The index of an equal element in a sorted array, or -1 minus the index where it would go.
    @Sendable private static func binarySearch(
        _ value: JSONValue, _ target: JSONValue
    ) throws(Interruption) -> JSONValue {
        guard case .array(let elements) = value else {
            throw ValueFunctions.failure(value, "cannot be searched from")
        }
        var low = 0
        var high = elements.count
        while low < high {
            let middle = low + (high - low) / 2
            let order = try ValueOrder.compare(elements[middle], target)
            if order == 0 { return .number(JSONNumber(middle)) }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return .number(JSONNumber(-1 - low))
    }

    @Sendable private static func join(_ value: JSONValue, _ separator: JSONValue) throws(Interruption) -> JSONValue {
        var parts: [JSONValue] = []
        switch value {
        case .array(let elements): parts = elements
        case .object(let members): parts = members.map(\.value)
        default: throw IterateNode.cannotIterate(value)
        }
        guard case .string(let mark) = separator, parts.allSatisfy({ $0.isScalar }) else {
            return try joinedSlowly(parts, separator)
        }
        var result = ""
        for (index, part) in parts.enumerated() {
            if index > 0 { result += mark }
            switch part {
            case .null: continue
            case .string(let text): result += text
            default: result += ValueText.json(part)
            }
            guard result.utf8.count <= QueryLimits.standard.size else { throw .limit(.size) }
        }
        return .string(result)
    }

    /// What is no text is added as it is, which mostly is an error.
    private static func joinedSlowly(
        _ parts: [JSONValue], _ separator: JSONValue
    ) throws(Interruption) -> JSONValue {
        var result = JSONValue.null
        for part in parts {
            if case .null = result {
                result = .string("")
            } else {
                try Arithmetic.add(separator, to: &result, .standard)
            }
            switch part {
            case .null: continue
            case .bool, .number: try Arithmetic.add(.string(ValueText.json(part)), to: &result, .standard)
            default: try Arithmetic.add(part, to: &result, .standard)
            }
        }
        if case .null = result { return .string("") }
        return result
    }
}
