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
        /// The query fails there.
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
    /// Whether it describes bad states or good ones.
    public let sense: Sense

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
        verdict(on: state, context: context, memo: nil)
    }

    /// Judges a state with what a memo kept of the one judged before.
    func verdict(on state: JSONValue, context: QueryContext, memo: QueryMemo?) -> Verdict {
        if sense == .bad, let memo, let isBad = query.isAnyTrue(of: state, context: context, memo: memo) {
            return isBad ? .bad : .good
        }
        var decided = false
        var hasOutput = false
        do throws(QueryError) {
            try query.evaluate(state, context: context, memo: memo) { output in
                hasOutput = true
                decided = output.isTruthy == (sense == .bad)
                return !decided
            }
        } catch {
            return .failed(error)
        }
        switch sense {
        case .bad: return decided ? .bad : .good
        case .good: return decided || !hasOutput ? .bad : .good
        }
    }

    /// The output that makes a state bad; nil where it is bad for want of one, or good.
    public func decidingOutput(on state: JSONValue, context: QueryContext) -> JSONValue? {
        var output: JSONValue?
        try? query.evaluate(state, context: context) { value in
            guard value.isTruthy == (sense == .bad) else { return true }
            output = value
            return false
        }
        return output
    }
}

extension Condition {
    /// What a state was found to be.
    struct Judgement: Sendable {
        let verdict: Verdict
        /// The output that makes it bad, where it was asked for; nil also where it is bad for want of one.
        let value: JSONValue?
        /// The state itself, where it is bad and the output was asked for.
        let state: JSONValue?
    }

    /// Judges a state.
    ///
    /// - Parameter wantsValue: whether the output is asked for that makes the state bad, if it is.
    func judgement(
        on state: JSONValue, _ context: QueryContext, _ memo: QueryMemo? = nil, wantsValue: Bool
    ) -> Judgement {
        let verdict = verdict(on: state, context: context, memo: memo)
        guard wantsValue, verdict == .bad else { return Judgement(verdict: verdict, value: nil, state: nil) }
        return Judgement(verdict: verdict, value: decidingOutput(on: state, context: context), state: state)
    }

    /// A copy of the condition for another thread: threads that share one contend for its reference counts.
    func recompiled() -> Condition {
        switch sense {
        case .bad: Condition(bad: query.recompiled())
        case .good: Condition(good: query.recompiled())
        }
    }
}
