import JSONCore
import QueryLanguage

extension Learner {
    /// What was learned, the most informative first, without what other invariants imply.
    package func invariants() -> [LearnedInvariant] {
        var candidates: [Candidate] = []
        for place in reachable where place.parent != nil {
            candidates += place.candidates(runs)
            if let relations = place.relations { candidates += relations.candidates() }
        }
        candidates += root.relations?.candidates() ?? []
        let joined = Candidate.joined(proven(candidates))
        let ranked = LearnedInvariant.Kind.allCases.flatMap { kind in joined.filter { $0.kind == kind } }
        // A definition that is called as a kind would hide a function of the language.
        var names = Set(LearnedInvariant.Kind.allCases.map { ByteName($0.rawValue) })
        return ranked.map { $0.invariant(&names) }
    }

    /// What held in all runs, and is better supported than anything of its kind that held in all but one.
    private func proven(_ candidates: [Candidate]) -> [Candidate] {
        var needed: [ByteName: Int] = [:]
        for candidate in candidates where candidate.trial.refutations == 1 && runs > 1 {
            needed[candidate.peers, default: 0] = max(needed[candidate.peers] ?? 0, candidate.trial.chances)
        }
        // Of all but one run it would have had as much less.
        return candidates.filter {
            $0.trial.isSure(of: runs) && (runs == 1 || $0.trial.chances * (runs - 1) > (needed[$0.peers] ?? 0) * runs)
        }
    }
}

extension Candidate {
    fileprivate var peers: ByteName { ByteName(kind.rawValue + (places[0].isInElement ? " of elements" : "")) }
}

extension ShapeMember {
    fileprivate func candidates(_ count: Int) -> [Candidate] {
        guard !types.contains(.redacted) else { return [] }
        if isContainer { return [Candidate(.range, nonEmpty, valuesOf: self, "length > 0")] }
        guard ownTypes.isSubset(of: .scalars), !ownTypes.isEmpty else { return [] }
        var found: [Candidate] = []
        if !isInElement, ownTypes == .number, !isNullable { found += monotone }
        if values.isMonotone, !isInElement { return found }
        if let few = fewValues(count) { return [few] + (isInElement ? [] : transitions(count)) }
        guard ownTypes == .number else { return found }
        found.append(
            values.positive.holds
                ? Candidate(.range, values.positive, valuesOf: self, ". > 0")
                : Candidate(.range, values.notNegative, valuesOf: self, ". >= 0"))
        return found
    }

    private var monotone: [Candidate] {
        [(values.rising, ">="), (values.falling, "<=")].map { trial, sign in
            var found = Candidate(.monotone, trial, [self], "\(isNewQuery) or \(query(from: nil)) \(sign) \(oldQuery)")
            found.joins = ""
            return found
        }
    }

    /// A value that one of ten changes writes is missing among so many in one of a hundred cases.
    private static let fewestOfList = 44

    /// It has one of a few values, of which none is rare: where one is, the next run may have another.
    private func fewValues(_ count: Int) -> Candidate? {
        let trial = !isInElement && values.values.count == 1 ? store?.commits ?? values.all : values.all
        let isOften = ownTypes != .number || trial.chances >= 10 * values.values.count
        guard values.isCounted, ownTypes != .bool || values.values.count == 1, trial.chances >= Self.fewestOfList,
            isOften, Self.isMet(values.rarest, of: count, asOften: values.isCounter ? 2 : 4)
        else { return nil }
        var texts = Set(values.values.keys.map { ByteName($0.text()) })
        if isNullable { texts.insert("null") }
        let list = texts.sorted().map(\.text).joined(separator: ", ")
        return texts.count == 1
            ? Candidate(.constant, trial, valuesOf: self, ". == \(list)")
            : Candidate(.oneOf, trial, valuesOf: self, "IN(\(list))")
    }

    private static func isMet(_ runs: Int, of count: Int, asOften: Int = 4) -> Bool {
        runs >= min(count, max(3, count / asOften))
    }

    private func transitions(_ count: Int) -> [Candidate] {
        values.successors.sorted { UTF8Order.isLess($0.key.text(), $1.key.text()) }.compactMap { old, next in
            let trials = next.values.sorted { $0.runs > $1.runs }
            guard next.count < values.values.count - 1, var trial = trials.first, let rarest = trials.last else {
                return nil
            }
            for other in trials.dropFirst() { trial.add(other) }
            guard Self.isMet(rarest.runs, of: count), trial.chances >= Self.fewestOfList else { return nil }
            let list = ([old] + next.keys).map { $0.text() }.sorted { UTF8Order.isLess($0, $1) }.joined(separator: ", ")
            let test = "\(oldQuery) != \(old.text()) or (\(query(from: nil)) | IN(\(list)))"
            var found = Candidate(.transitions, trial, [self], "\(isNewQuery) or \(test)")
            found.joins = pointer
            return found
        }
    }
}

extension Relations {
    fileprivate func candidates() -> [Candidate] {
        let classes = representatives
        return all.filter { $0.trial.refutations < 2 && $0.trial.chances > 0 && $0.terms.allSatisfy(isVaried) }
            .compactMap { relation in
                let terms = relation.terms.map { self.terms[$0] }
                // A derived value equals its own formula by definition, which says nothing about the runs.
                if terms.count > 1, terms.contains(where: { $0.place.store?.formula != nil && $0.formula != .value }) {
                    return nil
                }
                if relation.trial.holds {
                    let first = relation.terms.map { classes[$0] }
                    // What is said of a number is not said again of those that are equal to it.
                    guard relation.kind == .equal ? first[0] == relation.terms[0] : first == relation.terms else {
                        return nil
                    }
                }
                let condition = text(relation, terms.map { $0.query(from: base) })
                let whole = base.map { "all(\($0.query(from: nil)); \(condition))" } ?? condition
                return Candidate(relation.kind, relation.trial, terms.map(\.place), whole)
            }
    }

    private func text(_ relation: Relation, _ terms: [String]) -> String {
        switch relation.kind {
        case .equal:
            guard let difference = relation.difference, difference != 0 else { return "\(terms[0]) == \(terms[1])" }
            let (more, less) = difference > 0 ? (0, 1) : (1, 0)
            return "\(terms[more]) == \(terms[less]) + \(JSONNumber(abs(difference)).text)"
        case .order: return "\(terms[0]) <= \(terms[1])"
        case .sum: return "\(terms[0]) == \(terms[1]) + \(terms[2])"
        case .unique: return "(\(terms[0]) | length == (unique | length))"
        default: return "\(terms[1]) != null or \(terms[0]) == null"
        }
    }
}
