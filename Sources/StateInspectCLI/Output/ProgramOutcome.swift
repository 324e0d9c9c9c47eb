/// How a run of the program ended.
public enum ProgramOutcome: Sendable, Equatable {
    /// It ended by itself, with this status.
    case exit(status: Int32)

    /// Whoever read its output has gone: it ends as a program does that is told so by SIGPIPE.
    case outputClosed
}
