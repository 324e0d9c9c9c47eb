import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage

extension StopJudge {
    struct Subject {
        private let question: StopQuestion
        private var memo: QueryMemo?
        private var last: Snapshot = .outcome(.nothing)
        /// What was seen after the last record of the position in hand, and that record.
        private var latest: Snapshot = .outcome(.nothing)
        private var author: OwnedRecord?

        init(_ question: StopQuestion) { self.question = question }

        mutating func begin(_ state: JSONValue, _ context: QueryContext, _ memo: QueryMemo?) {
            self.memo = memo
            last = snapshot(state, context)
            latest = last
            author = nil
        }

        mutating func noteAuthor(_ record: OwnedRecord?, _ state: JSONValue, _ context: QueryContext) {
            let now = snapshot(state, context)
            if now != latest { author = record }
            latest = now
        }

        mutating func finding(
            _ state: JSONValue, _ context: QueryContext, mayDiffer: Bool, keepsValues: Bool
        ) -> StopHit.Observation? {
            let before = last
            if mayDiffer { last = snapshot(state, context) }
            defer {
                latest = last
                author = nil
            }
            switch question {
            case .holds:
                switch last {
                case .verdict(.bad): return .met([])
                case .verdict(.failed(let error)): return .failed(error)
                default: return nil
                }
            case .violated:
                switch (before, last) {
                case (.verdict(.bad), _): return nil
                case (_, .verdict(.bad)): return .met([])
                case (.verdict(.good), .verdict(.failed(let error))): return .failed(error)
                default: return nil
                }
            case .changed, .fired:
                guard mayDiffer, last != before else { return nil }
                return .met(keepsValues ? before.changes(to: last, by: author) : [])
            case .record: return nil
            }
        }

        private func snapshot(_ state: JSONValue, _ context: QueryContext) -> Snapshot {
            switch question {
            case .changed(let subject): return Snapshot(subject, state, context, memo)
            case .fired(let query):
                return .outcome(.value((try? query.first(of: state, context: context, memo: memo)) ?? .null))
            case .violated(let query): return verdict(Condition(good: query), state, context)
            case .holds(let query): return verdict(Condition(bad: query), state, context)
            case .record: return .outcome(.nothing)
            }
        }

        private func verdict(_ condition: Condition, _ state: JSONValue, _ context: QueryContext) -> Snapshot {
            .verdict(condition.judge(state, context, memo, wantsValue: false).verdict)
        }
    }
}

enum Snapshot: Equatable {
    case outcome(QueryOutcome)
    case verdict(Condition.Verdict)
    case places([PlacedValue])

    struct PlacedValue: Equatable {
        let path: JSONPointer
        let value: JSONValue
    }

    init(_ subject: HistorySubject, _ state: JSONValue, _ context: QueryContext, _ memo: QueryMemo? = nil) {
        switch subject {
        case .query(let query):
            self = .outcome(
                QueryOutcome { () throws(QueryError) in try query.first(of: state, context: context, memo: memo) })
        case .places(let matcher): self.init(matcher, state)
        }
    }

    init(_ matcher: PathMatcher, _ state: JSONValue) {
        let paths = matcher.onlyPath.map { [JSONPointer($0)] } ?? matcher.matches(in: state)
        self = .places(paths.compactMap { path in path.value(in: state).map { PlacedValue(path: path, value: $0) } })
    }

    /// What differs, in document order: first what is there, and then what is no longer.
    func changes(to new: Snapshot, by record: OwnedRecord?) -> [ValueChange] {
        switch (self, new) {
        case (.outcome(let old), .outcome(let new)):
            return [ValueChange(path: JSONPointer(), old: old, new: new, record: record)]
        case (.places(let old), .places(let new)):
            let found = PlaceChanges.differences(
                from: old.map { ($0.path, $0.value) }, to: new.map { ($0.path, $0.value) })
            return (found.there + found.gone).map { change in
                ValueChange(
                    path: change.path, old: change.old.map(QueryOutcome.value) ?? .nothing,
                    new: change.value.map(QueryOutcome.value) ?? .nothing, record: record)
            }
        default: return []
        }
    }
}
