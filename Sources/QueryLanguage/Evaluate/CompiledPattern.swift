internal import JSONCore

/// A pattern of `as`, compiled: the slots for the parts of a value.
indirect enum CompiledPattern {
    case variable(slot: Int)
    case array([CompiledPattern])
    case object([KeyedPattern])
    /// The next one is tried where one, or what is done with it, fails.
    case alternatives([CompiledPattern], slots: [Int])

    struct KeyedPattern {
        var key: Node
        var slot: Int?
        var value: CompiledPattern?
    }

    /// Runs the body once for each combination of the outputs of the key expressions.
    @inline(never)
    func bind(
        _ value: JSONValue, _ frame: Frame, _ body: () throws(Interruption) -> Flow
    ) throws(Interruption) -> Flow {
        if let slot = singleSlot {
            frame[slot] = value
            return try body()
        }
        guard case .alternatives(let patterns, let slots) = self else {
            return try Self.bind([Pending(pattern: self, value: value)], frame, body)
        }
        return try Self.firstOf(patterns, slots, frame) { pattern throws(Interruption) in
            try Self.bind([Pending(pattern: pattern, value: value)], frame, body)
        }
    }

    private static func firstOf(
        _ patterns: [CompiledPattern], _ slots: [Int], _ frame: Frame,
        _ bind: (CompiledPattern) throws(Interruption) -> Flow
    ) throws(Interruption) -> Flow {
        for (index, pattern) in patterns.enumerated() {
            for slot in slots { frame[slot] = .null }
            try frame.machine.charge(work: Machine.failureCost &+ slots.count)
            do throws(Interruption) { return try bind(pattern) } catch {
                switch error {
                case .failure, .broken: if index + 1 == patterns.count { throw error }
                default: throw error
                }
            }
        }
        return .more
    }

    /// Binds the parts of what stands at a path, and runs the body with the place of a pattern that takes one part alone.
    func bind(
        _ at: Located, _ frame: Frame, _ body: ((slot: Int, place: Located)?) throws(Interruption) -> Flow
    ) throws(Interruption) -> Flow {
        switch self {
        case .alternatives(let patterns, let slots):
            return try Self.firstOf(patterns, slots, frame) { pattern throws(Interruption) in
                try pattern.bind(at, frame, body)
            }
        case .variable(let slot):
            frame[slot] = at.value
            return try body((slot, at))
        case .array(let elements) where elements.count == 1:
            let key = JSONValue.number(JSONNumber(0))
            let part = try Access.get(at.value, key)
            return try elements[0].bind(try at.down(key, to: part, frame.machine), frame, body)
        case .object(let entries) where entries.count == 1:
            let entry = entries[0]
            return try entry.key.each(at.value, frame) { key throws(Interruption) in
                _ = try ObjectNode.name(key)
                let part = try Access.get(at.value, key)
                let found = try at.down(key, to: part, frame.machine)
                if let slot = entry.slot { frame[slot] = part }
                if let value = entry.value { return try value.bind(found, frame, body) }
                return try body(entry.slot.map { ($0, found) })
            }
        default: return try bind(at.value, frame) { () throws(Interruption) -> Flow in try body(nil) }
        }
    }

    var isAlternative: Bool {
        if case .alternatives = self { true } else { false }
    }

    private struct Pending {
        var pattern: CompiledPattern
        var value: JSONValue
    }

    /// Only computed keys, which may have several outputs, need a callback: with one for each level of the pattern the
    /// compiler would specialise this function without end.
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
                    _ = try ObjectNode.name(key)
                    let member = try Access.get(next.value, key)
                    if let slot = first.slot { frame[slot] = member }
                    if let pattern = first.value { longer.append(Pending(pattern: pattern, value: member)) }
                    return try bind(longer, frame, body)
                }
            // Only a whole pattern has alternatives.
            case .alternatives: continue
            }
        }
        return try body()
    }

    var keys: [Node] {
        switch self {
        case .variable: []
        case .array(let elements): elements.flatMap(\.keys)
        case .object(let entries): entries.flatMap { [$0.key] + ($0.value?.keys ?? []) }
        case .alternatives(let patterns, _): patterns.flatMap(\.keys)
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
        case .alternatives(let patterns, let slots):
            // Which pattern fits depends on the whole value.
            frame.tracer.consume(value)
            for slot in slots { frame[slot] = .derived }
            for pattern in patterns { pattern.trace(.derived, frame) }
        }
    }

    var singleSlot: Int? {
        if case .variable(let slot) = self { return slot }
        return nil
    }
}
