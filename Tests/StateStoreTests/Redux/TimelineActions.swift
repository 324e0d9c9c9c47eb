import JSONCore
import StateStore

/// The state and the actions of the reducer tests.
struct TimelineState: Codable, Equatable, Sendable {
    enum Action: Codable, Equatable, Sendable {
        case requestStart
        case requestSuccess([String])
        case requestFailure(reason: String, code: Int)
        case pair(Int, String)
        case limit(to: Int?)
    }

    var isLoading = false
    var texts: [String] = []
    var failure: String?
    var limit: Int?

    static let reducer = Reducer<TimelineState, Action> { state, action in
        switch action {
        case .requestStart:
            state.isLoading = true
            state.failure = nil
        case .requestSuccess(let texts):
            state.isLoading = false
            state.texts += texts
            if let limit = state.limit { state.texts = Array(state.texts.suffix(limit)) }
        case .requestFailure(let reason, let code):
            state.isLoading = false
            state.failure = "\(reason) \(code)"
        case .pair(let count, let text): state.texts = Array(repeating: text, count: count)
        case .limit(let limit): state.limit = limit
        }
    }
}

/// A reducer store of a timeline, recorded or not.
func makeTimeline(
    _ recorder: Recorder? = nil, middleware: [Middleware<TimelineState, TimelineState.Action>] = []
) -> ReducerStore<TimelineState, TimelineState.Action> {
    ReducerStore(
        Store(TimelineState(), name: "timeline", recorder: recorder), reducer: TimelineState.reducer,
        middleware: middleware)
}

extension TemporaryJournal {
    /// The lines that the commits were made at.
    func lines() throws -> [Int?] {
        try records("commit").map { record in
            guard case .object(let at) = record["at"] else { return nil }
            return at.integer("line")
        }
    }

    /// The causes of the commits.
    func causes() throws -> [Int?] { try records("commit").map { $0.integer("cause") } }

    /// The names of the commits.
    func names() throws -> [String] { try records("commit").map { try $0.text("name") } }

    /// The types of the commits' actions.
    func actions() throws -> [String?] {
        try records("commit").map { record in
            guard case .object(let action) = record["action"] else { return nil }
            return try action.text("type")
        }
    }
}
