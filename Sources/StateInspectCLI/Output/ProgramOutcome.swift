/// How a run of the program ended.
public enum ProgramOutcome: Sendable, Equatable {
    /// It ended by itself, with this status.
    case exit(status: Int32)

    /// The reader of the output has gone: the program ends as if by SIGPIPE.
    case outputClosed
}
