import Diagnostics
import Dispatch
import Foundation
import JSONCore
import JournalFormat
import JournalReading
import Platform
import StateReplay
import StateStore
import Synchronization
import TestSupport
import Testing

/// What a hook of the process may use: C takes no closure that captures.
private let exitStore = Mutex<Store<Cart>?>(nil)

struct RecorderExitTests {
    @Test("what hooks of the process commit at its exit is kept until the recorder ends, and harmless after")
    func atExit() async throws {
        let folder = TemporaryFolder()
        await #expect(processExitsWith: .success) { [path = folder.path("run.jsonl") as String] in
            // Hooks run in reverse order: this one after the recorder's, the next before it.
            atexit { exitStore.withLock(\.self)?.commit(name: "late") { $0.count += 1 } }
            let recorder = try Recorder(path, durability: .background)
            exitStore.withLock { $0 = Store(Cart(), recorder: recorder) }
            atexit { exitStore.withLock(\.self)?.commit(name: "early") { $0.count += 1 } }
            withExtendedLifetime(recorder) { exit(0) }
        }
        let text = TemporaryFolder.lines(folder.path("run.jsonl"))
        #expect(text.count == 4 && text[2].contains(#""name":"early""#) && text[3].contains(#""kind":"end""#))
    }

    @Test("a recorder made at the exit writes what it is given")
    func madeAtExit() async throws {
        let folder = TemporaryFolder()
        await #expect(processExitsWith: .success) { [path = folder.path("run.jsonl") as String] in
            setenv("RUN", path, 1)
            atexit {
                guard let path = getenv("RUN"), let recorder = try? Recorder(String(cString: path)) else { return }
                recorder.mark("bye")
                recorder.close()
            }
            exit(0)
        }
        #expect(TemporaryFolder.lines(folder.path("run.jsonl")).count == 3)
    }

    @Test("a recorder that is closed while eight threads commit ends its journal, and their commits go on")
    func closing() async throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        let store = Store(Cart(), recorder: recorder)
        let begun = DispatchSemaphore(value: 0)
        let committing: @Sendable () -> Void = {
            for _ in 0..<500 {
                begun.signal()
                store.commit { $0.count += 1 }
            }
        }
        await onThreads(
            [
                {
                    for _ in 0..<40 { begun.wait() }
                    recorder.close()
                }
            ] + Array(repeating: committing, count: 8))
        #expect(store.state.count == 4000 && store.version == 4000)
        try journal.verify()
        #expect(try journal.records().last?["kind"] == .string("end"))
        let commits = try journal.records("commit").compactMap { $0.integer("seq") }
        #expect(commits == Array(1...max(1, commits.count)) && commits.count >= 30)
    }

    @Test("a descriptor that something else closed costs commits, not the app: told once, and a gap once it is back")
    func closedDescriptor() async throws {
        let folder = TemporaryFolder()
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            [path = folder.path("run.jsonl") as String] in
            let recorder = try Recorder(path, options: .init().retrying)
            let store = Store(Cart(), recorder: recorder)
            store.commit { $0.count = 1 }
            let descriptor = try #require(RecorderExitTests.descriptor(of: path))
            close(descriptor)
            for count in 2...4 { store.commit { $0.count = count } }
            let other = open(path, O_WRONLY | O_APPEND)
            if other != descriptor { dup2(other, descriptor) }
            store.commit { $0.count = 5 }
            recorder.close()
            withExtendedLifetime(store) { exit(store.state.count == 5 ? 0 : 1) }
        }
        #expect(result.errors.components(of: "StateStore: error:") == 1, "\(result.errors)")
        let path = folder.path("run.jsonl")
        try TemporaryJournal().verify(at: path)
        let text = TemporaryFolder.lines(path)
        let gaps = text.filter { $0.contains(#""kind":"gap""#) }
        #expect(gaps.count == 1 && gaps[0].contains(#""lost":3"#), "\(text)")
        #expect(try JournalReader(path).state(of: "cart", as: Cart.self).count == 5)
    }

    @Test("a journal that another process writes is neither taken nor replaced, and goes on as it was")
    func otherProcess() async throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        let store = Store(Cart(), recorder: recorder)
        store.commit { $0.count = 1 }
        await #expect(processExitsWith: .success) { [path = journal.path as String] in
            for (replaces, cause) in [(false, JournalWriteError.Cause.exists), (true, .locked)] {
                var options = Recorder.Options()
                options.replacesFile = replaces
                do throws(JournalWriteError) { _ = try Recorder(path, options: options) } catch {
                    if error.cause == cause { continue }
                }
                exit(1)
            }
            exit(0)
        }
        store.commit { $0.count = 2 }
        recorder.close()
        try journal.verify()
        #expect(try journal.records("commit").count == 2)
    }

    /// The number under which this process has a file open.
    private static func descriptor(of path: String) -> Int32? {
        var (wanted, found) = (stat(), stat())
        guard stat(path, &wanted) == 0 else { return nil }
        return (3..<1024 as Range<Int32>).first { number in
            fstat(number, &found) == 0 && found.st_ino == wanted.st_ino && found.st_dev == wanted.st_dev
        }
    }

    /// What the app does at the signal of a file that may not grow.
    enum Handling: String, CaseIterable, Codable { case byDefault, ignored, own }

    @Test("a file that may not grow costs commits, not the app", arguments: Handling.allCases)
    func realFaults(handling: Handling) async throws {
        let folder = TemporaryFolder()
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            [path = folder.path("run.jsonl") as String, handling = handling as Handling] in
            switch handling {
            case .byDefault: signal(SIGXFSZ, SIG_DFL)
            case .ignored: signal(SIGXFSZ, SIG_IGN)
            case .own: signal(SIGXFSZ) { _ in _exit(3) }
            }
            let recorder = try Recorder(path, options: .init().retrying)
            let store = Store(Cart(), recorder: recorder)
            var limit = rlimit()
            getrlimit(fileSizeLimit, &limit)
            limit.rlim_cur = 4096
            setrlimit(fileSizeLimit, &limit)
            for count in 1...100 { store.commit { $0.count = count } }
            limit.rlim_cur = limit.rlim_max
            setrlimit(fileSizeLimit, &limit)
            store.commit { $0.count = 101 }
            recorder.close()
            withExtendedLifetime(store) { exit(store.state.count == 101 ? 0 : 1) }
        }
        #expect(result.errors.components(of: "StateStore: error:") == 1, "\(result.errors)")
        let path = folder.path("run.jsonl")
        try TemporaryJournal().verify(at: path)
        let text = TemporaryFolder.lines(path)
        // A gap may fit where a commit does not, and the next one is lost again.
        #expect(text.contains { $0.contains(#""kind":"gap""#) })
        #expect(text.last?.contains(#""kind":"end""#) ?? false)
    }

    @Test("an exit from an encoding or from the clock does not hang, and what was committed before is whole")
    func exitInside() async throws {
        for (inClock, inBackground) in [(false, false), (false, true), (true, false), (true, true)] {
            let folder = TemporaryFolder()
            await #expect(processExitsWith: .success) {
                [
                    path = folder.path("run.jsonl") as String, inClock = inClock as Bool,
                    inBackground = inBackground as Bool
                ]
                in
                // An exit that waits for itself ends by a signal, and the test fails.
                alarm(60)
                let isLeaving = Flag()
                var options = Recorder.Options()
                if inClock {
                    options.clock = {
                        if isLeaving.value { exit(0) }
                        return .now()
                    }
                }
                let recorder = try Recorder(
                    path, durability: inBackground ? .background : .synchronous, options: options)
                let store = Store(Calling(call: { if $0 == 3 { exit(0) } }), recorder: recorder)
                store.commit { $0.count = 1 }
                store.commit { $0.count = 2 }
                isLeaving.value = true
                store.commit { $0.count = inClock ? 4 : 3 }
                while true { sleep(1) }
            }
            try TemporaryJournal().verify(at: folder.path("run.jsonl"))
            let lines = TemporaryFolder.lines(folder.path("run.jsonl"))
            #expect(inBackground || lines.count { $0.contains(#""kind":"commit""#) } == 2, "\(lines)")
            #expect(lines.last?.contains(#""kind":"end""#) ?? false, "\(inClock) \(inBackground) \(lines)")
        }
    }

    @Test("a recorder that is closed in an encoding traps and says so")
    func closedInside() async throws {
        let folder = TemporaryFolder()
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [path = folder.path("run.jsonl") as String] in
            alarm(60)
            let recorder = try Recorder(path)
            let store = Store(Calling(), recorder: recorder)
            store.commit { state in
                state.call = { _ in recorder.close() }
                state.count = 1
            }
            exit(0)
        }
        #expect(result.errors.contains("'close'"), "\(result.errors)")
    }

    /// Where another thread of the parent is when a child is forked off.
    enum Place: CaseIterable { case clock, encoding }

    @Test(
        "a child that is forked off while another thread records commits without a recorder, and never waits",
        arguments: Place.allCases, [Recorder.Durability.synchronous, .background])
    func forkedInside(place: Place, durability: Recorder.Durability) throws {
        let journal = TemporaryJournal()
        let (isInside, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isWaiting = Flag()
        let wait: @Sendable () -> Void = {
            guard isWaiting.value else { return }
            isWaiting.value = false
            isInside.signal()
            goesOn.wait()
        }
        var options = Recorder.Options()
        if place == .clock {
            options.clock = {
                wait()
                return .now()
            }
        }
        let recorder = try Recorder(journal.path, durability: durability, options: options)
        let other = Store(Calling(call: { _ in if place == .encoding { wait() } }), recorder: recorder)
        let store = Store(Cart(), recorder: recorder)
        let sum = store.derived(\.count, named: "sum") { $0 + 1 }
        isWaiting.value = true
        let ended = DispatchSemaphore(value: 0)
        try SystemThread.start {
            other.commit { $0.count = 1 }
            ended.signal()
        }.detach()
        isInside.wait()
        let child = forkChild()
        if child == 0 {
            alarm(60)
            store.commit { $0.count = 7 }
            recorder.mark("child")
            let late = Store(Cart(), recorder: recorder)
            late.commit { $0.count = 8 }
            recorder.attach(late)
            recorder.detach(store)
            let seen = Log<Int>()
            let link = store.subscribe { seen.add($0.current.count) }
            store.commit { $0.count = 9 }
            recorder.close()
            link.cancel()
            _exit(store.state.count == 9 && late.state.count == 8 && seen.entries == [7, 9] ? 0 : 1)
        }
        var status: Int32 = -1
        waitpid(child, &status, 0)
        #expect(status == 0)
        goesOn.signal()
        ended.wait()
        store.commit { $0.count = 1 }
        recorder.close()
        #expect(sum.value == 2)
        try journal.verify()
        #expect(try journal.records("commit").count == 2)
        #expect(try journal.records("mark").isEmpty)
    }

    @Test("labels, app, build, and marks with level and place are in the journal")
    func description() throws {
        let journal = TemporaryJournal()
        var options = Recorder.Options.reproducible
        options.app = "Shop"
        options.build = "1.4"
        let recorder = try Recorder(journal.path, labels: ["branch": "main", "a": "b"], options: options)
        recorder.mark("tapped Buy", level: .warning, fileID: "Shop/Cart.swift", line: 3, column: 5, function: "buy()")
        recorder.close()
        let records = try journal.records()
        #expect(records[0]["app"] == .string("Shop") && records[0]["build"] == .string("1.4"))
        #expect(records[0]["labels"]?.text() == #"{"a":"b","branch":"main"}"#)
        #expect(try records[1].text("text") == "tapped Buy" && records[1]["level"] == .string("warning"))
        let place = #"{"file":"Shop/Cart.swift","line":3,"column":5,"function":"buy()"}"#
        #expect(records[1]["at"]?.text() == place)
    }

    @Test("with a sync at every commit each commit's line is on the disk when it returns", arguments: [true, false])
    func sync(everyCommit: Bool) throws {
        let journal = TemporaryJournal()
        let syncs = Ticks()
        var calls = SystemCalls()
        calls.sync = { _ in syncs.next() * 0 }
        var options = Recorder.Options()
        options.sync = everyCommit ? .everyCommit : .never
        let recorder = try Recorder(journal.path, options: options, calls: calls)
        let store = Store(Cart(), recorder: recorder)
        let before = syncs.value
        for count in 1...5 {
            store.commit { $0.count = count }
            #expect(syncs.value - before == (everyCommit ? count : 0))
        }
        recorder.close()
    }
}

#if canImport(Glibc)
private let fileSizeLimit = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
#else
private let fileSizeLimit = RLIMIT_FSIZE
#endif
