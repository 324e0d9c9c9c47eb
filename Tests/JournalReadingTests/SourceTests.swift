import Diagnostics
import Foundation
import JSONCore
import Platform
import TestSupport
import Testing

@testable import JournalFormat
@testable import JournalReading

@Suite("Where a journal's bytes come from")
struct SourceTests {
    let folder = TemporaryFolder()

    func made() -> JournalMaker {
        let maker = JournalMaker(seed: 3, commits: 300)
        return maker
    }

    /// Whether a program is on PATH.
    static func has(_ program: String) -> Bool { system("command -v \(program) >/dev/null 2>&1") == 0 }

    func count(_ journal: Journal) throws -> Int {
        var reader = journal.records()
        var lines = 0
        while try reader.next() != nil { lines += 1 }
        return lines
    }

    @Test("reading that is stopped ends with what is in the buffer, and nothing is read after that, whichever way")
    func stopped() throws {
        let maker = JournalMaker(seed: 4, commits: 4000)
        let path = folder.write(maker.bytes, to: "long.jsonl")
        let stop = StopRequest()
        let journal = try Journal.open(path, access: .random, until: stop)
        let silent = try #require(journal.silent())
        let error = JournalError(path: path, .stopped)
        var reader = journal.records()
        var lines = 0
        #expect(throws: error) {
            while try reader.next() != nil {
                lines += 1
                if lines == 100 { stop.make() }
            }
        }
        let all = try count(try Journal.open(path, access: .random))
        #expect(lines >= 100 && lines < all / 4, "\(lines) of \(all)")
        for journal in [journal, silent, journal.recovering()] {
            #expect(throws: error) { try count(journal) }
            #expect(throws: error) { try journal.tail() }
            #expect(throws: error) { try journal.state(at: CommitNumber(10)) }
            #expect(throws: error) {
                var backward = try journal.recordsBackward(from: ByteOffset(1000))
                _ = try backward.next()
            }
        }
        #expect(throws: error) { try Journal.open(path, access: .sequential, until: stop) }
    }

    @Test("a gzip file is read through gzip, forwards and at any place", .enabled(if: SourceTests.has("gzip")))
    func gzip() throws { try packed("gzip") }

    @Test("a zstd file is read through zstd, forwards and at any place", .enabled(if: SourceTests.has("zstd")))
    func zstd() throws { try packed("zstd -q") }

    func packed(_ program: String) throws {
        let maker = made()
        let plain = folder.write(maker.bytes, to: "run.jsonl")
        #expect(system("\(program) -c < \(plain) > \(plain).packed") == 0)
        let lines = try count(Journal.open(plain, access: .random))
        let stream = try Journal.open(plain + ".packed", access: .sequential)
        #expect(!stream.isSeekable)
        #expect(try count(stream) == lines)
        #expect(throws: JournalError(path: plain + ".packed", .notSeekable)) { try stream.tail() }
        #expect(throws: JournalError(path: plain + ".packed", .notSeekable)) { try count(stream) }
        let random = try Journal.open(plain + ".packed", access: .random)
        #expect(try random.state(at: CommitNumber(maker.seq)).value == maker.states[maker.seq])
    }

    @Test("a packed file that is cut is told with the program's status", .enabled(if: SourceTests.has("gzip")))
    func cutPackage() throws {
        let plain = folder.write(made().bytes, to: "run.jsonl")
        #expect(system("gzip -c < \(plain) | head -c 2000 > \(plain).gz") == 0)
        #expect { try count(Journal.open(plain + ".gz", access: .sequential)) } throws: { error in
            guard case .programFailed("gzip", _)? = (error as? JournalError)?.fact else { return false }
            return true
        }
        #expect(throws: JournalError.self) { try Journal.open(plain + ".gz", access: .random) }
    }

    @Test("a packed file that nobody reads to its end leaves no program after", .enabled(if: SourceTests.has("gzip")))
    func unreadPackage() throws {
        let plain = folder.write(made().bytes, to: "run.jsonl")
        #expect(system("gzip -c < \(plain) > \(plain).gz") == 0)
        let file = try FileDescriptor.reading(plain + ".gz")
        let process = try startAndDrop(file)
        #expect(process > 0)
        #expect(kill(process, 0) == -1 && errno == ESRCH)
        for _ in 0..<3 { _ = try Journal.open(plain + ".gz", access: .sequential) }
    }

    /// Starts gzip on a file and lets go of it at once.
    func startAndDrop(_ file: borrowing FileDescriptor) throws -> pid_t {
        var output: FileDescriptor?
        let unpacker = try Unpacker.start(.gzip, reading: file, path: "test", output: &output)
        return unpacker.process?.number ?? 0
    }

    @Test("a pipe is read once, and at any place where that is asked for")
    func pipes() throws {
        let maker = made()
        let plain = folder.write(maker.bytes, to: "run.jsonl")
        for access in [Journal.Access.sequential, .random] {
            let fifo = folder.path("fifo")
            unlink(fifo)
            #expect(mkfifo(fifo, 0o600) == 0)
            #expect(system("cat \(plain) > \(fifo) &") == 0)
            let journal = try Journal.open(fifo, access: access)
            if access == .random {
                #expect(try journal.state(at: CommitNumber(maker.seq)).value == maker.states[maker.seq])
            }
            #expect(try count(journal) > 300)
        }
    }

    @Test("a missing program is named")
    func missingProgram() {
        let message = JournalError(path: "run.jsonl.zst", .programMissing(program: "zstd")).diagnostic
        #expect(message.message == "'run.jsonl.zst' is packed, and 'zstd' is not on PATH")
        #expect(message.help == ["install 'zstd', or unpack the file and name that"])
    }

    @Test("a file that is cut while it is read ends early, and nothing traps")
    func cutWhileRead() throws {
        let maker = made()
        let path = folder.write(maker.bytes, to: "run.jsonl")
        let journal = try Journal.open(path, access: .random)
        truncate(path, off_t(maker.bytes.count / 2))
        _ = try? journal.state(at: CommitNumber(maker.seq))
        _ = try? journal.tail()
        _ = try? count(journal)
    }
}

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
