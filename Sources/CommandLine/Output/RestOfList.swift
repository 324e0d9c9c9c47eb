/// The command that shows the rest of a list of commits: the one that was typed, from the first commit that was left out.
struct RestOfList {
    private let arguments: [String]
    private let upper: String

    /// - Returns: nil where the list has no range, is not in order, or is counted.
    init?(_ typed: TypedArguments, _ arguments: [String]) {
        guard typed.command == .log || typed.command == .history, !typed.has(.reverse), !typed.has(.maxCount),
            !typed.operands.contains("-")
        else { return nil }
        self.arguments = arguments
        // Of several pairs of dots the last separates the sides, as when the range is read.
        let range = Array((typed.value(.range) ?? "").utf8)
        let dots = range.indices.last { $0 > 0 && range[$0] == range[$0 - 1] && range[$0] == UInt8(ascii: ".") }
        upper = dots.map { String(decoding: range[($0 + 1)...], as: UTF8.self) } ?? ""
    }

    /// The command line of the list from a commit on; of a repeated option the last counts.
    func command(from seq: Int) -> String {
        let range = [Option.range.typed, "\(max(0, seq - 1)).." + upper]
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        return Advice.line(arguments[..<end] + range + arguments[end...])
    }
}
