internal import JSONCore

/// The built-ins that compare elements by a key.
enum SortingKind: String, CaseIterable {
    case sort = "sort_by"
    case group = "group_by"
    case unique = "unique_by"
    case minimum = "min_by"
    case maximum = "max_by"
}

/// `sort_by(f)` and the like.
///
/// The key is the array of all outputs of `f`.
final class SortingNode: UnaryNode {
    let kind: SortingKind
    /// The parts of the key, if they are several with one output each: then each is a column of its own.
    private var columns: [Node] = []
    /// The cost of sorting, as a multiple of reading the array once.
    static let effort = 16
    /// The additional cost of each element if groups are made: each may be a group of its own.
    private static let groupCost = 16

    init(_ kind: SortingKind, key: Node) {
        self.kind = kind
        super.init(key)
    }

    override var inferredCardinality: Cardinality { .one }
    override func inferCardinality() {
        super.inferCardinality()
        if let parts = (operand as? CommaNode)?.parts, parts.allSatisfy({ $0.cardinality == .one }), !isExtreme {
            columns = parts
        }
    }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        guard case .array(let elements) = input else {
            // Errors of the keys come first, also for an object, which cannot be sorted.
            var lists: [JSONValue] = []
            _ = try IterateNode.forEachPart(of: input, frame.machine) { part throws(Interruption) in
                lists.append(.array(try operand.all(part, frame)))
                return .more
            }
            throw refusal(input, .array(lists))
        }
        if !columns.isEmpty { return try sorted(elements, frame) }
        var keys: [JSONValue] = []
        keys.reserveCapacity(elements.count)
        _ = try elements.eachBorrowed { element throws(Interruption) in
            try frame.machine.charge(operand.stepCost)
            if operand.cardinality == .one, let value = try element.one(operand, frame) {
                // Single keys have the order that arrays of one key would have.
                keys.append(value)
            } else {
                keys.append(.array(try element.all(operand, frame)))
            }
            return .more
        }
        try frame.machine.charge(work: input.readingCost * Self.effort)
        return try Self.apply(kind, elements, keys, frame.machine)
    }

    private var isExtreme: Bool { kind == .minimum || kind == .maximum }

    /// Orders by several keys, each a column of its own, so that no array is made for an element.
    private func sorted(_ elements: [JSONValue], _ frame: Frame) throws(Interruption) -> JSONValue {
        let columns = columns
        var values = columns.map { _ in [JSONValue]() }
        for column in values.indices { values[column].reserveCapacity(elements.count) }
        _ = try elements.eachBorrowed { element throws(Interruption) in
            try frame.machine.charge(operand.stepCost)
            for column in columns.indices {
                if let value = try element.one(columns[column], frame) { values[column].append(value) }
            }
            return .more
        }
        let machine = frame.machine
        try machine.charge(work: elements.count * (Self.effort / 4 + Machine.buildingCost))
        if kind == .sort { return .array(try SortedOrder.places(ofColumns: values, machine).map { elements[$0] }) }
        try machine.charge(work: Self.groupCost &* elements.count)
        let groups = try SortedOrder.groups(ofColumns: values, machine)
        if kind == .unique { return .array(groups.map { elements[$0[0]] }) }
        return .array(groups.map { group in .array(group.map { elements[$0] }) })
    }

    private func refusal(_ input: JSONValue, _ lists: JSONValue) -> Interruption {
        return Arithmetic.failure(
            input, lists, isExtreme ? "cannot be iterated over" : "cannot be sorted, as they are not both arrays")
    }

    static func apply(
        _ kind: SortingKind, _ elements: [JSONValue], _ keys: [JSONValue], _ machine: Machine
    ) throws(Interruption) -> JSONValue {
        switch kind {
        case .minimum, .maximum: return try extreme(elements, keys, isMinimum: kind == .minimum, machine)
        case .sort: return .array(try SortedOrder.places(of: keys, machine).map { elements[$0] })
        case .group, .unique: break
        }
        try machine.charge(work: groupCost &* elements.count)
        let groups = try SortedOrder(keys, machine).groups()
        if kind == .unique { return .array(groups.map { elements[$0[0]] }) }
        return .array(groups.map { group in .array(group.map { elements[$0] }) })
    }

    /// The first of the least elements, or the last of the greatest.
    private static func extreme(
        _ elements: [JSONValue], _ keys: [JSONValue], isMinimum: Bool, _ machine: Machine
    ) throws(Interruption) -> JSONValue {
        guard !elements.isEmpty else { return .null }
        var best = 0
        for place in 1..<elements.count
        where (try ValueOrder.compare(keys[place], keys[best], machine) < 0) == isMinimum {
            best = place
        }
        return elements[best]
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        let elements = frame.tracer.parts(of: input)
        frame.tracer.consume(operand.trace(elements, frame))
        switch kind {
        case .minimum, .maximum: return elements
        case .sort, .unique: return .array(of: elements)
        case .group: return .array(of: .array(of: elements))
        }
    }
}
