import Diagnostics
import Foundation
import JSONCore
import JournalFormat
import Platform
import StateStore
import Synchronization
import Testing

struct RecorderFaultTests {
    @Test("a state that has no JSON form leaves its store out, tells the handler once, and comes back when it has one")
    func unencodable() throws {
        let journal = TemporaryJournal()
        let errors = Log<String>()
        let recorder = try Recorder(journal.path) { error in
            if case .encoding(let store, _, _, _) = error { errors.add(store) }
        }
        let good = Store(Session(), recorder: recorder)
        let moody = Store(Moody(), recorder: recorder)
        moody.commit { $0.mood = 1 }
        moody.commit { $0.mood = -1 }
        good.commit { $0.visits = 1 }
        moody.commit { $0.mood = -2 }
        moody.commit { $0.mood = 2 }
        moody.commit { $0.mood = 3 }
        good.commit { $0.visits = 2 }
        recorder.close()
        #expect(errors.entries == ["moody"])
        let gaps = try journal.records("gap").map { "\($0.integer("first") ?? 0)+\($0.integer("lost") ?? 0)" }
        #expect(gaps == ["2+1", "4+2"])
        let commits = try journal.records("commit").compactMap { $0.integer("seq") }
        #expect(commits == [1, 3, 6, 7])
        let last = try #require(try journal.replayed().last)
        #expect(last["moody"]?.member("mood") == .number(JSONNumber(3)))
        #expect(last["session"]?.member("visits") == .number(JSONNumber(2)))
    }

    @Test("while the file cannot be written the app goes on, the handler is told once, and a gap says what is missing")
    func diskFull() throws {
        let journal = TemporaryJournal()
        let errors = Log<RecorderError>()
        let isFull = Flag()
        var calls = SystemCalls()
        let write = calls.write
        // A device that is always full; where there is none (-1), the descriptor is a bad one.
        let full = open("/dev/full", O_WRONLY)
        defer { close(full) }
        calls.write = { descriptor, bytes, count in write(isFull.value ? full : descriptor, bytes, count) }
        let recorder = try Recorder(journal.path, options: .reproducible.retrying, calls: calls) { errors.add($0) }
        let store = Store(Cart(), recorder: recorder)
        let badge = store.derived(\.items, named: "badge") { $0.count }
        store.commit { $0.count = 1 }
        isFull.value = true
        for count in 2...5 { store.commit { $0.count = count } }
        let late = Store(Session(), recorder: recorder)
        isFull.value = false
        store.commit { $0.count = 6 }
        recorder.close()
        #expect(errors.entries.count == 1)
        #expect(store.state.count == 6)
        #expect(badge.value == 0 && late.version == 0)
        let words = errors.entries.first?.diagnostic.message ?? ""
        #expect(full < 0 || words.contains("no space left on device"), "\(words)")
        let gap = try #require(try journal.records("gap").first)
        #expect(gap.integer("first") == 2 && gap.integer("lost") == 4 && gap.integer("seq") == 5)
        #expect(try journal.records("store").map { try $0.text("store") } == ["cart", "session"])
        let last = try #require(try journal.replayed().last)
        #expect(last["cart"]?.member("count") == .number(JSONNumber(6)))
    }
}

/// A switch that any thread may throw.
final class Flag: Sendable {
    private let flag = Mutex(false)
    var value: Bool {
        get { flag.withLock(\.self) }
        set { flag.withLock { $0 = newValue } }
    }
}

extension SystemCalls {
    /// Calls whose writes find the disk full while a switch says so.
    static func full(while isFull: Flag) -> SystemCalls {
        SystemCalls(write: { file, bytes, count in
            guard isFull.value else { return SystemCalls.plainWrite(file, bytes, count) }
            errno = ENOSPC
            return -1
        })
    }
}

extension Recorder.Options {
    /// The options, with which a file that failed is tried again at once.
    var retrying: Recorder.Options {
        var options = self
        options.retryInterval = .zero
        return options
    }
}

/// A value that has no JSON form while it is in a bad mood.
struct Moody: Encodable, Equatable, Sendable {
    struct BadMood: Error {}
    enum CodingKeys: CodingKey { case mood }
    var mood = 0

    func encode(to encoder: any Encoder) throws {
        if mood < 0 { throw BadMood() }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(mood, forKey: .mood)
    }
}
