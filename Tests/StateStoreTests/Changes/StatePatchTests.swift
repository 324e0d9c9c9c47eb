import JSONCore
import StateStore
import Synchronization
import Testing

struct StatePatchTests {
    private static let edits: [@Sendable (inout Cart) -> Void] = [
        { $0.count = 2 },
        { $0.items = [Cart.Item(id: 1, name: "apple"), Cart.Item(id: 2, name: "pear")] },
        { $0.items.swapAt(0, 1) },
        { $0.items.removeLast() },
        { cart in
            cart.items[0].name = "fig"
            cart.user = Cart.User(id: 2, name: "Bea \"B\" ü")
        },
    ]

    @Test("the patch is that of the journal, with a recorder and without")
    func sameAsJournal() throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        let (recorded, free) = (Store(Cart(), recorder: recorder), Store(Cart(), recorder: nil))
        let (ofRecorded, ofFree) = (Log<String>(), Log<String>())
        let links = [
            recorded.subscribe(initially: false) { ofRecorded.add((try? $0.patch?.json) ?? "-") },
            free.subscribe(initially: false) { ofFree.add((try? $0.patch?.json) ?? "-") },
        ]
        for edit in Self.edits {
            recorded.commit(edit)
            free.commit(edit)
        }
        recorder.close()
        links.forEach { $0.cancel() }
        let written = try journal.records("commit").map { $0["patch"]?.text() ?? "" }
        #expect(written.count == Self.edits.count)
        #expect(ofRecorded.entries == written)
        #expect(ofFree.entries == written)
    }

    @Test("the patch may be asked for by the encoding of its own states")
    func askedByEncoding() async {
        await #expect(processExitsWith: .success) {
            let action = Locked<(@Sendable () -> Void)?>(nil)
            let store = Store(Calling(call: { _ in action.wrappedValue?() }), recorder: nil)
            let patches = Log<String>()
            let link = store.subscribe(initially: false) { changes in
                let isFirst = Atomic(true)
                action.wrappedValue = { if isFirst.exchange(false, ordering: .relaxed) { _ = try? changes.patch } }
                patches.add((try? changes.patch?.json) ?? "-")
            }
            store.commit { $0.count = 1 }
            link.cancel()
            #expect(patches.entries == [#"[{"op":"replace","path":"/count","value":1,"old":0}]"#])
        }
    }

    @Test("a first delivery has no patch, and one after it has its operations")
    func operations() throws {
        let store = Store(Cart(), recorder: nil)
        let log = Log<Changes<Cart>>()
        let link = store.subscribe { log.add($0) }
        store.commit { cart in
            cart.count = 1
            cart.items.append(Cart.Item(id: 1, name: "apple"))
        }
        store.commit { $0.items.removeAll() }
        #expect(try log.entries[0].patch == nil)
        let patch = try #require(try log.entries[1].patch)
        let operations = patch.operations
        #expect(operations.map(\.kind) == [.replace, .add])
        #expect(operations.map(\.path) == ["/count", "/items/0"])
        #expect(operations.map(\.value) == ["1", #"{"id":1,"name":"apple"}"#])
        #expect(operations.map(\.old) == ["0", nil])
        #expect(!patch.isEmpty && patch.description == patch.json)
        let removal = try #require(try log.entries[2].patch?.operations.first)
        #expect((removal.kind, removal.old) == (.remove, #"{"id":1,"name":"apple"}"#))
        link.cancel()
    }

    @Test("the patch is computed once, when somebody asks")
    func lazy() throws {
        let encodings = Ticks()
        let store = Store(Calling(call: { _ in _ = encodings.next() }), recorder: nil)
        let log = Log<Changes<Calling>>()
        let link = store.subscribe(initially: false) { log.add($0) }
        let before = encodings.value
        store.commit { $0.count = 1 }
        #expect(encodings.value == before)
        let changes = log.entries[0]
        #expect(try changes.patch?.json == #"[{"op":"replace","path":"/count","value":1,"old":0}]"#)
        let after = encodings.value
        #expect(after > before)
        #expect(try changes.patch?.isEmpty == false)
        #expect(encodings.value == after)
        link.cancel()
    }

    @Test("a state without a JSON form has an error in place of a patch, with the property's path")
    func noForm() throws {
        let store = Store(Refusing(), recorder: nil)
        let log = Log<Changes<Refusing>>()
        let link = store.subscribe(initially: false) { log.add($0) }
        store.commit { $0.secret.value = 1 }
        let error = #expect(throws: StatePatchError.self) { try log.entries[0].patch }
        #expect(error?.path == "/secret")
        #expect(error?.type == "Secret")
        link.cancel()
    }
}

private struct Refusing: Encodable, Equatable, Sendable {
    struct Secret: Encodable, Equatable, Sendable {
        struct Kept: Error {}
        var value = 0
        func encode(to encoder: any Encoder) throws { throw Kept() }
    }
    var secret = Secret()
}
