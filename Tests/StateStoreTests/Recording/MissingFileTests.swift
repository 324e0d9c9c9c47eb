import Dispatch
import Foundation
import JournalFormat
import JournalReading
import Platform
import StateReplay
import StateStore
import TestSupport
import Testing
import TimeTravel

/// What a recorder does when its file goes away, and when the disk stands still.
struct MissingFileTests {
    private static let durabilities: [Recorder.Durability] = [.synchronous, .background]

    /// A clock that passes 0.3 seconds with each look, so that the file is looked for at each fourth commit.
    private var options: Recorder.Options {
        var options = Recorder.Options()
        let ticks = Ticks()
        options.retryInterval = .zero
        options.clock = { Timestamp(microseconds: 1_700_000_000_000_000 + ticks.next() * 300_000) }
        return options
    }

    @Test("a journal that is deleted or moved while it is written is reported once, and goes on in a new file there")
    func deleted() throws {
        for isMoved in [false, true] {
            let folder = TemporaryFolder()
            let path = folder.path("run.jsonl")
            let errors = Log<String>()
            let recorder = try Recorder(path, options: options) { errors.add($0.diagnostic.message) }
            let store = Store(Session(), recorder: recorder)
            let length = store.derived(\.token, named: "length") { $0.count }
            for _ in 0..<10 { store.commit { $0.visits += 1 } }
            #expect(errors.entries.isEmpty && length.value == 0)
            if isMoved { #expect(rename(path, folder.path("moved.jsonl")) == 0) } else { unlink(path) }
            for _ in 0..<20 { store.commit { $0.visits += 1 } }
            recorder.close()
            #expect(errors.entries == ["'\(path)' was deleted or moved while it is written"])
            #expect(store.state.visits == 30)
            for name in folder.names { try TemporaryJournal().verify(at: folder.path(name)) }
            let rest = try Journal.open(path, access: .random)
            #expect(try rest.lastCommit == CommitNumber(30) && rest.start > CommitNumber(9))
            #expect(try JournalReader(path).state(of: "session", as: Session.self).visits == 30)
            guard isMoved else { continue }
            let moved = try Journal.open(folder.path("moved.jsonl"), access: .random)
            #expect(try moved.lastCommit == rest.start)
        }
    }

    @Test("a journal in whose place another file is goes on where it was moved to", arguments: durabilities)
    func replaced(durability: Recorder.Durability) throws {
        let folder = TemporaryFolder()
        let path = folder.path("run.jsonl")
        let errors = Log<String>()
        let recorder = try Recorder(path, durability: durability, options: options) { errors.add($0.diagnostic.code) }
        let store = Store(Session(), recorder: recorder)
        for _ in 0..<10 { store.commit { $0.visits += 1 } }
        rename(path, folder.path("moved.jsonl"))
        folder.write("mine", to: "run.jsonl")
        for _ in 0..<20 { store.commit { $0.visits += 1 } }
        recorder.close()
        #expect(errors.entries == ["recorder.missing"])
        #expect(TemporaryFolder.lines(path) == ["mine"])
        #expect(try JournalReader(folder.path("moved.jsonl")).state(of: "session", as: Session.self).visits == 30)
    }

    @Test("a journal that is truncated while it is written is reported once, and begun anew", arguments: durabilities)
    func truncated(durability: Recorder.Durability) throws {
        for (limit, rounds) in [(nil, 1), (nil, 3), (1 << 20, 2)] as [(Int?, Int)] {
            let folder = TemporaryFolder()
            let path = folder.path("run.jsonl")
            let errors = Log<String>()
            let recorder = try Recorder(path, durability: durability, limit: limit, options: options) {
                errors.add($0.diagnostic.code)
            }
            let store = Store(Session(), recorder: recorder)
            let length = store.derived(\.token, named: "length") { $0.count }
            let link = length.subscribe { _ in }
            for _ in 0..<10 { store.commit { $0.visits += 1 } }
            for _ in 0..<rounds {
                recorder.mark("before")
                #expect(truncate(path, 0) == 0)
                for _ in 0..<20 { store.commit { $0.visits += 1 } }
            }
            recorder.close()
            link.cancel()
            #expect(errors.entries == ["recorder.truncated"])
            for name in folder.names { try TemporaryJournal().verify(at: folder.path(name)) }
            #expect(folder.names == ["run.jsonl"])
            let journal = try Journal.open(path, access: .random)
            #expect(try journal.lastCommit.rawValue == store.version)
            #expect(try JournalReader(path).state(of: "session", as: Session.self) == store.state)
            #expect(TemporaryFolder.lines(path).contains { $0.contains(#""kind":"derived""#) })
        }
    }

    @Test(
        "what is lost with a truncation is in a gap, and nothing is where the app was idle", arguments: [true, false])
    func truncatedCopy(isIdle: Bool) throws {
        let folder = TemporaryFolder()
        let path = folder.path("run.jsonl")
        let ticks = Ticks()
        var options = options
        options.clock = { Timestamp(microseconds: 1_700_000_000_000_000 + ticks.value * 1_000_000) }
        let recorder = try Recorder(path, options: options) { _ in }
        let store = Store(Session(), recorder: recorder)
        for _ in 0..<10 { store.commit { $0.visits += 1 } }
        let copy = TemporaryFolder.read(path)
        #expect(truncate(path, 0) == 0)
        if !isIdle { for _ in 0..<5 { store.commit { $0.visits += 1 } } }
        _ = ticks.next()
        for _ in 0..<5 { store.commit { $0.visits += 1 } }
        recorder.close()
        folder.write(copy, to: "copy.jsonl")
        for name in folder.names { try TemporaryJournal().verify(at: folder.path(name)) }
        let rest = try Journal.open(path, access: .random)
        #expect(rest.start == CommitNumber(10))
        let gaps = TemporaryFolder.lines(path).filter { $0.contains(#""kind":"gap""#) }
        #expect(gaps.count == (isIdle ? 0 : 1) && (isIdle || gaps[0].contains(#""first":11,"lost":5"#)), "\(gaps)")
        #expect(try JournalReader(path).state(of: "session", as: Session.self).visits == store.state.visits)
        var merge = try JournalMerge([try Journal.open(folder.path("copy.jsonl"), access: .random), rest])
        #expect(try merge.write(to: LineSink { _ in }).commits == store.version - (isIdle ? 0 : 5))
    }

    @Test("a journal that was truncated just before its end reads again")
    func truncatedAtEnd() throws {
        let journal = TemporaryJournal()
        let errors = Log<String>()
        let recorder = try Recorder(journal.path, options: .reproducible) { errors.add($0.diagnostic.code) }
        let store = Store(Session(), recorder: recorder)
        for _ in 0..<10 { store.commit { $0.visits += 1 } }
        #expect(truncate(journal.path, 0) == 0)
        for _ in 0..<10 { store.commit { $0.visits += 1 } }
        recorder.close()
        #expect(errors.entries == ["recorder.truncated"])
        try journal.verify()
        #expect(try journal.records("gap").map { $0.integer("lost") } == [10])
        #expect(try JournalReader(journal.path).state(of: "session", as: Session.self).visits == 20)
    }

    @Test("what a truncation leaves of a journal is kept beside the new one")
    func cutShort() throws {
        let folder = TemporaryFolder()
        let path = folder.path("run.jsonl")
        let recorder = try Recorder(path, options: options) { _ in }
        let store = Store(Session(), recorder: recorder)
        for _ in 0..<10 { store.commit { $0.visits += 1 } }
        let left = TemporaryFolder.lines(path)[0].utf8.count + 10
        #expect(truncate(path, off_t(left)) == 0)
        for _ in 0..<20 { store.commit { $0.visits += 1 } }
        recorder.close()
        #expect(folder.names.sorted() == ["run.1.jsonl", "run.jsonl"])
        try TemporaryJournal().verify(at: path)
        #expect(try JournalReader(path).state(of: "session", as: Session.self).visits == 30)
    }

    @Test("a commit returns though nothing is written and a thousand states wait")
    func standingStill() throws {
        let (journal, recorder) = try TemporaryJournal.recording(durability: .background)
        let (isEncoding, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let store = Store(
            Calling(call: { count in
                guard count == 1 else { return }
                isEncoding.signal()
                goesOn.wait()
                goesOn.signal()
            }), recorder: recorder)
        store.commit { $0.count += 1 }
        isEncoding.wait()
        // The last two find no room.
        for _ in 0..<1_026 { store.commit { $0.count += 1 } }
        goesOn.signal()
        recorder.close()
        #expect(try journal.records("commit").count == 1_027)
    }

    @Test("errors print as words")
    func words() {
        let error = #expect(throws: JournalWriteError.self) { try Recorder("/nowhere/x.jsonl") }
        let words = error.map { "\($0)" } ?? ""
        #expect(words.hasPrefix("'/nowhere/x.jsonl' cannot be made"), "\(words)")
        let refused = RecorderError.attached(store: "cart", journal: "a.jsonl")
        #expect(
            "\(refused)" == """
                store 'cart' is recorded in 'a.jsonl' already
                note: a store has one recorder
                help: detach it from that recorder first
                """)
    }
}
