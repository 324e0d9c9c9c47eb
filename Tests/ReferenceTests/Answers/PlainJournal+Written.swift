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
}
