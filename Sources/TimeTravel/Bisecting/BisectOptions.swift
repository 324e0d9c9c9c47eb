package import JSONCore
public import JournalFormat
import Platform

/// What narrows a bisection.
public struct BisectOptions: Sendable {
    /// Positions that are not judged.
    public var skip = CommitList()
    /// Only positions of commits that touch one of these paths are judged; without any, all.
    package var paths = PathMatcher([])
    /// Whether a search by halves tests the positions beside its answer too.
    public var checksNeighbours = true
    /// Whether reading goes on behind damage.
    public var recover = false
    /// How many threads may share the work; unless given, as many as there are processors.
    public var threads = ProcessorCount.available
    /// About how many bytes each of them takes at a time.
    package var partLength = 8 << 20

    /// Judges every position.
    public init() {}
}
