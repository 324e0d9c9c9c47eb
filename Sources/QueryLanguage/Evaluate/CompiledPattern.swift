internal import JSONCore

/// A pattern of `as`, compiled: the slots for the parts of a value.
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

    /// Binds the parts of a value and runs the body, once for each combination of the outputs of the key expressions.
    func bind(
        _ value: JSONValue, _ frame: Frame, _ body: () throws(Interruption) -> Flow
    ) throws(Interruption) -> Flow {
        try Self.bind([Pending(pattern: self, value: value)], frame, body)
    }

    /// A value that is still to be matched with a pattern.
    private struct Pending {
        var pattern: CompiledPattern
        var value: JSONValue
    }

    /// Works off a list of pending parts, the last first.
    ///
    /// Only computed keys, which may have several outputs, need a callback. (With a callback for each level of the
    /// pattern the compiler would specialise this function without end, for callbacks within callbacks.)
    private static func bind(
        _ list: [Pending], _ frame: Frame, _ body: () throws(Interruption) -> Flow
    ) throws(Interruption) -> Flow {
        var list = list
        while let next = list.popLast() {
            switch next.pattern {
            case .variable(let slot): frame[slot] = next.value
            case .array(let elements):
                for (index, element) in elements.enumerated().reversed() {
                    let part = try Access.get(next.value, .number(JSONNumber(index)))
                    list.append(Pending(pattern: element, value: part))
                }
            case .object(let entries):
                guard let first = entries.first else { continue }
                let rest = CompiledPattern.object(Array(entries.dropFirst()))
                return try first.key.each(next.value, frame) { key throws(Interruption) in
                    var longer = list
                    longer.append(Pending(pattern: rest, value: next.value))
                    let member = try Self.member(of: next.value, key)
                    if let slot = first.slot { frame[slot] = member }
                    if let pattern = first.value { longer.append(Pending(pattern: pattern, value: member)) }
                    return try bind(longer, frame, body)
                }
            }
        }
        return try body()
    }

    private static func member(of value: JSONValue, _ key: JSONValue) throws(Interruption) -> JSONValue {
        guard case .string = key else {
            throw .message("Cannot use \(key.kindName) (\(ValueText.truncated(key))) as object key")
        }
        return try Access.get(value, key)
    }

    /// The nodes that compute keys: a value is bound once for each combination of their outputs.
    var keys: [Node] {
        switch self {
        case .variable: []
        case .array(let elements): elements.flatMap(\.keys)
        case .object(let entries): entries.flatMap { [$0.key] + ($0.value?.keys ?? []) }
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
