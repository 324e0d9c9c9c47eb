/// A type that says itself which parts of its values must not be in a journal.
///
///     extension User: RedactedState {
///         static var redacted: [Redaction] { [.keyPath(\User.token), "/cards/*/number"] }
///     }
///
/// Every recorder honours it, those that the environment or a test turns on among them, wherever a state holds such a value.
public protocol RedactedState {
    /// What is redacted of each value; paths begin at the value, not at a store.
    static var redacted: [Redaction] { get }
}
