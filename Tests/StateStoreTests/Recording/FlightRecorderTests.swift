import Diagnostics
import Foundation
import JSONCore
import JournalFormat
import JournalReading
import Platform
import StateStore
import Synchronization
import TestSupport
import Testing
import TimeTravel

/// A flight recorder's journal in a folder of its own.
private struct Flight {
    let folder = TemporaryFolder()
    let limit: Int

    var path: String { folder.path("run.jsonl") }

    func recorder(
        durability: Recorder.Durability = .synchronous, calls: SystemCalls = SystemCalls(),
        onError: (@Sendable (RecorderError) -> Void)? = nil
    ) throws -> Recorder {
        return try Recorder(
            path, durability: durability, limit: limit, options: .init().retrying, calls: calls, onError: onError)
    }

    /// The segments from the oldest to the newest.
    var segments: [String] {
        let numbered = folder.names.compactMap { name -> (Int, String)? in
            let parts = name.split(separator: ".")
            guard parts.count == 3, let number = Int(parts[1]) else { return nil }
            return (number, folder.path(name))
        }
        return numbered.sorted { $0.0 < $1.0 }.map(\.1) + (folder.names.contains("run.jsonl") ? [path] : [])
    }

    /// The bytes of all files of a folder, that of a segment that is being made too.
    static func size(of folder: String) -> Int {
        let names = (try? FileSystem.names(in: folder)) ?? []
        return names.reduce(0) { $0 + ((try? FileStatus("\(folder)/\($1)").byteCount) ?? 0) }
    }

    func lines(_ path: String, _ kind: String) -> [String] {
        TemporaryFolder.lines(path).filter { $0.contains(#","kind":"\#(kind)""#) }
    }

    /// Holds each segment against the format, and that it goes on where the one before it ended.
    func check() throws {
        var last: CommitNumber?
        var ids: Set<String> = []
        for path in segments {
            try TemporaryJournal().verify(at: path)
            let journal = try Journal.open(path, access: .random)
            ids.insert(try journal.header().id)
            if let last { #expect(journal.start == last, "\(path)") }
            #expect(try journal.header().after ?? .zero == journal.start)
            last = try journal.lastCommit
        }
        #expect(ids.count == 1)
    }
}

struct FlightRecorderTests {
    private static let durabilities: [Recorder.Durability] = [.synchronous, .background]

    @Test("the newest segments are kept within the limit, the newest of all at the path", arguments: durabilities)
    func limit(durability: Recorder.Durability) throws {
        let flight = Flight(limit: 40_000)
        // Measured between two changes of the files, which with a queue are made by another thread.
        let largest = Mutex(0)
        var calls = SystemCalls()
        let folder = flight.folder.path
        calls.write = { file, bytes, count in
            largest.withLock { largest in
                defer { largest = max(largest, Flight.size(of: folder)) }
                return SystemCalls.plainWrite(file, bytes, count)
            }
        }
        calls.changeNames = { change in largest.withLock { _ in SystemCalls.plainChangeNames(change) } }
        let recorder = try flight.recorder(durability: durability, calls: calls)
        let store = Store(Cart(), recorder: recorder)
        let badge = store.derived(\.items, named: "badge") { $0.count }
        let subscription = badge.subscribe { _ in }
        for count in 1...1000 { store.commit { $0.items = [.init(id: count, name: "apple")] } }
        recorder.close()
        subscription.cancel()
        #expect(recorder.path == flight.path)
        #expect(largest.withLock(\.self) > 20_000)
        #expect(largest.withLock(\.self) <= 40_000 && flight.segments.count >= 3)
        #expect(flight.lines(flight.segments[0], "end").count == 1)
        let newest = try Journal.open(flight.path, access: .random)
        #expect(try newest.lastCommit == CommitNumber(1000))
        for path in flight.segments {
            let kinds = try TemporaryFolder.lines(path).prefix(4).map { line in
                try #require(JSONParser.parse(Array(line.utf8)).member("kind")).text()
            }
            #expect(kinds == [#""journal""#, #""store""#, #""derived""#, #""keyframe""#])
        }
        let starts = try flight.segments.map { try Journal.open($0, access: .random).start.rawValue }
        #expect(starts == starts.sorted() && starts[0] > 0)
    }

    @Test("each segment replays alone: the state at each of its positions, from its start on")
    func alone() throws {
        let flight = Flight(limit: 60_000)
        let recorder = try flight.recorder()
        let (cart, session) = (Store(Cart(), recorder: recorder), Store(Session(), recorder: recorder))
        var states: [(Int, String)] = [(0, "")]
        for count in 1...400 {
            cart.commit { $0.count = count }
            states.append((count, session.state.token))
            session.commit { $0.token = "t\(count)" }
            states.append((count, session.state.token))
        }
        recorder.close()
        try flight.check()
        #expect(flight.segments.count >= 3)
        for path in flight.segments {
            let journal = try Journal.open(path, access: .random)
            for position in journal.start.rawValue...(try journal.lastCommit.rawValue) {
                let state = try journal.state(at: CommitNumber(position)).value
                #expect(state.member("cart")?.member("count") == .number(JSONNumber(states[position].0)))
                #expect(state.member("session")?.member("token") == .string(states[position].1))
            }
        }
    }

    @Test("a second file of a segment's name, and a segment that somebody replaced, are left alone")
    func foreignFiles() throws {
        let flight = Flight(limit: 20_000)
        flight.folder.write("mine\n", to: "run.1.jsonl")
        let recorder = try flight.recorder()
        let store = Store(Cart(), recorder: recorder)
        while flight.segments.count < 4 { store.commit { $0.count += 1 } }
        #expect(TemporaryFolder.read(flight.folder.path("run.1.jsonl")) == Array("mine\n".utf8))
        let oldest = flight.segments[1]
        unlink(oldest)
        flight.folder.write("precious\n", to: String(oldest.split(separator: "/").last ?? ""))
        for _ in 0..<600 { store.commit { $0.count += 1 } }
        recorder.close()
        #expect(TemporaryFolder.read(oldest) == Array("precious\n".utf8))
    }

    @Test("stores that open and close over the border are known in each segment, marks and outcomes too")
    func lives() throws {
        let flight = Flight(limit: 1 << 20)
        let small = Flight(limit: 24_000)
        for flight in [flight, small] {
            let recorder = try flight.recorder()
            let store = Store(Cart(), recorder: recorder)
            let link = store.subscribe(initially: false) { changes in
                recorder.mark("seen \(changes.version)")
            }
            for turn in 0..<200 {
                let guest = Store(Session(), recorder: recorder)
                guest.commit { $0.visits = turn }
                store.commit { $0.count = turn + 1 }
            }
            link.cancel()
            recorder.close()
            try flight.check()
        }
        #expect(flight.segments.count == 1 && small.segments.count > 2)
    }

    @Test("a folder that goes away between two segments loses commits, not the app, and a gap tells when it is back")
    func noFolder() throws {
        let flight = Flight(limit: 20_000)
        let errors = Log<String>()
        let recorder = try flight.recorder { errors.add($0.diagnostic.code) }
        let store = Store(Cart(), recorder: recorder)
        store.commit { $0.count = 1 }
        let away = flight.folder.path + ".away"
        rename(flight.folder.path, away)
        for _ in 0..<100 { store.commit { $0.count += 1 } }
        rename(away, flight.folder.path)
        for _ in 0..<3 { store.commit { $0.count += 1 } }
        recorder.close()
        #expect(!errors.entries.isEmpty)
        for path in flight.segments { try TemporaryJournal().verify(at: path) }
        #expect(flight.segments.flatMap { flight.lines($0, "gap") }.count == 1)
        let newest = try Journal.open(flight.path, access: .random)
        #expect(try newest.lastCommit == CommitNumber(104))
    }

    @Test("a line longer than the limit is a gap, and a limit too small for the states is told once and stretched")
    func tooLarge() throws {
        let flight = Flight(limit: 20_000)
        let errors = Log<String>()
        let recorder = try flight.recorder { errors.add($0.diagnostic.code) }
        let store = Store(Cart(), recorder: recorder)
        store.commit { $0.user.name = String(repeating: "x", count: 50_000) }
        store.commit { $0.user.name = "Bea" }
        for _ in 0..<200 { store.commit { $0.count += 1 } }
        store.commit { $0.user.name = String(repeating: "y", count: 9_000) }
        for _ in 0..<400 { store.commit { $0.count += 1 } }
        recorder.close()
        #expect(errors.entries.first == "recorder.limit" && errors.entries.count <= 2)
        for path in flight.segments { try TemporaryJournal().verify(at: path) }
        let newest = try Journal.open(flight.path, access: .random)
        #expect(try newest.lastCommit == CommitNumber(603))
    }

    @Test("a path is resolved when the recorder opens, wherever the process goes then", arguments: [true, false])
    func elsewhere(isLinked: Bool) async throws {
        let (here, there) = (TemporaryFolder(), TemporaryFolder())
        await #expect(processExitsWith: .success) {
            [here = here.path as String, there = there.path as String, isLinked = isLinked as Bool] in
            chdir(here)
            symlink(here, "current")
            let recorder = try Recorder(isLinked ? "current/run.jsonl" : "run.jsonl", limit: 20_000)
            let store = Store(Cart(), recorder: recorder)
            if isLinked {
                unlink("current")
                symlink(there, "current")
            } else {
                chdir(there)
            }
            for count in 1...1000 { store.commit { $0.count = count } }
            recorder.close()
            withExtendedLifetime(store) { exit(recorder.path.hasPrefix("/") ? 0 : 1) }
        }
        #expect(there.names.isEmpty)
        #expect(Flight.size(of: here.path) <= 20_000 + here.path.utf8.count)
        let newest = try Journal.open(here.path("run.jsonl"), access: .random)
        #expect(try newest.lastCommit == CommitNumber(1000) && here.names.count > 3)
    }

    @Test("no segment is deleted for a line that is longer than the limit")
    func keptForNothing() throws {
        let flight = Flight(limit: 20_000)
        let recorder = try flight.recorder { _ in }
        let store = Store(Cart(), recorder: recorder)
        while flight.segments.count < 3 { store.commit { $0.count += 1 } }
        let before = flight.segments.count
        store.commit { $0.user.name = String(repeating: "x", count: 50_000) }
        #expect(flight.segments.count >= before)
        recorder.close()
    }

    @Test("a forked child neither writes, renames nor deletes a segment, and its exit does not wait")
    func forkedChild() throws {
        let flight = Flight(limit: 20_000)
        let recorder = try flight.recorder()
        let store = Store(Cart(), recorder: recorder)
        while flight.segments.count < 3 { store.commit { $0.count += 1 } }
        let before = flight.segments.map { TemporaryFolder.read($0) }
        let child = forkChild()
        if child == 0 {
            alarm(60)
            for _ in 0..<200 { store.commit { $0.count += 1 } }
            recorder.close()
            _exit(0)
        }
        var status: Int32 = -1
        waitpid(child, &status, 0)
        #expect(status == 0)
        #expect(flight.segments.map { TemporaryFolder.read($0) } == before)
        recorder.close()
    }
}

/// fork(2), which Swift does not import: the child may only call what is safe after it, and leave by `_exit`.
func forkChild() -> pid_t {
    typealias Fork = @convention(c) () -> pid_t
    return unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)()
}
