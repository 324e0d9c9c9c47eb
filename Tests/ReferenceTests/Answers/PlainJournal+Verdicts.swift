import QueryLanguage

/// `bisect` and `check`: where a condition turns.
extension PlainJournal {
    /// Judges every position of a range; nil where there is no answer.
    private func verdicts(_ range: ClosedRange<Int>, skip: Set<Int> = [], _ verdict: (Int) -> Bool?) -> [(
        position: Int, isBad: Bool?
    )] { range.map { ($0, states[$0] == nil || skip.contains($0) ? nil : verdict($0)) } }

    /// The record that made a position bad (or good): of several between it and the position before, the last at which the
    /// verdict turned.
    private func turning(at position: Int, _ verdict: (PlainJSON) -> Bool?) -> PlainRecord? {
        let steps = steps[position] ?? []
        var isBad = false
        var turned: PlainRecord?
        for step in steps {
            let next = verdict(step.state) ?? false
            if next, !isBad { turned = step.record }
            isBad = next
        }
        return turned ?? steps.last?.record
    }

    func bisect(_ question: Question) -> Expectation {
        guard let range = bounds(question.range) else { return .notThere }
        if let needle = question.needle { return asking(for: needle, range) }
        guard let text = question.query, let query = try? Query(text) else { return .unspecified }
        // What is left out must be in the range.
        if question.skip.contains(where: { !range.contains($0) }) { return .notThere }
        func isBad(_ evaluation: Evaluation) -> Bool? {
            question.isGood ? evaluation.holds.map { !$0 } : evaluation.isTrue
        }
        let verdicts = verdicts(range, skip: Set(question.skip)) {
            evaluate(query, at: $0, store: question.store).flatMap(isBad)
        }
        if let path = question.filterPath { return touching(path, verdicts, question.store) }
        let answered = verdicts.filter { $0.isBad != nil }
        func record(_ index: Int) -> PlainJSON {
            let position = answered[index].position
            return turning(at: position) {
                isBad(evaluate(query, on: $0, at: position, store: question.store))
            }?.embedded ?? .null
        }
        let flips = answered.indices.dropFirst().filter { answered[$0].isBad != answered[$0 - 1].isBad }
        let turns = flips.filter { answered[$0].isBad == true }
        var line: PlainObject = ["kind": "bisect", "firstBad": .null, "lastGood": .null, "lastFlip": .null]
        line["flips"] = PlainJSON(flips.count)
        line["monotone"] = .bool(flips.count <= 1)
        if verdicts.first?.isBad != nil { line["badAtStart"] = .bool(verdicts.first?.isBad == true) }
        if verdicts.last?.isBad != nil { line["badAtEnd"] = .bool(verdicts.last?.isBad == true) }
        if question.isMonotone, Question.asksAboutCommits(text) { return Expectation(output: .bytes([]), status: [2]) }
        if question.isMonotone { return monotone(verdicts, flips) { record($0) } }
        guard let first = turns.first else {
            // A position that was left out on request may have been bad.
            let isOpen = verdicts.contains { $0.isBad == nil && !question.skip.contains($0.position) }
            return Expectation(
                output: .members([line]), status: isOpen ? [5] : answered.count == verdicts.count ? [1] : [1, 5])
        }
        line["firstBad"] = record(first)
        line["lastGood"] = PlainJSON(answered[first - 1].position)
        if answered.last?.isBad == true, let last = turns.last { line["lastFlip"] = record(last) }
        // What is left out may be known to be good by what it changes, which is nothing that is read.
        if !question.skip.isEmpty {
            let good = (answered[first - 1].position..<answered[first].position).filter {
                evaluate(query, at: $0, store: question.store).flatMap(isBad) == false
            }
            line.removeValue(forKey: "lastGood")
            let property = Expectation.Output.property { lines in
                guard let object = lines.first?.object else { return "no line" }
                if !good.contains(object["lastGood"]?.number?.integerValue ?? -1) {
                    return "'lastGood' should be in \(good)"
                }
                return Expectation.difference([line], [object])
            }
            return Expectation(output: property, status: [0, 5])
        }
        let isNextToUnanswered = answered[first].position != answered[first - 1].position + 1
        let isSure = !verdicts.prefix { $0.position < answered[first].position }.contains { $0.isBad == nil }
        let isLost = commits[answered[first].position] == nil
        return Expectation(
            output: .members([line]), status: isNextToUnanswered || isLost ? [5] : isSure ? [0] : [0, 5])
    }

    /// What a program says that looks for a text in the states, by halves: where it turns bad, of which there may be several.
    private func asking(for needle: String, _ range: ClosedRange<Int>) -> Expectation {
        if hasGap(in: range) { return .unspecified }
        func isBad(_ position: Int) -> Bool { states[position].map { !$0.text().contains(needle) } ?? false }
        guard range.count > 1, !isBad(range.lowerBound), isBad(range.upperBound) else {
            return Expectation(output: .anything, status: [1, 5])
        }
        let property = Expectation.Output.property { lines in
            guard let line = lines.first?.object, let first = line["firstBad"]?.object?["seq"]?.number?.integerValue
            else { return "'firstBad' is missing" }
            guard range.contains(first), first > range.lowerBound, isBad(first), !isBad(first - 1) else {
                return "nothing turns bad at \(first)"
            }
            return line["lastGood"] == PlainJSON(first - 1) ? nil : "'lastGood' should be \(first - 1)"
        }
        return Expectation(output: property, status: [0])
    }

    /// Of the commits that touch a path: the first that is bad where the one before, or the start, is good.
    private func touching(
        _ path: PlainPattern, _ verdicts: [(position: Int, isBad: Bool?)], _ store: String?
    ) -> Expectation {
        guard verdicts.allSatisfy({ $0.isBad != nil }),
            !hasGap(in: verdicts[0].position...(verdicts.last?.position ?? 0))
        else { return .unspecified }
        var question = Question(command: .log)
        (question.filterPath, question.store) = (path, store)
        // A store that opens there, or closes, touches what is in it: of that the contract says nothing.
        let openings = verdicts.dropFirst().contains {
            steps[$0.position]?.contains { $0.record.kind == "store" } == true
        }
        if openings || records.contains(where: { $0.kind == "close" }) { return .unspecified }
        let asked = verdicts.enumerated().filter { index, verdict in
            index == 0 || commits[verdict.position].map { passes($0, question) == true } == true
        }.map(\.element)
        let bad = asked.indices.dropFirst().first { asked[$0].isBad == true && asked[$0 - 1].isBad == false }
        let property = Expectation.Output.property { lines in
            guard let line = lines.first?.object else { return "no line" }
            guard let bad else { return line["firstBad"] == .null ? nil : "'firstBad' should be null" }
            guard line["firstBad"]?.object?["seq"] == PlainJSON(asked[bad].position) else {
                return "'firstBad' should be commit \(asked[bad].position)"
            }
            guard let good = line["lastGood"]?.number?.integerValue, good < asked[bad].position,
                verdicts.contains(where: { $0.position == good && $0.isBad == false })
            else { return "'lastGood' is not good" }
            return nil
        }
        return Expectation(output: property, status: bad == nil ? [1, 4] : [0])
    }

    /// By halves: the same answer where the state turns once from good to bad, and no word of flips.
    private func monotone(
        _ verdicts: [(position: Int, isBad: Bool?)], _ flips: [Int], _ record: (Int) -> PlainJSON
    ) -> Expectation {
        guard verdicts.allSatisfy({ $0.isBad != nil }) else { return .unspecified }
        guard verdicts.first?.isBad == false else { return Expectation(output: .anything, status: [5]) }
        guard flips.count == 1, let flip = flips.first else { return .unspecified }
        let line: PlainObject = [
            "kind": "bisect", "firstBad": record(flip), "lastGood": PlainJSON(verdicts[flip - 1].position),
            "flips": .null, "monotone": .null, "badAtStart": false, "badAtEnd": true,
        ]
        return Expectation(output: .members([line]), status: [0])
    }

    func check(_ question: Question) -> Expectation {
        guard let range = bounds(question.range), let text = question.query, let query = try? Query(text) else {
            return .unspecified
        }
        func isViolated(_ evaluation: Evaluation) -> Bool? { evaluation.holds.map { !$0 } }
        let verdicts = verdicts(range) { evaluate(query, at: $0, store: nil).flatMap(isViolated) }
        let answered = verdicts.filter { $0.isBad != nil }
        let unanswered = verdicts.count - answered.count
        guard let first = answered.firstIndex(where: { $0.isBad == true }) else {
            let line: PlainObject = [
                "kind": "holds", "invariant": "holds", "positions": PlainJSON(answered.count),
                "unanswered": PlainJSON(unanswered),
            ]
            if unanswered > 0 { return Expectation(output: .anything, status: [5]) }
            return Expectation(output: .members([line]), status: [0])
        }
        let violated = answered.filter { $0.isBad == true }
        let stretches = answered.indices.filter {
            answered[$0].isBad == true && ($0 == 0 || answered[$0 - 1].isBad == false)
        }
        let position = answered[first].position
        let began =
            first == 0 && position == start
            ? nil
            : turning(at: position) { isViolated(evaluate(query, on: $0, at: position, store: nil)) }
        // From the start on: the contract says null, and also that the opening of the store may be named.
        let isFromStart = first == 0
        var line: PlainObject = [
            "kind": "violation", "invariant": "holds", "first": began?.embedded ?? .null,
            "lastSeq": PlainJSON(violated.last?.position ?? 0), "positions": PlainJSON(violated.count),
            "stretches": PlainJSON(stretches.count),
        ]
        if isFromStart { line.removeValue(forKey: "first") }
        if unanswered > 0 {
            return Expectation(
                output: .property { lines in
                    let line0 = lines.first { $0.object?["kind"] == "violation" }?.object
                    for (key, value) in line where line0?[key] != value { return "'\(key)' should be \(value.text())" }
                    return nil
                }, status: [1])
        }
        return Expectation(output: .members([line]), status: [1])
    }
}
