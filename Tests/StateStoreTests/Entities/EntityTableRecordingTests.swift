import Foundation
import JSONCore
import JournalFormat
import Synchronization
import TestSupport
import Testing

@testable import EntityTables
@testable import StateEncoding
@testable import StoreCore

@Suite("Entity tables in a journal")
struct EntityTableRecordingTests {
    struct State<Style: HashStyle>: Codable, Equatable, Sendable {
        var count = 0
        var users = Things<Style>()
    }

    @Test("a commit's patch names what changed in which entity")
    func paths() throws {
        var state = State<Mixed>(users: Things((0..<50).map { Thing($0) }))
        let probe = try EncodingProbe(state)
        state.users[StyledID(42)]?.flag = true
        #expect(try probe.advance(to: state) == #"[{"op":"replace","path":"/users/42/flag","value":true,"old":false}]"#)
        state.users.remove(StyledID(9))
        state.users.upsert(Thing(100))
        state.users[StyledID(10)]?.flag = true
        let patch = try JSONPatch(json: JSONParser.parse(try probe.advance(to: state)))
        #expect(patch.operations.map(\.path.text) == ["/users/10/flag", "/users/100", "/users/9"])
        #expect(try probe.advance(to: state) == "[]")
    }

    /// The patches of some edits that are the same but for the hashes.
    private func patches<Style: HashStyle>(_ style: Style.Type) throws -> [String] {
        var random = SeededGenerator(seed: 4)
        var state = State<Style>(users: Things((0..<100).map { Thing($0) }))
        let probe = try EncodingProbe(state)
        var patches = [try encodedText(state)]
        for step in 0..<40 {
            for _ in 0..<5 {
                let number = random.below(130)
                if random.below(3) == 0 {
                    state.users.remove(StyledID(number))
                } else {
                    state.users.upsert(Thing(number, step))
                }
            }
            patches.append(try probe.advance(to: state, "step \(step)"))
        }
        return patches
    }

    @Test("the bytes of a journal do not depend on the hashes")
    func determinism() throws {
        let expected = try patches(Mixed.self)
        #expect(try patches(OtherMixed.self) == expected)
        #expect(try patches(Crowded.self) == expected)
        #expect(try patches(Deep.self) == expected)
    }

    /// Counts how often its values are encoded.
    struct Counted: Encodable, Identifiable, Sendable {
        static let encodings = Synchronization.Atomic(0)
        var id: Int
        var value = 0
        enum CodingKeys: String, CodingKey { case id, value }
        func encode(to encoder: any Encoder) throws {
            Counted.encodings.add(1, ordering: .relaxed)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(id, forKey: .id)
            try container.encode(value, forKey: .value)
        }
    }

    struct CountedState: Encodable, Sendable {
        var count = 0
        var table = EntityTable((0..<1_000).map { Counted(id: $0) })
    }

    @Test("a commit encodes the entity that it changed, before and after, and no other; a scalar's commit none")
    func encodings() throws {
        var state = CountedState()
        let encoder = try StateEncoder(state)
        var bytes: [UInt8] = []
        Counted.encodings.store(0, ordering: .relaxed)
        state.count = 1
        try encoder.advance(to: state, appendingPatchTo: &bytes)
        #expect(Counted.encodings.exchange(0, ordering: .relaxed) == 0)
        state.table[500]?.value = 1
        try encoder.advance(to: state, appendingPatchTo: &bytes)
        #expect(Counted.encodings.exchange(0, ordering: .relaxed) == 2)
        state.table[5_000] = Counted(id: 5_000)
        state.table[3] = nil
        try encoder.advance(to: state, appendingPatchTo: &bytes)
        #expect(Counted.encodings.exchange(0, ordering: .relaxed) == 2)
    }

    @Test("a table is as plain as its entities")
    func plainness() {
        final class Node: Sendable {}
        struct Odd: Identifiable, Encodable, Sendable {
            var id: Int
            var node = Node()
            enum CodingKeys: String, CodingKey { case id }
        }
        #expect(PlainTypes.contains(Things<Mixed>.self))
        #expect(!PlainTypes.contains(EntityTable<Odd>.self))
    }

    /// What is behind a reference, so that its bytes say nothing.
    struct Box: Encodable, Sendable {
        private final class Content: Sendable {
            let value: Int
            init(_ value: Int) { self.value = value }
        }
        private let content: Content
        init(_ value: Int) { content = Content(value) }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(content.value)
        }
    }
    struct Boxed: Identifiable, Encodable, Sendable {
        var id: Int
        var box: Box
    }

    @Test("entities that hold references are compared by what they encode")
    func references() throws {
        var table = EntityTable((0..<20).map { Boxed(id: $0, box: Box($0)) })
        let probe = try EncodingProbe(table)
        table[3] = Boxed(id: 3, box: Box(3))
        #expect(try probe.advance(to: table) == "[]")
        table[4] = Boxed(id: 4, box: Box(44))
        #expect(try probe.advance(to: table) == #"[{"op":"replace","path":"/4/box","value":44,"old":4}]"#)
        table[5] = nil
        try probe.advance(to: table)
    }

    struct Keyed<ID: Hashable & Codable & Sendable>: Identifiable, Codable, Sendable {
        var id: ID
        var value = 0
    }

    private func member<ID: Hashable & Codable & Sendable>(_ id: ID) throws -> String {
        var table = EntityTable<Keyed<ID>>()
        let probe = try EncodingProbe(table)
        table.upsert(Keyed(id: id))
        let patch = try JSONPatch(json: JSONParser.parse(try probe.advance(to: table)))
        return patch.operations.first?.path.segments.first ?? "none"
    }

    enum Fruit: String, Codable { case apple }
    struct Place: Codable, Hashable { var row: Int; var column: Int }

    @Test("identities of any kind are their texts")
    func keys() throws {
        #expect(try member(42) == "42")
        #expect(try member("a/b~c") == "a/b~c")
        #expect(try member(EntityID<Fruit, Int>(7)) == "7")
        #expect(try member(Fruit.apple) == "apple")
        #expect(try member(Place(row: 1, column: 2)) == #"{"column":2,"row":1}"#)
        let uuid = UUID()
        #expect(try member(uuid) == uuid.uuidString)
        #expect(try member(EntityID<Fruit, UUID>(uuid)) == uuid.uuidString)
    }

    /// Two of these may have one text.
    struct Rounded: Hashable, Codable, CustomStringConvertible, LosslessStringConvertible {
        var value: Int
        init(_ value: Int) { self.value = value }
        init?(_ description: String) { self.init((Int(description) ?? 0) * 10) }
        var description: String { "\(value / 10)" }
    }

    @Test("two identities with one text are an error, when they come and when the table is recorded whole")
    func repeatedTexts() throws {
        var table = EntityTable((0..<30).map { Keyed(id: Rounded($0 * 10)) })
        let encoder = try StateEncoder(table)
        var bytes: [UInt8] = []
        table.upsert(Keyed(id: Rounded(41)))
        #expect(throws: StateEncodingError.self) { try encoder.advance(to: table, appendingPatchTo: &bytes) }
        #expect(throws: StateEncodingError.self) { try StateEncoder(table) }
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(table) }
        table.remove(Rounded(40))
        try encoder.reset(to: table)
        table.upsert(Keyed(id: Rounded(1_000)))
        try encoder.advance(to: table, appendingPatchTo: &bytes)
    }

    @Test("an identity that gives way to another one of its text is a change of one member")
    func replacedText() throws {
        var table = EntityTable((0..<30).map { Keyed(id: Rounded($0 * 10 + 1)) })
        let probe = try EncodingProbe(table)
        table.upsert(Keyed(id: Rounded(555)))
        try probe.advance(to: table)
        table.remove(Rounded(41))
        table.upsert(Keyed(id: Rounded(42), value: 5))
        #expect(try probe.advance(to: table).contains(#""path":"/4/value","value":5"#))
        table.remove(Rounded(42))
        try probe.advance(to: table)
        table.upsert(Keyed(id: Rounded(43)))
        try probe.advance(to: table)
    }

    @Test("a renamed entity is a member that goes and one that comes, in a patch that replays")
    func renamed() throws {
        var table = EntityTable((0..<30).map { Keyed(id: "key \($0)", value: $0) })
        let probe = try EncodingProbe(table)
        table.rename("key 3", to: "key 300")
        let patch = try probe.advance(to: table)
        #expect(patch.contains(#""path":"/key 300""#) && patch.contains(#""path":"/key 3""#))
        table.rename("key 4", to: "key 5")
        try probe.advance(to: table)
    }

    @Test("an identity in another form of Unicode is another member")
    func unicode() throws {
        var table: EntityTable = [Keyed(id: "caf\u{e9}")]
        let encoder = try StateEncoder(table)
        table.upsert(Keyed(id: "cafe\u{301}"))
        #expect(table.count == 1)
        var bytes: [UInt8] = []
        try encoder.advance(to: table, appendingPatchTo: &bytes)
        let patch = try JSONPatch(json: JSONParser.parse(bytes))
        #expect(patch.operations.count == 2)
        var value = try JSONParser.parse(#"{"caf\u00e9":{"id":"caf\u00e9","value":0}}"#)
        try patch.apply(to: &value)
        #expect(value == (try JSONParser.parse(encodedText(table))))
    }
}
