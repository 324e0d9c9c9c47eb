/// How much of a text's structure is followed before it is refused.
public struct JSONLimits: Sendable {
    /// How many arrays and objects may stand inside one another; jq's own limit.
    public var depth: Int
    /// How many characters one number may have.
    public var numberLength: Int
    /// Whether an escape that is half a surrogate pair is read as U+FFFD or refused; RFC 8259 §8.2 leaves it open.
    public var allowsLoneSurrogates: Bool
    /// Whether the words `nan`, `NaN` and `Infinity`, with or without a sign, are read as numbers, which RFC 8259 refuses.
    public var allowsNonFinite: Bool

    /// Creates limits of these sizes.
    public init(
        depth: Int = 10_000, numberLength: Int = 65_536, allowsLoneSurrogates: Bool = true,
        allowsNonFinite: Bool = false
    ) {
        self.depth = depth
        self.numberLength = numberLength
        self.allowsLoneSurrogates = allowsLoneSurrogates
        self.allowsNonFinite = allowsNonFinite
    }

    /// 10,000 levels, numbers of 65,536 characters, and U+FFFD for half a surrogate pair.
    public static let standard = JSONLimits()
}
