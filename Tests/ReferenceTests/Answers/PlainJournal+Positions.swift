import QueryLanguage

/// `state`, `diff`, `log`, `replay`: what is there at positions.
extension PlainJournal {
    func state(_ question: Question) -> Expectation {
        guard let position = position(question.positions.first), let state = state(at: position, store: question.store),
            question.store.map({ stores.contains(PlainKey($0)) }) ?? true
        else { return .notThere }
        guard let select = question.select, let query = try? Query(select),
            let evaluation = evaluate(query, at: position, store: question.store)
        else { return Expectation(output: .bytes([Array(state.text().utf8)]), status: [0]) }
        return Expectation(
            output: .bytes(evaluation.outputs.map { Array($0.text().utf8) }), status: [evaluation.failed ? 5 : 0])
    }

    func diff(_ question: Question) -> Expectation {
        guard let to = position(question.positions.last),
            let from = question.positions.count == 2
                ? position(question.positions[0]) : commits[to].map({ $0.seq - 1 }),
            let old = state(at: from, store: question.store), let new = state(at: to, store: question.store)
        else { return .notThere }
        guard isOpen(question.store, at: from), isOpen(question.store, at: to) else { return .unspecified }
        let property = Expectation.Output.property { lines in
            guard lines.count == 1, let line = lines[0].object, let patch = line["patch"]?.array else {
                return "not one line with a patch"
            }
            guard line["from"] == PlainJSON(from), line["to"] == PlainJSON(to) else {
                return "should be from \(from) to \(to)"
            }
            if let ignored = question.ignoredPath {
                let paths = patch.compactMap { $0.object?["path"]?.string.flatMap(PlainPointer.segments) }
                if let path = paths.first(where: { ignored.isAtOrAbove($0) }) {
                    return "'\(PlainPointer.text(path))' should be left out"
                }
                return nil
            }
            var state = old
            for (index, operation) in patch.enumerated() {
                let path = operation.object?["path"]?.string.flatMap(PlainPointer.segments) ?? []
                if let stated = operation.object?["old"], PlainPointer.value(path, in: state) != stated {
                    return "operation \(index): 'old' is not what was there"
                }
                guard let next = try? PlainPatch.applied([operation], to: state) else {
                    return "operation \(index) does not apply"
                }
                state = next
            }
            return state.ascending() == new ? nil : "gives\n\(state.text())\nshould give\n\(new.text())"
        }
        let equal: Int32 = hasGap(in: min(from, to)...max(from, to)) ? 5 : 0
        let isOpen = question.ignoredPath != nil || question.positions.count == 1
        return Expectation(output: property, status: isOpen ? [equal, 1] : [old == new ? equal : 1])
    }

    /// The journal up to a position, of which the lines are the first ones.
    func beginning(_ question: Question) -> PlainJournal? {
        guard let position = position(question.positions.first), !hasGap(in: start...end), !isTorn else { return nil }
        let lines = records.prefix { $0.seq <= position }.map { $0.bytes + [0x0A] }
        return try? PlainJournal(Array(lines.joined()))
    }

    /// The run held against its beginning: they part where that ends.
    func runs(_ question: Question) -> Expectation {
        guard let beginning = beginning(question), let old = states[end], let new = beginning.states[beginning.end]
        else { return .unspecified }
        if question.isFinal {
            if old == new {
                return Expectation(output: .members([["kind": "equal", "common": .null]]), status: [0])
            }
            let property = Expectation.Output.property { lines in
                guard lines.count == 1, let patch = lines[0].object?["patch"]?.array else {
                    return "not one line with a patch"
                }
                let got = try? PlainPatch.applied(patch, to: old).ascending()
                return got == new ? nil : "gives\n\(got?.text() ?? "nothing")\nshould give\n\(new.text())"
            }
            return Expectation(output: property, status: [1])
        }
        guard let next = commits[beginning.end + 1] else { return Expectation(output: .anything, status: [0]) }
        let line: PlainObject = [
            "kind": "divergence", "common": PlainJSON(beginning.commits.count), "left": next.embedded, "right": .null,
        ]
        return Expectation(output: .members([line]), status: [1])
    }

    func log(_ question: Question) -> Expectation {
        guard let range = bounds(question.range) else { return .notThere }
        if question.all { return Expectation(output: .bytes(records.map(\.bytes)), status: [0]) }
        let (commits, failed) = filtered(range, question)
        let limited = commits.prefix(question.count ?? .max)
        let statuses: Set<Int32> =
            failed ? (limited.count < commits.count ? [0, 5] : [5]) : hasGap(in: range) ? [0, 5] : [0]
        return Expectation(output: .bytes(limited.map(\.bytes)), status: statuses)
    }

    func replay(_ question: Question) -> Expectation {
        guard let range = bounds(question.range) else { return .notThere }
        if !question.without.isEmpty || question.only != nil { return whatIf(question, range) }
        var forward = question
        forward.isReverse = false
        let (commits, failed) = filtered(range, forward)
        let rows = commits.compactMap { commit in
            states[commit.seq].map { PlainWhatIf.Line(record: commit, old: states[commit.seq - 1] ?? .null, state: $0) }
        }
        return replayed(rows, question, from: range.lowerBound, failed: failed, hasGap: hasGap(in: range))
    }

    /// The lines of a replay, of which `--changed`, `--final`, `--reverse` and `-n` take some.
    private func replayed(
        _ rows: [PlainWhatIf.Line], _ question: Question, from start: Int, failed: Bool, hasGap: Bool
    ) -> Expectation {
        var failed = failed
        var lines: [PlainObject] = []
        var last: PlainJSON?
        let query = question.select.flatMap { try? Query($0) }
        if let state = states[start] {
            last = Self.seen(state, question.store)
            if let query { last = evaluate(query, on: state, at: start, store: question.store, old: .null).first }
        }
        for row in rows {
            var value: PlainJSON? = Self.seen(row.state, question.store)
            if let query {
                let evaluation = evaluate(
                    query, on: row.state, at: row.record.seq, store: question.store, old: row.old)
                value = evaluation.first
                if value == nil, evaluation.failed { failed = true }
            }
            guard let value, !(question.isChanged && value == last) else { continue }
            last = value
            lines.append(Self.stateLine(row.record, value))
        }
        if question.isFinal {
            guard let line = lines.last else { return Expectation(output: .anything, status: [0, 5]) }
            lines = [line]
        }
        if question.isReverse { lines.reverse() }
        let limited = Array(lines.prefix(question.count ?? .max))
        var statuses: Set<Int32> = failed ? [5] : [0]
        if hasGap || failed && (question.isFinal || question.count != nil) { statuses = [0, 5] }
        return Expectation(output: .members(limited), status: statuses)
    }

    /// Whether a store is there at a position; none asked for always is.
    private func isOpen(_ store: String?, at position: Int) -> Bool {
        store == nil || states[position]?.object?[store ?? ""] != nil
    }

    static func stateLine(_ commit: PlainRecord, _ value: PlainJSON) -> PlainObject {
        [
            "kind": "state", "seq": PlainJSON(commit.seq), "store": commit["store"], "time": commit["time"],
            "at": commit["at"], "value": value,
        ]
    }

    /// A run as it would have been without some commits, or with only those after which a query holds.
    private func whatIf(_ question: Question, _ range: ClosedRange<Int>) -> Expectation {
        if question.condition != nil { return .unspecified }  // of which state is not said
        if question.without.contains(where: { !range.contains($0) }) { return .unspecified }
        let only = question.only.flatMap { try? Query($0) }
        var failed = false
        let run = PlainWhatIf(self, range, without: Set(question.without)) { record, old, state in
            guard let only else { return true }
            let holds = evaluate(only, on: state, at: record.seq, store: question.store, old: old).isTrue
            if holds == nil { failed = true }
            return holds ?? false
        }
        let rows = run.lines.filter { passes($0.record, question) == true }
        let lines = replayed(rows, question, from: range.lowerBound, failed: failed, hasGap: hasGap(in: range))
        guard case .members(let states) = lines.output else { return lines }
        let isWhole = only == nil && question.count == nil && !question.isFiltering && !question.isFinal
        let property = Expectation.Output.property { lines in
            let lines = lines.compactMap(\.object)
            if let fault = Expectation.difference(states, lines.filter { $0["kind"] == "state" }) { return fault }
            let conflicts = lines.filter { $0["kind"] == "conflict" }
            func told(_ applied: PlainJSON) -> Set<Int> {
                Set(conflicts.filter { $0["applied"] == applied }.compactMap { $0["seq"]?.number?.integerValue })
            }
            if isWhole, told(false) != run.leftOut {
                return "those that do not apply should be \(run.leftOut.sorted())"
            }
            if isWhole, told(true).subtracting(run.leftOut) != run.astray.subtracting(run.leftOut) {
                return "those that apply to another value should be \(run.astray.sorted())"
            }
            return nil
        }
        return Expectation(output: property, status: lines.status)
    }

    func marks(_ question: Question) -> Expectation {
        let lines = question.isReverse ? marks.reversed() : marks
        return Expectation(output: .bytes(lines.prefix(question.count ?? .max).map(\.bytes)), status: [0])
    }
}
