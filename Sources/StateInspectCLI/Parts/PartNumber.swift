/// The value of `--part`: which of how many parts of a range is asked.
struct PartNumber: Sendable, Equatable {
    /// How many parts a range may be cut into.
    static let most = 100_000

    let number: Int
    let count: Int

    /// The part that was typed; nil where none was.
    ///
    /// - Throws: `UsageError` where it is not one of the parts, or stands beside an option that needs the whole of a run.
    init?(_ typed: TypedArguments) throws(UsageError) {
        guard let text = typed.value(.part) else { return nil }
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let number = numbers[0], let count = numbers[1], number >= 1, number <= count,
            count <= Self.most
        else { throw .value(.part, text, expected: "a part of how many, such as '2/8'") }
        self.number = number
        self.count = count
        try Self.check(typed)
    }

    /// Refuses what asks for more than one part knows.
    private static func check(_ typed: TypedArguments) throws(UsageError) {
        if let option = whole.first(where: typed.has) { throw .exclusive([.part, option]) }
        if typed.command == .bisect, typed.has(.path) { throw .exclusive([.part, .path]) }
        if typed.command == .check, typed.operands.count > 1 { throw .extraOperand(.check, typed.operands[1]) }
        if let format = typed.value(.format), format != OutputFormat.json.rawValue {
            throw .value(.format, format, expected: "'json', in which parts are written")
        }
    }

    /// An end of a list, all of a run, a file that grows.
    private static let whole: [Option] = [
        .monotone, .run, .interactive, .follow, .reverse, .maxCount, .replayFinal, .without, .only, .pace, .skip,
        .log, .resume, .parts, .cite, .counts, .byPlace, .check, .why, .repair,
    ]
}
