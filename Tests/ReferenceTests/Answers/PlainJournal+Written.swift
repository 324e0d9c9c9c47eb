import JSONCore
import QueryLanguage

/// `slice`, `merge`, `redact`, `minimize` and `verify --repair`: what the journals that they write must be.
extension PlainJournal {
    /// What differs between the states of two journals over positions of both.
    private func difference(_ other: PlainJournal, _ range: ClosedRange<Int>, renumbered: Bool = false) -> String? {
        let shift = renumbered ? other.start - start : 0
        if other.start != range.lowerBound + shift || other.end != range.upperBound + shift {
            return
                "it goes from \(other.start) to \(other.end), should go from \(range.lowerBound) to \(range.upperBound)"
        }
        for position in range {
            let (own, others) = (
                states[position]?.text() ?? "(none)", other.states[position + shift]?.text() ?? "(none)"
            )
            if own != others { return "the state at \(position) is\n\(others)\nshould be\n\(own)" }
        }
        return nil
    }

    func slice(_ question: Question) -> Expectation {
        guard let range = bounds(question.range) else { return .notThere }
        let output = Expectation.Output.journal { journal in
            if let difference = difference(journal, range) { return difference }
            for position in range.dropFirst() where commits[position]?.bytes != journal.commits[position]?.bytes {
                return "commit \(position) is not copied"
            }
            return nil
        }
        return Expectation(output: output, status: [0])
    }

    func merge(_ question: Question) -> Expectation {
        guard position(question.positions.first) != nil else { return .unspecified }
        return Expectation(output: .journal { difference($0, start...end, renumbered: true) }, status: [0])
    }

    func repair(_ question: Question) -> Expectation {
        Expectation(output: .journal { difference($0, start...end) }, status: isTorn ? [1] : [0])
    }

    func minimize(_ question: Question) -> Expectation {
        guard let query = question.query.flatMap({ try? Query($0) }) else { return .unspecified }
        guard evaluate(query, at: end, store: nil)?.isTrue == true else {
            return Expectation(output: .anything, status: [1, 5])
        }
        let output = Expectation.Output.journal { journal in
            if journal.evaluate(query, at: journal.end, store: nil)?.isTrue != true { return "it does not end bad" }
            return journal.commits.count <= commits.count ? nil : "it has more commits"
        }
        return Expectation(output: output, status: hasGap(in: start...end) ? [0, 5] : [0])
    }

    func redact(_ question: Question) -> Expectation {
        guard let pattern = question.path, !pattern.steps.isEmpty else { return .unspecified }
        let output = Expectation.Output.journal { journal in
            if journal.start != start || journal.end != end { return "it goes from \(journal.start) to \(journal.end)" }
            for position in start...end {
                guard let old = states[position], let new = journal.states[position] else { continue }
                if let place = Self.leftOpen(old, new, pattern, []) {
                    return
                        "at \(position) the value at '\(PlainPointer.text(place))' is not what it should be:\n\(new.text())\nfrom\n\(old.text())"
                }
            }
            return nil
        }
        return Expectation(output: output, status: [0])
    }

    /// Where a redacted value is in clear at a path that should be redacted, or another value differs in more than redactions.
    private static func leftOpen(_ old: JSONValue, _ new: JSONValue, _ pattern: PlainPattern, _ path: [PlainKey])
        -> [PlainKey]?
    {
        if let hash = new.object, hash.count == 1, hash["$redacted"] != nil { return nil }
        if pattern.matches(path) { return path }
        switch (old, new) {
        case (.object(let old), .object(let new)):
            if old.count != new.count { return path }
            for (key, value) in old {
                guard let other = new[key] else { return path + [PlainKey(key)] }
                if let place = leftOpen(value, other, pattern, path + [PlainKey(key)]) { return place }
            }
            return nil
        case (.array(let old), .array(let new)):
            if old.count != new.count { return path }
            for (index, (value, other)) in zip(old, new).enumerated() {
                if let place = leftOpen(value, other, pattern, path + [PlainKey(String(index))]) { return place }
            }
            return nil
        default: return old == new ? nil : path
        }
    }
}
