import Foundation
import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import Testing

@testable import Commands
@testable import ReportPage

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
        let text = BuiltInPage.body + BuiltInPage.script + BuiltInPage.style
        let symbols = text.unicodeScalars.filter { (0x2300...0x2BFF).contains($0.value) }
        #expect(symbols.isEmpty, "\(symbols)")
    }
}

@Suite("The states that the parts of a page begin with")
struct BeginningChainTests {
    private let folder = TemporaryFolder()

    /// The states that the page's own reader makes of the beginnings.
    private func beginnings(_ chunks: RunChunks) throws -> [(start: Int, state: JSONValue, closing: JSONValue?)] {
        var state = JSONValue.null
        return try zip(chunks.entries, chunks.beginnings).map { entry, text in
            let line = SeptetTextTests.decoded(text, count: entry.beginningByteCount)
            let object = try entry.source == .end ? JSONObject() : #require(try JSONParser.parse(line).object)
            switch entry.source {
            case .whole: state = try #require(object["states"])
            case .patch: try JSONPatch(json: try #require(object["patch"])).apply(to: &state, order: .ascending)
            case .end: state = try opening(chunks)
            }
            return (entry.start, state, object["closing"])
        }
    }

    /// The states that the lines of the first chunk, which has no commits, lead to.
    private func opening(_ chunks: RunChunks) throws -> JSONValue {
        let lines = SeptetTextTests.decoded(chunks.texts[0], count: chunks.entries[0].byteCount)
        var states = JSONObject()
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            let object = try #require(try JSONParser.parse(Array(line)).object)
            if object["kind"] == "gap" { states = try #require(object["states"]?.ascending().object) }
            guard object["kind"] == "store", let name = object["store"]?.string else { continue }
            states.insertAscending(try #require(object["state"]).ascending(), forKey: name)
        }
        return .object(states)
    }

    private func chunks(_ journal: Journal, patches: Int, length: Int, opening: Int) throws -> RunChunks {
        var limits = RunChunks.Limits()
        limits.leastLength = 1
        limits.lengthPerState = 1
        limits.openingLength = opening
        limits.chain = BeginningChain.Limits(patches: patches, length: length, lengthPerState: 1)
        let range = try #require(PositionRange(journal.start, try journal.tail().lastCommit))
        return try RunChunks.of(journal, range, packer: nil, recover: false, limits: limits)
    }

    @Test(
        "whatever the chain, each part begins with the state of the journal there, by the text of its numbers too",
        arguments: [0, 1, 2, 3, 4, 5, 6, 7, 21, 23] as [UInt64])
    func chains(seed: UInt64) throws {
        let bytes: [UInt8]
        if seed.isMultiple(of: 2) {
            var maker = JournalMaker(seed: seed, after: seed.isMultiple(of: 3) ? 7 : nil)
            maker.run(commits: 60)
            bytes = maker.bytes
        } else {
            var maker = ForeignJournal(seed: seed)
            maker.run(commits: 60)
            bytes = maker.bytes
        }
        let journal = try Journal.open(folder.write(bytes, to: "run.jsonl"), access: .random)
        for (patches, length, opening) in [(0, 0, .max), (1, 1 << 20, 1), (3, 200, .max), (1000, 1 << 20, 1)] {
            let chunks = try chunks(journal, patches: patches, length: length, opening: opening)
            #expect(chunks.entries.dropFirst().contains { $0.source == .end } == (opening == 1), "seed \(seed)")
            let count = chunks.entries.reduce(into: (run: 0, longest: 0)) { count, entry in
                count.run = entry.source == .patch ? count.run + 1 : 0
                count.longest = max(count.longest, count.run)
            }
            #expect(count.longest <= patches, "seed \(seed)")
            // The first one stands before the records that open the run's stores.
            for (start, state, closing) in try beginnings(chunks).dropFirst() {
                let expected = try journal.state(at: CommitNumber(start)) as PositionState
                #expect(state.text() == expected.value.text(), "seed \(seed), \(patches) patches, at \(start)")
                if let closing { #expect(closing == .array(expected.closing.map(JSONValue.string)), "seed \(seed)") }
            }
        }
    }

    @Test("a patch also says where only the text of a number differs", arguments: seeds(0..<40))
    func exactDifference(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        let texts = [
            "1", "1.0", "1e0", "10", "1e1", "0", "-0", "[1.0,1]", "[1,1.0]", #"{"id":1,"n":1.0}"#, #"{"id":1.0,"n":1}"#,
        ]
        func value() throws -> JSONValue {
            let parts = (0..<4).map { _ in texts[random.below(texts.count)] }
            return try JSONParser.parse("[\(parts.joined(separator: ","))]")
        }
        var old = try value()
        let new = try value()
        try JSONPatch.exactDifference(from: old, to: new).apply(to: &old, order: .ascending)
        #expect(old.ascending().text() == new.ascending().text(), "seed \(seed)")
    }
}

@Suite("Bytes as text of a page")
struct SeptetTextTests {
    /// What the page's own reader makes of a text.
    static func decoded(_ text: [UInt8], count: Int) -> [UInt8] {
        var septets: [UInt8] = []
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            if scalar.value < 0x80 {
                septets.append(UInt8(scalar.value))
            } else {
                let pair = scalar.value - SeptetText.firstPair
                septets += [SeptetText.reserved[Int(pair >> 7)], UInt8(pair & 0x7F)]
            }
        }
        var bytes: [UInt8] = []
        var (bits, held) = (0, 0)
        for septet in septets {
            bits = (bits << 7 | Int(septet)) & 0x3FFF
            held += 7
            if held >= 8 {
                held -= 8
                bytes.append(UInt8(bits >> held & 0xFF))
            }
        }
        return Array(bytes.prefix(count))
    }

    @Test(
        "what is written is read again, is valid, holds nothing that acts, and is at most 8/7 as long",
        arguments: seeds(0..<60))
    func roundTrip(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let count = seed < 20 ? Int(seed) : Int.random(in: 0...5000, using: &generator)
        // Bytes that make reserved septets, and any others.
        let bytes = (0..<count).map { _ in
            Bool.random(using: &generator)
                ? UInt8.random(in: 0...255, using: &generator) : [0, 15, 27, 60, 255][count % 5]
        }
        let text = SeptetText.encoded(bytes)
        #expect(Self.decoded(text, count: count) == bytes, "seed \(seed)")
        #expect(String(validating: text, as: UTF8.self) != nil, "seed \(seed)")
        #expect(text.allSatisfy { $0 >= 0x80 || !SeptetText.reserved.contains($0) }, "seed \(seed)")
        #expect(text.count <= (count * 8 + 6) / 7 + 2, "seed \(seed)")
    }
}

@Suite("Markdown")
struct MarkdownTests {
    private let journal = ShopJournal()

    @Test("a text of a journal stays code, whatever backticks and bars it has")
    func code() {
        #expect(Markdown.code("a") == "`a`")
        #expect(Markdown.code("a`b``c") == "``` a`b``c ```")
        #expect(Markdown.cell("a|b") == #"`a\|b`"#)
        #expect(Markdown.code("a\n# b\u{202E}") == #"`a\n# b\u202e`"#)
        #expect(Markdown.text("<b> [x](y) *z* https://a") == #"\<b\> \[x\](y) \*z\* https\://a"#)
    }

    @Test("bisect tells its commit for a job's summary")
    func bisect() throws {
        let run = journal.run("bisect", "J", "--bad", ".cart.total < 0", "--format", "markdown")
        #expect(run.status == 0, "\(run)")
        #expect(run.output.hasPrefix("### ❌ first bad commit, commit 3\n\n`cart` · `Shop/Cart.swift:42`"), "\(run)")
        #expect(run.output.contains("| path | before | after |\n| --- | --- | --- |\n| `/cart/total` | `12` | `-3` |"))
        #expect(run.output.contains("- asked: `.cart.total < 0`\n- good up to 2, bad from 3"))
        #expect(run.output.contains("```sh\nstate-inspect show \(journal.path) 3\n"), "\(run)")
    }

    @Test("check tells what is violated, what has no answer and what holds")
    func check() throws {
        let run = journal.run(
            "check", "J", "--format", "markdown", "--invariant", "total=.cart.total >= 0", "--invariant",
            "token=.session.token != null", "--invariant", "odd=.cart.items[.session.token]")
        #expect(run.status == 1, "\(run)")
        #expect(run.output.contains("### `\(journal.path)`: 1 violated"), "\(run)")
        #expect(run.output.contains("#### ❌ 'total' is violated, commit 3"), "\(run)")
        #expect(run.output.contains("#### ❔ 'odd' cannot be evaluated"), "\(run)")
        #expect(run.output.contains("| `token` | at all 7 positions |"), "\(run)")
    }
}
