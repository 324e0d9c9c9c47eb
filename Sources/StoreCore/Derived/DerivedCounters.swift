/// How often a derived value was, after a commit, in each of the four cases.
public struct DerivedCounters: Sendable, Hashable {
    /// Nothing that it reads was touched.
    public var untouched = 0
    /// Something that it reads was touched and is equal: the transform did not run.
    ///
    /// A recorded store knows what a commit touched by the commit's patch, any other by the bytes of the property.
    public var unchanged = 0
    /// The transform ran, and its result is equal: nobody was told.
    public var same = 0
    /// The result differs: subscribers were told.
    public var fired = 0

    /// Counts, to be compared with.
    public init(untouched: Int = 0, unchanged: Int = 0, same: Int = 0, fired: Int = 0) {
        (self.untouched, self.unchanged, self.same, self.fired) = (untouched, unchanged, same, fired)
    }

    /// How often the transform ran after a commit.
    public var transforms: Int { same + fired }
}
