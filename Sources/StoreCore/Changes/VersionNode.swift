internal import JournalFormat

/// A version, whatever the type of its state: what the line of deliveries knows of it.
///
/// Code that is generic over the state asks the runtime for each generic type that it touches, each time. A delivery goes
/// through the line several times, and spends less on what it does there than it would on asking.
class VersionNode: @unchecked Sendable {
    // Unchecked: constants only, and those of the one subclass.

    let version: Int
    let location: SourceLocation
    let cause: CommitReference?

    init(version: Int, location: SourceLocation, cause: CommitReference?) {
        self.version = version
        self.location = location
        self.cause = cause
    }
}
