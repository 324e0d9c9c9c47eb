public import StateEncoding

/// The action behind a commit, as the journal tells it.
///
/// A class, so that the commits without one carry a nil reference and nothing more.
public final class CommitAction: Sendable {
    /// What kind of action: its type, and its case where it is an enum.
    public let type: String
    /// What the action carries; nil where it has no JSON form.
    let payload: (any Encodable & Sendable)?
    /// The enum case whose associated values are the payload; nil where the payload is the whole action.
    let caseName: String?

    init(type: String, payload: (any Encodable & Sendable)?, caseName: String? = nil) {
        self.type = type
        self.payload = payload
        self.caseName = caseName
    }
}

extension CommitAction: OpaqueToDump {}
