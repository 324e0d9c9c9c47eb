import JSONCore
import QueryLanguage

/// `state`, `diff`, `log`, `replay`: what is there at positions.
extension PlainJournal {
    func state(_ question: Question) -> Expectation {
        guard let position = position(question.positions.first), let state = state(at: position, store: question.store),
            isOpen(question.store, at: position)
        else { return .notThere }
        guard let select = question.select, let query = try? Query(select),
            let evaluation = evaluate(query, at: position, store: question.store)
        else { return Expectation(output: .bytes([Array(state.text().utf8)]), status: [0]) }
        return Expectation(
            output: .bytes(evaluation.outputs.map { Array($0.text().utf8) }), status: [evaluation.failed ? 5 : 0])
    }

    func diff(_ question: Question) -> Expectation {
        guard question.positions.count == 2, let from = position(question.positions[0]),
            let to = position(question.positions[1]),
            let old = state(at: from, store: question.store), let new = state(at: to, store: question.store)
        else { return .notThere }
        guard isOpen(question.store, at: from), isOpen(question.store, at: to) else { return .unspecified }
        let property = Expectation.Output.property { lines in
            guard lines.count == 1, let line = lines[0].object, let patch = line["patch"]?.array else {
                return "not one line with a patch"
            }
            guard line["from"] == JSONValue(from), line["to"] == JSONValue(to) else {
                return "should be from \(from) to \(to)"
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
            return state.ascending().text() == new.text() ? nil : "gives\n\(state.text())\nshould give\n\(new.text())"
        }
        return Expectation(output: property, status: [old == new ? 0 : 1])
    }

    func log(_ question: Question) -> Expectation {
        guard let range = bounds(question.range) else { return .notThere }
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
        var (commits, failed) = filtered(range, forward)
        var lines: [JSONObject] = []
        var last: JSONValue?
        let query = question.select.flatMap { try? Query($0) }
        for commit in commits {
            guard let state = state(at: commit.seq, store: question.store) else { continue }
            var value: JSONValue? = state
            if let query, let evaluation = evaluate(query, at: commit.seq, store: question.store) {
                value = evaluation.first
                if value == nil, evaluation.failed { failed = true }
            }
            guard let value, !(question.isChanged && value == last) else { continue }
            last = value
            lines.append(Self.stateLine(commit, value))
        }
        commits = []
        if question.isFinal {
            guard let line = lines.last else { return Expectation(output: .anything, status: [0, 5]) }
            lines = [line]
        }
        if question.isReverse { lines.reverse() }
        let limited = Array(lines.prefix(question.count ?? .max))
        var statuses: Set<Int32> = failed ? [5] : [0]
        if hasGap(in: range) || failed && (question.isFinal || limited.count < lines.count || question.count != nil) {
            statuses = [0, 5]
        }
        return Expectation(output: .members(limited), status: statuses)
    }

    /// Whether a store is there at a position; none asked for always is.
    private func isOpen(_ store: String?, at position: Int) -> Bool {
        store == nil || states[position]?.object?[store ?? ""] != nil
    }

    static func stateLine(_ commit: PlainRecord, _ value: JSONValue) -> JSONObject {
        [
            "kind": "state", "seq": JSONValue(commit.seq), "store": commit["store"], "time": commit["time"],
            "at": commit["at"],
            "value": value,
        ]
    }

    /// A run as it would have been without some commits, or with only those after which a query holds.
    private func whatIf(_ question: Question, _ range: ClosedRange<Int>) -> Expectation {
        guard question.only == nil else { return .unspecified }
        var state = states[range.lowerBound]?.object ?? JSONObject()
        var closing: [PlainKey] = []
        var lines: [JSONObject] = []
        var after = range.lowerBound
        for record in records where record.seq >= range.lowerBound && record.seq <= range.upperBound {
            switch record.kind {
            case "close" where record.seq >= after:
                closing.append(PlainKey(record.store ?? ""))
            case "commit" where record.seq > range.lowerBound:
                for name in closing { state.removeValue(forKey: name.text) }
                closing = []
                after = record.seq
                if question.without.contains(record.seq) { continue }
                guard let store = record.store, let old = state[store], let patch = honest(record.patch, on: old),
                    let new = try? PlainPatch.applied(patch, to: old)
                else { return .unspecified }
                state[store] = new
                lines.append(Self.stateLine(record, Self.seen(JSONValue.object(state).ascending(), question.store)))
            case "store" where record.seq > range.lowerBound:
                closing.removeAll { $0 == PlainKey(record.store ?? "") }
                state[record.store ?? ""] = record["state"]
            case "gap" where record.seq > range.lowerBound: return .unspecified
            default: break
            }
        }
        guard question.select == nil, question.condition == nil, question.filterPath == nil, question.source == nil,
            question.function == nil, question.store == nil, !question.isFinal, !question.isChanged
        else { return .unspecified }
        if question.isReverse { lines.reverse() }
        return Expectation(output: .members(Array(lines.prefix(question.count ?? .max))), status: [0])
    }

    /// A patch, if each `old` in it is what is there.
    private func honest(_ patch: [JSONValue], on state: JSONValue) -> [JSONValue]? {
        var state = state
        for operation in patch {
            let path = operation.object?["path"]?.string.flatMap(PlainPointer.segments) ?? []
            if let old = operation.object?["old"], PlainPointer.value(path, in: state) != old { return nil }
            guard let next = try? PlainPatch.applied([operation], to: state) else { return nil }
            state = next
        }
        return patch
    }
}
