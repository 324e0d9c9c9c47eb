import Foundation
import TestSupport
import Testing

@testable import EntityTables
@testable import StoreCore

@Suite("Indexes of entity tables")
struct IndexTests {
    @Test("an order is changed like an array and loses what is deleted")
    func ordered() {
        var library = Library.sample
        library.batch { library in
            library.shelf.append(13)
            library.shelf.move(from: 0)
            library.books.remove(10)
        }
        #expect(library.shelf.ids == [11, 13, 12])
        library.shelf.remove(13)
        library.shelf[0] = 12
        #expect(Array(library.shelf) == [12, 12])
        #expect(library.books.ordered(by: library.shelf).map(\.id) == [12, 12])
    }

    @Test("a set loses what is deleted")
    func set() {
        var library = Library.sample
        library.batch { library in
            library.favourites.insert(10)
            library.favourites.toggle(12)
            library.favourites.toggle(13)
            library.books.remove(11)
        }
        #expect(library.favourites == [10, 12])
        #expect(library.favourites.contains(10) && !library.favourites.contains(11))
    }

    @Test("an index that no batch ever checks keeps no more than it holds")
    func unchecked() {
        var (shelf, favourites) = (OrderedIndex<Book>(), SetIndex<Book>())
        for round in 0..<1_000 {
            shelf.append(Book.ID(rawValue: round))
            if shelf.count > 5 { shelf.removeFirst() }
            favourites.toggle(Book.ID(rawValue: round % 3))
        }
        #expect(shelf.count == 5 && shelf.unchecked.count <= 2 * shelf.count + 16)
        #expect(favourites.unchecked.count <= favourites.count)
    }

    @Test("a group that is changed by plain edits costs the same at any time")
    func uncheckedGroups() {
        var tags = GroupIndex<String, Book>()
        for round in 0..<1_000 {
            tags.insert(Book.ID(rawValue: round), into: "new")
            tags.remove(Book.ID(rawValue: round - 3), from: "new")
        }
        #expect(tags["new"] == [997, 998, 999] && tags.isChecked == false)
        tags.removeGroup("new")
        #expect(tags.isChecked)
    }

    @Test("to follow the tables anew leaves the order in groups as it is")
    func reindexKeepsOrder() {
        var library = Library.sample
        library.batch { library in
            library.books[10]?.genre = "crime"
            library.books[10]?.genre = "crime"
        }
        library.batch { $0.books[10]?.genre = "poetry" }
        #expect(library.booksByGenre["poetry"] == [12, 10])
        library.reindex()
        #expect(library.booksByGenre["poetry"] == [12, 10])
        library.books.remove(12)
        library.books[11]?.genre = "poetry"
        library.reindex()
        #expect(library.booksByGenre["poetry"] == [10, 11] && library.booksByGenre["crime"] == [])
    }

    /// Equal by its id alone.
    private struct Song: Identifiable, Codable, Equatable, Sendable {
        var id: Int
        var artist: Int
        static func == (left: Song, right: Song) -> Bool { left.id == right.id }
    }

    private struct Artist: Identifiable, Codable, Equatable, Sendable { var id: Int }

    private struct Music: EntityDatabase, Codable, Equatable {
        var songs = EntityTable<Song>()
        var artists: EntityTable<Artist> = [Artist(id: 7), Artist(id: 8)]
        var byArtist = GroupIndex<Int, Song>()
        var related = RelationIndex<Artist, Song>()
        static var indexes: [IndexRule<Music>] {
            [
                .grouped(\.byArtist, of: \.songs, by: \.artist),
                .related(\.related, of: \.songs, to: \.artists, by: \.artist),
            ]
        }
    }

    @Test("a member moves to another group when its key differs, whatever its '==' says")
    func ownEquality() {
        let store = Store(Music(), recorder: nil)
        let seen = Log<Set<Int>>()
        let link = store.subscribe(\.byArtist, initially: false) { seen.add(Set($0[8])) }
        store.batch(\.self) { $0.songs.upsert(Song(id: 1, artist: 7)) }
        #expect(store.byArtist[7] == [1] && store.related[7] == [1])
        let batch = store.batch(\.self) { $0.songs[1]?.artist = 8 }
        #expect(batch.updatedIDs(\.songs) == [1])
        #expect(store.byArtist[7].isEmpty && store.byArtist[8] == [1])
        #expect(store.related[7].isEmpty && store.related[8] == [1])
        #expect(seen.entries == [[], [1]])
        store.batch(\.self) { $0.songs.setAll([Song(id: 1, artist: 7)]) }
        #expect(store.byArtist[7] == [1] && store.related[8].isEmpty)
        link.cancel()
    }

    @Test("groups that the app keeps lose what is deleted")
    func groupedByHand() {
        var library = Library.sample
        library.batch { library in
            library.tags.insert(12, into: "new", at: 0)
            library.tags.insert(10, into: "used")
            library.books.remove(13)
        }
        #expect(library.tags["new"] == [12, 10] && library.tags["used"] == [10])
        #expect(library.tags.keys(of: 10) == ["new", "used"])
        library.batch { $0.books.remove(10) }
        #expect(library.tags["new"] == [12] && library.tags["used"].isEmpty)
        library.tags.remove(12, from: "new")
        #expect(library.tags.isEmpty)
    }

    @Test("indexes are arrays, objects of arrays and sets in JSON, and read back")
    func coding() throws {
        let library = Library.sample
        let text = try encodedText(library)
        #expect(
            text.contains(#""shelf":[12,10,11],"favourites":[11,13],"booksByGenre":{"crime":[11],"poetry":[10,12]}"#))
        #expect(text.contains(#""booksByAuthor":{"1":[10,11],"2":[12,13]}"#))
        var decoded = try JSONDecoder().decode(Library.self, from: Data(text.utf8))
        #expect(decoded == library)
        decoded.reindex()
        #expect(decoded == library)
        decoded.batch { $0.books.remove(10) }
        #expect(decoded.booksByAuthor[1] == [11])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(GroupIndex<Int, Book>.self, from: Data(#"{"one":[1]}"#.utf8))
        }
    }

    @Test("a batch writes what it changed in an index")
    func patches() throws {
        var library = Library.sample
        let probe = try EncodingProbe(library)
        library.batch { $0.books[10]?.genre = "crime" }
        let patch = try probe.advance(to: library)
        #expect(patch.contains(#""path":"/booksByGenre/crime/1","value":10"#))
        #expect(patch.contains(#""path":"/booksByGenre/poetry/0""#))
        #expect(!patch.contains("booksByAuthor"))
    }

    private func change(_ library: inout Library, _ random: inout SeededGenerator) {
        let (book, author) = (Book.ID(random.below(30)), Author.ID(random.below(6)))
        switch random.below(14) {
        case 11: library.books.rename(book, to: Book.ID(random.below(30)))
        case 12: library.authors.rename(author, to: Author.ID(random.below(6)))
        case 0, 1, 2: library.books.upsert(Book(book, by: author, genre: ["a", "b", nil][random.below(3)]))
        case 3, 4: library.books.remove(book)
        case 5: library.authors.upsert(Author(id: author))
        case 6: library.authors.remove(author)
        case 7: library.shelf.append(book)
        case 8: library.favourites.toggle(book)
        case 9: library.tags.insert(book, into: ["x", "y"][random.below(2)])
        case 10: library.readingLists.insert(book, into: author, at: 0)
        default: library.books[book]?.authorID = author
        }
    }

    /// What must hold after each batch, found out the long way.
    private func check(_ library: Library, _ hint: Comment) {
        let books = Set(library.books.ids)
        #expect(library.shelf.allSatisfy(books.contains) && library.favourites.allSatisfy(books.contains), hint)
        #expect(library.tags.keys.flatMap { library.tags[$0] }.allSatisfy(books.contains), hint)
        #expect(library.readingLists.keys.allSatisfy(library.authors.contains), hint)
        #expect(library.readingLists.keys.flatMap { library.readingLists[$0] }.allSatisfy(books.contains), hint)
        for key in library.tags.keys {
            for id in library.tags[key] { #expect(library.tags.keys(of: id).contains(key), hint) }
        }
        var (genres, authors): ([String: Set<Book.ID>], [Author.ID: Set<Book.ID>]) = ([:], [:])
        for book in library.books {
            if let genre = book.genre { genres[genre, default: []].insert(book.id) }
            if library.authors.contains(book.authorID) { authors[book.authorID, default: []].insert(book.id) }
        }
        #expect(
            Set(library.booksByGenre.keys) == Set(genres.keys) && Set(library.booksByAuthor.keys) == Set(authors.keys),
            hint)
        for (genre, ids) in genres { #expect(Set(library.booksByGenre[genre]) == ids, hint) }
        for (author, ids) in authors { #expect(Set(library.booksByAuthor[author]) == ids, hint) }
        for author in authors.keys { #expect(library.booksByAuthor[author].count == authors[author]?.count, hint) }
    }

    @Test(
        "indexes never hold a deleted identity, and groups are what the entities say", arguments: seeds(1..<5))
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var library = Library()
        let probe = try EncodingProbe(library)
        for step in 0..<150 {
            library.batch { library in for _ in 0...random.below(6) { change(&library, &random) } }
            check(library, "seed \(seed), step \(step)")
            if step % 5 == 0 { try probe.advance(to: library, "seed \(seed), step \(step)") }
            if step % 20 == 0 {
                for _ in 0..<5 { change(&library, &random) }
                library.reindex()
                check(library, "seed \(seed), step \(step), made anew")
            }
        }
    }
}

extension OrderedIndex {
    /// Moves an identity to the end.
    fileprivate mutating func move(from place: Int) { append(remove(at: place)) }
}
