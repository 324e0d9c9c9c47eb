public import Diagnostics
public import JSONCore

/// Why an evaluation ended without all of its outputs.
public enum QueryError: Error, Sendable, Equatable {
    /// A run-time error, with the value that `catch` would have got: mostly a message.
    case failure(JSONValue)
    /// A limit was reached.
    case limit(QueryLimit)
    /// `input` could not read what comes next; its reader knows why.
    case unreadInput

    init(_ interruption: Interruption) {
        switch interruption {
        case .failure(let value): self = .failure(value)
        case .broken: self = .failure(.string("break"))
        case .limit(let limit): self = .limit(limit)
        case .unreadInput: self = .unreadInput
        }
    }

    /// The message as jq prints it, without its prefix; a very long one is cut off.
    public var message: String {
        switch self {
        case .failure(.string(let text)): ValueText.beginning(of: text)
        case .failure(let value): "(not a string): \(ValueText.beginning(of: value))"
        case .limit(let limit): limit.message
        case .unreadInput: "the next input cannot be read"
        }
    }
}

/// A limit of evaluation.
///
/// Each is a named constant in `QueryLimits`, so that no query can hang or exhaust its process.
public enum QueryLimit: Sendable, Equatable {
    /// More steps than `QueryLimits.steps`.
    case steps
    /// Calls nested deeper than the thread's stack carries.
    case callDepth
    /// A value nested deeper than `QueryLimits.depth` allows.
    case valueDepth
    /// An array or a string larger than `QueryLimits.size`.
    case size
    /// Limits stopped it so often that it is not asked any more: `QueryLimits.stoppedEvaluations`.
    case evaluations
}

extension QueryLimit {
    fileprivate static let help =
        "make the query do less work per state; where limits stop it again and again, it is not asked at the rest"

    /// What was reached, as a message.
    public var message: String {
        switch self {
        case .steps: "the query took more steps than an evaluation may"
        case .callDepth: "the query called itself more deeply than the stack allows"
        case .valueDepth: "the query built a value that is nested too deeply"
        case .size: "the query built a value that is too large"
        case .evaluations: "the query was stopped by its limits at the states before, so it was not asked here"
        }
    }
}

extension QueryError: DiagnosticConvertible {
    /// The error as a problem without a place: the caller knows the query and the commit.
    public var diagnostic: Diagnostic {
        switch self {
        case .failure, .unreadInput: Diagnostic(code: "query.failed", message)
        case .limit: Diagnostic(code: "query.limit", message, help: [QueryLimit.help])
        }
    }
}
