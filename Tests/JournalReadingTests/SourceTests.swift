import Diagnostics
import Foundation
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
