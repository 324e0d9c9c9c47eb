import JSONCore
import JournalFormat
import JournalReading

/// Parsing and writing whole lines: the road of what no pass can prune.
struct JSONBenchmark {
    private static let rounds = 5
    /// How many bytes of the journal are taken.
    private static let share = 64 << 20

    private let journal: Journal

    init(_ path: String) throws { journal = try Journal.open(path, access: .random) }

    func run() throws {
        var reader = journal.records()
        var lines: [[UInt8]] = []
        var bytes = 0
        while bytes < JSONBenchmark.share, let line = try reader.next() {
            lines.append([UInt8](line.bytes))
            bytes += line.bytes.count
        }
        var (parsing, sorting, writing) = (Samples(), Samples(), Samples())
        var written = 0
        for _ in 0..<JSONBenchmark.rounds {
            try parsing.measure { for line in lines { _ = try JSONParser.parse(line) } }
            try sorting.measure { for line in lines { _ = try JSONParser.parse(line, order: .ascending) } }
            let values = try lines.prefix(20_000).map { try JSONParser.parse($0) }
            written = 0
            writing.measure {
                var writer = JSONWriter()
                for value in values {
                    writer.write(value)
                    written += writer.bytes.count
                    writer.bytes.removeAll(keepingCapacity: true)
                }
            }
        }
        print("parsed, as written  \(Figure.rate(bytes, parsing.median))")
        print("parsed, ascending   \(Figure.rate(bytes, sorting.median))")
        print("written             \(Figure.rate(written, writing.median))")
    }
}
