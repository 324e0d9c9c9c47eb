import Foundation
import Testing

@testable import EntityTables

@Suite("Entity tables")
struct EntityTableTests {
    struct User: Identifiable, Codable, Equatable, Hashable, Sendable {
        typealias ID = EntityID<User, Int>
        var id: ID
        var name: String
        var friendID: ID?

        init(_ id: ID, _ name: String, friend: ID? = nil) { (self.id, self.name, friendID) = (id, name, friend) }
    }

    private var users: EntityTable<User> { [User(1, "Ann"), User(2, "Ben", friend: 1), User(30, "Cy", friend: 99)] }

    @Test("an entity is given another identity, whether that is a constant or computed from what is stored")
    func renaming() {
        struct Draft: Identifiable, Codable, Equatable, Sendable {
            var parent = 7
            let id: Int
            var text = ""
        }
        struct Tag: Identifiable, Codable, Equatable, Sendable {
            var name: String
            var id: String { "#" + name }
        }
        var table = users
        let found = [table.rename(2, to: 40) { $0.name = "Bob" }, table.rename(2, to: 41)]
        #expect(found == [true, false])
        #expect(table == [User(1, "Ann"), User(40, "Bob", friend: 1), User(30, "Cy", friend: 99)])
        table.rename(1, to: 30)
        #expect(table == [User(30, "Ann"), User(40, "Bob", friend: 1)])
        table.rename(30, to: 30)
        let before = table
        table.rename(30, to: 7)
        #expect(before[30] != nil && table.count == 2 && table.changes(since: before).insertedIDs == [7])
        var drafts: EntityTable = [Draft(id: 7), Draft(id: 1)]
        drafts.rename(7, to: 8)
        #expect(drafts == [Draft(id: 8), Draft(id: 1)])
        var tags: EntityTable = [Tag(name: "a")]
        tags.rename("#a", to: "#b") { $0.name = "b" }
        #expect(tags["#b"] != nil && tags.count == 1)
        for number in 0..<1_000 { drafts.rename(8 + number, to: 9 + number) }
        #expect(drafts.count == 2 && drafts.renames.count < 50)
    }

    @Test("an edit that changes an identity traps with words that name what to call")
    func changedIdentity() async {
        for result in [
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                var table: EntityTable = [EntityTableTests.User(1, "Ann")]
                table[1]?.id = 5
            },
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                var table: EntityTable = [EntityTableTests.User(1, "Ann")]
                table.update(1) { $0.id = 5 }
            },
        ] {
            #expect(result.errors.contains("a table knows it by that: call 'rename(1, to: 5)'"))
        }
    }

    @Test("the verbs of an adapter: insert keeps, upsert replaces, update changes what is there, setAll is the whole")
    func verbs() {
        var table = users
        #expect(!table.insert(User(1, "Other")) && table[1]?.name == "Ann")
        #expect(table.upsert(User(1, "Other"))?.name == "Ann")
        table.insert(contentsOf: [User(1, "no"), User(5, "Eve")])
        table.upsert(contentsOf: [User(2, "Ben 2"), User(6, "Fay")])
        #expect(
            table.update(5) {
                $0.name += "!"; return $0.name
            } == "Eve!")
        #expect(table.update(77) { $0.name = "" } == nil)
        table.update([1, 77, 6]) { $0.name += "?" }
        #expect(table.sorted(by: \.id).map(\.name) == ["Other?", "Ben 2", "Eve!", "Fay?", "Cy"])
        table.updateAll { $0.friendID = nil }
        #expect(table.allSatisfy { $0.friendID == nil })
        table.removeAll { $0.name.hasSuffix("?") }
        table.remove(contentsOf: [5, 77])
        #expect(table == [User(2, "Ben 2"), User(30, "Cy")])
        table.setAll([User(30, "Cy"), User(8, "Gus")])
        #expect(table == [User(8, "Gus"), User(30, "Cy")])
        table.removeAll()
        #expect(table.isEmpty && table == [])
    }

    @Test("setting all leaves what stays where it is, so that it costs nothing in a difference")
    func settingAll() {
        let table = EntityTable((0..<1_000).map { User(EntityID($0), "user \($0)") })
        var next = table
        next.setAll((0..<1_000).map { User(EntityID($0), $0 == 7 ? "other" : "user \($0)") })
        #expect(next.changes(since: table).updatedIDs == [7])
        next.setAll((0..<1_000).map { User(EntityID($0), "user \($0)") })
        #expect(next == table)
    }

    /// Equal by its id alone, as the entities of many apps are.
    private struct Song: Identifiable, Codable, Equatable, Sendable {
        var id: Int
        var artist = 7
        var title: String
        static func == (left: Song, right: Song) -> Bool { left.id == right.id }
    }

    @Test("what a table keeps, and what differs in it, is decided by what entities hold, whatever their '==' says")
    func ownEquality() {
        let old = EntityTable([Song(id: 1, title: "old"), Song(id: 2, title: "a title that is not in its words")])
        var table = old
        table.setAll([Song(id: 1, title: "new"), Song(id: 2, title: "a title that is not " + "in its words")])
        #expect(table[1]?.title == "new" && table != old)
        #expect(table.changes(since: old).updatedIDs == [1])
        var batch = table.batch { $0[2]?.artist = 8 }
        #expect(batch.updatedIDs == [2])
        batch = table.batch { $0.upsert(Song(id: 2, artist: 9, title: "x")) }
        #expect(batch.updatedIDs == [2] && table[2]?.artist == 9)
        table.setAll(Array(table))
        #expect(table.changes(since: table).isEmpty)
        let nested = EntityTable([Album(id: 1, songs: old)])
        var next = nested
        next[1]?.songs[1]?.title = "new"
        #expect(next.changes(since: nested).updatedIDs == [1] && next != nested)
    }

    private struct Album: Identifiable, Codable, Equatable, Sendable {
        var id: Int
        var songs: EntityTable<Song>
        static func == (left: Album, right: Album) -> Bool { left.id == right.id }
    }

    @Test("a table of entities that cannot be taken apart is equal by their '=='")
    func referenceEquality() {
        final class Cover: Codable, Sendable {}
        struct Disc: Identifiable, Codable, Equatable, Sendable {
            var id: Int
            var cover = Cover()
            static func == (left: Disc, right: Disc) -> Bool { left.id == right.id }
        }
        let (one, other) = (EntityTable([Disc(id: 1)]), EntityTable([Disc(id: 1)]))
        #expect(one == other && other != EntityTable([Disc(id: 2)]))
        #expect(one.changes(since: other).updatedIDs == [1], "another cover may be another one")
    }

    @Test("entities come in the order of identities that are kept apart, without those that are gone")
    func order() { #expect(users.ordered(by: [30, 99, 1]).map(\.name) == ["Cy", "Ann"]) }

    @Test("a sort breaks ties by the identity, so that it is the same in each process")
    func sorting() {
        let table = EntityTable((0..<100).map { User(EntityID($0), $0 % 2 == 0 ? "even" : "odd") })
        #expect(
            table.sorted(by: \.name).map(\.id.rawValue) == Array(stride(from: 0, to: 100, by: 2))
                + Array(stride(from: 1, to: 100, by: 2)))
        #expect(table.sorted(by: \.name) { $0 > $1 }.first?.id == 1)
    }

    @Test("identities of two types of entity are two types")
    func typedIdentities() {
        struct Book: Identifiable { var id: EntityID<Book, String> }
        let id: Book.ID = "moby"
        #expect(id.description == "moby" && id < "mole" && id == EntityID(rawValue: "moby"))
        #expect((id as Any) is EntityID<Book, String> && !((id as Any) is EntityID<User, String>))
    }

    @Test(
        "a table is an object of its identities' texts in ascending order, and reads back",
        arguments: [[], [1], [2, 10, 1]])
    func coding(ids: [Int]) throws {
        let table = EntityTable(ids.map { User(EntityID($0), "u\($0)") })
        let bytes = try JSONEncoder().encode(table)
        #expect(try JSONDecoder().decode(EntityTable<User>.self, from: bytes) == table)
        let texts = ids.map { "\($0)" }.sorted()
        let members = texts.map { #""\#($0)":{"id":\#($0),"name":"u\#($0)","friendID":null}"# }
        #expect(try encodedText(table) == "{\(members.joined(separator: ","))}")
    }

    @Test("an entity under another one's text is refused")
    func misplaced() {
        let text = #"{"2":{"id":1,"name":"Ann"}}"#
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(EntityTable<User>.self, from: Data(text.utf8))
        }
    }

    @Test("an update that throws leaves the entity as it was, whatever it did to it")
    func throwingUpdate() {
        struct Refused: Error {}
        struct Row: Identifiable, Codable, Equatable, Sendable {
            var id: Int
            var values = [1, 2]
        }
        var table = EntityTable([Row(id: 1), Row(id: 3)])
        let before = table
        #expect(throws: Refused.self) {
            try table.update(1) { row throws(Refused) in
                row.id = 2
                row.values = []
                throw Refused()
            }
        }
        #expect(table == before && table[1] == Row(id: 1) && table[2] == nil && table.count == 2)
        #expect(throws: Refused.self) {
            try table.updateAll { row throws(Refused) in
                row.values.append(3)
                if row.id == 3 { throw Refused() }
            }
        }
        #expect(table[3] == Row(id: 3))
    }
}
