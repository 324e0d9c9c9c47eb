import StateStore

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
