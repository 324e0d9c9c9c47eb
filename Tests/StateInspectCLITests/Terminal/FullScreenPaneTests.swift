import Foundation
import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import Testing
import TimeTravel

@testable import CommandLine
@testable import Commands
@testable import Debugger

@Suite("The full screen's pane of a value's life and origin, its bar and its long arrays")
struct FullScreenPaneTests {
    private func pane(_ columns: Int, _ path: [String] = ["cart", "total"]) throws -> FullScreenTests.Driver {
        let driver = try FullScreenTests.Driver("checkout.jsonl", ScreenSize(columns: columns, rows: 24))
        try driver.type("118g")
        let pointer = JSONPointer(path)
        let subject = WatchSubject(pointer.text, .places(PathMatcher([PathPattern(pointer).steps])))
        let life = try ValueLife(of: subject, in: driver.session, SessionCalls())
        driver.model.selected = pointer
        driver.model.show(ValuePane(pointer, life, at: 118))
        return driver
    }

    @Test(
        "the pane of a number and of a text is as it was drawn before, at every width", arguments: [60, 80, 100, 200])
    func screens(_ columns: Int) throws {
        try expectRecorded(try pane(columns).text, "life-\(columns).txt")
        try expectRecorded(try pane(columns, ["session", "token"]).text, "life-token-\(columns).txt")
    }

    @Test("'v' asks for it, the arrows select, and Enter goes to the change and keeps the member")
    func keys() throws {
        let driver = try pane(80)
        try driver.type("\u{1B}")
        try driver.type("v")
        #expect(driver.requests == [.life(JSONPointer(["cart", "total"]))])
        let shown = try pane(80)
        try shown.type("k\r")
        #expect(shown.model.facts.position == 71)
        #expect(shown.model.mode == .keys && shown.model.selected.text == "/cart/total")
        let ends = try pane(80)
        try ends.type("Gq")
        #expect(ends.model.mode == .keys && ends.model.facts.position == 118)
    }

    private func origin(_ position: Int, _ path: [String], _ columns: Int = 80) throws -> FullScreenTests.Driver {
        let driver = try FullScreenTests.Driver("checkout.jsonl", ScreenSize(columns: columns, rows: 24))
        try driver.type("\(position)g")
        driver.model.selected = JSONPointer(path)
        try driver.type("o")
        #expect(driver.requests == [.origin(JSONPointer(path))])
        let story = try OriginStory(of: JSONPointer(path), in: driver.session)
        driver.model.show(ValuePane(JSONPointer(path), story, at: position))
        return driver
    }

    @Test("the pane of an origin is as it was drawn before, at every width", arguments: [60, 80, 100, 200])
    func originScreens(_ columns: Int) throws {
        let copied = try origin(118, ["cart", "items", "0", "price"], columns)
        try expectRecorded(copied.text, "origin-\(columns).txt")
    }

    @Test("'o' asks where it comes from, and Enter goes to the hop's commit and selects what it wrote, unfolded")
    func originKeys() throws {
        let driver = try origin(118, ["cart", "items", "0", "price"])
        #expect(driver.text.contains("hop 1 of 2, inferred"))
        try driver.type("j")
        #expect(driver.text.contains("hop 2 of 2"))
        try driver.type("\r")
        #expect(driver.model.mode == .keys && driver.model.facts.position == 1)
        #expect(driver.model.selected.text == "/catalogue/products/teapot/price")
        #expect(driver.model.rows[driver.model.selectedRow].path.text == driver.model.selected.text)
        let closed = try origin(118, ["cart", "items", "0", "price"])
        try closed.type("o")
        #expect(closed.model.mode == .keys && closed.model.facts.position == 118)
    }

    @Test("each of several places where an equal value stood is a row, and Enter goes to the state that had it")
    func originCandidates() throws {
        let folder = TemporaryFolder()
        let lines = [
            #"{"seq":0,"kind":"journal","version":1,"id":"a","time":"2026-01-01T00:00:00Z"}"#,
            #"{"seq":0,"kind":"store","store":"s","type":"S","time":"2026-01-01T00:00:00Z","at":{"file":"a.swift","line":1,"column":1,"function":"f()"},"state":{"a":"unique","b":"unique","c":0}}"#,
            #"{"seq":1,"kind":"commit","store":"s","version":1,"time":"2026-01-01T00:00:01Z","at":{"file":"a.swift","line":1,"column":1,"function":"f()"},"patch":[{"op":"replace","path":"/c","value":"unique"}]}"#,
        ]
        let path = folder.write(lines.joined(separator: "\n") + "\n", to: "run.jsonl")
        let session = try Session(try Journal.open(path, access: .random))
        let story = try OriginStory(of: JSONPointer(["s", "c"]), in: session)
        let pane = ValuePane(JSONPointer(["s", "c"]), story, at: 1)
        #expect(
            pane.targets == [
                .init(position: 1, path: JSONPointer(["s", "c"])), .init(position: 0, path: JSONPointer(["s", "a"])),
                .init(position: 0, path: JSONPointer(["s", "b"])),
            ])
        #expect(throws: CommandFailure.self) { try OriginStory(of: JSONPointer(["s", "d"]), in: session) }
    }

    @Test("the row that is selected is one bar, of one look", arguments: ["", "\t", "\t\t"])
    func bar(_ keys: String) throws {
        let driver = try FullScreenTests.Driver("checkout.jsonl", ScreenSize(columns: 80, rows: 24))
        try driver.type("118g" + keys)
        if keys == "\t\t" { try driver.type("j") }
        let place = try #require(driver.model.layout.place(of: driver.model.focus))
        let screen = FullScreenView(driver.model).screen
        let bars = (place.body.row..<place.body.endRow).filter { row in
            let looks = (place.body.column..<place.body.endColumn).map { screen[row, $0].style }
            return looks.allSatisfy { $0 == CellStyle(attributes: [.bold, .reverse]) }
        }
        #expect(bars.count == 1)
    }

    @Test(
        "an element beyond those shown at once is found, shown and selected, and Enter on the row of the rest shows them"
    )
    func longArray() throws {
        let rows = (0..<5000).map { JSONValue.object(["name": .string("row \($0)")]) }
        let state = JSONValue.object(["table": .object(["rows": .array(rows)])])
        var model = FullScreenModel(journal: "x", size: ScreenSize(columns: 80, rows: 24))
        var facts = FullScreenFacts()
        facts.state = state
        model.focus = .state
        model.show(facts)
        func type(_ keys: String) {
            var decoder = KeyDecoder()
            for input in decoder.feed(keys.utf8) + decoder.timeOut() { _ = model.handle(input) }
        }
        type("/row 4321\r")
        #expect(model.selected.text == "/table/rows/4321/name")
        #expect(model.rows[model.selectedRow].path.text == "/table/rows/4321/name")
        #expect(FullScreenView(model).screen.text.contains("\"row 4321\""))
        // Every element is reached from the rows of the rest.
        var seen: Set<String> = []
        for direction in ["before", "after"] {
            for _ in 0..<12 {
                for row in model.rows where row.path.segments.count == 3 { seen.insert(row.path.segments[2]) }
                guard let more = model.rows.first(where: { $0.path.segments.last == "…" + direction }) else { break }
                model.selected = more.path
                type("\r")
            }
        }
        #expect(seen.isSuperset(of: (0..<5000).map(String.init)))
    }

    @Test("a search that goes on at the other end of the state says so")
    func wrap() throws {
        let driver = try FullScreenTests.Driver("checkout.jsonl", ScreenSize(columns: 80, rows: 24))
        try driver.type("118g\t/teapot\r")
        for _ in 0..<50 where driver.model.notice == nil { try driver.type(".") }
        #expect(driver.model.notice?.text == RunSearch.wrapped(.forward))
    }

    @Test("the list of commits has times where there is room, and a reducer's action stands in the change")
    func times() throws {
        let wide = try FullScreenTests.Driver("checkout.jsonl", ScreenSize(columns: 200, rows: 60))
        try wide.type("119g")
        #expect(wide.text.contains("▶119 12:01:"))
        #expect(wide.text.contains("action      CheckoutAction.chooseDelivery \"post\""))
    }
}
