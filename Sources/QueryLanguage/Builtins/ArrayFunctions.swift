internal import JSONCore

enum ArrayFunctions {
    static let functions: [NativeFunction] = [
        NativeFunction("sort", ordered(.sort), effort: SortingNode.effort),
        NativeFunction("unique", ordered(.unique), effort: SortingNode.effort),
        NativeFunction("min", ordered(.minimum)), NativeFunction("max", ordered(.maximum)),
        NativeFunction("reverse", .zero(reverse), trace: { input, _, tracer in .array(of: tracer.parts(of: input)) }),
        NativeFunction("flatten", .metered(arity: 0, flatten)), NativeFunction("flatten", .metered(arity: 1, flatten)),
        NativeFunction("_transpose", .metered(arity: 0, transpose)),
        NativeFunction("indices", .metered(arity: 1, indices), cost: 4),
        NativeFunction("index", element(0), cost: 4), NativeFunction("rindex", element(-1), cost: 4),
        NativeFunction("bsearch", .metered(arity: 1, binarySearch)),
        NativeFunction("join", .metered(arity: 1, join), cost: 2, gives: .scalar),
        NativeFunction("implode", .zero(StringFunctions.implode), cost: 1, gives: .scalar),
    ]

    private static func ordered(_ kind: SortingKind) -> NativeFunction.Body {
        .metered(arity: 0) { value, _, machine throws(Interruption) in
            guard case .array(let elements) = value else {
                switch kind {
                case .minimum, .maximum: throw Arithmetic.failure(value, value, "cannot be iterated over")
                default: throw ValueFunctions.failure(value, "cannot be sorted, as it is not an array")
                }
            }
            return try SortingNode.apply(kind, elements.array, elements.array, machine)
        }
    }

    private static func element(_ index: Int) -> NativeFunction.Body {
        .metered(arity: 1) { input, arguments, machine throws(Interruption) in
            try Access.get(try indices(input, arguments, machine), .number(JSONNumber(index)))
        }
    }

    @Sendable private static func reverse(_ value: JSONValue) throws(Interruption) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.reversed())
        case .null: return .array([])
        default:
            // Any value of length 0 becomes an empty array; jq refuses the others for having no last element.
            let length = try ValueFunctions.length(value)
            guard try ValueOrder.compare(length, .number(JSONNumber(0))) > 0 else { return .array([]) }
            throw Access.cannotIndex(value, try Arithmetic.subtract(length, .number(JSONNumber(1))))
        }
    }

    @Sendable private static func flatten(
        _ value: JSONValue, _ arguments: [JSONValue], _ machine: Machine
    ) throws(Interruption) -> JSONValue {
        let depth = arguments.first ?? .number(JSONNumber(Double.infinity))
        guard try ValueOrder.compare(depth, .number(JSONNumber(0))) >= 0 else {
            throw .message("flatten depth must not be negative")
        }
        let levels = depth.number?.doubleValue ?? .infinity
        var result: [JSONValue] = []
        try flatten(value, levels: levels, nesting: 0, into: &result, machine)
        return .array(result)
    }

    private static func flatten(
        _ value: JSONValue, levels: Double, nesting: Int, into result: inout [JSONValue], _ machine: Machine
    ) throws(Interruption) {
        try machine.charge(work: 1)
        guard nesting <= 2 * QueryLimits.depth, StackRoom.hasRoom else { throw .limit(.valueDepth) }
        for element in try value.elements() {
            guard result.count < machine.limits.elements else { throw .limit(.size) }
            if levels > 0, case .array = element {
                try flatten(element, levels: levels - 1, nesting: nesting + 1, into: &result, machine)
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
            guard case .array(let cells) = row else { throw Access.cannotIndex(row, .number(JSONNumber(0))) }
            width = max(width, cells.count)
        }
        let (cells, isTooMany) = width.multipliedReportingOverflow(by: max(rows.count, Machine.buildingCost))
        guard !isTooMany, cells <= machine.limits.elements else { throw .limit(.size) }
        try machine.charge(work: cells &* Machine.elementCost)
        return .array(
            (0..<width).map { column in
                .array(rows.map { row in row.array.flatMap { column < $0.count ? $0[column] : nil } ?? .null })
            })
    }

    @Sendable private static func indices(
        _ value: JSONValue, _ arguments: [JSONValue], _ machine: Machine
    ) throws(Interruption) -> JSONValue {
        let wanted = arguments[0]
        switch (value, wanted) {
        case (.array, .array): return try Access.get(value, wanted, machine)
        case (.array, _): return try Access.get(value, .array([wanted]), machine)
        case (.string(let text), .string(let part)): return .array(StringFunctions.indices(of: part, in: text))
        default: return try Access.get(value, wanted, machine)
        }
    }

    /// If there is no equal element, -1 minus the index at which it would be inserted.
    @Sendable private static func binarySearch(
        _ value: JSONValue, _ arguments: [JSONValue], _ machine: Machine
    ) throws(Interruption) -> JSONValue {
        guard case .array(let elements) = value else { throw ValueFunctions.failure(value, "cannot be searched from") }
        let target = arguments[0]
        var low = 0
        var high = elements.count
        while low < high {
            let middle = low + (high - low) / 2
            let order = try ValueOrder.compare(elements[middle], target, machine)
            if order == 0 { return .number(JSONNumber(middle)) }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return .number(JSONNumber(-1 - low))
    }

    @Sendable private static func join(
        _ value: JSONValue, _ arguments: [JSONValue], _ machine: Machine
    ) throws(Interruption) -> JSONValue {
        let separator = arguments[0]
        let parts = try value.elements()
        guard case .string(let mark) = separator, parts.allSatisfy({ $0.isScalar }) else {
            return try joinedSlowly(parts, separator, machine)
        }
        var result = ""
        for (index, part) in parts.enumerated() {
            try machine.charge(work: 1)
            if index > 0 { result += mark }
            switch part {
            case .null: continue
            case .string(let text): result += text
            default: result += ValueText.json(part)
            }
            guard result.utf8.count <= machine.limits.size else { throw .limit(.size) }
        }
        return .string(result)
    }

    private static func joinedSlowly(
        _ parts: [JSONValue], _ separator: JSONValue, _ machine: Machine
    ) throws(Interruption) -> JSONValue {
        var result = JSONValue.null
        for part in parts {
            try machine.charge(work: 1 &+ part.buildingCost)
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

extension JSONValue {
    func elements() throws(Interruption) -> [JSONValue] {
        switch self {
        case .array(let elements): return elements.array
        case .object(let members): return members.map(\.value)
        default: throw IterateNode.cannotIterate(self)
        }
    }
}
