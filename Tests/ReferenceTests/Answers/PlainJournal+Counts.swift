/// `info`, `stats`, `verify`: what a journal is like.
extension PlainJournal {
    func info(_ question: Question) -> Expectation {
        let property = Expectation.Output.property { lines in
            guard lines.count == 1, let line = lines[0].object else { return "not one line" }
            let expected: PlainObject = [
                "commits": PlainJSON(commits.count), "marks": PlainJSON(marks.count),
                "gaps": PlainJSON(records.filter { $0.kind == "gap" }.count), "bytes": PlainJSON(text.count),
                "aborts": PlainJSON(records.filter { $0.kind == "abort" }.count),
                "derived": .array(
                    records.filter { $0.kind == "derived" }.map { $0["name"] }),
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
                "commits": PlainJSON(commits.count),
                "changes": PlainJSON(changes), "idle": PlainJSON(idle.count),
                "first": commits.first?["time"] ?? .null,
                "last": commits.last?["time"] ?? .null,
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
