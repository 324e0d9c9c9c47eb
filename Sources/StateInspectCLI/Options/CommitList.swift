/// A LIST of commits as it is typed: `3,5,10..20`, both ends of a range included.
struct CommitList: Sendable, Equatable {
    /// The numbers, as closed ranges in the order typed.
    let ranges: [ClosedRange<Int>]

    /// A list with nothing in it.
    static let empty = CommitList(ranges: [])

    private init(ranges: [ClosedRange<Int>]) { self.ranges = ranges }

    /// Reads a list.
    ///
    /// - Throws: `UsageError` naming the option, where a part is no number and no range of two.
    init(parsing text: String, of option: OptionName) throws(UsageError) {
        var ranges: [ClosedRange<Int>] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let range = Self.range(part) else {
                throw .value(option, text, expected: "a list such as '3,5,10..20'")
            }
            ranges.append(range)
        }
        self.ranges = ranges
    }

    /// Whether the list names this commit.
    func contains(_ commit: Int) -> Bool { ranges.contains { $0.contains(commit) } }

    private static func range(_ part: Substring) -> ClosedRange<Int>? {
        if let number = Int(part), number >= 0 { return number...number }
        guard let dots = part.firstRange(of: "..") else { return nil }
        guard let low = Int(part[..<dots.lowerBound]), let high = Int(part[dots.upperBound...]) else { return nil }
        return low >= 0 && low <= high ? low...high : nil
    }
}
