import Foundation
import JournalFormat
import JournalReading

/// Prints what commands take on journals of several shapes, beside other programs that read the same files.
///
/// Each figure is the median of some runs that take turns, of processes of their own; the processor's time is that of all their
/// threads together.
struct CommandsBenchmark {
    private static let rounds = 3
    let commits: Int
    /// The only shapes to measure.
    var shapes = JournalShape.allCases
    private let folder = FileManager.default.temporaryDirectory.appending(path: "benchmarks-\(getpid())")

    init(commits: Int, shape: JournalShape? = nil) {
        self.commits = commits
        if let shape { shapes = [shape] }
    }

    /// Prints what they take: time, bytes and commits a second, memory.
    func run() throws {
        print("\(commits) commits; medians of \(Self.rounds) runs\n")
        print("| journal | what | wall | processor | a second | commits/s | beside `wc -l` | memory |")
        print("| --- | --- | --- | --- | --- | --- | --- | --- |")
        try withJournals(measure)
    }

    /// Prints how many instructions they execute, in a single run: not more than the counter's own noise of some hundreds apart
    /// from another.
    func countInstructions() throws {
        guard let counter = InstructionCount() else {
            print("neither perf(1) nor valgrind(1) can count instructions here")
            return
        }
        print("\(commits) commits; instructions as \(counter.name) counts them\n")
        print("| journal | what | instructions | a commit | a byte |\n| --- | --- | --- | --- | --- |")
        try withJournals { shape, journal in
            let bytes = try Journal.open(journal, access: .random).byteCount ?? 0
            print("| **\(shape.rawValue)**, \(Figure.megabytes(bytes)) | | | | |")
            for row in rows(shape, journal) where !row.isPeer {
                let count = try counter.of(row.run.words)
                let figures = [
                    "\(count)", Figure.text(Double(count) / Double(commits)),
                    Figure.text(Double(count) / Double(max(1, bytes))),
                ]
                print("| | \(row.name) | \(figures.joined(separator: " | ")) |")
            }
        }
    }

    /// Makes the journals, one after another.
    private func withJournals(_ body: (JournalShape, String) throws -> Void) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let shop = path("shop")
        try JournalShape.shop.write(to: shop, commits: commits, shop: shop)
        for shape in shapes {
            let journal = path(shape.rawValue)
            if shape != .shop { try shape.write(to: journal, commits: commits, shop: shop) }
            try body(shape, journal)
            if shape != .shop { try FileManager.default.removeItem(atPath: journal) }
        }
    }

    /// Something that is run on a journal.
    private struct Row {
        let name: String
        let run: CommandRun
        var isPeer = false
        var times = Samples()
        var processor: [Double] = []
        var memory = 0
    }

    private func rows(_ shape: JournalShape, _ journal: String) -> [Row] {
        func ours(_ name: String, _ words: String...) -> Row {
            Row(name: name, run: CommandRun(["command"] + words))
        }
        func peer(_ name: String, _ words: String...) -> Row? {
            CommandRun.program(words[0]).map {
                Row(name: name, run: CommandRun(Array(words.dropFirst()), program: $0), isPeer: true)
            }
        }
        let questions = shape.questions
        let parse = "import orjson,sys\nfor line in open(sys.argv[1],'rb'): orjson.loads(line)"
        return [
            peer("`wc -l`", "wc", "-l", journal),
            peer("`rg -c` of a path", "rg", "-c", shape.quietText, journal),
            peer("`jq` of every line", "jq", "-c", "select(.seq < 0)", journal),
            peer("`orjson` of every line", "python3", "-c", parse, journal),
            ours("`bisect`, most commits do not touch it", "bisect", journal, "--bad", questions.sparse),
            ours("`bisect`, some do", "bisect", journal, "--bad", questions.some),
            ours("`bisect`, all do", "bisect", journal, "--bad", questions.all),
            shape.sum.flatMap { ours("`bisect` of a sum over a list", "bisect", journal, "--bad", "\($0) < -1") },
            shape.sum.flatMap {
                ours("`derived` of that sum", "derived", journal, "--summary", "--define", "sum=\($0)")
            },
            ours("`replay --final`", "replay", journal, "--final"),
            ours("`verify`", "verify", journal),
            ours("`blame` of what hardly changes", "blame", journal, shape.quietPath),
            ours("`state` in the middle", "state", journal, "--at", "\(commits / 2)"),
            ours("`stats`", "stats", journal),
        ].compactMap { $0 }
    }

    private func measure(_ shape: JournalShape, _ journal: String) throws {
        let bytes = try Journal.open(journal, access: .random).byteCount ?? 0
        var rows = rows(shape, journal)
        for _ in 0..<Self.rounds {
            for index in rows.indices {
                // A peer may be there and lack what it needs, as a module.
                guard let result = try? rows[index].run.measured() else { continue }
                rows[index].times.append(result.time)
                rows[index].processor.append(result.processorTime)
                rows[index].memory = max(rows[index].memory, result.peakMemory)
            }
        }
        let yardstick = rows.first { $0.isPeer && $0.times.count > 0 }?.times.median ?? 0
        print("| **\(shape.rawValue)**, \(Figure.megabytes(bytes)) | | | | | | | |")
        for row in rows where row.times.count > 0 {
            let time = row.times.median
            let processor = row.processor.sorted()[row.processor.count / 2]
            let figures = [
                Figure.milliseconds(time), Figure.milliseconds(processor * 1e9), Figure.rate(bytes, time),
                Figure.text(Double(commits) * 1e9 / max(1, time)),
                yardstick > 0 ? Figure.text(time / yardstick) + "×" : "", Figure.megabytes(row.memory),
            ]
            print("| | \(row.name) | \(figures.joined(separator: " | ")) |")
        }
    }

    private func path(_ name: String) -> String { folder.appending(path: name + ".jsonl").path }
}
