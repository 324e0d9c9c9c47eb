import QueryLanguage

/// `history`, `blame`, `why`, `show`, `derived`: who wrote what.
extension PlainJournal {
    /// A value at the end of a position, and the last record up to it that changed the value.
    private typealias Change = (record: PlainRecord, old: PlainJSON?, new: PlainJSON?)

    private func changes(_ range: ClosedRange<Int>, _ value: (PlainJSON, Int) -> PlainJSON?) -> [Change] {
        var changes: [Change] = []
        guard let first = states[range.lowerBound] else { return [] }
        var old = value(first, range.lowerBound)
        for position in range.dropFirst() {
            guard let state = states[position] else { continue }
            let new = value(state, position)
            defer { old = new }
            if new == old { continue }
            var (current, changed) = (old, nil as PlainRecord?)
            for step in steps[position] ?? [] {
                let next = value(step.state, position)
                if next != current { changed = step.record }
                current = next
            }
            if let changed { changes.append((changed, old, new)) }
        }
        return changes
    }

    func history(_ question: Question) -> Expectation {
        guard let range = bounds(question.range) else { return .notThere }
        var lines: [PlainObject] = []
        var failed = false
        /// Those that a commit made which passes the filters.
        func wanted(_ changes: [Change]) -> [Change] {
            changes.filter { change in
                let isWanted = passes(changing: change.record, question)
                if isWanted == nil { failed = true }
                return isWanted == true
            }
        }
        func line(_ change: Change, _ path: String? = nil) -> PlainObject {
            PlainObject(some: [
                ("kind", "change"), ("seq", PlainJSON(change.record.seq)), ("path", path.map { .string($0) }),
                ("old", change.old),
                ("value", change.new), ("time", change.record["time"]), ("at", change.record["at"]),
            ])
        }
        if let pattern = question.path {
            // The contract does not say whether what lies below a place that matches with '**' has lines of its own.
            if pattern.steps.contains(.any) { return .unspecified }
            var places: Set<[PlainKey]> = []
            for state in states.values {
                for place in PlainPointer.places(in: Self.seen(state, question.store)) where pattern.matches(place.path)
                { places.insert(place.path) }
            }
            let isOne = !pattern.steps.contains { $0 == .one || $0 == .any }
            for place in places {
                lines += wanted(
                    changes(range) { state, _ in
                        if let store = question.store, state.object?[store] == nil { return nil }
                        return PlainPointer.value(place, in: Self.seen(state, question.store))
                    }
                )
                .map { line($0, isOne ? nil : PlainPointer.text(place)) }
            }
        } else if let query = question.query.flatMap({ try? Query($0) }) {
            lines = wanted(
                changes(range) { state, position in
                    let evaluation = evaluate(query, on: state, at: position, store: question.store)
                    if evaluation.first == nil, evaluation.failed { failed = true }
                    return evaluation.first
                }
            )
            .map { line($0) }
        }
        if failed { return .unspecified }
        lines.sort { ($0["seq"]?.number?.integerValue ?? 0) < ($1["seq"]?.number?.integerValue ?? 0) }
        if question.isReverse { lines.reverse() }
        if let count = question.count { lines = Array(lines.prefix(count)) }
        var statuses: Set<Int32> = hasGap(in: range) ? [0, 5] : [0]
        if lines.isEmpty, question.path != nil { statuses.insert(4) }  // a path that is nowhere in the range
        return Expectation(output: .unorderedMembers(lines), status: statuses)
    }

    func blame(_ question: Question) -> Expectation {
        let at = question.positions.first ?? (question.isReverse ? .start : .end)
        guard let position = position(at) else { return .notThere }
        if question.isReverse, !question.ignore.isEmpty { return .unspecified }
        let leaves =
            question.isReverse ? nextAuthors(from: position) : authors(at: position, without: question.ignore)
        // A state without any store is an empty container itself; the contract does not say who wrote that.
        if leaves.isEmpty { return .unspecified }
        let wanted = leaves.filter { leaf in
            if let store = question.store, leaf.path.first != PlainKey(store) { return false }
            guard let path = question.path else { return true }
            let rest = question.store == nil ? leaf.path : Array(leaf.path.dropFirst())
            return (0...rest.count).contains { path.matches(Array(rest.prefix($0))) }
        }
        if wanted.isEmpty, question.path != nil || question.store != nil {
            return Expectation(output: .bytes([]), status: [0, 4])
        }
        let lines = wanted.map { leaf -> PlainObject in
            let path = question.store == nil ? leaf.path : Array(leaf.path.dropFirst())
            return PlainObject(some: [
                ("kind", "blame"), ("path", .string(PlainPointer.text(path))), ("value", leaf.former ?? leaf.value),
                ("now", leaf.former.flatMap { $0 == leaf.value ? nil : leaf.value }),
                ("seq", leaf.author.map { PlainJSON($0.seq) } ?? .null), ("time", leaf.author?["time"] ?? .null),
                ("at", leaf.author?["at"] ?? .null),
            ])
        }
        let isLost = wanted.contains { $0.author?.kind == "gap" }
        return Expectation(output: .members(lines), status: isLost ? [5] : [0])
    }

    /// A leaf with what its author wrote, where a commit that does not count wrote over that.
    private typealias Leaf = (path: [PlainKey], value: PlainJSON, former: PlainJSON?, author: PlainRecord?)

    /// Every leaf of the state at a position, with the record that wrote it last, of those that count.
    private func authors(at position: Int, without ignored: [Int]) -> [Leaf] {
        var stores: [PlainKey: AuthoredValue] = [:]
        var closing: [PlainKey] = []
        for (index, record) in records.enumerated() where record.seq <= position {
            let store = PlainKey(record.store ?? "")
            switch record.kind {
            case "commit":
                for name in closing { stores[name] = nil }
                closing = []
                stores[store] = stores[store]?.applied(record.patch, by: index, counts: !ignored.contains(record.seq))
            case "store":
                stores[store] = AuthoredValue(record["state"], index)
                closing.removeAll { $0 == store }
            case "gap":
                stores = [:]
                closing = []
                for (name, state) in record["states"].object ?? [:] {
                    stores[PlainKey(name)] = AuthoredValue(state, index)
                }
            case "close": closing.append(store)
            default: break
            }
        }
        return AuthoredValue.object(stores.map { ($0.key, $0.value) }, .init(-1)).leaves().filter { !$0.path.isEmpty }
            .map { ($0.path, $0.value, $0.author.former?.value, records[$0.author.record]) }
    }

    /// Every leaf of the state at a position, with the record that wrote over it next, nil where none did; a store that
    /// closes writes over nothing.
    private func nextAuthors(from position: Int) -> [Leaf] {
        guard let state = states[position] else { return [] }
        // Each leaf is its own author; the record with which an author is gone wrote over what it stands for.
        let leaves = AuthoredValue(state, -1).leaves().filter { !$0.path.isEmpty }
        var stores: [PlainKey: AuthoredValue] = [:]
        for (name, value) in state.object ?? [:] { stores[PlainKey(name)] = AuthoredValue(value, -1) }
        for (index, leaf) in leaves.enumerated() {
            stores[leaf.path[0]] = stores[leaf.path[0]]?.marking(leaf.path.dropFirst(), .init(index))
        }
        var next: [Int: PlainRecord] = [:]
        func note(_ record: PlainRecord) {
            let there = Set(stores.values.flatMap { $0.leaves().map(\.author.record) })
            for index in leaves.indices where next[index] == nil && !there.contains(index) { next[index] = record }
        }
        for record in records where record.seq > position {
            let store = PlainKey(record.store ?? "")
            switch record.kind {
            case "commit":
                stores[store] = stores[store]?.applied(record.patch, by: -1)
                note(record)
            case "store":
                stores[store] = AuthoredValue(record["state"], -1)
                note(record)
            case "gap":
                stores = [:]
                note(record)
            default: break
            }
        }
        return leaves.indices.map { (leaves[$0].path, leaves[$0].value, nil, next[$0]) }
    }

    func why(_ question: Question) -> Expectation {
        guard let position = position(question.positions.first), var commit = commits[position] else {
            return .notThere
        }
        var lines: [PlainObject] = [["kind": "cause", "depth": 0, "commit": commit.embedded]]
        while let cause = commit["cause"].number?.integerValue {
            guard let next = commits[cause], cause < commit.seq else { return .unspecified }
            commit = next
            lines.append(["kind": "cause", "depth": PlainJSON(lines.count), "commit": commit.embedded])
        }
        return Expectation(output: .members(lines), status: [0])
    }

    func show(_ question: Question) -> Expectation {
        if question.range != nil {
            guard let range = bounds(question.range) else { return .notThere }
            let shown = range.dropFirst().compactMap { commits[$0] }.filter { passes($0, question) == true }
            let lines = shown.map { shownLine($0) }
            return Expectation(output: .members(lines), status: lines.isEmpty || hasGap(in: range) ? [0, 4, 5] : [0])
        }
        guard let position = position(question.positions.first), let commit = commits[position] else {
            return .notThere
        }
        return Expectation(output: .members([shownLine(commit)]), status: [0])
    }

    private func shownLine(_ commit: PlainRecord) -> PlainObject {
        let behind = marks.filter { $0.seq == commit.seq }.map(\.embedded)
        return ["kind": "show", "commit": commit.embedded, "marks": .array(behind)]
    }

    /// The lines of a definition that fired.
    func derived(_ question: Question) -> Expectation {
        guard let range = bounds(question.range), let query = question.query.flatMap({ try? Query($0) }) else {
            return .notThere
        }
        let firings = changes(range) { state, position in
            evaluate(query, on: state, at: position, store: question.store).first ?? .null
        }
        var fired: [PlainObject] = []
        for change in firings {
            guard let isWanted = passes(changing: change.record, question) else { return .unspecified }
            if !isWanted { continue }
            fired.append([
                "kind": "derived", "seq": PlainJSON(change.record.seq), "name": "value", "outcome": "fired",
                "old": change.old ?? .null, "value": change.new ?? .null, "at": change.record["at"],
            ])
        }
        if question.isReverse { fired.reverse() }
        if question.all, question.count != nil { return .unspecified }
        if let count = question.count, !question.isSummary {
            // Other values have lines of their own, which count.
            if records.contains(where: { $0.kind == "derived" }) { return .unspecified }
            fired = Array(fired.prefix(count))
        }
        if question.isSummary {
            let property = Expectation.Output.property { lines in
                let line = lines.first { $0.object?["name"] == "value" }?.object
                if line?["fired"] != PlainJSON(fired.count) { return "'fired' should be \(fired.count)" }
                let outcomes = ["fired", "same", "unchanged", "untouched", "unanswered"]
                let all = outcomes.reduce(0) { $0 + (line?[$1]?.number?.integerValue ?? 0) }
                let positions = range.count - 1
                return question.isFiltering || all == positions ? nil : "all should be \(positions), not \(all)"
            }
            return Expectation(output: property, status: [0, 5])
        }
        let property = Expectation.Output.property { lines in
            var got = lines.compactMap(\.object).filter { $0["name"] == "value" }
            if question.all {
                let (all, met) = (range.dropFirst().filter { commits[$0] != nil }, got)
                got = got.filter { $0["outcome"] == "fired" }
                let others = Set(met.compactMap { $0["seq"]?.number?.integerValue })
                // A filter takes lines away; of any other commit there is one.
                if !question.isFiltering, let missing = all.first(where: { !others.contains($0) }) {
                    return "there should be a line of it at \(missing)"
                }
                if met.count > others.count { return "there should be one line of it for each position" }
            }
            for (index, line) in fired.enumerated() {
                guard index < got.count else { return "line missing\n\(PlainJSON.object(line).text())" }
                for (key, value) in line where got[index][key] != value {
                    return "'\(key)' should be \(value.text()) as in\n\(PlainJSON.object(line).text())"
                }
            }
            return got.count == fired.count ? nil : "there should be \(fired.count) lines of it, not \(got.count)"
        }
        return Expectation(output: property, status: [0, 5])
    }
}
