import TestSupport

/// A window of the trace, of which one event may be damaged.
struct TraceWindow {
    /// One line of what is imported.
    struct Line {
        let event: RaftTrace.Event
        var text: String
        /// Whether the damage is here, or, where an event is gone, first shows in its node.
        var isGuilty = false
    }

    private(set) var lines: [Line]

    init(_ events: ArraySlice<RaftTrace.Event>) { lines = events.map { Line(event: $0, text: $0.text) } }

    /// The ways in which a trace is damaged, as kinds of faults: an event that is gone, one that is there again later, two of one
    /// node that changed places, and one with a wrong value.
    static let kinds = [Mutant.Kind.lostUpdate, .doubleApply, .effectOrder, .wrongOperand]

    /// Damages one event, away from both ends.
    ///
    /// - Returns: whether there was an event that can be damaged so.
    mutating func damage(_ kind: Mutant.Kind, _ random: inout SeededGenerator) -> Bool {
        let margin = lines.count / 8
        let index = margin + below(lines.count - 3 * margin, &random)
        switch kind {
        case .lostUpdate: return drop(from: index)
        case .doubleApply: double(index, after: 5 + below(margin, &random))
        case .effectOrder: return swap(index, steps: 1 + below(4, &random))
        default: corrupt(index, &random)
        }
        return true
    }

    private func next(of index: Int) -> Int? {
        lines.indices.dropFirst(index + 1).first { lines[$0].event.node == lines[index].event.node }
    }

    /// The first event from there that changes what its node holds: the others are missed by no rule.
    private mutating func drop(from start: Int) -> Bool {
        let found = lines.indices.dropFirst(start).first { index in
            let event = lines[index].event
            guard let before = lines[..<index].last(where: { $0.event.node == event.node })?.event else { return false }
            return before.commit != event.commit || before.log != event.log || before.term != event.term
        }
        guard let found, let after = next(of: found) else { return false }
        lines[after].isGuilty = true
        lines.remove(at: found)
        return true
    }

    private mutating func double(_ index: Int, after count: Int) {
        var copy = lines[index]
        copy.isGuilty = true
        lines.insert(copy, at: index + 1 + count)
    }

    private mutating func swap(_ index: Int, steps: Int) -> Bool {
        var other = index
        for _ in 0..<steps {
            guard let following = next(of: other) else { return false }
            other = following
        }
        lines.swapAt(index, other)
        lines[index].isGuilty = true
        lines[other].isGuilty = true
        return true
    }

    private mutating func corrupt(_ index: Int, _ random: inout SeededGenerator) {
        let event = lines[index].event
        let (old, new) =
            switch below(5, &random) {
            case 0: ("\"term\":\(event.term)", "\"term\":\(event.term + 1)")
            case 1: ("\"commit\":\(event.commit)", "\"commit\":\(event.commit + 1 + below(3, &random))")
            case 2: ("\"log\":\(event.log)", "\"log\":\(event.log + 1 + below(3, &random))")
            case 3: ("\"vote\":\"\(event.vote)\"", "\"vote\":\"\(event.vote == "3" ? "4" : "3")\"")
            default: ("\"role\":\"\(event.role)\"", "\"role\":\"StateLeader\"")
            }
        // The node's own state comes before what it says of messages.
        if let range = lines[index].text.firstRange(of: old) { lines[index].text.replaceSubrange(range, with: new) }
        lines[index].isGuilty = true
    }
}
