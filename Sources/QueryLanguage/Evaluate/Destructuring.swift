internal import JSONCore

/// A compiled pattern: where each part of a value goes.
indirect enum CompiledPattern {
    case variable(slot: Int)
    case array([CompiledPattern])
    case object([Entry])

    struct Entry {
        var key: Node
        var slot: Int?
        var value: CompiledPattern?
    }

    /// What is left to bind of a value.
    private enum Step {
        case pattern(CompiledPattern, JSONValue)
        case element(CompiledPattern, at: Int, of: JSONValue)
        case entry(Entry, of: JSONValue)
    }

    /// Binds the parts of a value, once for each combination of what the key expressions give.
    func bind(
        _ value: JSONValue, _ frame: Frame, _ body: () throws(Interruption) -> Flow
    ) throws(Interruption) -> Flow {
        try Self.bind([.pattern(self, value)], frame, body)
    }

    /// Takes steps from the end until none is left.
    ///
    /// Not by one closure around another for each part: the compiler makes a copy of the code for every way they can nest.
    private static func bind(
        _ steps: [Step], _ frame: Frame, _ body: () throws(Interruption) -> Flow
    ) throws(Interruption) -> Flow {
        var steps = steps
        while let step = steps.popLast() {
            switch step {
            case .pattern(.variable(let slot), let value): frame[slot] = value
            case .pattern(.array(let elements), let value):
                for (index, element) in elements.enumerated().reversed() {
                    steps.append(.element(element, at: index, of: value))
                }
            case .pattern(.object(let entries), let value):
                steps.append(contentsOf: entries.reversed().map { .entry($0, of: value) })
            case .element(let pattern, let index, let value):
                steps.append(.pattern(pattern, try Access.get(value, .number(JSONNumber(index)))))
            case .entry(let entry, let value): return try bind(entry, of: value, then: steps, frame, body)
            }
        }
        return try body()
    }

    private static func bind(
        _ entry: Entry, of value: JSONValue, then rest: [Step], _ frame: Frame,
        _ body: () throws(Interruption) -> Flow
    ) throws(Interruption) -> Flow {
        try entry.key.each(value, frame) { key throws(Interruption) in
            guard case .string = key else {
                throw .message("Cannot use \(key.kindName) (\(ValueText.truncated(key))) as object key")
            }
            let member = try Access.get(value, key)
            if let slot = entry.slot { frame[slot] = member }
            return try bind(rest + (entry.value.map { [.pattern($0, member)] } ?? []), frame, body)
        }
    }

    /// The most outputs that one value can be bound to.
    func settle() -> Multiplicity {
        switch self {
        case .variable: return .one
        case .array(let elements): return elements.reduce(.one) { max($0, $1.settle()) }
        case .object(let entries):
            return entries.reduce(.one) { result, entry in
                entry.key.settle()
                return max(result, max(entry.key.multiplicity, entry.value?.settle() ?? .one))
            }
        }
    }

    func trace(_ value: Abstract, _ frame: TraceFrame) {
        switch self {
        case .variable(let slot): frame[slot] = value
        case .array(let elements):
            let parts = frame.tracer.index(value, by: .constant(.number(JSONNumber(0))))
            for element in elements { element.trace(parts, frame) }
        case .object(let entries):
            for entry in entries {
                let member = frame.tracer.index(value, by: entry.key.trace(value, frame))
                if let slot = entry.slot { frame[slot] = member }
                entry.value?.trace(member, frame)
            }
        }
    }

    /// Whether it is a single variable, which binds exactly once.
    var singleSlot: Int? {
        if case .variable(let slot) = self { return slot }
        return nil
    }
}
