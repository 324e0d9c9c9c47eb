import Foundation
import JournalFormat
import JournalReading
import StateStore

/// Prints the table of `LongRuns.md`: commands on a journal of a million commits, and commits of a store.
///
/// Each command is a process of its own: this program again, which holds the whole command, so that its start and its memory
/// are counted too.
struct SpeedTable {
    private static let rounds = 5
    private let commits: Int
    private let folder = FileManager.default.temporaryDirectory.appending(path: "benchmarks-\(getpid())")

    /// A table of a journal with so many commits.
    init(commits: Int = 1_000_000) { self.commits = commits }

    func run() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let journal = path("run.jsonl")
        try CommandRun(["journal", journal, "\(commits)"]).checked()
        let (short, parted) = try makeParted(min(commits, 100_000))
        let megabytes = Figure.megabytes(try Journal.open(journal, access: .random).byteCount ?? 0)
        print("a journal of \(commits) commits, \(megabytes); medians of \(Self.rounds) runs\n")
        print("| what | time | memory |\n| --- | --- | --- |")
        for row in rows(journal, short, parted) { try printRow(row) }
        try printCommits()
    }

    /// A command of the table.
    private struct Row {
        let name: String
        let arguments: [String]
    }

    private func rows(_ journal: String, _ short: String, _ parted: String) -> [Row] {
        let negative = ["--bad", ".shop.cart.total < 0"]
        let invariants = Self.invariants.flatMap { ["--invariant", $0] }
        let middle = commits / 2 + commits / 43
        return [
            Row(name: "`--version`: nothing but the start", arguments: ["--version"]),
            Row(name: "`bisect --bad '.shop.cart.total < 0'`", arguments: ["bisect", journal] + negative),
            Row(name: "`blame /shop/cart/total`", arguments: ["blame", journal, "/shop/cart/total"]),
            Row(name: "`check` of one invariant", arguments: ["check", journal] + invariants.prefix(2)),
            Row(name: "`check` of ten invariants", arguments: ["check", journal] + invariants),
            Row(
                name: "`diff` of two runs of 100,000 commits that part at the end", arguments: ["diff", short, parted]),
            Row(
                name: "`bisect --monotone`, the same question", arguments: ["bisect", journal, "--monotone"] + negative),
            Row(name: "`state --at \(middle)`", arguments: ["state", journal, "--at", "\(middle)"]),
            Row(name: "`verify`", arguments: ["verify", journal]),
        ]
    }

    private static let invariants = [
        "total=.shop.cart.total >= -200000000", "discount=.shop.cart.discount >= 0",
        "lines=.shop.cart.lines | length <= 8",
        "unread=.shop.unread >= 0", "feed=.shop.feed | length == 20", "refreshes=.shop.user.refreshes >= 0",
        "token=.shop.user.token | length > 0", "quantities=all(.shop.cart.lines[]; .quantity > 0)",
        "likes=all(.shop.feed[]; .likes >= 0)", "shop=.shop != null",
    ]

    /// Two runs that are one up to their last commit.
    private func makeParted(_ commits: Int) throws -> (String, String) {
        let (left, right) = (path("left.jsonl"), path("right.jsonl"))
        try CommandRun(["journal", left, "\(commits)"]).checked()
        try CommandRun(["command", "slice", left, "..\(commits - 1)", "-o", right]).checked()
        return (left, right)
    }

    private func printRow(_ row: Row) throws {
        var times = Samples()
        var memory = 0
        for _ in 0..<Self.rounds {
            let run = CommandRun(["command"] + row.arguments)
            let result = try run.measured()
            times.append(result.time)
            memory = max(memory, result.peakMemory)
        }
        print("| \(row.name) | \(Figure.milliseconds(times.median)) | \(Figure.megabytes(memory)) |")
    }

    private func printCommits() throws {
        for size in [10, 100_000] {
            let recorder = try Recorder(path("commits-\(size).jsonl"))
            defer { recorder.close() }
            let journaled = Store(DictionaryState(size), name: "journaled", recorder: recorder)
            let plain = Store(DictionaryState(size), name: "plain", recorder: nil)
            let batch = 50
            var (kept, bare) = (Samples(), Samples())
            for _ in 0..<2_000 {
                kept.measure { journaled.commit { $0.count += 1 } }
                bare.measure(batch: batch) { for _ in 0..<batch { plain.commit { $0.count += 1 } } }
            }
            let entities = "one property among \(size) entities"
            print("| a journaled commit of \(entities) | \(Figure.microseconds(kept.median)) | |")
            print("| the same commit without a recorder | \(Figure.microseconds(bare.median)) | |")
        }
        let rate = try ThreadsBenchmark().journaledRate()
        print(
            "| eight threads committing to one journaled store, at once | \(Figure.text(rate)) commits a second | |")
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }
}
