import CommandLine

struct ReplayRules: Sendable {
    /// Only where the value differs from the last.
    let isChanged: Bool
    /// Only the last line, also where there is no commit.
    let isFinal: Bool
    let limit: Int
    /// How many times as fast as it was; nil for as fast as can be.
    let pace: Double?
    let recovers: Bool

    init(_ typed: TypedArguments) throws(UsageError) {
        isChanged = typed.has(.changed)
        isFinal = typed.has(.final)
        limit = try typed.number(.maxCount, atLeast: 0) ?? .max
        pace = try Self.pace(typed)
        recovers = typed.has(.recover)
    }

    private static func pace(_ typed: TypedArguments) throws(UsageError) -> Double? {
        guard let text = typed.value(.pace) else { return nil }
        guard let pace = Double(text), pace > 0, pace.isFinite else {
            throw .value(.pace, text, expected: "a number greater than 0, such as '2' for twice as fast")
        }
        return pace
    }
}
