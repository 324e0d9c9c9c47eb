import Dispatch
import Foundation
import JSONCore
import JournalFormat
import Observation
import StateStore
import Synchronization
import Testing

/// The state most tests use.
struct Cart: Codable, Equatable, Sendable {
    struct Item: Codable, Equatable, Sendable, Identifiable {
        var id: Int
        var name: String
    }
    var count = 0
    var items: [Item] = []
    var user: User = User()

    /// Equal by its id alone, so that a touched input can be equal.
    struct User: Codable, Sendable, Equatable {
        var id = 1
        var name = "Ann"
        static func == (left: User, right: User) -> Bool { left.id == right.id }
    }
}

struct Session: Codable, Equatable, Sendable {
    var token = ""
    var visits = 0
}

/// What sinks on any thread wrote down.
final class Log<Entry: Sendable>: Sendable {
    private struct Waiting {
        let isOver: @Sendable ([Entry]) -> Bool
        let end: CheckedContinuation<Void, Never>
    }

    private let content = Mutex<(entries: [Entry], waiting: [Waiting])>(([], []))
    var entries: [Entry] { content.withLock(\.entries) }

    func add(_ entry: Entry) {
        let ended = content.withLock { content in
            content.entries.append(entry)
            let ended = content.waiting.filter { $0.isOver(content.entries) }
            content.waiting.removeAll { $0.isOver(content.entries) }
            return ended
        }
        for waiting in ended { waiting.end.resume() }
    }

    /// Waits until the entries are as a test asks for.
    func wait(until isOver: @escaping @Sendable ([Entry]) -> Bool) async {
        await withCheckedContinuation { end in
            let isOverNow = content.withLock { content in
                if isOver(content.entries) { return true }
                content.waiting.append(Waiting(isOver: isOver, end: end))
                return false
            }
            if isOverNow { end.resume() }
        }
    }
}

/// A context whose turns a test takes by hand.
final class Turns: Sendable {
    private let jobs = Log<@Sendable () -> Void>()
    private let taken = Locked(0)

    var context: DeliveryContext { .scheduled { self.jobs.add($0) } }

    /// How many wait.
    var count: Int { jobs.entries.count - taken.wrappedValue }

    /// Takes those that wait.
    func take() {
        let waiting = jobs.entries.dropFirst(taken.wrappedValue)
        taken.modify { $0 += waiting.count }
        waiting.forEach { $0() }
    }
}

/// Runs a closure when its last reference goes away.
final class Lease: Sendable {
    private let onEnd: @Sendable () -> Void
    init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
    deinit { onEnd() }
}

/// A state that calls a closure of the test's, with its count, each time it is encoded.
struct Calling: Encodable, Equatable, Sendable {
    private enum CodingKeys: CodingKey { case count }
    var count = 0
    var call: (@Sendable (_ count: Int) -> Void)?

    static func == (left: Calling, right: Calling) -> Bool { left.count == right.count }

    func encode(to encoder: any Encoder) throws {
        call?(count)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(count, forKey: .count)
    }
}

#if os(Linux)
/// A line of what the kernel says of the process's memory, in KiB: `VmRSS` is what it has now, `VmHWM` the most it had.
func processMemory(_ name: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return line.flatMap { Int($0.split { !$0.isNumber }.first ?? "") } ?? 0
}
#endif

/// A journal in the temporary folder, gone when the test is over.
final class TemporaryJournal: Sendable {
    let path: String

    init() {
        let name = "state-store-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
        path = "/tmp/\(name).jsonl"
    }

    deinit { unlink(path) }

    /// A journal and a recorder that writes it.
    static func recording(
        durability: Recorder.Durability = .synchronous, redact: [Redaction] = [], limit: Int? = nil,
        options: Recorder.Options = Recorder.Options(), onError: (@Sendable (RecorderError) -> Void)? = nil
    ) throws -> (TemporaryJournal, Recorder) {
        let journal = TemporaryJournal()
        let recorder = try Recorder(
            journal.path, durability: durability, redact: redact, limit: limit, options: options, onError: onError)
        return (journal, recorder)
    }

    static func recording(_ options: Recorder.Options) throws -> (TemporaryJournal, Recorder) {
        try recording(options: options)
    }

    var bytes: [UInt8] {
        guard let file = fopen(path, "rb") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// The records, each parsed.
    func records() throws -> [JSONObject] {
        try bytes.split(separator: UInt8(ascii: "\n")).map { line in
            guard case .object(let object) = try JSONParser.parse(Array(line)) else { throw Missing(name: "object") }
            return object
        }
    }

    /// The records of one kind.
    func records(_ kind: String) throws -> [JSONObject] {
        try records().filter { $0["kind"] == .string(kind) }
    }

    /// The whole states after each commit, as its patches give them; every patch is also undone.
    func replayed() throws -> [JSONObject] {
        var state = JSONObject()
        var states: [JSONObject] = []
        for record in try records() {
            switch record["kind"] {
            case .string("store"): state[try record.text("store")] = record["state"]
            case .string("close"): state[try record.text("store")] = nil
            case .string("gap"), .string("keyframe"):
                guard case .object(let whole) = record["states"] else { throw Missing(name: "states") }
                if record["kind"] == .string("keyframe") {
                    guard JSONValue.object(whole) == .object(state) else { throw Missing(name: "a keyframe that fits") }
                }
                state = whole
            case .string("commit"):
                let name = try record.text("store")
                guard var value = state[name], let json = record["patch"] else { throw Missing(name: name) }
                let before = value
                let patch = try JSONPatch(json: json)
                try patch.apply(to: &value)
                state[name] = value
                try patch.inverted().apply(to: &value)
                guard value == before else { throw Missing(name: "an inverse") }
                states.append(state)
            default: break
            }
        }
        return states
    }

    struct Missing: Error { var name: String }
}

extension JSONObject {
    func text(_ name: String) throws -> String {
        guard case .string(let text) = self[name] else { throw TemporaryJournal.Missing(name: name) }
        return text
    }

    func integer(_ name: String) -> Int? {
        guard case .number(let number) = self[name] else { return nil }
        return number.integerValue
    }
}

extension Recorder.Options {
    /// Times that rise by a millisecond with each look, and a fixed name: journals are the same byte for byte.
    static var reproducible: Recorder.Options {
        var options = Recorder.Options()
        let ticks = Ticks()
        options.id = "test"
        options.clock = { Timestamp(microseconds: 1_700_000_000_000_000 + ticks.next() * 1000) }
        return options
    }
}

/// A count that any thread may raise.
final class Ticks: Sendable {
    private let count = Synchronization.Atomic(0)
    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
    var value: Int { count.load(ordering: .relaxed) }
}

/// Tracks what is read; the closure is called at its next change.
func onChange<Value>(of value: @autoclosure () -> Value, _ changed: @escaping @Sendable () -> Void) {
    withObservationTracking {
        _ = value()
    } onChange: {
        changed()
    }
}

extension Optional where Wrapped == ExitTest.Result {
    /// What the child process wrote to standard error.
    var errors: String { String(decoding: self?.standardErrorContent ?? [], as: UTF8.self) }
}

/// Runs each closure on a thread of its own, which tasks are not sure to have, and returns when all have ended.
func onThreads(_ bodies: [@Sendable () -> Void]) async {
    await withTaskGroup { group in
        for body in bodies {
            group.addTask {
                await withCheckedContinuation { ended in
                    Thread.detachNewThread {
                        body()
                        ended.resume()
                    }
                }
            }
        }
    }
}

/// A number of the present thread that no other one ever has: handles of threads that ended are given out again.
var threadNumber: Int {
    let known = Thread.current.threadDictionary
    if let number = known["threadNumber"] as? Int { return number }
    let number = threadNumbers.next()
    known["threadNumber"] = number
    return number
}

private let threadNumbers = Ticks()

/// The issues that a body records, kept from the test.
func issues(of body: @escaping @Sendable () async throws -> Void) async throws -> [Issue] {
    let test = try #require(Test.current)
    let issues = Log<Issue>()
    let swallow = IssueHandlingTrait.compactMapIssues { issue in
        issues.add(issue)
        return nil
    }
    try await swallow.provideScope(for: test, testCase: Test.Case.current, performing: body)
    return issues.entries
}

/// Runs closures on so many threads and waits for all.
func concurrently(_ threads: Int, _ body: @escaping @Sendable (Int) -> Void) async {
    await withTaskGroup { group in for thread in 0..<threads { group.addTask { body(thread) } } }
}

/// Runs programs as children of the test.
enum Child {
    /// Runs one to its end.
    ///
    /// - Parameters:
    ///   - variable: is set in its environment beside this process's own.
    ///   - output: where its standard output and error go.
    /// - Returns: its exit status; nil where a signal ended it, as one does after half an hour.
    static func run(
        _ program: String, _ arguments: [String], adding variable: (name: String, value: String), output: String
    ) throws -> Int32? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program).resolvingSymlinksInPath()
        process.arguments = arguments
        // Without what tells a child that it is the body of an exit test.
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("SWT_") }
            .merging([variable.name: variable.value]) { $1 }
        try Data().write(to: URL(fileURLWithPath: output))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        (process.standardInput, process.standardOutput, process.standardError) = (FileHandle.nullDevice, file, file)
        let isOver = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in isOver.signal() }
        try process.run()
        if isOver.wait(timeout: .now() + 1_800) == .timedOut {
            kill(process.processIdentifier, SIGKILL)
            isOver.wait()
        }
        return process.terminationReason == .exit ? process.terminationStatus : nil
    }
}
