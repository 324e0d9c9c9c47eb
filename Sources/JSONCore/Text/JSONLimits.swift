/// How much of a text's structure is followed before it is refused.
public struct JSONLimits: Sendable {
    /// How many arrays and objects may stand inside one another; jq's own limit.
    public var depth: Int
    /// How many characters one number may have.
    public var numberLength: Int

    /// Creates limits of these sizes.
    public init(depth: Int = 10_000, numberLength: Int = 65_536) {
        self.depth = depth
        self.numberLength = numberLength
    }

    /// 10,000 levels and numbers of 65,536 characters.
    public static let standard = JSONLimits()
}
