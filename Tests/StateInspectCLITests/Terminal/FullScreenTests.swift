import Foundation
import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import TimeTravel
import Testing

@testable import CommandLine
@testable import Debugger

@Suite("The full screen")
struct FullScreenTests {
    init() { _ = tool }

    /// A screen over a sample journal, driven by keys: what the shell does, without a terminal.
    final class Driver {
        let session: Session
        let reader: FullScreenReader
        var model: FullScreenModel
        /// What was asked for and is not done here.
        var requests: [FullScreenModel.Request] = []

        convenience init(_ name: String, _ size: ScreenSize, isExact: Bool = true) throws {
            let root = SharedFolder.packageRoot.path
            try self.init(root + "/samples/" + name, as: "samples/" + name, size, isExact: isExact)
        }

        init(_ path: String, as name: String, _ size: ScreenSize, isExact: Bool = true) throws {
            let journal = try Journal.open(path, access: .random)
            session = try Session(journal)
            let sources = SourceLines(root: SharedFolder.packageRoot.path + "/samples")
            reader = FullScreenReader(session) { sources.lines($0, $1) }
            model = FullScreenModel(journal: name, size: size)
            model.show(reader.facts(rows: size.rows))
            let scan = TimelineScan(journal, columns: 400)
            var left = isExact ? Int.max : 40
            scan.advance {
                left -= 1
                return left > 0
            }
            model.show(scan.columns)
        }

        /// Reads the sources of the samples.
        private struct SourceLines {
            let root: String

            func lines(_ file: String, _ line: Int) -> FullScreenFacts.Source? {
                guard let text = try? String(contentsOfFile: root + "/" + file, encoding: .utf8) else { return nil }
                let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                let first = max(1, line - 5)
                return FullScreenFacts.Source(
                    path: file, first: first, lines: Array(lines.dropFirst(first - 1).prefix(11)), line: line)
            }
        }

        func type(_ keys: String) throws {
            var decoder = KeyDecoder()
            for input in decoder.feed(keys.utf8) + decoder.timeOut() {
                for request in model.handle(input) { try perform(request) }
            }
        }

        private func perform(_ request: FullScreenModel.Request) throws {
            switch request {
            case .step(let direction, let count): _ = try session.perform(.step(direction, count: count))
            case .stepChange(let direction, let count): _ = try session.perform(.stepChange(direction, count: count))
            case .goTo(let position): _ = try? session.perform(.goTo(CommitNumber(position)))
            case .resume(let direction): _ = try session.perform(.resume(direction, count: 1))
            case .start: _ = try session.perform(.start)
            case .end: _ = try session.perform(.end)
            case .select(let path): return model.select(path)
            case .search(let text, let direction):
                let found = try RunSearch(text, in: session.journal).find(
                    from: session.position.commit, direction, bounds: session.bounds, isInterrupted: { false })
                guard case .found(let position, _) = found else { return }
                _ = try session.perform(.goTo(position))
                model.show(reader.facts(rows: model.size.rows))
                return model.selectHit(text, direction)
            default: return requests.append(request)
            }
            model.show(reader.facts(rows: model.size.rows))
        }

        var text: String { FullScreenView(model).screen.text }
    }

    static let sizes = [(80, 24), (120, 40), (200, 60), (20, 5), (40, 10), (64, 16)]

    @Test("the screen of the sample's bug is as it was drawn before, at every size", arguments: sizes)
    func screens(_ columns: Int, _ rows: Int) throws {
        let driver = try Driver("checkout.jsonl", ScreenSize(columns: columns, rows: rows))
        try driver.type("118g")
        try expectRecorded(driver.text, "bug-\(columns)x\(rows).txt")
    }

    @Test("other screens are as they were drawn before")
    func otherScreens() throws {
        let size = ScreenSize(columns: 80, rows: 24)
        let driver = try Driver("checkout.jsonl", size)
        try expectRecorded(driver.text, "end.txt")
        try driver.type("?")
        try expectRecorded(driver.text, "help.txt")
        try driver.type("q\t118g[")
        try expectRecorded(driver.text, "inside.txt")
        try driver.type(":break shop/Cart.swift:42")
        try expectRecorded(driver.text, "command.txt")
        try driver.type("\u{1B}")
        try driver.type("g")
        try expectRecorded(driver.text, "start.txt")
    }

    @Test("the timeline is there at once, from samples, which are told apart")
    func sampled() throws {
        let size = ScreenSize(columns: 80, rows: 24)
        let (sampled, exact) = (try Driver("checkout.jsonl", size, isExact: false), try Driver("checkout.jsonl", size))
        let rows = [sampled, exact].map { $0.text.split(separator: "\n")[1...2].joined() }
        #expect(rows[0].contains("·") && !rows[0].contains("█") && !rows[1].contains("·") && rows[1].contains("█"))
    }

    // MARK: Keys

    @Test(
        "keys ask for motions, with the count before them",
        arguments: [
            ("h", FullScreenModel.Request.step(.backward, 1)), ("12\u{1B}[C", .step(.forward, 12)),
            ("]", .stepChange(.forward, 1)), ("c", .resume(.forward)), ("C", .resume(.backward)), ("g", .start),
            ("G", .end), ("40G", .goTo(40)), ("u", .back(1)), ("2U", .forward(2)), ("k", .step(.backward, 1)),
            ("10000000000000000000000l", .step(.forward, 99_999_999)), ("q", .quit), ("m", .mouse(true)),
            ("\u{1A}", .suspend), ("\u{C}", .redraw), (":next\r", .command("next")), (":118\r", .goTo(118)),
            (":q!\r", .quit), (":wq\r", .quit), ("ZZ", .quit), ("\u{4}", .step(.forward, 5)),
            ("\u{15}", .step(.backward, 5)), ("2\u{4}", .step(.forward, 10)), ("/cart\r", .search("cart", .forward)),
        ])
    func requests(_ keys: String, _ request: FullScreenModel.Request) throws {
        var model = try Driver("checkout.jsonl", ScreenSize(columns: 80, rows: 24)).model
        var decoder = KeyDecoder()
        let requests = decoder.feed(keys.utf8).flatMap { model.handle($0) }
        #expect(requests == [request])
    }

    @Test("after '/' the match itself is selected, and 'n' and 'N' are the next and the previous hit, until Escape")
    func hits() throws {
        for text in ["total", "cart.total", ".cart.total", "/cart/total"] {
            let driver = try Driver("checkout.jsonl", ScreenSize(columns: 80, rows: 24))
            try driver.type("118g/\(text)\r")
            #expect(driver.model.facts.position == 118 && driver.model.selected.text == "/cart/total", "\(text)")
            try driver.type("N")
            #expect(driver.model.facts.position == 71 && driver.model.selected.text == "/cart/total", "\(text)")
            try driver.type("NNn")
            #expect(driver.model.facts.position == 68 && driver.model.selected.text == "/cart/total", "\(text)")
            #expect(driver.text.contains("n/N hit") && driver.requests.isEmpty)
            try driver.type("\u{1B}")
            try driver.type("n")
            #expect(driver.requests == [.memberChange(JSONPointer(["cart", "total"]), .forward, 1)], "\(text)")
            try driver.type("\t/\(text)\r")
            #expect(driver.model.selected.segments.last == "total", "\(text)")
        }
        let driver = try Driver("checkout.jsonl", ScreenSize(columns: 80, rows: 24))
        try driver.type("118g/spring\r")
        #expect(driver.model.selected.text == "/cart/discounts/1/code")
        try driver.type("n")
        #expect(driver.model.facts.position != 118)
        try driver.type("118g\t/.cart.items[1]\r")
        #expect(driver.model.selected.text == "/cart/items/1")
    }

    @Test("'y' copies the selected member's value, 'Y' the command that shows it")
    func copying() throws {
        let driver = try Driver("checkout.jsonl", ScreenSize(columns: 80, rows: 24))
        try driver.type("118g")
        driver.model.select(JSONPointer(["cart", "total"]))
        try driver.type("yYgY")
        #expect(
            driver.requests == [
                .copy("-6"), .copy("state-inspect show samples/checkout.jsonl 118"),
                .copy("state-inspect state samples/checkout.jsonl --at 0"),
            ])
    }

    @Test("a key that is none says so", arguments: [("x", "'x'"), ("\u{18}", "'Ctrl-x'"), ("\u{1B}[15~", "that")])
    func unknown(_ key: String, _ name: String) throws {
        let driver = try Driver("checkout.jsonl", ScreenSize(columns: 80, rows: 24))
        try driver.type(key)
        #expect(driver.model.notice?.text == "\(name) is no key here: '?' lists them")
        try driver.type("Z")
        #expect(driver.model.notice?.text == "'Z' once more quits")
        try driver.type("h")
        #expect(driver.model.notice == nil && driver.requests.isEmpty)
    }

    @Test("no key has two meanings, on the screen or between it and the page", arguments: [KeyMap.Face.screen, .page])
    func keyMap(_ face: KeyMap.Face) {
        // Escape leaves what there is to leave, on both.
        let keys = KeyMap.groups.flatMap(\.entries).filter { $0.face == .both || $0.face == face }
            .flatMap { $0.keys.split(separator: " ") }.filter { $0 != "Esc" }
        #expect(Set(keys).count == keys.count)
        let others = KeyMap.groups.flatMap(\.entries).filter { $0.face != face && $0.face != .both }
            .flatMap { $0.keys.split(separator: " ") }.filter { $0 != "Esc" }
        #expect(Set(keys).isDisjoint(with: others))
    }

    @Test("on a narrow screen no key's meaning is cut")
    func narrowHelp() throws {
        let driver = try Driver("checkout.jsonl", ScreenSize(columns: 60, rows: 20))
        try driver.type("?")
        var text = driver.text
        for _ in 1...3 {
            try driver.type(" ")
            text += driver.text
        }
        #expect(!text.contains("…"), "\(text)")
        for word in FullScreenHelp.lines.flatMap({ $0.meaning.split(separator: " ") }) { #expect(text.contains(word)) }
    }

    @Test("the keys fit 24 lines, and scroll where there are fewer")
    func helpFits() throws {
        let driver = try Driver("checkout.jsonl", ScreenSize(columns: 80, rows: 24))
        try driver.type("?")
        for line in FullScreenHelp.lines { #expect(driver.text.contains(line.meaning), "\(line)") }
        let small = try Driver("checkout.jsonl", ScreenSize(columns: 60, rows: 20))
        try small.type("?")
        let last = try #require(FullScreenHelp.lines.last?.keys)
        #expect(!small.text.contains(last))
        try small.type("\u{4}")
        #expect(small.text.contains(last) && small.text.contains("arrows scroll"))
        try small.type("x")
        #expect(small.model.mode == .keys)
    }

    @Test("the last row says how to learn the keys and how to leave", arguments: [20, 30, 40, 60, 80, 120])
    func footer(_ columns: Int) throws {
        let driver = try Driver("checkout.jsonl", ScreenSize(columns: columns, rows: 20))
        let last = driver.text.split(separator: "\n").last ?? ""
        #expect(last.contains("? keys  q quit"), "\(last)")
        #expect((columns < 64) == last.contains("tab panes") || columns < 40, "\(last)")
    }

    @Test("what the rows of the state lie in is said above them where that is scrolled away")
    func breadcrumb() throws {
        let driver = try Driver("checkout.jsonl", ScreenSize(columns: 80, rows: 24))
        try driver.type("118g\t")
        for _ in 0..<40 {
            try driver.type("j")
            let place = try #require(driver.model.layout.place(of: .state))
            let lines = driver.text.split(separator: "\n", omittingEmptySubsequences: false)
            let first = driver.model.rows[driver.model.treeTop]
            if driver.model.treeTop > 0, first.depth > 1 {
                let parent = JSONPointer(Array(first.path.segments.dropLast())).text
                #expect(lines[place.body.row].hasSuffix("  " + parent), "\(lines[place.body.row])")
            }
            let bars = (place.body.row..<place.body.endRow).filter { row in
                FullScreenView(driver.model).screen[row, place.body.column].style.attributes.contains(.reverse)
            }
            #expect(bars.count == 1)
        }
    }

    @Test("keys about a member ask for the selected one, also while it is not there")
    func member() throws {
        let driver = try Driver("checkout.jsonl", ScreenSize(columns: 80, rows: 24))
        try driver.type("118g\te")
        let path = driver.model.selected
        #expect(!path.segments.isEmpty)
        try driver.type("gnN3nbw")
        #expect(
            driver.requests == [
                .memberChange(path, .forward, 1), .memberChange(path, .backward, 1), .memberChange(path, .forward, 3),
                .lastWriter(path), .watch(path),
            ])
        #expect(driver.model.selected.text == path.text)
    }

    @Test("what is folded stays folded while the run moves, and what is unfolded unfolded")
    func folds() throws {
        let driver = try Driver("checkout.jsonl", ScreenSize(columns: 80, rows: 60))
        try driver.type("118g")
        let before = driver.model.rows.map(\.path.text)
        try driver.type("\t\u{1B}[H\r")
        let folded = driver.model.rows
        #expect(folded.count < before.count)
        try driver.type("hhhhllll")
        #expect(driver.model.rows.map(\.path.text) == folded.map(\.path.text))
        try driver.type("\r")
        #expect(driver.model.rows.map(\.path.text) == before)
    }

    @Test("the changed members of a commit are lit, with what was there before")
    func lit() throws {
        let driver = try Driver("checkout.jsonl", ScreenSize(columns: 120, rows: 60))
        try driver.type("118g\te")
        let changed = driver.model.rows.filter(\.isChanged)
        #expect(!changed.isEmpty)
        for row in changed {
            #expect(driver.model.changed.paths.contains { row.path.text.hasPrefix($0.text) })
        }
    }

    @Test("a search in the state finds names and values, unfolds what hides them, and goes round")
    func stateSearch() throws {
        let driver = try Driver("checkout.jsonl", ScreenSize(columns: 120, rows: 40))
        try driver.type("\t/total\r")
        let first = driver.model.selected
        #expect(first.segments.last?.lowercased().contains("total") == true)
        #expect(driver.model.rows.contains { $0.path.text == first.text })
        for _ in 0..<200 {
            try driver.type(".")
            if driver.model.selected.text == first.text { break }
        }
        #expect(driver.model.selected.text == first.text)
        try driver.type(".,")
        #expect(driver.model.selected.text == first.text)
        try driver.type("/nowhere at all\r")
        #expect(driver.model.notice?.text == "'nowhere at all' is nowhere in this state")
    }

    @Test("a search in the commits finds functions, places, paths and values, in both directions")
    func commitSearch() throws {
        let journal = try Journal.open(SharedFolder.packageRoot.path + "/samples/checkout.jsonl", access: .random)
        for text in ["cart.swift", "/cart/", "applyDiscount"] {
            guard
                let found = try RunSearch(text, in: journal).next(
                    from: CommitNumber(0), .forward, isInterrupted: { false })
            else { continue }
            let line = try journal.record(of: found).text.lowercased()
            #expect(line.contains("cart") || line.contains("discount"))
            let back = try RunSearch(text, in: journal).next(
                from: CommitNumber(found.rawValue + 1), .backward, isInterrupted: { false })
            #expect(back == found)
        }
        #expect(
            try RunSearch("nowhere at all", in: journal).next(from: CommitNumber(0), .forward, isInterrupted: { false })
                == nil)
    }

    @Test("a click on the timeline goes there, one on a commit to it")
    func mouse() throws {
        let driver = try Driver("checkout.jsonl", ScreenSize(columns: 80, rows: 24))
        func click(_ row: Int, _ column: Int) -> [FullScreenModel.Request] {
            driver.model.handle(.mouse(MouseEvent(action: .press, row: row, column: column)))
        }
        #expect(click(1, 40).isEmpty)
        try driver.type("m")
        guard case .goTo(let middle)? = click(1, 40).first else { return #expect(Bool(false)) }
        let bounds = driver.model.facts.bounds
        #expect(bounds.contains(middle) && middle > bounds.upperBound / 4 && middle < bounds.upperBound * 3 / 4)
        let body = try #require(driver.model.layout.place(of: .commits)?.body)
        let window = CommitWindow(driver.model.facts, rows: body.rows)
        let record = try #require(window.lines.first)
        guard case .record(let summary) = record else { return }
        #expect(click(body.row, 3) == [.goTo(summary.seq)])
    }

    @Test("every position has a place on the timeline, in order, and every place a position")
    func timeline() {
        for width in [20, 80, 200] {
            for bounds in [0...0, 0...1, 5...400, 0...1_000_000_000, 0...Int.max - 1] {
                let bar = TimelineBar(ScreenArea(row: 0, column: 0, rows: 3, columns: width), bounds)
                #expect(bar.offset(of: bounds.lowerBound) == 0 || bounds.count == 1)
                var last = 0
                for step in 0...20 {
                    let position = bounds.lowerBound + (bounds.upperBound - bounds.lowerBound) / 20 * step
                    let offset = bar.offset(of: position)
                    #expect((last..<bar.width).contains(offset))
                    last = offset
                }
                for column in bar.start..<bar.start + bar.width {
                    #expect(
                        bar.position(atColumn: column).map { bounds.contains($0) || bounds.upperBound > 1 << 52 }
                            == true)
                }
            }
        }
    }

    @Test("whatever is typed, at whatever size, a screen is drawn")
    func anything() throws {
        let keys = [
            "h", "l", "j", "k", "g", "G", "[", "]", "n", "N", "b", "w", "e", "E", "\t", "\u{1B}[Z", "\r", "/", ":", " ",
            "?", "m",
            "q", "u", "\u{1B}", "\u{1B}[5~", "\u{1B}[6~", "\u{1B}[H", "\u{1B}[F", "7", "0", "a", "字", "\u{1B}[<0;9;3M",
            "\u{1B}[<65;30;9M", "\u{1B}[200~x\ny\u{1B}[201~", ".", ",", "\u{12}",
        ]
        let drivers = [
            try Driver("checkout.jsonl", ScreenSize(columns: 80, rows: 24)),
            try Driver("crashed.jsonl", ScreenSize(columns: 80, rows: 24)),
        ]
        for seed in 0..<60 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let driver = drivers[Int(seed) % 2]
            for _ in 0..<25 {
                try driver.type(keys.randomElement(using: &generator) ?? "")
                if Int.random(in: 0..<3, using: &generator) == 0 {
                    let columns = Int.random(in: 1..<220, using: &generator)
                    let rows = Int.random(in: 1..<70, using: &generator)
                    driver.model.resize(ScreenSize(columns: columns, rows: rows))
                }
                #expect(
                    driver.text.split(separator: "\n", omittingEmptySubsequences: false).count == driver.model.size.rows
                        + 1)
            }
            try driver.type("\u{7}\u{1B}\u{1B}")
        }
    }

    @Test("the spans of a line become cells with their looks, cut where the screen ends")
    func spans() {
        let area = ScreenArea(row: 0, column: 0, rows: 1, columns: 4)
        var screen = ScreenBuffer(ScreenSize(columns: 4, rows: 1))
        screen.writeLine("a\("b", .error)\("c", .dim)d", row: 0, area)
        #expect((0..<4).map { screen[0, $0].text } == ["a", "b", "c", "d"])
        #expect((0..<4).map { screen[0, $0].style } == [.plain, .role(.error), .role(.dim), .plain])
        screen.writeLine("abc\("\u{1B}[2J", .path)", row: 0, area)
        #expect((0..<4).map { screen[0, $0].text } == ["a", "b", "c", "…"])
    }
}
