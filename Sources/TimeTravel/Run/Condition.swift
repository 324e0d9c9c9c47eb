public import JSONCore
public import QueryLanguage

/// What makes a state bad, as a query says it.
public struct Condition: Sendable {
    /// Whether the query describes bad states or good ones.
    public enum Sense: Sendable, Equatable {
        /// Bad where any output is neither false nor null.
        case bad
        /// Bad where any output is false or null, or there is none.
        case good
    }

    /// What a state was found to be.
    public enum Verdict: Sendable, Equatable {
        case good
        case bad
        case failed(QueryError)

        /// How the query fails; nil where it does not.
        public var error: QueryError? {
            guard case .failed(let error) = self else { return nil }
            return error
        }

        /// Whether it is bad; nil where the query fails.
        public var isBad: Bool? {
            switch self {
            case .good: false
            case .bad: true
            case .failed: nil
            }
        }
    }

    /// The query.
    public let query: Query
    let sense: Sense

    /// States for which the query holds are bad.
    public init(bad query: Query) {
        self.query = query
        sense = .bad
    }

    /// States for which the query does not hold are bad.
    public init(good query: Query) {
        self.query = query
        sense = .good
    }

    /// Judges a state.
    ///
    /// - Complexity: that of the query, which stops at the output that decides.
    public func verdict(on state: JSONValue, context: QueryContext) -> Verdict {
        judge(state, context, wantsValue: false).verdict
    }

    /// - Parameter wantsValue: whether the output is asked for that makes the state bad, if it is.
    func judge(
        _ state: JSONValue, _ context: QueryContext, _ memo: QueryMemo? = nil, wantsValue: Bool
    ) -> Judgement {
        let endsBad = sense == .bad
        if endsBad, let memo, let isBad = query.isAnyTrue(of: state, context: context, memo: memo),
            !(isBad && wantsValue)
        {
            return Judgement(isBad ? .bad : .good)
        }
        var (hasOutput, isDecided, output) = (false, false, JSONValue?.none)
        do throws(QueryError) {
            try query.evaluate(state, context: context, memo: memo) { value in
                hasOutput = true
                guard value.isTruthy == endsBad else { return true }
                isDecided = true
                if wantsValue { output = value }
                return false
            }
        } catch {
            return Judgement(.failed(error))
        }
        guard isDecided || !endsBad && !hasOutput else { return Judgement(.good) }
        return Judgement(.bad, value: output, state: wantsValue ? state : nil)
    }

    /// Whether a state is bad, where the query is so plain that it needs no context; nil where it has to be judged.
    @inline(__always)
    func isBad(plainly state: JSONValue) -> Bool? { query.plainTruth(of: state).map { $0 == (sense == .bad) } }

    struct Judgement: Sendable {
        let verdict: Verdict
        let value: JSONValue?
        let state: JSONValue?

        init(_ verdict: Verdict, value: JSONValue? = nil, state: JSONValue? = nil) {
            (self.verdict, self.value, self.state) = (verdict, value, state)
        }
    }

    /// A copy of the condition for another thread: threads that share one contend for its reference counts.
    func recompiled() -> Condition {
        switch sense {
        case .bad: Condition(bad: query.recompiled())
        case .good: Condition(good: query.recompiled())
        }
    }
}
