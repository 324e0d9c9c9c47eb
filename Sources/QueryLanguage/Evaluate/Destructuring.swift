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

    /// Binds the parts of a value, once for each combination of what the key expressions give.
    func bind(
        _ value: JSONValue, _ frame: Frame, _ body: () throws(Interruption) -> Flow
    ) throws(Interruption) -> Flow {
        switch self {
        case .variable(let slot):
            frame[slot] = value
            return try body()
        case .array(let elements): return try Self.bind(elements[...], at: 0, of: value, frame, body)
        case .object(let entries): return try Self.bind(entries[...], of: value, frame, body)
        }
    }

    private static func bind(
        _ elements: ArraySlice<CompiledPattern>, at index: Int, of value: JSONValue, _ frame: Frame,
        _ body: () throws(Interruption) -> Flow
    ) throws(Interruption) -> Flow {
        guard let first = elements.first else { return try body() }
        let element = try Access.get(value, .number(JSONNumber(index)))
        return try first.bind(element, frame) { () throws(Interruption) -> Flow in
            try bind(elements.dropFirst(), at: index + 1, of: value, frame, body)
        }
    }

    private static func bind(
        _ entries: ArraySlice<Entry>, of value: JSONValue, _ frame: Frame,
        _ body: () throws(Interruption) -> Flow
    ) throws(Interruption) -> Flow {
        guard let first = entries.first else { return try body() }
        return try first.key.each(value, frame) { key throws(Interruption) in
            guard case .string = key else {
                throw .message("Cannot use \(key.kindName) (\(ValueText.truncated(key))) as object key")
            }
            let member = try Access.get(value, key)
            if let slot = first.slot { frame[slot] = member }
            guard let pattern = first.value else { return try bind(entries.dropFirst(), of: value, frame, body) }
            return try pattern.bind(member, frame) { () throws(Interruption) -> Flow in
                try bind(entries.dropFirst(), of: value, frame, body)
            }
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
