import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A pass that finds every turn of a query, beside a plain count of the newlines of the same file.
struct PassBenchmark {
    private static let rounds = 7

    private let path: String
    private let journal: Journal

    init(_ path: String) throws {
        self.path = path
        journal = try Journal.open(path, access: .random)
    }

    func run(_ text: String) throws {
        let condition = Condition(bad: try Query(text))
        guard let range = PositionRange(journal.start, try journal.position(.end(minus: 0))) else { return }
        let bytes = journal.byteCount ?? 0
        var (passes, counts) = (Samples(), Samples())
        var answer = BisectAnswer()
        var lines = 0
        for _ in 0..<PassBenchmark.rounds {
            counts.measure { lines = countNewlines() }
            try passes.measure { answer = try BisectAnswer(journal, range, condition) }
        }
        let first = answer.firstBad.map { "\($0.seq.rawValue)" } ?? "none"
        print("\(range.count) commits, \(lines) lines, \(Figure.megabytes(bytes)); first bad \(first)")
        print("evaluated \(answer.tested) states, \(answer.flips ?? 0) flips")
        print("pass      p50 \(Figure.milliseconds(passes.median))  \(Figure.rate(bytes, passes.median))")
        print("newlines  p50 \(Figure.milliseconds(counts.median))  \(Figure.rate(bytes, counts.median))")
        print("ratio     \(Figure.text(passes.median / counts.median))")
        print("peak memory \(Figure.megabytes(ProcessUsage.peakMemory))")
    }

    /// What `wc -l` does.
    private func countNewlines() -> Int {
        let file = open(path, O_RDONLY)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
        defer { block.deallocate() }
        var lines = 0
        while let base = block.baseAddress {
            let count = read(file, base, block.count)
            if count <= 0 { break }
            var place = 0
            while place < count, let found = memchr(base + place, 0x0A, count - place) {
                lines += 1
                place = UnsafeRawPointer(found) - UnsafeRawPointer(base) + 1
            }
        }
        return lines
    }
}
