import JSONCore
import TestSupport
import Testing

@testable import JournalFormat
@testable import JournalReading

@Suite("Lines that other threads find ahead of a reader")
struct ReadAheadTests {
    let folder = TemporaryFolder()

    /// A random journal, and what may be read of it.
    private func journal(_ seed: UInt64) -> (bytes: [UInt8], paths: [PathSet]) {
        var maker = JournalMaker(seed: seed, foreign: seed % 3 == 1)
        maker.run(commits: 120, keyframeEvery: seed % 2 == 0 ? 9 : 60, gaps: seed % 4 != 3)
        if seed % 5 != 4 { maker.end() }
        return (maker.bytes, [.everything, .nothing, maker.paths(), maker.paths(), maker.paths()])
    }

    /// Damages some bytes or lines.
    private func damage(_ bytes: [UInt8], _ random: inout RandomJSON) -> [UInt8] {
        var lines = bytes.split(separator: 0x0A).map(Array.init)
        for _ in 0..<(1 + random.below(3)) {
            let line = 1 + random.below(lines.count - 2)
            switch random.below(4) {
            case 0: lines.remove(at: line)
            case 1: lines.swapAt(line, line + 1)
            case 2: lines[line].removeLast(min(lines[line].count, 1 + random.below(9)))
            default: lines[line][random.below(lines[line].count)] ^= 1 << UInt8(random.below(7))
            }
        }
        let end = random.chance(30) ? [] : [UInt8(ascii: "\n")]
        return Array(lines.joined(separator: [0x0A])) + end
    }

    /// What a reader gives and tells, step by step.
    private func steps(_ reader: consuming RecordReader, _ filter: RecordFilter) -> [String] {
        var steps: [String] = []
        var filter = filter
        do throws(JournalError) {
            while let line = try reader.next(matching: &filter) {
                let lost = (try? reader.lost(before: line)) ?? nil
                let number = line.number.map { "\($0.rawValue)" } ?? "-"
                steps.append(
                    "\(line.seq) \(line.kind) \(line.offset.rawValue) \(line.end.rawValue) \(number) \(line.resumed)"
                        + " \(lost as Any) \(reader.lastCommit) \(reader.offset.rawValue) \(reader.isEnded)"
                        + String(decoding: line.bytes, as: UTF8.self))
            }
        } catch {
            steps.append("\(error)")
        }
        steps.append("\(reader.lastCommit) \(reader.offset.rawValue) \(reader.isEnded) \(reader.tornTail as Any)")
        steps.append("\(reader.damages) \(reader.lostEnd as Any) \(reader.lastBeforeDamage)")
        return steps
    }

    /// How a journal is read alone, and by three threads that take a few bytes or lines at a time.
    private func expectSame(
        _ bytes: [UInt8], _ filters: [RecordFilter], _ random: inout RandomJSON, _ comment: Comment
    ) throws {
        let journal = try Journal.open(folder.write(bytes, to: "run.jsonl"), access: .random)
        for filter in filters {
            for (recover, checks) in [(false, true), (true, true), (true, false)] {
                let alone = journal.records(recover: recover, checksSums: checks)
                var ahead = journal.records(recover: recover, checksSums: checks)
                let length = [40, 300, 1500, 4000][random.below(4)]
                ahead.readAhead(for: filter, threads: 3, partLength: length)
                let (one, other) = (steps(alone, filter), steps(ahead, filter))
                #expect(one == other, comment)
            }
        }
    }

    private func filters(_ paths: [PathSet]) -> [RecordFilter] {
        paths.map { RecordFilter(touching: $0, reportsStores: true) } + [
            RecordFilter(kinds: .all), RecordFilter(touching: paths[2]),
            RecordFilter(touching: paths[3], kinds: RecordKinds.states.union(.mark), reportsStores: true),
        ]
    }

    @Test("are those that the reader finds itself", arguments: seeds(0..<24))
    func equalsReader(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        let (bytes, paths) = journal(seed)
        try expectSame(bytes, filters(paths), &random, "seed \(seed)")
        var form = ForeignForm(seed: seed)
        try expectSame(form.journal(bytes), filters(paths), &random, "seed \(seed), another writer's form")
    }

    @Test("of a damaged journal are, too, and so is what is told of the damage", arguments: seeds(0..<60))
    func damaged(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        let (bytes, paths) = journal(seed)
        try expectSame(damage(bytes, &random), filters(paths), &random, "seed \(seed)")
    }

    @Test("go on where a reader went on after a line that it was told is damaged")
    func resumed() throws {
        var maker = JournalMaker(seed: 5)
        maker.run(commits: 100, keyframeEvery: 7, gaps: false)
        let journal = try Journal.open(folder.write(maker.bytes, to: "run.jsonl"), access: .random)
        func given(ahead: Bool) throws -> [ByteOffset] {
            var reader = journal.records(recover: true)
            if ahead { reader.readAhead(threads: 2, partLength: 500) }
            var given: [ByteOffset] = []
            while var line = try reader.next() {
                if line.seq == CommitNumber(40), line.kind == .commit {
                    let damage = line.damage(.notAnObject)
                    guard let next = try reader.recover(from: damage) else { break }
                    line = next
                }
                given.append(line.offset)
            }
            return given
        }
        let alone = try given(ahead: false)
        #expect(alone.count > 50)
        #expect(try given(ahead: true) == alone)
    }

    @Test("are taken apart as the reader takes them apart", arguments: seeds(0..<8))
    func tokens(seed: UInt64) throws {
        var (bytes, _) = journal(seed)
        if seed % 2 == 1 {
            var form = ForeignForm(seed: seed)
            bytes = form.journal(bytes)
        }
        let journal = try Journal.open(folder.write(bytes, to: "run.jsonl"), access: .random)
        func found(ahead: Bool) throws -> [String] {
            var reader = journal.records()
            if ahead { reader.readAhead(threads: 2, partLength: 700) }
            var found: [String] = []
            while let line = try reader.next() {
                #expect(!ahead || line.tape.known != nil)
                let record = try line.token()
                found.append(record.members.map { "\($0.name.range) \($0.value.range) \($0.value.value())" }.joined())
                found.append("\(record.isForeign) \(line.isAsWritten) \(CommitText(line)?.strictTime?.text ?? "-")")
            }
            return found
        }
        #expect(try found(ahead: true) == found(ahead: false))
    }

    @Test("none are looked for in a short journal, or by one thread")
    func short() throws {
        var maker = JournalMaker(seed: 1)
        maker.run(commits: 20)
        let journal = try Journal.open(folder.write(maker.bytes, to: "run.jsonl"), access: .random)
        for (threads, length) in [(2, RecordReader.partLength), (1, 100)] {
            var reader = journal.records()
            reader.readAhead(threads: threads, partLength: length)
            #expect(try reader.next()?.tape.known == nil)
        }
    }
}
