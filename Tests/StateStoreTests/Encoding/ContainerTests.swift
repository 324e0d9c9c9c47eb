import Diagnostics
import Foundation
import Synchronization
import Testing

@testable import StateEncoding
@testable import StatePatterns
@testable import StoreCore

@Suite("Values that encode themselves")
struct ContainerTests {
    enum Keys: String, CodingKey { case a, b, c }

    /// Uses every kind of container, one inside the other, and comes back to the first.
    struct Nested: Encodable {
        var number: Int
        func encode(to encoder: any Encoder) throws {
            var outer = encoder.container(keyedBy: Keys.self)
            var inner = outer.nestedContainer(keyedBy: Keys.self, forKey: .a)
            var list = outer.nestedUnkeyedContainer(forKey: .b)
            try list.encode(number)
            try inner.encode("x", forKey: .c)
            var deep = list.nestedContainer(keyedBy: Keys.self)
            try outer.encode(true, forKey: .c)
            try deep.encode(number, forKey: .a)
            var deeper = list.nestedUnkeyedContainer()
            try deeper.encodeNil()
            try inner.encode(number + 1, forKey: .b)
        }
    }

    class Animal: Encodable {
        var legs: Int
        init(legs: Int) { self.legs = legs }
    }

    /// Writes what another type writes under `super`, as a subclass does.
    struct Dog: Encodable {
        struct Legs: Encodable { var legs: Int }
        var legs: Int
        var name = "Rex"
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(name, forKey: .a)
            try Legs(legs: legs).encode(to: container.superEncoder())
        }
    }

    struct Twice: Encodable {
        var first: Int
        var second: Int
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(first, forKey: .a)
            try container.encode(0, forKey: .b)
            try container.encode(second, forKey: .a)
        }
    }

    struct Refusing: Encodable {
        struct Reason: Error {}
        var list = [1]
        func encode(to encoder: any Encoder) throws { throw Reason() }
    }

    /// Keeps its containers beyond its `encode(to:)`.
    struct Keeping: Encodable {
        final class Kept {
            var encoder: (any Encoder)?
            var container: KeyedEncodingContainer<Keys>?
        }

        var number: Int
        var kept = Kept()

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(number, forKey: .a)
            (kept.encoder, kept.container) = (encoder, container)
        }
    }

    @Test("what a value writes after its 'encode(to:)' returned is an error, and in no state")
    func keptContainer() throws {
        let kept = Keeping.Kept()
        let probe = try EncodingProbe(Keeping(number: 1, kept: kept))
        for number in 2...4 {
            #expect(throws: StateEncodingError.self) { try kept.container?.encode(7, forKey: .b) }
            var list = kept.encoder?.unkeyedContainer()
            #expect(throws: StateEncodingError.self) { try list?.encode(7) }
            var single = kept.encoder?.singleValueContainer()
            #expect(throws: StateEncodingError.self) { try single?.encode(7) }
            _ = kept.container?.nestedContainer(keyedBy: Keys.self, forKey: .c)
            #expect(kept.container?.codingPath.isEmpty ?? false)
            #expect(
                try probe.advance(to: Keeping(number: number, kept: kept))
                    == #"[{"op":"replace","path":"/a","value":\#(number),"old":\#(number - 1)}]"#)
        }
    }

    @Test("an encoder that is dropped leaves nothing, also after a value that threw")
    func released() throws {
        weak var pass: EncodingPass?
        do {
            let encoder = try StateEncoder([Nested(number: 1), Nested(number: 2)])
            pass = encoder.pass
            #expect(throws: StateEncodingError.self) { try encodedText([Refusing()]) }
        }
        #expect(pass == nil)
        do {
            let encoder = try StateEncoder([Refusing]())
            pass = encoder.pass
            var bytes: [UInt8] = []
            #expect(throws: StateEncodingError.self) {
                try encoder.advance(to: [Refusing()], appendingPatchTo: &bytes)
            }
        }
        #expect(pass == nil)
    }

    @Test("containers inside containers, written to in turns")
    func nested() throws {
        #expect(try encodedText(Nested(number: 1)) == #"{"a":{"c":"x","b":2},"b":[1,{"a":1},[null]],"c":true}"#)
        let probe = try EncodingProbe(Nested(number: 1))
        #expect(try probe.advance(to: Nested(number: 1)) == "[]")
        try probe.advance(to: Nested(number: 5))
    }

    @Test("what is written to a super encoder stands under 'super'")
    func inheritance() throws {
        #expect(try encodedText(Dog(legs: 4)) == #"{"a":"Rex","super":{"legs":4}}"#)
        let probe = try EncodingProbe(Dog(legs: 4))
        #expect(
            try probe.advance(to: Dog(legs: 3)) == #"[{"op":"replace","path":"/super/legs","value":3,"old":4}]"#)
    }

    @Test("an instance of a class in a state is an error that names the property")
    func classInstance() throws {
        struct Part: Encodable { var owner: Animal? }
        struct State: Encodable { var parts: [String: [Part]] }
        let error = #expect(throws: StateEncodingError.self) {
            try StateEncoder(State(parts: ["x": [Part(), Part(owner: Animal(legs: 4))]]))
        }
        #expect(error?.path == "/parts/x/1/owner" && error?.type == "Animal" && error?.reason == .reference)
        #expect(error?.diagnostic.message == "'/parts/x/1/owner' is an instance of a class")
        let encoder = try StateEncoder(State(parts: ["x": []]))
        var bytes: [UInt8] = []
        let later = #expect(throws: StateEncodingError.self) {
            try encoder.advance(to: State(parts: ["x": [Part(owner: Animal(legs: 4))]]), appendingPatchTo: &bytes)
        }
        #expect(later?.path == "/parts/x/0/owner" && bytes.isEmpty)
    }

    @Test("of two values for one key the last one counts")
    func twice() throws {
        #expect(try encodedText(Twice(first: 1, second: 2)) == #"{"a":2,"b":0}"#)
        let probe = try EncodingProbe(Twice(first: 1, second: 2))
        #expect(try probe.advance(to: Twice(first: 3, second: 2)) == "[]")
        #expect(
            try probe.advance(to: Twice(first: 3, second: 9)) == #"[{"op":"replace","path":"/a","value":9,"old":2}]"#)
    }

    @Test("a value that refuses is named by its path, and a reset makes the encoder whole again")
    func refusal() throws {
        struct State: Encodable { var parts: [String: Part] }
        struct Part: Encodable { var value: Refusing?; var number = 0 }
        let good = State(parts: ["x/y": Part(value: nil)])
        let encoder = try StateEncoder(good)
        var bytes: [UInt8] = [1]
        let error = #expect(throws: StateEncodingError.self) {
            try encoder.advance(to: State(parts: ["x/y": Part(value: Refusing())]), appendingPatchTo: &bytes)
        }
        #expect(error?.path == "/parts/x~1y/value")
        #expect(error?.type == "Refusing")
        #expect(bytes == [1])
        try encoder.reset(to: good)
        try encoder.advance(to: State(parts: ["x/y": Part(value: nil, number: 1)]), appendingPatchTo: &bytes)
        #expect(
            String(decoding: bytes.dropFirst(), as: UTF8.self)
                == #"[{"op":"replace","path":"/parts/x~1y/number","value":1,"old":0}]"#)
    }

    /// A key whose text does not tell all of it.
    struct Key: Hashable, Codable, LosslessStringConvertible {
        var text: String
        var salt: Int
        init(_ text: String) { (self.text, salt) = (text, 0) }
        init(_ text: String, salt: Int) { (self.text, self.salt) = (text, salt) }
        var description: String { text }
    }

    @Test("a key that is replaced by another with its text is a change of one member")
    func replacedKey() throws {
        let probe = try EncodingProbe([Key("a"): 1, Key("b"): 2])
        #expect(
            try probe.advance(to: [Key("a", salt: 1): 3, Key("b"): 2])
                == #"[{"op":"replace","path":"/a","value":3,"old":1}]"#)
        #expect(try probe.advance(to: [Key("a"): 3, Key("b", salt: 5): 2]) == "[]")
    }

    @Test("two keys with one text are an error at once and later")
    func repeatedKeys() throws {
        struct State: Encodable { var table: [Key: Int] }
        let error = #expect(throws: StateEncodingError.self) {
            try StateEncoder(State(table: [Key("a"): 1, Key("a", salt: 1): 2]))
        }
        #expect(error?.path == "/table")
        #expect(error?.reason == .repeatedKey("a"))
        let encoder = try StateEncoder(State(table: [Key("a"): 1]))
        var bytes: [UInt8] = []
        for first in [Key("a"), Key("a", salt: 2)] {
            #expect(throws: StateEncodingError.self) {
                try encoder.advance(to: State(table: [first: 1, Key("a", salt: 1): 2]), appendingPatchTo: &bytes)
            }
            try encoder.reset(to: State(table: [Key("a"): 1]))
        }
    }

    struct Selfish: Encodable {
        var isEndless = true
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(1, forKey: .b)
            if isEndless { try encode(to: container.superEncoder(forKey: .a)) }
        }
    }

    @Test("nesting without end is an error, not a crash")
    func depth() throws {
        let error = #expect(throws: StateEncodingError.self) { try StateEncoder(Selfish()) }
        #expect(error?.reason == .tooDeep(limit: 512))
    }
}

@Suite("States that nest deep")
struct DepthTests {
    struct Link: Encodable, Sendable {
        var value: Int
        var next: [Link] = []
    }

    indirect enum Chain: Encodable, Sendable {
        case end(Int)
        case link(Chain)
    }

    private static func chain(_ length: Int, _ value: Int) -> Chain {
        (0..<length).reduce(.end(value)) { chain, _ in .link(chain) }
    }

    private static func links(_ length: Int, _ value: Int) -> Link {
        (0..<length).reduce(Link(value: value)) { link, _ in Link(value: 0, next: [link]) }
    }

    /// Runs `body` on a thread with a stack of some size, and waits for it.
    private func onStack(ofKiB size: Int, _ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let thread = Thread { continuation.resume(with: Result { try body() }) }
            thread.stackSize = size * 1_024
            thread.start()
        }
    }

    private static func advance(by length: Int) throws {
        let chains = try StateEncoder(chain(length, 1))
        var bytes: [UInt8] = []
        try chains.advance(to: chain(length, 2), appendingPatchTo: &bytes)
        #expect(String(decoding: bytes.suffix(40), as: UTF8.self).hasSuffix(#""value":2,"old":1}]"#))
        let links = try StateEncoder(links(length, 1))
        try links.advance(to: Self.links(length, 2), appendingPatchTo: &bytes)
        #expect(String(decoding: bytes.suffix(40), as: UTF8.self).hasSuffix(#""value":2,"old":1}]"#))
    }

    @Test("a path as long as the limit fits into a usual stack, a deep one into that of a secondary thread")
    func withinLimit() async throws {
        try await onStack(ofKiB: 8_192 * Self.stackScale) { try Self.advance(by: 250) }
        try await onStack(ofKiB: 512 * Self.stackScale) { try Self.advance(by: 20) }
    }

    @Test("the message about a state that is too deep is one that can be read")
    func shortMessage() throws {
        let error = #expect(throws: StateEncodingError.self) { try StateEncoder(Self.chain(1_000, 0)) }
        let message = try #require(error?.diagnostic.message)
        #expect(message.count < 200 && message.contains("…") && message.contains("too deep"), "\(message)")
    }

    @Test("a state is recorded on a thread with a small stack, too", arguments: [64, 128, 192, 256])
    func smallStack(size: Int) async throws {
        struct Tree: Encodable, Sendable {
            var count = 0
            var links: Link
        }
        let (journal, recorder) = try TemporaryJournal.recording(.reproducible)
        let store = Store(Tree(links: Self.links(20, 0)), name: "tree", recorder: recorder)
        let patches = Log<String>()
        let subscription = store.subscribe(initially: false) { patches.add((try? $0.patch?.json) ?? "-") }
        // Eight times the smallest of them is not enough for the sanitizer's frames.
        let scaled = Self.stackScale == 1 ? size : (size + 64) * Self.stackScale
        try await onStack(ofKiB: scaled) { store.commit { $0.links = Self.links(20, 1) } }
        subscription.cancel()
        recorder.close()
        #expect(try journal.records("gap").isEmpty && journal.records("commit").count == 1)
        #expect(patches.entries.first?.contains(#""value":1,"old":0"#) ?? false)
        try journal.verify()
    }

    /// How much larger a stack has to be for the same depth: the thread sanitizer keeps its own state of a thread on it, and
    /// makes every frame larger.
    private static let stackScale = dlsym(nil, "__tsan_init") == nil ? 1 : 8

    @Test("beyond the limit is an error, on any stack", arguments: [512, 1_024, 8_192])
    func beyondLimit(size: Int) async throws {
        try await onStack(ofKiB: size) {
            let encoder = try StateEncoder(Self.links(3, 0))
            var bytes: [UInt8] = []
            let error = #expect(throws: StateEncodingError.self) {
                try encoder.advance(to: Self.links(1_000, 0), appendingPatchTo: &bytes)
            }
            if case .tooDeep(let limit) = error?.reason { #expect(limit <= 512) } else { Issue.record("another error") }
            #expect(throws: StateEncodingError.self) { try StateEncoder(Self.chain(1_000, 0)) }
        }
    }
}
