import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import Testing

@testable import TimeTravel

@Suite("What a run's commits are like")
struct JournalStatisticsTests {
    @Test("the counts are those of the lines, counted plainly", arguments: seeds(0..<20))
    func counts(seed: UInt64) throws {
        let run = try RandomRun(seed: seed)
        var statistics = JournalStatistics()
        var stores: [String: Int] = [:]
        var (commits, changes, patchBytes, largest, idle) = (0, 0, 0, 0, 0)
        var reader = run.journal.records()
        while let line = try reader.next() {
            statistics.count(line)
            guard line.kind == .commit else { continue }
            let object = try line.object()
            try statistics.add(line)
            let patch = try JSONPatch(json: object["patch"] ?? .null)
            commits += 1
            changes += patch.operations.count
            patchBytes += (object["patch"] ?? .null).text().utf8.count
            largest = max(largest, (object["patch"] ?? .null).text().utf8.count)
            if patch.operations.isEmpty { idle += 1 }
            stores[object["store"]?.string ?? "", default: 0] += 1
        }
        #expect(statistics.commits == commits && statistics.changes == changes, "seed \(seed)")
        #expect(statistics.patches.sum == patchBytes && statistics.patches.largest == largest, "seed \(seed)")
        #expect(statistics.idle >= idle, "seed \(seed)")
        #expect(statistics.bytes == run.journal.byteCount, "seed \(seed)")
        #expect(statistics.kinds[Int(RecordKind.commit.rawValue)].count == commits)
        let told = statistics.stores.most(.max, by: <)
        #expect(Dictionary(uniqueKeysWithValues: told.map { ($0.item.text, $0.count) }) == stores, "seed \(seed)")
        #expect(statistics.paths.total == changes && statistics.locations.total == commits)
        #expect(statistics.times.counts.reduce(0, +) == commits)
        #expect(statistics.isExact)
    }

    @Test(
        "a commit counts the same however its line is written: with blanks, escapes, names twice, members in another order",
        arguments: seeds(0..<40))
    func anyForm(seed: UInt64) throws {
        let run = try RandomRun(seed: seed)
        var (written, foreign) = (JournalStatistics(), JournalStatistics())
        var form = ForeignForm(seed: seed)
        var reader = run.journal.records()
        while let line = try reader.next() {
            guard line.kind == .commit else { continue }
            try written.add(line)
            try OwnedRecord(text: form.line([UInt8](line.bytes)), path: "line").withLine { try foreign.add($0) }
        }
        func tables(_ statistics: JournalStatistics) -> [[String]] {
            [statistics.paths, statistics.locations, statistics.functions, statistics.stores, statistics.putBack].map {
                $0.most(.max, by: <).map { "\($0.item.text) \($0.count) \($0.last) \($0.error)" }
            }
        }
        #expect(tables(written) == tables(foreign), "seed \(seed)")
        #expect(
            written.commits == foreign.commits && written.changes == foreign.changes && written.idle == foreign.idle)
        #expect(written.largest == foreign.largest && written.patches.sum == foreign.patches.sum, "seed \(seed)")
        #expect(
            written.patches.quantile(500) == foreign.patches.quantile(500)
                && written.times.counts == foreign.times.counts
        )
    }

    @Test(
        "a record that is no commit's is damage, however it is read",
        arguments: [
            #""version":"1""#, #""version":1.5"#, #""time":"noon""#, #""at":{"file":"a"}"#, #""name":7"#,
            #""action":[]"#,
            #""action":{"payload":1}"#, #""cause":"1""#, #""thread":{}"#, #""patch":{}"#, #""patch":[{"op":"add"}]"#,
            #""patch":[{"op":"add","path":"a","value":1}]"#, #""patch":[{"op":"add","path":"/~2","value":1}]"#,
            #""patch":[{"op":"put","path":"/a","value":1}]"#, #""patch":[{"op":"move","path":"/a"}]"#, #""store":1"#,
            #""patch":[7]"#, #""patch":[{"op":"replace","path":"/a"}]"#,
        ])
    func noCommit(member: String) throws {
        guard case .object(let changed) = try JSONParser.parse("{\(member)}") else { return }
        var record = try Self.commit(1, [("/a", .null, .bool(true))]).object()
        for (name, value) in changed { record[name] = value }
        let line = OwnedRecord(text: Array(JSONValue.object(record).text().utf8), path: "line")
        var statistics = JournalStatistics()
        #expect(throws: JournalError.self) { try line.withLine { try statistics.add($0) } }
        #expect(statistics.commits == 0 && statistics.locations.total == 0 && statistics.changes == 0)
    }

    @Test("indices and numeric keys fold; a key that is a star, or a '-' that is replaced, is not taken for one")
    func folding() throws {
        var statistics = JournalStatistics()
        for (seq, path) in ["/items/0/price", "/items/17/price", "/items/-", "/*/a~1b", "/007", ""].enumerated() {
            try Self.commit(seq + 1, [(path, .null, .bool(true))]).withLine { try statistics.add($0) }
        }
        #expect(
            statistics.paths.most(9, by: <).map { "\($0.item.text) \($0.count)" }
                == ["/12/items/*/price 2", "/12 1", "/12/007 1", "/12/items/- 1", "/12/~2/a~1b 1"])
    }

    @Test("a value that is put back within four commits is counted, later and elsewhere it is not")
    func putBack() throws {
        func count(_ values: [(path: String, old: Int, value: Int)]) throws -> [String] {
            var statistics = JournalStatistics()
            for (index, change) in values.enumerated() {
                let (old, value) = (
                    JSONValue.number(JSONNumber(change.old)), JSONValue.number(JSONNumber(change.value))
                )
                try Self.commit(index + 1, [(change.path, old, value)]).withLine { try statistics.add($0) }
            }
            return statistics.putBack.most(9, by: <).map { "\($0.item.text) \($0.count) \($0.last)" }
        }
        #expect(try count([("/a", 1, 2), ("/a", 2, 1)]) == ["/12/a 1 2"])
        #expect(try count([("/a", 1, 2), ("/b", 2, 1)]).isEmpty)
        #expect(try count([("/a", 1, 2), ("/a", 2, 3), ("/a", 3, 1)]) == ["/12/a 1 3"])
        let between = (0..<3).map { ("/z\($0)", 0, 1) }
        #expect(try count([("/a", 1, 2)] + between + [("/a", 2, 1)]) == ["/12/a 1 5"])
        #expect(try count([("/a", 1, 2)] + between + [("/y", 0, 1), ("/a", 2, 1)]).isEmpty)
        // To and fro: each value but the first is again what it had been.
        #expect(try count([("/a", 1, 2), ("/a", 2, 1), ("/a", 1, 2), ("/a", 2, 1)]) == ["/12/a 3 4"])
    }

    @Test("a commit that writes what is there, or nothing, changed nothing")
    func idle() throws {
        var statistics = JournalStatistics()
        try Self.commit(1, []).withLine { try statistics.add($0) }
        try Self.commit(2, [("/a", .bool(true), .bool(true))]).withLine { try statistics.add($0) }
        try Self.commit(3, [("/a", .bool(true), .bool(false))]).withLine { try statistics.add($0) }
        #expect(statistics.idle == 2 && statistics.commits == 3 && statistics.changes == 2)
    }

    /// A commit of the store `12` that replaces values.
    private static func commit(
        _ seq: Int, _ changes: [(path: String, old: JSONValue, value: JSONValue)]
    ) throws -> OwnedRecord {
        let operations = try changes.map { change in
            JSONPatch.Operation.replace(try JSONPointer(parsing: change.path), change.value, old: change.old)
        }
        let patch = JSONPatch(operations).json.text()
        var lines = LineBuilder()
        let at = SourceLocation(file: "A/B.swift", line: 1, column: 1, function: "f()")
        Array(patch.utf8).withBytes {
            lines.commit(
                seq: CommitNumber(seq), store: "12", version: seq, time: Timestamp(microseconds: seq), at: at,
                patch: $0)
        }
        return OwnedRecord(text: Array(lines.bytes.dropLast()), path: "line")
    }
}

@Suite("Commits that changed nothing")
struct IdleCommitsTests {
    private static let start = #"{"a":[0,1,1,1,{"b":[2,2]}],"o":{"x":1,"y":{"z":[3,3]}},"n":0}"#

    private static func operation(_ random: inout SeededGenerator) -> String {
        let paths = [
            "/a/0", "/a/1", "/a/2", "/a/3", "/a/4", "/a/4/b/0", "/a/4/b/1", "/a/-", "/o/x", "/o/y", "/o/y/z/0", "/n",
            "/a",
        ]
        let values = ["0", "1", "2", "[3,3]", #"{"z":[3,3]}"#, #"{"b":[2,2]}"#]
        let (path, from) = (paths.randomElement(using: &random) ?? "", paths.randomElement(using: &random) ?? "")
        let value = values.randomElement(using: &random) ?? ""
        switch Int.random(in: 0..<7, using: &random) {
        case 0: return #"{"op":"add","path":"\#(path)","value":\#(value)}"#
        case 1: return #"{"op":"remove","path":"\#(path)"}"#
        case 2: return #"{"op":"copy","from":"\#(from)","path":"\#(path)"}"#
        case 3, 4: return #"{"op":"move","from":"\#(from)","path":"\#(path)"}"#
        default: return #"{"op":"replace","path":"\#(path)","value":\#(value)}"#
        }
    }

    @Test("those are told whose states before and after are the same", arguments: seeds(0..<40))
    func equalsStates(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var state = try JSONParser.parse(Self.start).ascending()
        var lines = [Lines.store(Self.start)]
        var expected: [Bool] = []
        var commits: [Record] = []
        while expected.count < 60 {
            let operations = (0..<Int.random(in: 1...3, using: &random)).map { _ in Self.operation(&random) }
            let text = operations.joined(separator: ",")
            var after = state
            let patch = try JSONPatch(json: JSONParser.parse("[\(text)]"))
            do { try patch.apply(to: &after, order: .ascending) } catch { continue }
            // Small, so that much comes to nothing.
            guard after.text().utf8.count < 200, case .array(let elements)? = after.member("a"), elements.count > 2
            else { continue }
            expected.append(after == state)
            state = after
            let seq = expected.count
            lines.append(Lines.commit(seq, text))
            commits.append(try Record(OwnedRecord(text: Array(lines[seq].utf8), path: "run.jsonl")))
        }
        let folder = TemporaryFolder()
        let journal = try Journal.open(folder.write(Lines.journal(lines), to: "run.jsonl"), access: .random)
        let idle = try #require(try IdleCommits(journal, nil, recover: false))
        for (index, commit) in commits.enumerated() {
            #expect(idle.contains(commit) == expected[index], "seed \(seed): \(lines[index + 1])")
        }
    }
}

@Suite("Histograms")
struct HistogramTests {
    @Test(
        "a quantile is exact below the limit and at most a 64th too high above", arguments: seeds(1..<9)
    )
    func quantiles(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var histogram = SizeHistogram()
        var sizes: [Int] = []
        for _ in 0..<Int.random(in: 1...400, using: &random) {
            let size = Int.random(in: 0...(1 << Int.random(in: 1...40, using: &random)), using: &random)
            sizes.append(size)
            histogram.add(size)
        }
        sizes.sort()
        for part in [1, 10, 250, 500, 900, 990, 999, 1000] {
            let real = sizes[max(1, (sizes.count * part + 999) / 1000) - 1]
            let told = histogram.quantile(part) ?? -1
            if real < SizeHistogram.exactLimit {
                #expect(told == real, "seed \(seed), \(part)")
            } else {
                #expect(told >= real && told - real <= real / 64, "seed \(seed), \(part)")
            }
        }
        #expect(histogram.largest == sizes.last && histogram.count == sizes.count)
        #expect(histogram.sum == sizes.reduce(0, +))
    }

    @Test("nothing has no quantile, and sizes at the ends of their type are counted")
    func ends() {
        var histogram = SizeHistogram()
        #expect(histogram.quantile(500) == nil)
        histogram.add(.max)
        histogram.add(0)
        #expect(histogram.quantile(1000) == .max && histogram.quantile(1) == 0)
    }

    /// Moments that rarely fall, hours apart and microseconds.
    private static func moments(_ random: inout SeededGenerator) -> [Timestamp] {
        var time = Int.random(in: -1_000_000_000...1_000_000_000, using: &random)
        return (0..<Int.random(in: 1...500, using: &random)).map { _ in
            let step = 1 << Int.random(in: 0...30, using: &random)
            time += Int.random(in: (Bool.random(using: &random) ? 0 : -step / 8)...step, using: &random)
            return Timestamp(microseconds: time)
        }
    }

    @Test("times fill at most 64 intervals, each commit in its own", arguments: seeds(1..<13))
    func times(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var histogram = TimeHistogram()
        let times = Self.moments(&random)
        for time in times { histogram.add(time) }
        let start = times[0].microseconds
        #expect(histogram.start == times[0])
        var expected = Array(repeating: 0, count: histogram.counts.count)
        for time in times { expected[max(0, time.microseconds - start) / histogram.width] += 1 }
        #expect(histogram.counts == expected, "seed \(seed)")
        #expect(histogram.counts.count <= TimeHistogram.limit)
    }

    @Test("times at both ends of their type, and a clock that falls, do no harm")
    func extremes() {
        var histogram = TimeHistogram()
        for time in [Int.min, Int.max, 0] { histogram.add(Timestamp(microseconds: time)) }
        #expect(histogram.counts.reduce(0, +) == 3 && histogram.counts.count <= TimeHistogram.limit)
    }
}

@Suite("Frequent items")
struct FrequentItemsTests {
    @Test(
        "no count is too low or over its error too high, and what is frequent is there",
        arguments: [1, 2, 3, 4, 5] as [UInt64])
    func bounds(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var items = FrequentItems<Int>(capacity: 16)
        var truth: [Int: Int] = [:]
        for step in 0..<4000 {
            let item = Int.random(in: 0...Int.random(in: 0...99, using: &generator), using: &generator)
            truth[item, default: 0] += 1
            items.add(item, last: step)
        }
        let counts = items.most(16, by: <)
        for count in counts {
            let real = truth[count.item] ?? 0
            #expect(real <= count.count && count.count - count.error <= real)
        }
        #expect(counts.reduce(0) { $0 + $1.count } == 4000)
        for (item, real) in truth where real > 4000 / 16 { #expect(counts.contains { $0.item == item }) }
    }
}
