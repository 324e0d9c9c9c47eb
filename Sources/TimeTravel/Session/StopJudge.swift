import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage

enum StopQuestion {
    case changed(HistorySubject)
    /// Whether a derived value with a definition differs: one that has no output or fails is null.
    case fired(Query)
    /// Whether an invariant is violated, or cannot be evaluated, where it held before.
    case violated(Query)
    case holds(Query)
    /// Whether the commit, or a record after it, is of a kind.
    case record(StopTrigger)

    init(_ trigger: StopTrigger) {
        switch trigger {
        case .watch(let watch): self = .changed(watch.subject)
        case .derived(_, let query?): self = .fired(query)
        case .violation(let query): self = .violated(query)
        case .source, .function, .derived, .mark, .abort: self = .record(trigger)
        }
    }

    var query: Query? {
        switch self {
        case .changed(let subject): subject.query
        case .fired(let query), .violated(let query), .holds(let query): query
        case .record: nil
        }
    }
}

struct StopHit {
    enum Observation {
        /// The question is met; with what differs, where that is asked for.
        case met([ValueChange])
        case reported(String?)
        /// Whether it is met is not known, since the query fails.
        case failed(QueryError)
    }

    let question: Int
    let finding: Observation
}

/// What is met at a position depends on it and the one before alone, so the answer is the same wherever a scan began.
struct StopJudge {
    struct Item {
        let question: StopQuestion
        let condition: Query?
    }

    private let items: [Item]
    private var subjects: [Subject]
    /// Whether what differs is kept, which costs its values.
    private let keepsValues: Bool
    private var reported: [Int: String?] = [:]

    init(_ items: [Item], keepsValues: Bool = false) {
        self.items = items
        self.keepsValues = keepsValues
        subjects = items.map { Subject($0.question) }
    }

    /// The queries, those of the questions first.
    var queries: [Query] { items.compactMap(\.question.query) + items.compactMap(\.condition) }

    var reading: PathSet {
        items.reduce(PathSet.nothing) { paths, item in
            guard case .changed(.places(let matcher)) = item.question else { return paths }
            return paths.union(matcher.paths)
        }
    }

    var asksEveryCommit: Bool {
        items.contains { item in
            switch item.question {
            case .holds, .record: true
            default: false
            }
        }
    }

    var asksRecords: Bool {
        keepsValues
            || items.contains { if case .record = $0.question { true } else { false } }
    }

    var companions: RecordKinds {
        items.reduce(RecordKinds()) { kinds, item in
            guard case .record(let trigger) = item.question else { return kinds }
            return switch trigger {
            case .mark: kinds.union(.mark)
            case .abort: kinds.union(.abort)
            case .derived: kinds.union(.outcome)
            default: kinds
            }
        }
    }

    /// - Parameter memo: what a query keeps from state to state, by its place in ``queries``.
    mutating func begin(_ state: JSONValue, _ context: QueryContext, memo: (Int) -> QueryMemo? = { _ in nil }) {
        var query = 0
        for index in subjects.indices {
            let hasQuery = items[index].question.query != nil
            subjects[index].begin(state, context, hasQuery ? memo(query) : nil)
            if hasQuery { query += 1 }
        }
        reported = [:]
    }

    mutating func note(_ record: OwnedRecord?, _ companions: [OwnedRecord], _ state: JSONValue, _ context: QueryContext)
    {
        for (index, item) in items.enumerated() {
            if keepsValues { subjects[index].noteAuthor(record, state, context) }
            guard case .record(let trigger) = item.question else { continue }
            if let record, record.kind == .commit, trigger.isMet(by: record) { reported[index] = .some(nil) }
            for companion in companions {
                if let text = trigger.report(by: companion) { reported[index] = reported[index] ?? text }
            }
        }
    }

    mutating func judge(_ state: JSONValue, _ context: QueryContext, isTouched: (Int) -> Bool) -> [StopHit] {
        defer { if !reported.isEmpty { reported = [:] } }
        var hits: [StopHit] = []
        var query = 0
        for (index, item) in items.enumerated() {
            var finding: StopHit.Observation?
            if case .record = item.question {
                finding = reported[index].map { .reported($0) }
            } else {
                let mayDiffer = item.question.query == nil || isTouched(query)
                if item.question.query != nil { query += 1 }
                finding = subjects[index].finding(state, context, mayDiffer: mayDiffer, keepsValues: keepsValues)
            }
            guard let finding else { continue }
            if case .failed = finding {
                hits.append(StopHit(question: index, finding: finding))
            } else {
                switch item.condition.map({ Condition(bad: $0).verdict(on: state, context: context) }) {
                case nil, .bad?: hits.append(StopHit(question: index, finding: finding))
                case .good?: break
                case .failed(let error)?: hits.append(StopHit(question: index, finding: .failed(error)))
                }
            }
        }
        return hits
    }
}

extension StopTrigger {
    /// What a record says that a catch waits for, nothing perhaps; nil for any other.
    fileprivate func report(by record: OwnedRecord) -> String?? {
        switch (self, record.kind) {
        case (.mark(let condition), .mark):
            let mark = try? record.decode(MarkRecord.init)
            if let condition, mark.map(condition.isMet) == false { return nil }
            return .some(mark?.text)
        case (.abort, .abort):
            let abort = try? record.decode(AbortRecord.init)
            return .some(abort?.error)
        case (.derived(let name, nil), .outcome):
            guard let outcome = try? record.decode(OutcomeRecord.init),
                let entry = outcome.derived.first(where: { UTF8Order.equal($0.name, name) && $0.outcome == .fired })
            else { return nil }
            return .some(entry.value?.text())
        default: return nil
        }
    }
}
