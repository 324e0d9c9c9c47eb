internal import JSONCore

/// `{a: 1, (f): g}`: one object for each combination of keys and values, the first member varying slowest.
final class ObjectNode: Node {
    let entries: [(key: Node, value: Node)]
    private let names: [String]?
    private let values: [Node]
    /// The parts of the first entry, as constants: running them then counts no reference.
    private let firstKey: Node
    private let firstValue: Node

    init(_ entries: [(key: Node, value: Node)]) {
        self.entries = entries
        values = entries.map(\.value)
        firstKey = entries.first?.key ?? EmptyNode()
        firstValue = entries.first?.value ?? EmptyNode()
        let names = entries.compactMap { entry -> String? in (entry.key as? LiteralNode)?.value.string }
        let isKnown = names.count == entries.count && Set(names.map { Array($0.utf8) }).count == names.count
        self.names = isKnown ? names : nil
    }

    override var parts: [Node] { entries.flatMap { [$0.key, $0.value] } }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        try frame.machine.charge(work: Machine.buildingCost &+ Machine.memberCost &* entries.count)
        if let names { return try object(names, input, frame) }
        var members = JSONObject()
        var nested = false
        for entry in entries {
            guard let key = try entry.key.one(input, frame), let value = try entry.value.one(input, frame) else {
                return nil
            }
            nested = nested || !value.isScalar
            let name = try Self.name(key)
            if members.isEmpty { members = JSONObject(name, value) } else { members[name] = value }
        }
        let result = JSONValue.object(members)
        if nested { try frame.machine.checkNesting(of: result) }
        return result
    }
    /// Sets the only member of an object of one entry in another object, without building the first; both sides have
    /// `value` as their input.
    func set(in value: inout JSONValue, _ frame: Frame) throws(Interruption) -> Bool {
        try frame.machine.charge(work: Machine.insertionCost)
        guard let key = try firstKey.one(value, frame), let member = try firstValue.one(value, frame) else {
            return false
        }
        let isNested = !member.isScalar
        _ = value.setMember(try Self.name(key), to: member)
        if isNested { try frame.machine.checkNesting(of: value) }
        return true
    }
    private func object(_ names: [String], _ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        var nested = false
        let members = try JSONObject(distinctKeys: names) { (index) throws(Interruption) -> JSONValue? in
            guard let value = try values[index].one(input, frame) else { return nil }
            nested = nested || !value.isScalar
            return value
        }
        guard let members else { return nil }
        if nested { try frame.machine.checkNesting(of: .object(members)) }
        return .object(members)
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        if cardinality != .many { return try super.run(input, frame, sink) }
        return try extend(JSONObject(), with: entries[...], input, frame, sink)
    }

    private func extend(
        _ members: JSONObject, with rest: ArraySlice<(key: Node, value: Node)>, _ input: JSONValue, _ frame: Frame,
        _ sink: Sink
    ) throws(Interruption) -> Flow {
        guard let entry = rest.first else {
            try frame.machine.charge(work: Machine.buildingCost &+ Machine.memberCost &* entries.count)
            return try sink(.object(members))
        }
        return try entry.key.each(input, frame) { key throws(Interruption) in
            let name = try Self.name(key)
            return try entry.value.each(input, frame) { value throws(Interruption) in
                try frame.machine.charge(work: 1 &+ members.count)
                var longer = members
                longer[name] = value
                return try extend(longer, with: rest.dropFirst(), input, frame, sink)
            }
        }
    }

    static func name(_ key: JSONValue) throws(Interruption) -> String {
        guard case .string(let name) = key else {
            throw .message("Cannot use \(key.kindName) (\(ValueText.truncated(key))) as object key")
        }
        return name
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        var members: [(String, Abstract)] = []
        var rest: Abstract?
        for entry in entries {
            let key = entry.key.trace(input, frame)
            let value = entry.value.trace(input, frame)
            if case .string(let name)? = key.constant {
                members.append((name, value))
            } else {
                frame.tracer.consume(key)
                rest = rest?.joined(with: value) ?? value
            }
        }
        return frame.tracer.bounded(.object(members, rest: rest))
    }
}

/// `"a\(b)c"`, under a format or none: one string for each combination, the first interpolation varying fastest.
final class TemplateNode: Node {
    let segments: [TemplatePart<Node>]
    let format: StringFormat

    init(_ segments: [TemplatePart<Node>], format: StringFormat) {
        self.segments = segments
        self.format = format
    }

    override var parts: [Node] {
        segments.compactMap { segment in if case .interpolation(let node) = segment { node } else { nil } }
    }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        // The last segment is evaluated first, in the order of the general form below.
        var pieces: [String] = []
        pieces.reserveCapacity(segments.count)
        for part in segments.reversed() {
            switch part {
            case .text(let text): pieces.append(text)
            case .interpolation(let node):
                guard let value = try node.one(input, frame) else { return nil }
                pieces.append(try format.apply(to: value, frame.machine))
            }
        }
        let result = Self.joined(pieces)
        try frame.machine.charge(text: result)
        return .string(result)
    }

    private static func joined(_ reversed: [String]) -> String {
        var count = 0
        for piece in reversed { count += piece.utf8.count }
        var text = ""
        text.reserveCapacity(count)
        for piece in reversed.reversed() { text += piece }
        return text
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        if cardinality != .many { return try super.run(input, frame, sink) }
        return try extend("", before: segments[...], input, frame, sink)
    }

    private func extend(
        _ end: String, before rest: ArraySlice<TemplatePart<Node>>, _ input: JSONValue, _ frame: Frame, _ sink: Sink
    ) throws(Interruption) -> Flow {
        try frame.machine.charge(text: end)
        guard let last = rest.last else { return try sink(.string(end)) }
        switch last {
        case .text(let text): return try extend(text + end, before: rest.dropLast(), input, frame, sink)
        case .interpolation(let node):
            return try node.each(input, frame) { value throws(Interruption) in
                try frame.machine.charge(1)
                return try extend(
                    try format.apply(to: value, frame.machine) + end, before: rest.dropLast(), input, frame, sink)
            }
        }
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        for case .interpolation(let node) in segments { frame.tracer.consume(node.trace(input, frame)) }
        return .scalar
    }
}

/// `map(f)` and `[.[] | f]`: the array of the outputs of `f` for each part of the input.
final class MapNode: UnaryNode {
    override var traits: NodeTraits { .readsInputOnly }
    override var inferredCardinality: Cardinality { .one }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        guard case .array(let elements) = input, operand.cardinality != .many else {
            return try collected(input, frame)
        }
        let machine = frame.machine
        guard elements.count <= machine.limits.elements else { throw .limit(.size) }
        var results: [JSONValue] = []
        if operand.cardinality == .one { results.reserveCapacity(elements.count) }
        let cost = operand.stepCost &+ Machine.elementCost
        _ = try elements.eachBorrowed { element throws(Interruption) in
            try machine.charge(work: cost)
            if let result = try element.one(operand, frame) { results.append(result) }
            return .more
        }
        return try noted(results, machine)
    }

    private func collected(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue {
        var results: [JSONValue] = []
        _ = try IterateNode.forEachPart(of: input, frame.machine) { part throws(Interruption) in
            try frame.machine.charge(operand.stepCost)
            return try operand.each(part, frame) { result throws(Interruption) in
                try frame.machine.append(result, to: &results)
                return .more
            }
        }
        return try noted(results, frame.machine)
    }

    private func noted(_ results: [JSONValue], _ machine: Machine) throws(Interruption) -> JSONValue {
        let result = JSONValue.array(results)
        if let last = results.last, !last.isScalar { try machine.checkNesting(of: result, isPlain: true) }
        return result
    }

    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try at.requireIntactForIteration()
        var results: [JSONValue] = []
        _ = try IterateNode.forEachPath(below: at, frame.machine) { part throws(Interruption) in
            try frame.machine.charge(operand.stepCost)
            return try operand.pathValues(part, frame) { result throws(Interruption) in
                try frame.machine.append(result, to: &results)
                return .more
            }
        }
        return try sink(at.computed(try noted(results, frame.machine)))
    }

    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        .array(of: operand.trace(frame.tracer.parts(of: input), frame))
    }
}
