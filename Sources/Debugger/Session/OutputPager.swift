import CommandLine
import Diagnostics

/// Shows long output a screen at a time, where a person reads it.
final class OutputPager {
    /// What a person wants at the end of a screen.
    enum Answer {
        case goOn, all, quit
    }

    /// The person has read enough of what a command prints.
    struct Ended: Error {}

    private let output: (String) throws -> Void
    /// Asks at the end of a screen; nil where no person reads.
    var ask: (() throws -> Answer)?
    /// How large the screen is.
    var size = ScreenSize(columns: 80, rows: 24)
    private var used = 0
    private var asksNoMore = false

    /// The line that asks, in gdb's words.
    static let question = "--Type <RET> for more, q to quit--"

    init(_ output: @escaping (String) throws -> Void) { self.output = output }

    /// Begins with another command's output.
    func begin(_ size: ScreenSize) {
        (used, asksNoMore) = (0, false)
        self.size = size
    }

    /// Writes lines, each with its end.
    ///
    /// - Throws: ``Ended`` where no more of them is wanted.
    func write(_ text: String) throws {
        guard let ask, !asksNoMore else { return try output(text) }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            let rows = max(1, (DisplayWidth.of(String(line)) + size.columns - 1) / max(1, size.columns))
            if used > 0, used + rows >= size.rows, !asksNoMore {
                used = 0
                switch try ask() {
                case .goOn: break
                case .all: asksNoMore = true
                case .quit: throw Ended()
                }
            }
            used += rows
            try output(line + "\n")
        }
    }
}
