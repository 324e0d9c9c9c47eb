import QueryLanguage

/// `info`, `stats`, `verify`: what a journal is like.
extension PlainJournal {
    func info(_ question: Question) -> Expectation {
        let property = Expectation.Output.property { lines in
            guard lines.count == 1, let line = lines[0].object else { return "not one line" }
            let expected: PlainObject = [
                "commits": PlainJSON(commits.count), "marks": PlainJSON(marks.count),
                "gaps": PlainJSON(records.filter { $0.kind == "gap" }.count), "bytes": PlainJSON(text.count),
                "aborts": PlainJSON(records.filter { $0.kind == "abort" }.count),
                "derived": .array(records.filter { $0.kind == "derived" }.map { $0["name"] }),
                "ended": .bool(records.last?.kind == "end"), "torn": .bool(isTorn),
            ]
            for (key, value) in expected where line[key] != value { return "'\(key)' should be \(value.text())" }
            for store in line["stores"]?.array ?? [] {
                guard let name = store.object?["store"]?.string else { return "a store without a name" }
                let count = commits.values.filter { $0.store.map { PlainKey($0) } == PlainKey(name) }.count
                if store.object?["commits"] != PlainJSON(count) { return "store '\(name)' has \(count) commits" }
                if store.object?["open"] != .bool(isOpenAtEnd(name)) {
                    return "'open' of store '\(name)' should be \(isOpenAtEnd(name))"
                }
            }
            let named = Set(
                (line["stores"]?.array ?? []).compactMap { $0.object?["store"]?.string.map { PlainKey($0) } })
            return named == stores ? nil : "the stores should be \(stores.sorted().map(\.text))"
        }
        return Expectation(output: property, status: [0])
    }

    /// Whether a store was not closed, which its member in the last state does not tell.
    private func isOpenAtEnd(_ name: String) -> Bool {
        var isOpen = false
        for record in records {
            let isIt = record.store.map { PlainKey($0) } == PlainKey(name)
            switch record.kind {
            case "store" where isIt: isOpen = true
            case "close" where isIt: isOpen = false
            case "gap": isOpen = record["states"].object?[name] != nil
            default: break
            }
        }
        return isOpen
    }

    func stats(_ question: Question) -> Expectation {
        guard let range = bounds(question.range) else { return .notThere }
        let (commits, _) = filtered(range, question)
        let idle = commits.filter { commit in
            before[commit.seq].map { (try? PlainPatch.applied(commit.patch, to: $0)) == $0 } == true
        }
        let property = Expectation.Output.property { lines in
            guard let line = lines.first?.object else { return "no line" }
            let changes = commits.flatMap(\.patch).count { $0.object?["op"] != "test" }
            let expected: PlainObject = [
                "commits": PlainJSON(commits.count), "changes": PlainJSON(changes), "idle": PlainJSON(idle.count),
                "first": commits.first?["time"] ?? .null, "last": commits.last?["time"] ?? .null,
            ]
            for (key, value) in expected where line[key] != value { return "'\(key)' should be \(value.text())" }
            for row in lines.compactMap(\.object) where row["kind"] == "stats.function" {
                let own = commits.filter { $0["at"].object?["function"] == row["function"] }
                if row["commits"] != PlainJSON(own.count) || row["last"] != PlainJSON(own.last?.seq ?? -1) {
                    return "'\(row["function"]?.text() ?? "")' made \(own.count) commits"
                }
            }
            for row in lines.compactMap(\.object) where row["kind"] == "stats.store" {
                let name = PlainKey(row["store"]?.string ?? "")
                let own = commits.filter { $0.store.map { PlainKey($0) } == name }
                if row["commits"] != PlainJSON(own.count) { return "store '\(name.text)' has \(own.count) commits" }
                if row["last"] != PlainJSON(own.last?.seq ?? -1) {
                    return "the last commit of '\(name.text)' is \(own.last?.seq ?? -1)"
                }
            }
            return nil
        }
        return Expectation(output: property, status: hasGap(in: range) ? [5] : [0])
    }

    func verify(_ question: Question) -> Expectation {
        if isTorn { return Expectation(output: .anything, status: [1]) }
        let property = Expectation.Output.property { lines in
            guard lines.count == 1, let line = lines[0].object else { return "not one line" }
            let expected: PlainObject = [
                "kind": "verified", "records": PlainJSON(records.count), "commits": PlainJSON(commits.count),
                "sums": PlainJSON(records.filter { $0.members["sum"] != nil }.count),
            ]
            for (key, value) in expected where line[key] != value { return "'\(key)' should be \(value.text())" }
            return nil
        }
        return Expectation(output: property, status: [0])
    }
}

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
