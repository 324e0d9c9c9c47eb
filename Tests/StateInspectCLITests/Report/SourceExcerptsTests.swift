import Foundation
import TestSupport
import Testing

@testable import StateInspectCLI

@Suite("Source lines on a page")
struct SourceExcerptsTests {
    private let folder = TemporaryFolder()
    private let journal = ShopJournal()

    private func write(_ lines: [String], to name: String) {
        folder.write(lines.joined(separator: "\n"), to: "Shop/" + name)
    }

    /// The page of the journal, and what was reported.
    private func page() throws -> (excerpts: String?, messages: String) {
        let run = ProgramRun(["report", journal.path, "--source-root", folder.path])
        try #require(run.status == 0, "\(run)")
        let rest = run.output.components(separatedBy: #""excerpts":"#).dropFirst().first
        return (rest?.components(separatedBy: #","redacted":"#).first, run.messages)
    }

    @Test("the five lines before and after each place are on the page once, without an address for them")
    func parts() throws {
        write((1...80).map { "line \($0)" }, to: "Cart.swift")
        write(["one", "two"], to: "Session.swift")
        let (excerpts, messages) = try page()
        // The places are 7, 30, 42, 50, 61 and 70: two parts meet where nothing lies between them.
        let ranges = [2...12, 25...35, 37...55, 56...75].map { range in
            "[\(range.lowerBound),\"\(range.map { "line \($0)" }.joined(separator: #"\n"#))\"]"
        }
        #expect(excerpts == #"{"Shop/Cart.swift":["# + joined(ranges) + #"],"Shop/Session.swift":[[1,"one\ntwo"]]}"#)
        #expect(messages.contains("there is no 'Shop/Badge.swift' below"))
        #expect(ProgramRun(["report", journal.path]).output.contains(#""excerpts""#) == false)
    }

    /// Parts, of which the last two are one.
    private func joined(_ ranges: [String]) -> String {
        let last = ranges.suffix(2).joined().replacing(#""][56,""#, with: #"\n"#)
        return (ranges.dropLast(2) + [last]).joined(separator: ",")
    }

    @Test("a source line is not markup, acts on nothing, and is cut where it is long; a tab is four blanks")
    func hostile() throws {
        let acting = "</script><script>alert(1)</script>\u{1B}[31m\u{202E}\tx\r"
        write([acting, String(repeating: "y", count: 5000)], to: "Session.swift")
        let excerpts = try #require(try page().excerpts)
        #expect(!excerpts.contains("<") && !excerpts.contains("\u{1B}") && !excerpts.contains("\u{202E}"))
        #expect(excerpts.contains(#"\u001b[31m\u202e    x\nyyy"#))
        #expect(excerpts.components(separatedBy: "y").count - 1 == 400)
    }

    @Test("a file whose lines have no room is left out, and reported")
    func room() throws {
        // A line of 400 characters has 10 kB here.
        let family = String(repeating: "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}", count: 400)
        write(Array(repeating: family, count: 80), to: "Cart.swift")
        write(["one"], to: "Session.swift")
        let (excerpts, messages) = try page()
        #expect(excerpts == #"{"Shop/Session.swift":[[1,"one"]]}"#)
        #expect(messages.contains("the page has no room for lines of 1 source file, 'Shop/Cart.swift' and so on"))
    }

    @Test("what the page shows of its own needs no font of symbols")
    func icons() {
        let text = PageMarkup.body + PageScript.text + PageStyle.text
        let symbols = text.unicodeScalars.filter { (0x2300...0x2BFF).contains($0.value) }
        #expect(symbols.isEmpty, "\(symbols)")
    }
}
