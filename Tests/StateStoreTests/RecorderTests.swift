import JSONCore
import JournalFormat
import StateEncoding
import Synchronization
import Testing

@testable import StoreCore

struct RecorderTests {
    @Test(
        "a store that ends inside another one's commit is closed in the journal after it, and nothing is written inside"
    )
    func closedAfterCommit() throws {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path)
        let store = Store(Cart(), name: "outer", recorder: recorder)
        let inner = Locked<Store<Session>?>(Store(Session(), name: "inner", recorder: recorder))
        let inside = try store.commit { cart in
            inner.wrappedValue = nil
            cart.count = 1
            return try journal.records("close").count
        }
        #expect(inside == 0)
        #expect(try journal.records("close").count == 1)
        recorder.close()
    }

    @Test("the journal has the commits of all threads in one order, and replays to the stores' states, forth and back")
    func threads() async throws {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path)
        let (cart, session) = (Store(Cart(), recorder: recorder), Store(Session(), recorder: recorder))
        await concurrently(4) { thread in
            for turn in 0..<200 {
                if thread.isMultiple(of: 2) {
                    cart.commit { $0.count += 1 }
                } else {
                    session.commit { $0.token = "\(thread)-\(turn)" }
                }
            }
        }
        recorder.close()
        let commits = try journal.records("commit")
        #expect(commits.compactMap { $0.integer("seq") } == Array(1...800))
        for name in ["cart", "session"] {
            let versions = try commits.filter { try $0.text("store") == name }.compactMap { $0.integer("version") }
            #expect(versions == Array(1...400))
        }
        let times = try commits.map { try $0.text("time") }
        #expect(times == times.sorted())
        let last = try #require(try journal.replayed().last)
        #expect(last["cart"]?.member("count") == .number(JSONNumber(400)))
        #expect(last["session"]?.member("token") == .string(session.state.token))
        #expect(try journal.records().last?["kind"] == .string("end"))
    }

    @Test("a commit's record has its location, its function as name, and its patch with what was there")
    func commitRecord() throws {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path, options: .reproducible)
        let store = Store(Cart(), recorder: recorder)
        store.commit(fileID: "Shop/Cart.swift", line: 42, column: 9, function: "add(_:)") { $0.count = 3 }
        let commit = try #require(try journal.records("commit").first)
        #expect(
            commit["at"]?.text() == #"{"file":"Shop/Cart.swift","line":42,"column":9,"function":"add(_:)"}"#)
        #expect(try commit.text("name") == "add(_:)")
        #expect(commit["patch"]?.text() == #"[{"op":"replace","path":"/count","value":3,"old":0}]"#)
        recorder.close()
    }

    @Test("a commit that throws is recorded as an abort, and takes no number")
    func abort() throws {
        struct Full: Error {}
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path)
        let store = Store(Cart(), recorder: recorder)
        #expect(throws: Full.self) { try store.commit { _ in throw Full() } }
        store.commit { $0.count += 1 }
        recorder.close()
        let abort = try #require(try journal.records("abort").first)
        #expect(try abort.text("error") == "Full()")
        #expect(try abort.text("store") == "cart")
        #expect(try journal.records("commit").map { $0.integer("seq") } == [1])
    }

    @Test("a commit that leaves an equal value is recorded with an empty patch")
    func equalValue() throws {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path)
        let store = Store(Cart(), recorder: recorder)
        store.commit { $0.count = 0 }
        recorder.close()
        #expect(try journal.records("commit").first?["patch"] == .array([]))
    }

    @Test("causes cross linked stores and tasks, and the nearest commit counts")
    func causes() async throws {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path)
        let (cart, session) = (Store(Cart(), recorder: recorder), Store(Session(), recorder: recorder))
        let middle = Store(Session(), name: "middle", recorder: nil)
        let tasks = Log<Task<Void, Never>>()
        let links = [
            cart.subscribe(initially: false) { changes in
                changes.ifChanged(\.count) { count in middle.commit { $0.visits = count } }
                tasks.add(Task { cart.commit { $0.items = [] } })
            },
            middle.subscribe(initially: false) { changes in session.commit { $0.visits = changes.visits } },
        ]
        cart.commit { $0.count = 1 }
        for task in tasks.entries { await task.value }
        links.forEach { $0.cancel() }
        cart.commit { $0.count = 2 }
        recorder.close()
        let commits = try journal.records("commit")
        #expect(commits.map { $0.integer("cause") } == [nil, 1, 1, nil])
    }

    @Test("outcomes of derived values say what each did after a commit, behind its line")
    func outcomes() throws {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path, options: .reproducible)
        let store = Store(Cart(), recorder: recorder)
        let badge = store.derived("badge", \.items) { $0.count }
        let greeting = store.derived("greeting", \.user) { "hello \($0.id)" }
        let silent = store.derived("badge", \.items) { $0.isEmpty }
        #expect(badge.value == 0)
        let subscription = greeting.subscribe { _ in }
        store.commit { $0.count += 1 }
        store.commit { $0.items = [Cart.Item(id: 1, name: "apple")] }
        store.commit { $0.items[0].name = "pear" }
        store.commit { $0.user.name = "Bea" }
        recorder.close()
        subscription.cancel()
        #expect(silent.name == "badge_2")
        let declared = try journal.records("derived").map { "\(try $0.text("name")) \($0["inputs"]?.text() ?? "")" }
        #expect(declared == [#"badge ["/cart/items"]"#, #"greeting ["/cart/user"]"#, #"badge_2 ["/cart/items"]"#])
        let outcomes = try journal.records("outcome").map {
            "\($0.integer("commit") ?? 0) \($0["derived"]?.text() ?? "")"
        }
        #expect(
            outcomes == [
                #"2 [{"name":"badge","outcome":"fired","value":1}]"#,
                #"3 [{"name":"badge","outcome":"same"}]"#,
                #"4 [{"name":"greeting","outcome":"unchanged"}]"#,
            ])
        #expect(greeting.counters.unchanged == 1)
    }

    @Test("a second live store of a name gets a number, and a store that ends is closed")
    func names() throws {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path)
        let first = Store(Cart(), recorder: recorder)
        do {
            let second = Store(Cart(), recorder: recorder)
            #expect(second.name == "cart_2")
        }
        let third = Store(Cart(), recorder: recorder)
        #expect(third.name == "cart_2")
        recorder.close()
        #expect(first.name == "cart")
        let lines = try journal.records().compactMap { try? "\($0.text("kind")) \($0.text("store"))" }
        #expect(lines == ["store cart", "store cart_2", "close cart_2", "store cart_2"])
    }

    @Test("two equal runs under a fixed clock write the same bytes")
    func reproducible() throws {
        func run() throws -> [UInt8] {
            let journal = TemporaryJournal()
            let recorder = try Recorder(journal.path, options: .reproducible)
            let store = Store(Cart(), recorder: recorder)
            let badge = store.derived("badge", \.items) { $0.count }
            #expect(badge.value == 0)
            for index in 0..<300 {
                store.commit { $0.items.append(Cart.Item(id: index, name: String(repeating: "x", count: 500))) }
            }
            recorder.mark("done", level: .info)
            recorder.close()
            _ = try journal.replayed()
            #expect(try journal.records("keyframe").isEmpty == false)
            return journal.bytes
        }
        #expect(try run() == run())
    }

    @Test(
        "a clock that steps back, and one that leaps, repeat the last time: no record is before an earlier one",
        arguments: [JournalWriter.Durability.synchronous, .background()])
    func fallingClock(durability: JournalWriter.Durability) throws {
        let (journal, ticks) = (TemporaryJournal(), Ticks())
        let steps = [0, 5, 3, -9, 8, 2, 9_000_000_000_000, 1, .min / 2, 7]
        var options = Recorder.Options()
        options.clock = { Timestamp(microseconds: 1_700_000_000_000_000 + steps[ticks.next() % steps.count]) }
        let recorder = try Recorder(journal.path, durability: durability, options: options)
        let store = Store(Cart(), recorder: recorder)
        for count in 1...30 {
            store.commit { $0.count = count }
            recorder.mark("m")
            try? store.commit { _ throws(Moody.BadMood) in throw Moody.BadMood() }
            withExtendedLifetime(Store(Session(), recorder: recorder)) {}
        }
        recorder.close()
        withExtendedLifetime(store) {}
        let times = try journal.records().compactMap { $0["time"]?.string.flatMap { Timestamp($0) } }
        #expect(times == times.sorted() && times.count > 120)
        try journal.verify()
    }

    @Test("in the background, everything is written by the time the recorder is closed")
    func background() async throws {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path, durability: .background(capacity: 4096))
        let store = Store(Cart(), recorder: recorder)
        await concurrently(3) { _ in for _ in 0..<300 { store.commit { $0.count += 1 } } }
        recorder.close()
        #expect(try journal.replayed().last?["cart"]?.member("count") == .number(JSONNumber(900)))
    }

    @Test("a commit while its own value is encoded traps and names the type")
    func commitInEncoding() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let journal = TemporaryJournal()
            let recorder = try Recorder(journal.path)
            let other = Store(Session(), recorder: nil)
            Meddler.action.withLock { $0 = { other.commit { $0.visits += 1 } } }
            _ = Store(Meddler(), recorder: recorder)
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("'Meddler'"), "\(message)")
    }

    @Test("a closed recorder leaves its stores working")
    func closed() throws {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path)
        let store = Store(Cart(), recorder: recorder)
        recorder.close()
        recorder.close()
        store.commit { $0.count += 1 }
        #expect(store.state.count == 1)
        #expect(try journal.records("commit").isEmpty)
    }

    @Test("the paths of a patch that nobody wanted are not known, and not none")
    func unwantedPatch() throws {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path)
        let location = SourceLocation(file: "A/B.swift", line: 1, column: 1, function: "f()")
        let track = try #require(recorder.open(Cart(), wanted: "cart", by: EncodableForm(), at: location))
        func commit(wantsPatch: Bool) -> PendingCommit {
            PendingStateCommit(
                Cart(), track: track, recorder: recorder, version: 1, location: location, name: "f()", action: nil,
                cause: nil, wantsPatch: wantsPatch)
        }
        let patch = Array(#"[{"op":"replace","path":"/count","value":1,"old":0}]"#.utf8)
        var count = PathSet.nothing
        count.insert(try JSONPointer(parsing: "/count"))
        for wantsPatch in [false, true] {
            let pending = commit(wantsPatch: wantsPatch)
            #expect(pending.writtenPaths == nil, "it is not in the journal yet")
            pending.keep(patch: patch[...])
            #expect(pending.writtenPaths.map { $0.touches(count) } == (wantsPatch ? true : nil))
            pending.keep(patch: Array("[]".utf8)[...])
            #expect(pending.writtenPaths.map { $0.touches(count) } == false)
        }
        recorder.close()
    }
}

extension JSONValue {
    func member(_ name: String) -> JSONValue? {
        guard case .object(let object) = self else { return nil }
        return object[name]
    }
}
