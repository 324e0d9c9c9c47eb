import JSONCore
import JournalFormat
package import JournalReading
import QueryLanguage

extension Learner {
    /// So many are chosen unless all are wanted.
    package static let mostChosen = 25

    /// What was learned, the most informative first, without what other invariants imply.
    package func invariants() -> [LearnedInvariant] {
        var drafts: [Draft] = []
        var places: [ShapeMember] = []
        root.collect(&places)
        for place in places where place.parent != nil { drafts += memberDrafts(place) }
        for scope in scopes { drafts += scope.drafts() }
        drafts += subsetDrafts()
        for store in root.children { drafts += [apartDraft(store)].compactMap { $0 } + writerDrafts(store) }
        let joined = Draft.joined(drafts.filter { $0.confidence >= Confidence.least })
        let ranked = joined.enumerated().sorted { one, other in
            one.element.rank != other.element.rank
                ? one.element.rank < other.element.rank : one.offset < other.offset
        }
        // A definition that is called as a kind would hide a function of the language.
        var names = Set(LearnedInvariant.Kind.allCases.map { ByteName($0.rawValue) })
        return ranked.map { $0.element.invariant(&names) }
    }

    /// The invariants that hold at every position of a run by its queries' own answer.
    ///
    /// What was learned held of what the learner saw, by its own reckoning; this asks as `check` does.
    ///
    /// - Throws: `JournalError` at damage.
    package static func holding(
        _ invariants: [LearnedInvariant], in journal: Journal
    ) throws(JournalError) -> [LearnedInvariant] {
        var asked: [(learned: LearnedInvariant, invariant: Invariant)] = []
        for learned in invariants {
            guard let query = try? Query(learned.condition) else { continue }
            asked.append((learned, Invariant(name: learned.name, query: query)))
        }
        guard let range = try PositionRange(journal.start, journal.lastCommit) else { return invariants }
        let answers = try InvariantScan.run(journal, range, asked.map(\.1)).answers
        var holding: [LearnedInvariant] = []
        for (index, answer) in answers.enumerated() where answer.violation == nil && answer.unanswered.failed == 0 {
            holding.append(asked[index].0)
        }
        return holding
    }

    // MARK: One member

    private func memberDrafts(_ place: ShapeMember) -> [Draft] {
        guard !place.types.contains(.redacted) else { return [] }
        if place.isContainer {
            return ValueSummary(lengths: place).lengthBounds.map { Draft(.length, place, $0) }
        }
        guard place.ownTypes.isSubset(of: .scalars), !place.ownTypes.isEmpty else { return [] }
        let (values, statistics) = (ValueSummary(place), place.statistics)
        guard place.isInElement || statistics.changes > 0 else { return constantDrafts(place) }
        var drafts = place.isInElement ? [] : [monotoneDraft(place), transitionsDraft(place)].compactMap { $0 }
        if let few = values.fewValues, !isMonotone(place) { return drafts + [Draft(.oneOf, place, few)] }
        drafts += values.bounds.map { Draft(.range, place, $0) }
        if let type = values.type { drafts.append(Draft(.type, place, type)) }
        return drafts
    }

    private func constantDrafts(_ place: ShapeMember) -> [Draft] {
        let statistics = place.statistics
        guard statistics.isCounted, statistics.values.count == 1, let value = statistics.values.first?.key,
            let commits = stores[ByteName(place.store?.key ?? "")]?.commits
        else { return [] }
        let found = ValueSummary.Finding(
            condition: ". == \(value.text())", samples: commits, confidence: Confidence.modulus(commits, 10))
        return [Draft(.constant, place, found)]
    }

    private func isMonotone(_ place: ShapeMember) -> Bool {
        !place.isInElement && place.types == .number
            && (place.statistics.increases == 0 || place.statistics.decreases == 0)
    }

    private func monotoneDraft(_ place: ShapeMember) -> Draft? {
        let statistics = place.statistics
        guard isMonotone(place), !place.isNullable else { return nil }
        let sign = statistics.decreases == 0 ? ">=" : "<="
        let condition = "\(place.isNewQuery) or \(place.query(from: nil)) \(sign) \(place.oldQuery)"
        return Draft(whole: .monotone, [place], condition, statistics.changes, Confidence.order(statistics.changes))
    }

    /// Which values may follow which; only values that were left often enough say so.
    private func transitionsDraft(_ place: ShapeMember) -> Draft? {
        let statistics = place.statistics
        guard !isMonotone(place), ValueSummary(place).fewValues != nil, (2...6).contains(statistics.values.count)
        else { return nil }
        var (parts, samples, confidence): ([String], Int, Double) = ([], 0, 1)
        for old in statistics.transitions.keys.sorted(by: { UTF8Order.isLess($0.text(), $1.text()) }) {
            let next = statistics.transitions[old] ?? [:]
            let left = next.values.reduce(0, +)
            let sureness = Confidence.modulus(left, next.count + 1)
            guard next.count < statistics.values.count - 1, sureness >= Confidence.least else { continue }
            let texts = ([old] + next.keys.sorted { $0.text() < $1.text() }).map { $0.text() }
            parts.append("(. != \(old.text()) or ($now | IN(\(texts.joined(separator: ", ")))))")
            samples += left
            confidence = min(confidence, sureness)
        }
        guard !parts.isEmpty else { return nil }
        let test = parts.joined(separator: " and ")
        let condition =
            "\(place.isNewQuery) or (\(place.query(from: nil)) as $now | \(place.oldQuery) | \(test))"
        return Draft(whole: .transitions, [place], condition, samples, confidence)
    }

    /// The largest of some groups of a store's members of which no commit changed two.
    private func apartDraft(_ store: ShapeMember) -> Draft? {
        guard let commits = stores[ByteName(store.key ?? "")]?.commits else { return nil }
        let members = watched.filter { $0.store === store && $0.statistics.changes > 0 }
            .sorted { ($1.statistics.changes, $0.index) < ($0.statistics.changes, $1.index) }
        var best: (members: [ShapeMember], confidence: Double) = ([], 1)
        for first in members.prefix(Self.mostApart) {
            var (group, confidence) = ([first], 1.0)
            for next in members where next !== first && group.count < Self.mostApart {
                let sureness =
                    group.map { known in
                        coincidences.areApart(known.index, next.index)
                            ? Confidence.apart(known.statistics.changes, next.statistics.changes, of: commits) : 0
                    }.min() ?? 0
                guard sureness >= Confidence.least else { continue }
                group.append(next)
                confidence = min(confidence, sureness)
            }
            if group.count > best.members.count { best = (group, confidence) }
        }
        guard best.members.count > 1 else { return nil }
        let places = best.members.sorted { $0.index < $1.index }
        let changes = places.map { "\($0.query(from: nil)) != \($0.oldQuery)" }
        let condition =
            "\(store.isNewQuery) or ([\(changes.joined(separator: ", "))] | map(select(.)) | length < 2)"
        return Draft(
            whole: .apart, places, condition, places.reduce(0) { $0 + $1.statistics.changes }, best.confidence)
    }

    /// So many members are said to be apart at most.
    private static let mostApart = 8

    private func writerDrafts(_ store: ShapeMember) -> [Draft] {
        guard let statistics = stores[ByteName(store.key ?? "")], statistics.isCounted, !statistics.isReopened,
            statistics.names.count <= 8,
            statistics.names.values.allSatisfy({ $0 >= 3 })
        else { return [] }
        let names = statistics.names.keys.sorted().map { JSONValue.string($0.text).text() }
        let condition =
            "\(store.isNewQuery) or \(store.query(from: nil)) == \(store.oldQuery) or ($name | . == null or IN(\(names.joined(separator: ", "))))"
        return [
            Draft(
                whole: .writers, [store], condition, statistics.commits,
                Confidence.modulus(statistics.commits, names.count + 1))
        ]
    }
}

// MARK: - Several members

extension LearnedScope {
    fileprivate func drafts() -> [Draft] {
        let classes = relations.representatives
        var drafts: [Draft] = []
        for pair in relations.pairs where relations.isVaried(pair.one) && relations.isVaried(pair.other) {
            let (one, other) = (relations.terms[pair.one], relations.terms[pair.other])
            // A derived value equals its own formula by definition, which says nothing about the runs.
            if one.member.store?.formula != nil, other.formula != .member { continue }
            if other.member.store?.formula != nil, one.formula != .member { continue }
            if pair.hasDifference, let difference = pair.difference {
                guard classes[pair.other] == pair.one || classes[pair.one] == pair.other else { continue }
                drafts.append(draft(.equal, [one, other], equality(one, other, difference), pair.samples))
            } else if classes[pair.one] == pair.one, classes[pair.other] == pair.other,
                one.member.store === other.member.store, pair.meetings >= 5, pair.meetings * 10 >= pair.samples
            {
                let (less, more) = pair.isAtMost ? (one, other) : (other, one)
                drafts.append(draft(.order, [less, more], "\(text(less)) <= \(text(more))", pair.samples))
            }
        }
        for triple in relations.triples {
            let indexes = [triple.result, triple.one, triple.other]
            guard indexes.allSatisfy({ relations.isVaried($0) && classes[$0] == $0 }) else { continue }
            let terms = indexes.map { relations.terms[$0] }
            let sign = triple.isProduct ? "*" : "+"
            let condition = "\(text(terms[0])) == \(text(terms[1])) \(sign) \(text(terms[2]))"
            drafts.append(draft(triple.isProduct ? .product : .sum, terms, condition, triple.samples))
        }
        drafts += elementDrafts()
        for check in absences where check.isAlive && check.both > 1 && check.neither > 1 {
            let (cause, effect) = (check.cause.query(from: base), check.effect.query(from: base))
            let confidence = Confidence.order(check.samples)
            drafts.append(
                whole(
                    .absent, [check.cause, check.effect], "\(cause) != null or \(effect) == null", check.samples,
                    confidence)
            )
        }
        return drafts
    }

    /// Of each array one member by which its elements are known: a text, or a number that ascends.
    private func elementDrafts() -> [Draft] {
        var arrays: Set<ObjectIdentifier> = []
        return elements.filter { $0.isUnique || $0.isAscending }.sorted { $0.preference > $1.preference }
            .filter { arrays.insert(ObjectIdentifier($0.array)).inserted }.map(elementDraft)
    }

    private func elementDraft(_ check: ElementCheck) -> Draft {
        let query = check.array.query(from: base).isEmpty ? "." : check.array.query(from: base)
        let list = check.key.map { "[\(query)[]\(JQPath.member($0))]" } ?? query
        let kind: LearnedInvariant.Kind = check.isUnique ? .unique : .sorted
        let condition =
            check.isUnique && check.isAscending
            ? "\(list) | . == unique"
            : check.isUnique ? "\(list) | length == (unique | length)" : "\(list) | . == sort"
        return whole(kind, [check.array], "(\(condition))", check.samples, Confidence.order(check.samples))
    }

    private func draft(
        _ kind: LearnedInvariant.Kind, _ terms: [LearnedTerm], _ condition: String, _ samples: Int
    ) -> Draft {
        whole(kind, terms.map(\.member), condition, samples, Confidence.order(samples))
    }

    /// A condition on the values of the scope, as one on the whole state.
    private func whole(
        _ kind: LearnedInvariant.Kind, _ places: [ShapeMember], _ condition: String, _ samples: Int,
        _ confidence: Double
    ) -> Draft {
        let condition = base.map { "all(\($0.query(from: nil)); \(condition))" } ?? condition
        return Draft(whole: kind, places, condition, samples, confidence)
    }

    private func equality(_ one: LearnedTerm, _ other: LearnedTerm, _ difference: Double) -> String {
        if difference == 0 { return "\(text(one)) == \(text(other))" }
        let (more, less) = difference > 0 ? (one, other) : (other, one)
        return "\(text(more)) == \(text(less)) + \(JSONNumber(abs(difference)).text)"
    }

    private func text(_ term: LearnedTerm) -> String {
        let query = term.member.query(from: base).isEmpty ? "." : term.member.query(from: base)
        switch term.formula {
        case .member: return query
        case .count: return "(\(query) | length)"
        case .total: return "([\(query)[]] | add // 0)"
        case .sum(let key): return "([\(query)[]\(JQPath.member(key))] | add // 0)"
        case .productSum(let one, let other):
            return "([\(query)[] | \(JQPath.member(one)) * \(JQPath.member(other))] | add // 0)"
        }
    }
}

extension ScopeRelations {
    /// Of each term the first one that differs from it by a constant.
    fileprivate var representatives: [Int] {
        var classes = Array(terms.indices)
        for pair in pairs where pair.hasDifference && pair.difference != nil && isVaried(pair.one) {
            classes[pair.other] = min(classes[pair.other], classes[pair.one])
        }
        return classes
    }

    fileprivate func isVaried(_ term: Int) -> Bool { distinct[term].count >= Self.varied }
}

extension ElementCheck {
    fileprivate var preference: Int {
        if isUnique { return isAscending ? 3 : isOfText ? 2 : 0 }
        return 1
    }
}

extension Learner {
    /// Of each text or table the smallest table that its texts are keys of; of what has few values those say more.
    fileprivate func subsetDrafts() -> [Draft] {
        var sources: Set<ObjectIdentifier> = []
        return subsets.filter { check in
            guard check.isAlive, check.distinct >= 3 else { return false }
            // Of two objects whose keys never change it says little that they are the same.
            return check.source.isTable
                ? check.source.lengths.samples > runs : ValueSummary(check.source).fewValues == nil
        }.sorted { $0.target.lengths.samples > $1.target.lengths.samples }
            .filter { sources.insert(ObjectIdentifier($0.source)).inserted }.map { $0.draft() }
    }
}

extension SubsetCheck {
    fileprivate func draft() -> Draft {
        let texts = source.isTable ? "\(source.query(from: nil)) | keys[]" : source.query(from: nil)
        let test = (source.isNullable ? ". == null or " : "") + "(. as $key | $table | has($key))"
        let condition = "\(target.query(from: nil)) as $table | all(\(texts); \(test))"
        return Draft(whole: .subset, [source, target], condition, samples, Confidence.order(samples))
    }
}
