import StateStore
import TestSupport

/// A list that is kept in order: setting several entries of one number at once puts the number into the list twice.
///
/// The page that the list is cut into then shows a row twice, and another one nowhere.
final class SortedEntries: RealBug {
    static let name = "sorted entries"
    static let report = "https://github.com/reduxjs/redux-toolkit/issues/5106"
    static let fix = "https://github.com/reduxjs/redux-toolkit/pull/5107"
    static let invariants = ["(.page.rows | length) == .page.expected"]

    struct Book: Encodable, Equatable, Sendable {
        let id: Int
        var title: String
        var stars = 0
    }
    struct Books: Encodable, Equatable, Sendable {
        var ids: [Int] = []
        var entities: [Int: Book] = [:]
    }
    struct Import: Encodable, Equatable, Sendable {
        var rows: [Book] = []
        var files = 0
    }
    struct Paging: Encodable, Equatable, Sendable {
        var page = 0
        var size = 4
    }
    struct Marks: Encodable, Equatable, Sendable { var ids: [Int] = [] }
    struct Page: Encodable, Equatable, Sendable {
        var rows: [String: String] = [:]
        var expected = 0
    }

    let bugs: Bugs
    let books: Store<Books>
    let imports: Store<Import>
    let paging: Store<Paging>
    let marks: Store<Marks>
    let page: Store<Page>

    init(_ bugs: Bugs, _ recorder: Recorder) {
        self.bugs = bugs
        books = Store(Books(), name: "books", recorder: recorder)
        imports = Store(Import(), name: "imports", recorder: recorder)
        paging = Store(Paging(), name: "paging", recorder: recorder)
        marks = Store(Marks(), name: "marks", recorder: recorder)
        page = Store(Page(), name: "page", recorder: recorder)
    }

    private func sorted(_ ids: [Int], _ books: [Int: Book]) -> [Int] {
        ids.sorted { (books[$0]?.title ?? "", $0) < (books[$1]?.title ?? "", $1) }
    }

    func addOne(_ book: Book) {
        books.commit { books in
            guard books.entities[book.id] == nil else { return }
            books.entities[book.id] = book
            books.ids = sorted(books.ids + [book.id], books.entities)
        }
    }

    func setMany(_ rows: [Book]) {
        books.commit { books in
            let known = Set(books.ids)
            for row in rows { books.entities[row.id] = row }
            let new = rows.map(\.id).filter { !known.contains($0) }
            let added = bugs.planted(.doubleApply, Array(Set(new)), new)
            books.ids = sorted(books.ids + added, books.entities)
        }
    }

    func rate(_ id: Int) { books.commit { $0.entities[id]?.stars += 1 } }

    func rename(_ id: Int, _ title: String) {
        books.commit { books in
            books.entities[id]?.title = title
            books.ids = sorted(books.ids, books.entities)
        }
    }

    func remove(_ id: Int) {
        books.commit { books in
            books.entities[id] = nil
            books.ids.removeAll { $0 == id }
        }
        unmark(id)
    }

    func mark(_ id: Int) { marks.commit { if !$0.ids.contains(id) { $0.ids.append(id) } } }

    func unmark(_ id: Int) {
        guard marks.state.ids.contains(id) else { return }
        marks.commit { $0.ids.removeAll { $0 == id } }
    }

    func readFile(_ rows: [Book]) {
        imports.commit { imports in
            imports.rows += rows
            imports.files += 1
        }
    }

    func finishImport() {
        let rows = imports.state.rows
        guard !rows.isEmpty else { return }
        imports.commit { $0.rows = [] }
        setMany(rows)
    }

    func turn(_ pages: Int) { paging.commit { $0.page = max($0.page + pages, 0) } }
    func resize(_ size: Int) { paging.commit { $0 = Paging(size: size) } }

    func draw() {
        let start = min(paging.state.page * paging.state.size, books.state.ids.count)
        let shown = books.state.ids[start...].prefix(paging.state.size)
        page.commit { page in
            let rows = shown.map { ("row \($0)", books.state.entities[$0]?.title ?? "") }
            page.rows = Dictionary(rows, uniquingKeysWith: { first, _ in first })
            page.expected = max(min(paging.state.size, books.state.ids.count - start), 0)
        }
    }

    func act(_ random: inout SeededGenerator) {
        let ids = books.state.ids
        func book() -> Book { Book(id: below(60, &random), title: "t\(below(90, &random))") }
        switch below(24, &random) {
        case 0...2: addOne(book())
        case 3...6: readFile((0...below(3, &random)).map { _ in book() })
        case 7, 8: finishImport()
        case 9, 10: if !ids.isEmpty { rate(ids[below(ids.count, &random)]) }
        case 11: if !ids.isEmpty { rename(ids[below(ids.count, &random)], "t\(below(90, &random))") }
        case 12, 13: if !ids.isEmpty { remove(ids[below(ids.count, &random)]) }
        case 14, 15: if !ids.isEmpty { mark(ids[below(ids.count, &random)]) }
        case 16...18: turn(below(3, &random) - 1)
        case 19: resize(3 + below(3, &random))
        default: draw()
        }
    }

    func closeDay() {
        resize(50)
        draw()
    }
}
