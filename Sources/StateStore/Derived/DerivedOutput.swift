internal import Synchronization

/// What a derived value has come to, and who wants to know.
final class DerivedOutput<Value: Sendable>: Sendable {
    struct Content: Sendable {
        /// The memoized value; nil before the first evaluation.
        var latest: StateNode<Value>?
        var sinks: [Sink<Value>] = []
        var counters = DerivedCounters()
        /// Whether its value was ever asked for: from then on it is kept up to date.
        var wasRead = false
        /// How many derived values read it, and are asked for themselves.
        var dependents = 0

        var isAsked: Bool { wasRead || dependents > 0 || !sinks.isEmpty }
    }

    let content = Mutex(Content())
}

/// How often a derived value was, after a commit, in each of the four cases.
public struct DerivedCounters: Sendable, Hashable {
    /// Nothing that it reads was touched.
    public var untouched = 0
    /// Something that it reads was touched and is equal: the transform did not run.
    public var unchanged = 0
    /// The transform ran, and its result is equal: nobody was told.
    public var same = 0
    /// The result differs: subscribers were told.
    public var fired = 0

    /// How often the transform ran after a commit.
    public var transforms: Int { same + fired }
}
