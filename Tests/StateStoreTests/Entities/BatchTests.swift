import JSONCore
import TestSupport
import Testing

@testable import EntityTables
@testable import StoreCore

@Suite("Batches")
struct BatchTests {
    private struct Refused: Error, Equatable {}

    private func store(_ recorder: Recorder? = nil) -> Store<LibraryState> {
        Store(LibraryState(library: .sample), name: "library", recorder: recorder)
    }

    @Test("a batch is one commit with the caller's location, and sees its own writes")
    func oneCommit() throws {
        let file = TemporaryJournal()
        let recorder = try Recorder(file.path)
        let store = store(recorder)
        let line = #line + 1
        let batch = store.batch(\.library) { library in
            library.books.upsert(Book(20, by: 1, genre: "poetry"))
            #expect(library.books.contains(20))
            library.shelf.insert(20, at: 0)
            return library.books.count
        }
        recorder.close()
        #expect(batch.result == 5 && store.version == 1)
        let record = try #require(try file.records("commit").first)
        #expect(try record.text("name") == "oneCommit()")
        guard case .object(let location)? = record["at"] else { throw Refused() }
        #expect(location.integer("line") == line)
        #expect(try location.text("file").hasSuffix("BatchTests.swift"))
        let patch = try JSONPatch(json: record["patch"] ?? .null)
        let paths = patch.operations.map(\.path.text)
        #expect(paths.contains("/library/books/20") && paths.contains("/library/booksByGenre/poetry/2"))
        #expect(store.state.library.shelf.first == 20)
    }

    @Test("a batch inside a commit that goes on after its error leaves the database as it was")
    func caught() {
        let store = store()
        store.commit { state in
            do {
                try state.library.batch { library throws(Refused) in
                    library.books.remove(10)
                    throw Refused()
                }
            } catch {
                state.count += 1
            }
            _ = try? state.library.books.batch { books throws(Refused) in
                books.removeAll()
                throw Refused()
            }
        }
        #expect(store.state == LibraryState(count: 1, library: .sample))
    }

    @Test("delete then insert of one identity keeps the insert, and its places; insert then delete leaves nothing")
    func lastWins() {
        let store = store()
        let batch = store.batch(\.library) { library in
            library.books.remove(10)
            library.books.insert(Book(10, by: 2, genre: "poetry", "again"))
            library.books.upsert(Book(30, by: 1))
            library.shelf.append(30)
            library.books.remove(30)
        }
        let library = store.state.library
        #expect(library.books[10]?.title == "again" && library.books[30] == nil)
        #expect(library.shelf.ids == [12, 10, 11] && library.booksByAuthor[2].contains(10))
        #expect(library.tags["new"] == [13, 10])
        #expect(batch.updatedIDs(\.books) == [10] && batch.deletedIDs(\.books).isEmpty)
        let other = store.batch(\.library) { library in
            library.books.upsert(Book(10, by: 1))
            library.books.remove(10)
        }
        #expect(other.deletedIDs(\.books) == [10] && !store.state.library.shelf.contains(10))
    }

    @Test("a renamed entity is listed under its new identity where it had the old one, in every index")
    func renamed() {
        let store = store()
        let batch = store.batch(\.library) { library in
            library.books.upsert(Book(14, by: 1, genre: "poetry"))
            library.tags.setGroup("new", to: [13, 10, 12])
            library.favourites.insert(10)
            library.books.rename(10, to: 90) { $0.title = "saved" }
            library.books.rename(90, to: 91)
            #expect(library.books[10] == nil && library.books[91]?.title == "saved")
            library.authors.rename(1, to: 7)
            library.books.updateAll { if $0.authorID == 1 { $0.authorID = 7 } }
        }
        #expect(batch.deletedIDs(\.books) == [10] && batch.updatedIDs(\.books) == [11, 14, 91])
        let library = store.state.library
        #expect(library.shelf.ids == [12, 91, 11] && library.favourites.ids == [91, 11, 13])
        #expect(library.booksByGenre["poetry"] == [91, 12, 14] && library.tags["new"] == [13, 91, 12])
        #expect(library.booksByAuthor[7] == [91, 11, 14] && library.booksByAuthor[1].isEmpty)
        #expect(library.readingLists[7] == [12, 11] && library.readingLists[1].isEmpty)
        store.batch(\.library) { library in
            library.books.upsert(Book(10, by: 2, genre: "crime"))
            library.shelf.append(10)
        }
        #expect(store.state.library.shelf.ids == [12, 91, 11, 10], "what was renamed before is over")
        store.batch(\.library) { $0.authors.rename(7, to: 8) }
        #expect(store.state.library.booksByAuthor[8].isEmpty, "the books still name 7")
        store.batch(\.library) { $0.authors.rename(8, to: 7) }
        #expect(Set(store.state.library.booksByAuthor[7]) == [91, 11, 14])
    }

    @Test("an entity that has the new identity gives way to the renamed one, in every index too")
    func renamedOver() {
        let store = store()
        store.batch(\.library) { library in
            library.books.rename(10, to: 12)
            library.books.rename(99, to: 1)
        }
        let library = store.state.library
        #expect(library.books.count == 3 && library.books[12]?.authorID == 1)
        #expect(library.shelf.ids == [12, 11] && library.booksByGenre["poetry"] == [12])
        #expect(library.booksByAuthor[1] == [12, 11] && library.booksByAuthor[2] == [13])
        #expect(library.tags["new"] == [13, 12] && library.readingLists[1] == [12, 11])
    }

    @Test("an entity that gives way after it was renamed leaves its places to no other")
    func renamedThenReplaced() {
        let store = store()
        store.batch(\.library) { library in
            library.books.rename(10, to: 90)
            library.books.rename(13, to: 90)
        }
        let library = store.state.library
        #expect(library.books.count == 3 && library.books[90]?.authorID == 2)
        #expect(library.shelf.ids == [12, 11] && library.favourites.ids == [11, 90])
        #expect(library.booksByAuthor[1] == [11] && library.booksByAuthor[2] == [12, 90])
    }

    @Test("looking up a relation gives an optional: nil where it leads to nothing any more")
    func relations() throws {
        var library = Library.sample
        library.books[10]?.editorID = 2
        let book = try #require(library.books[10])
        #expect(library.belongsTo(book, \.authorID, in: \.authors)?.name == "Ann")
        #expect(library.belongsTo(book, \.editorID, in: \.authors)?.name == "Ben")
        library.batch { $0.authors.removeAll() }
        #expect(library.belongsTo(book, \.authorID, in: \.authors) == nil)
        #expect(library.belongsTo(book, \.editorID, in: \.authors) == nil)
        #expect(library.belongsTo(Book(1, by: 1), \.editorID, in: \.authors) == nil)
        #expect(library.books.ordered(by: library.booksByAuthor[1]).isEmpty)
    }

    @Test("a sink sees which entities of a table changed")
    func sinks() {
        let store = store()
        let log = Log<(updated: Set<Book.ID>, deleted: Set<Book.ID>)>()
        let subscription = store.subscribe { changes in
            log.add((changes.updatedIDs(\.library.books), changes.deletedIDs(\.library.books)))
        }
        store.batch(\.library) { library in
            library.books.remove(13)
            library.books[10]?.title = "new"
        }
        store.commit { $0.count += 1 }
        withExtendedLifetime(subscription) {}
        #expect(log.entries.map(\.updated) == [[10, 11, 12, 13], [10], []])
        #expect(log.entries.map(\.deleted) == [[], [13], []])
    }

    @Test("batches do to a store what the same writes do to dictionaries", arguments: seeds(1..<4))
    func model(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let store = store()
        var model = Dictionary(uniqueKeysWithValues: Library.sample.books.map { ($0.id, $0) })
        for step in 0..<100 {
            let before = model
            let fails = random.below(5) == 0
            let batch = try? store.batch(\.library.books) { books in
                for _ in 0..<random.below(8) {
                    let id = Book.ID(random.below(20))
                    if random.below(3) == 0 {
                        #expect(books.remove(id) == model.removeValue(forKey: id))
                    } else {
                        let book = Book(id, by: 1, "step \(step)")
                        #expect(books.upsert(book) == model.updateValue(book, forKey: id))
                    }
                    #expect(books.count == model.count)
                }
                if fails { throw Refused() }
            }
            #expect((batch == nil) == fails)
            if fails { model = before }
            let books = store.state.library.books
            #expect(Dictionary(uniqueKeysWithValues: books.map { ($0.id, $0) }) == model, "seed \(seed), step \(step)")
            guard let batch else { continue }
            #expect(batch.deletedIDs == Set(before.keys).subtracting(model.keys))
            #expect(batch.updatedIDs == Set(model.keys.filter { model[$0] != before[$0] }))
        }
    }
}
