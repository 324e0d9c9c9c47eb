import StateStore
import TestSupport

/// How the identities of a test are hashed, bit by bit.
protocol HashStyle: Sendable {
    static func bits(of number: Int) -> UInt
}

/// Each number its own bits: neighbours stand side by side in the root.
enum Sequential: HashStyle { static func bits(of number: Int) -> UInt { UInt(bitPattern: number) } }
/// One hash for all.
enum Constant: HashStyle { static func bits(of number: Int) -> UInt { 5 } }
/// Three hashes for all.
enum Crowded: HashStyle { static func bits(of number: Int) -> UInt { UInt(bitPattern: number % 3) } }
/// Hashes that part only in their last bits, so that a pair has a long way above it.
enum Deep: HashStyle {
    static func bits(of number: Int) -> UInt { UInt(bitPattern: number % 4) &<< UInt(UInt.bitWidth - 2) | 7 }
}
/// Pairs that part in the third level.
enum Paired: HashStyle {
    static func bits(of number: Int) -> UInt { UInt(bitPattern: number / 2) | UInt(bitPattern: number % 2) << 10 }
}
/// Well mixed, in two ways.
enum Mixed: HashStyle {
    static func bits(of number: Int) -> UInt { UInt(bitPattern: number) &* 0x9E37_79B9 ^ 0xABCD }
}
enum OtherMixed: HashStyle {
    static func bits(of number: Int) -> UInt { UInt(bitPattern: number + 77) &* 0x85EB_CA6B ^ 0x1234 }
}

/// A number with chosen bits for a hash.
struct StyledID<Style: HashStyle>: Hashable, Codable, Sendable, RawRepresentable, Comparable {
    var rawValue: Int
    init(rawValue: Int) { self.rawValue = rawValue }
    init(_ rawValue: Int) { self.rawValue = rawValue }
    static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    func hash(into hasher: inout Hasher) { hasher.combine(Style.bits(of: rawValue)) }
    func _rawHashValue(seed: Int) -> Int { Int(bitPattern: Style.bits(of: rawValue)) }
}

/// An entity of these tests; its text is on the heap, so that a wrong copy or a lost one is noticed.
struct Thing<Style: HashStyle>: Identifiable, Codable, Hashable, Sendable {
    var id: StyledID<Style>
    var text: String
    var flag = false

    init(_ number: Int, _ version: Int = 0) {
        id = StyledID(number)
        text = "the text of thing \(number) in version \(version)"
    }
}

typealias Things<Style: HashStyle> = EntityTable<Thing<Style>>

extension SeededGenerator {
    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(bound, 1), using: &self) }
}

struct Author: Identifiable, Codable, Equatable, Sendable {
    typealias ID = EntityID<Author, Int>
    var id: ID
    var name = "an author"
}

struct Book: Identifiable, Codable, Equatable, Sendable {
    typealias ID = EntityID<Book, Int>
    var id: ID
    var authorID: Author.ID
    var editorID: Author.ID?
    var genre: String?
    var title: String

    init(_ id: ID, by author: Author.ID, genre: String? = nil, _ title: String = "a title") {
        (self.id, authorID, self.genre, self.title) = (id, author, genre, title)
    }
}

/// Tables with indexes of every kind.
struct Library: EntityDatabase, Codable, Equatable {
    var books = EntityTable<Book>()
    var authors = EntityTable<Author>()
    var shelf = OrderedIndex<Book>()
    var favourites = SetIndex<Book>()
    var booksByGenre = GroupIndex<String, Book>()
    var tags = GroupIndex<String, Book>()
    var booksByAuthor = RelationIndex<Author, Book>()
    var readingLists = RelationIndex<Author, Book>()

    static var indexes: [IndexRule<Library>] {
        [
            .ordered(\.shelf, of: \.books),
            .set(\.favourites, of: \.books),
            .grouped(\.booksByGenre, of: \.books, by: \.genre),
            .grouped(\.tags, of: \.books),
            .related(\.booksByAuthor, of: \.books, to: \.authors, by: \.authorID),
            .related(\.readingLists, of: \.books, to: \.authors),
        ]
    }

    /// Two authors, four books, something in every index.
    static var sample: Library {
        var library = Library()
        library.batch { library in
            library.authors.upsert(contentsOf: [Author(id: 1, name: "Ann"), Author(id: 2, name: "Ben")])
            library.books.upsert(contentsOf: [
                Book(10, by: 1, genre: "poetry"), Book(11, by: 1, genre: "crime"), Book(12, by: 2, genre: "poetry"),
                Book(13, by: 2),
            ])
            library.shelf = [12, 10, 11]
            library.favourites = [11, 13]
            library.tags.setGroup("new", to: [13, 10])
            library.readingLists.setGroup(1, to: [12, 11])
        }
        return library
    }
}

struct LibraryState: Codable, Equatable, Sendable {
    var count = 0
    var library = Library()
}
