import Foundation
import JSONCore
import StateStore
import Synchronization
import TestSupport
import Testing

/// Recordings that begin after their store was made, and end before it does.
@Suite("Attaching and detaching")
struct AttachingTests {
    private final class Image: Sendable {}
    private struct Screen: Sendable { var image = Image() }

    private func kinds(_ journal: TemporaryJournal) throws -> [String] {
        try journal.records().map { try $0.text("kind") }
    }

    @Test("a recording that begins later has the state of that time, and counts the commits from there")
    func later() throws {
        let journal = TemporaryJournal()
        let store = Store(Cart(), name: "cart", recorder: nil)
        store.commit { $0.count = 7 }
        #expect(!store.isRecorded && store.recorder == nil)
        let recorder = try Recorder(journal.path)
        #expect(recorder.attach(store))
        #expect(store.isRecorded && store.recorder === recorder)
        #expect(StoreRegistry.live.contains { $0.journal == recorder.path })
        store.commit { $0.count = 8 }
        recorder.close()
        let opening = try #require(try journal.records("store").first)
        #expect(opening["state"]?.member("count") == .number(JSONNumber(7)))
        #expect(opening["at"]?.text().contains("AttachingTests.swift") == true)
        #expect(try journal.records("commit").map { $0.integer("version") } == [1])
        #expect(try journal.replayed().last?["cart"]?.member("count") == .number(JSONNumber(8)))
        #expect(store.version == 2)
        try journal.verify()
    }

    @Test("a detached store goes on unrecorded, and closes once; attached again it opens anew")
    func detached() throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        do {
            let store = Store(Cart(), name: "cart", recorder: recorder)
            store.commit { $0.count = 1 }
            recorder.detach(store)
            #expect(!store.isRecorded && store.recorder == nil)
            #expect(try kinds(journal).last == "close")
            store.commit { $0.count = 2 }
            recorder.detach(store)
            #expect(recorder.attach(store))
            store.commit { $0.count = 3 }
            recorder.detach(store)
        }
        recorder.close()
        #expect(try kinds(journal) == ["journal", "store", "commit", "close", "store", "commit", "close", "end"])
        #expect(try journal.records("store").map { try $0.text("store") } == ["cart", "cart"])
        try journal.verify()
    }

    @Test("attached twice it goes on as it is; a second recorder is refused, and reports that")
    func twice() throws {
        let journal = TemporaryJournal(), other = TemporaryJournal()
        let errors = Log<RecorderError>()
        let first = try Recorder(journal.path)
        let second = try Recorder(other.path) { errors.add($0) }
        let store = Store(Cart(), name: "cart", recorder: first)
        #expect(first.attach(store))
        #expect(!second.attach(store))
        second.detach(store)
        store.commit { $0.count = 1 }
        #expect(try kinds(journal) == ["journal", "store", "commit"])
        #expect(try kinds(other) == ["journal"])
        guard case .attached(store: "cart", journal: journal.path)? = errors.entries.first else {
            Issue.record("\(errors.entries)")
            return
        }
        first.detach(store)
        #expect(second.attach(store))
        #expect(errors.entries.count == 1)
    }

    @Test("a closed recorder attaches nothing, and lets its stores go to another one")
    func closed() throws {
        let journal = TemporaryJournal(), other = TemporaryJournal()
        let first = try Recorder(journal.path)
        let store = Store(Cart(), name: "cart", recorder: first)
        first.close()
        #expect(!first.attach(Store(Cart(), recorder: nil)))
        let second = try Recorder(other.path)
        #expect(second.attach(store))
        store.commit { $0.count = 1 }
        #expect(try kinds(other) == ["journal", "store", "commit"])
    }

    @Test("a store whose state is not Encodable is not recorded, which is reported once for its type")
    func notEncodable() throws {
        let journal = TemporaryJournal()
        let errors = Log<String>()
        let recorder = try Recorder(journal.path) { error in
            if case .encoding(let store, let path, let type, let problem) = error {
                errors.add("\(store) \(path) \(type) \(problem.code)")
            }
        }
        let store = Store(Screen(), recorder: recorder)
        let second = Store(Screen(), name: "other", recorder: nil)
        #expect(!recorder.attach(second))
        store.commit { $0.image = Image() }
        recorder.close()
        #expect(!store.isRecorded && store.version == 1)
        #expect(errors.entries == ["screen  Screen encoding.not-encodable"])
        #expect(try kinds(journal) == ["journal", "end"])
    }

    @Test("a name that another store of the journal has is numbered; the store keeps its own")
    func names() throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        let first = Store(Cart(), name: "cart", recorder: recorder)
        let second = Store(Cart(), name: "cart", recorder: nil)
        #expect(recorder.attach(second))
        #expect(try journal.records("store").map { try $0.text("store") } == ["cart", "cart_2"])
        #expect(first.name == "cart" && second.name == "cart")
    }

    @Test("what was recorded and is delivered after the store is detached is still redacted")
    func redacted() throws {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path, redact: ["/session/token"])
        let store = Store(Session(), name: "session", recorder: recorder)
        let patches = Log<String>()
        let link = store.subscribe(initially: false) { changes in
            if changes.version == 1 {
                store.commit { $0.token = "S3CR3T" }
                recorder.detach(store)
            }
            patches.add((try? changes.patch?.json) ?? "")
        }
        store.commit { $0.visits = 1 }
        link.cancel()
        #expect(patches.entries.count == 2)
        #expect(!patches.entries.joined().contains("S3CR3T"))
    }

    @Test("a derived value that is made after the store was attached is in the journal")
    func derived() throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        let store = Store(Cart(), name: "cart", recorder: nil)
        let other = Store(Session(), name: "session", recorder: nil)
        store.commit { $0.count = 1 }
        recorder.attach(store)
        recorder.attach(other)
        let sum = Derived(store[\.count], other[\.visits], named: "sum") { $0 + $1 }
        let link = sum.subscribe { _ in }
        store.commit { $0.count = 2 }
        other.commit { $0.visits = 1 }
        link.cancel()
        recorder.close()
        #expect(try journal.records("derived").map { try $0.text("name") } == ["sum"])
        #expect(try journal.records("outcome").count == 2)
        try journal.verify()
    }

    @Test("attaching inside a commit's closure traps, and names the commit")
    func insideCommit() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let recorder = try Recorder(TemporaryJournal().path)
            let store = Store(Cart(), recorder: nil), other = Store(Cart(), recorder: nil)
            store.commit { _ in recorder.attach(other) }
        }
        #expect(result.errors.contains("'attach' is inside the commit at StateStoreTests/AttachingTests.swift"))
    }

    @Test(
        "commits of four threads while a store is attached and detached are each in the journal or in none, in order",
        arguments: [false, true])
    func threads(isInBackground: Bool) async throws {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path, durability: isInBackground ? .background : .synchronous)
        let store = Store(Session(), name: "session", recorder: nil)
        let link = store.subscribe(initially: false) { _ in }
        await withTaskGroup { group in
            for _ in 0..<4 { group.addTask { for _ in 0..<500 { store.commit { $0.visits += 1 } } } }
            group.addTask {
                for _ in 0..<100 {
                    recorder.attach(store)
                    recorder.detach(store)
                }
                recorder.attach(store)
            }
        }
        store.commit { $0.visits += 1 }
        link.cancel()
        recorder.close()
        #expect(store.state.visits == 2_001)
        #expect(try journal.replayed().last?["session"]?.member("visits") == .number(JSONNumber(2_001)))
        // Within a recording the versions count up from 1.
        var last = 0
        for record in try journal.records() {
            switch try record.text("kind") {
            case "store": last = 0
            case "commit":
                #expect(record.integer("version") == last + 1)
                last += 1
            default: break
            }
        }
        try journal.verify()
    }
}

struct EnvironmentTests {
    @Test("STATE_JOURNAL records every store that names no recorder, in one journal, and none that is made without one")
    func folder() async throws {
        let folder = TemporaryFolder()
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            setenv("STATE_JOURNAL", path, 1)
            let (cart, session) = (Store(Cart()), Store(Session()))
            let silent = Store(Session(), name: "silent", recorder: nil)
            cart.commit { $0.count = 1 }
            session.commit { $0.visits = 1 }
            silent.commit { $0.visits = 2 }
            withExtendedLifetime((cart, session, silent)) { exit(0) }
        }
        let name = try #require(folder.names.first)
        #expect(folder.names.count == 1)
        let parts = name.split(separator: "-")
        #expect(name.hasSuffix(".jsonl") && parts.count >= 3 && parts[parts.count - 2].hasSuffix("Z"), "\(name)")
        try TemporaryJournal().verify(at: folder.path(name))
        let text = TemporaryFolder.lines(folder.path(name))
        #expect(text.count { $0.contains(#""kind":"commit""#) } == 2)
        #expect(!text.contains { $0.contains("silent") })
        #expect(text.last?.contains(#""kind":"end""#) ?? false)
    }

    @Test("a folder that is not there is told once on standard error, and the app goes on")
    func noFolder() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            setenv("STATE_JOURNAL", "/nowhere/100%p", 1)
            for _ in 0..<3 {
                let store = Store(Cart())
                store.commit { $0.count = 1 }
            }
        }
        #expect(result.errors.components(of: "StateStore: error:") == 1, "\(result.errors)")
        #expect(
            result.errors.contains("'/nowhere/100%p/") && result.errors.contains("make the folder first"),
            "\(result.errors)")
        #expect(!result.errors.contains("every commit up to"), "there is no file")
    }

    @Test("without the variable, or with an empty one, nothing is recorded")
    func off() async {
        await #expect(processExitsWith: .success) {
            setenv("STATE_JOURNAL", "", 1)
            #expect(Recorder.current == nil && Recorder.fromEnvironment == nil)
        }
    }
}

extension String {
    /// How often a text is in it.
    func components(of text: String) -> Int {
        var (count, rest) = (0, self[...])
        while let range = rest.firstRange(of: text) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
