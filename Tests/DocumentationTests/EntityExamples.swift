import StateStore
import Synchronization
import Testing

/// The code of the pages `EntityTables`, `Indexes` and `DiffingLists`.
struct EntityExamples {
    struct Author: Identifiable, Codable, Equatable, Sendable {
        var id: EntityID<Author, Int>
        var name: String
    }

    struct Book: Identifiable, Codable, Equatable, Sendable {
        var id: EntityID<Book, Int>
        var authorID: Author.ID
        var title: String
    }

    struct Library: EntityDatabase {
        var books = EntityTable<Book>()
        var authors = EntityTable<Author>()
        var shelf = OrderedIndex<Book>()
        var booksInOrder = OrderedIndex<Book>()
        var lent = SetIndex<Book>()
        var booksByTitle = GroupIndex<String, Book>()
        var booksByAuthor = RelationIndex<Author, Book>()

        static var indexes: [IndexRule<Library>] {
            [
                .ordered(\.shelf, of: \.books),
                .sorted(\.booksInOrder, of: \.books, by: \.title),
                .set(\.lent, of: \.books),
                .grouped(\.booksByTitle, of: \.books, by: \.title),
                .related(\.booksByAuthor, of: \.books, to: \.authors, by: \.authorID),
            ]
        }
    }

    struct TableState: Encodable, Sendable {
        var books: EntityTable<Book> = [Book(id: 1, authorID: 7, title: "Sanditon")]
    }

    struct LibraryState: Encodable, Sendable {
        var library = Library()
    }

    struct Row: Identifiable, Equatable {
        var id: Int
        var title = ""
    }

    @Test("a table is edited by identity")
    func tables() {
        var books = EntityTable<Book>()
        books.upsert(Book(id: 1, authorID: 7, title: "Emma"))
        books[1]?.title = "Persuasion"
        books.update(1) { $0.authorID = 8 }
        books.insert(Book(id: 1, authorID: 7, title: "left alone"))
        #expect(books[1]?.title == "Persuasion")
        #expect(books[2] == nil)
        books.rename(1, to: 1_001) { $0.title = "Northanger Abbey" }
        #expect(books[1] == nil && books[1_001]?.title == "Northanger Abbey")
    }

    @Test("a batch tells what it did, and so do changes")
    func batches() {
        let store = Store(TableState(), recorder: nil)
        let redrawn = Mutex<Set<EntityID<Book, Int>>>([])
        let redraw = { @Sendable (ids: Set<EntityID<Book, Int>>) in redrawn.withLock { $0 = ids } }
        let subscription = store.subscribe(initially: false) { changes in
            redraw(changes.updatedIDs(\.books))
        }
        let batch = store.batch(\.books) { books in
            books.remove(1)
            books.upsert(Book(id: 2, authorID: 7, title: "Emma"))
            return books.count
        }
        #expect(batch.result == 1)
        #expect(batch.updatedIDs == [2] && batch.deletedIDs == [1])
        withExtendedLifetime(subscription) { #expect(redrawn.withLock { $0 } == [2]) }
    }

    @Test("indexes follow their tables, and give the rows of a view")
    func indexes() {
        let store = Store(LibraryState(), recorder: nil)
        store.batch(\.library) { library in
            library.authors.upsert(Author(id: 7, name: "Jane"))
            library.books.upsert(contentsOf: [
                Book(id: 1, authorID: 7, title: "Emma"), Book(id: 2, authorID: 7, title: "Persuasion"),
            ])
            library.shelf.append(contentsOf: [2, 1])
        }
        #expect(store.state.library.booksInOrder.ids == [1, 2])
        store.batch(\.library) { $0.books.remove(2) }
        let library = store.state.library
        #expect(library.shelf.ids == [1])
        #expect(library.booksByAuthor[7] == [1])
        let shown = library.books.ordered(by: library.booksByAuthor[7])
        let author = library.belongsTo(shown[0], \.authorID, in: \.authors)
        #expect(author?.name == "Jane")
    }

    @Test("a difference has the indices of a table view")
    func lists() {
        let old = [Row(id: 1), Row(id: 2), Row(id: 3)]
        let new = [Row(id: 3), Row(id: 1, title: "changed"), Row(id: 4)]
        let difference = ListDifference(from: old, to: new)
        #expect(difference.deletes == [1])
        #expect(difference.inserts == [2])
        #expect(difference.moves.map(\.old) == [2] && difference.moves.map(\.new) == [0])
        #expect(difference.updates.map(\.new) == [1])
    }

    @Test("an order is compared by its identities")
    func orders() {
        let store = Store(LibraryState(), recorder: nil)
        store.batch(\.library) { library in
            library.books = [Book(id: 1, authorID: 7, title: "Emma"), Book(id: 2, authorID: 7, title: "Persuasion")]
            library.shelf = [1, 2]
        }
        let before = store.state.library.shelf.ids
        let batch = store.batch(\.library) { library in
            library.books[1]?.title = "Emma, revised"
            library.shelf.append(library.shelf.removeFirst())
        }
        let after = store.state.library.shelf.ids
        let rows = ListDifference(ids: before, to: after, updated: batch.updatedIDs(\.books))
        #expect(rows.moves.count == 1 && rows.updates.count == 1)
    }
}
