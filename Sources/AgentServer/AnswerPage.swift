import CommandLine
import JSONCore
import Platform

/// The lines of an answer from one on, as many as fit a page; then it refuses more, so that the command ends.
final class AnswerPage: ByteSink {
    /// How many lines, and about how many bytes, a page has.
    static let lineCount = 100
    static let byteCount = 1 << 16

    private var skipped: Int
    private var kept = 0
    private var bytes: [UInt8] = []
    private let stop: StopRequest

    /// The lines.
    private(set) var lines: [[UInt8]] = []
    /// Whether there are more.
    private(set) var hasMore = false

    /// A page after so many lines.
    init(after count: Int, until stop: StopRequest) {
        skipped = count
        self.stop = stop
    }

    func write(_ new: ByteView) throws(OutputError) {
        if stop.isMade { throw .closed }
        var rest = new[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            bytes += rest[..<end]
            rest = rest[(end + 1)...]
            try endLine()
        }
        bytes += rest
    }

    private func endLine() throws(OutputError) {
        defer { bytes = [] }
        guard skipped == 0 else {
            skipped -= 1
            return
        }
        let isFull = lines.count >= Self.lineCount || kept >= Self.byteCount
        if isFull {
            hasMore = true
            throw .closed
        }
        lines.append(CutAnswer.line(bytes))
        kept += lines.last?.count ?? 0
    }
}
