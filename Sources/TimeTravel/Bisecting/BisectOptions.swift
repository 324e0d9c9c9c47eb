public import JSONCore
public import JournalFormat

/// What narrows a bisection.
public struct BisectOptions: Sendable {
    /// Positions that are not judged.
    public var skip = CommitList()
    /// Only positions of commits that touch this path are judged; nil for all.
    public var path: JSONPointer?
    /// Whether reading goes on behind damage.
    public var recover = false
    /// Is told from time to time how far a pass has come.
    public var progress: (@Sendable (_ commits: Int, _ bytes: Int) -> Void)?

    /// Judges every position.
    public init() {}
}
