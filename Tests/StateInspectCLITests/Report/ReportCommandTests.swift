import Foundation
import JSONCore
import JournalFormat
import JournalReading
import Platform
import QueryLanguage
import TestSupport
import Testing
import TimeTravel

@testable import CommandLine
@testable import Commands
@testable import ReportPage

@Suite("report")
struct ReportCommandTests {
    private let journal = ShopJournal()

    /// The page that a command line writes.
    private func written(_ arguments: String...) throws -> String {
        let run = ProgramRun(["report"] + arguments)
        try #require(run.status == 0, "\(run)")
        return run.output
    }

    private func part(of page: String, from start: String, to end: String) throws -> String {
        let first = try #require(page.range(of: start))
        let last = try #require(page.range(of: end, range: first.upperBound..<page.endIndex))
        return String(page[first.upperBound..<last.lowerBound])
    }

    private func hash(of text: String) -> String {
        var digest = SHA256()
        Array(text.utf8).withBytes { digest.update($0) }
        return "'sha256-\(Base64.encode(digest.finish()))'"
    }

    @Test("the policy lets the page run its own script and take its own style, by their hashes, and nothing else")
    func policy() throws {
        let page = try written(journal.path)
        let policy = try part(of: page, from: "Content-Security-Policy\" content=\"", to: "\">")
        let script = hash(of: try part(of: page, from: "<script>", to: "</script>"))
        let style = hash(of: try part(of: page, from: "<style>", to: "</style>"))
        #expect(
            policy
                == "default-src 'none'; script-src \(script); style-src \(style); base-uri 'none'; form-action 'none'")
        #expect(!page.contains("<link") && !page.contains("src=") && !page.contains(" style="))
    }

    @Test("the script and the style end nothing that they stand in")
    func sources() {
        #expect(!BuiltInPage.script.contains("</") && !BuiltInPage.script.contains("<!--"))
        #expect(!BuiltInPage.style.contains("<"))
        #expect(!BuiltInPage.script.contains("innerHTML") && !BuiltInPage.script.contains("insertAdjacentHTML"))
        #expect(BuiltInPage.script.utf8.count + BuiltInPage.style.utf8.count + BuiltInPage.body.utf8.count < 125_000)
    }

    @Test("nothing of a hostile journal is markup, or acts on who shows the file")
    func hostile() throws {
        let text = #"</script><script>alert(1)</script><!--<img src=x>\u202e\u001b[31m\u0007\u2028"#
        let hostile = ShopJournal { lines in
            lines = lines.map { $0.replacing("applyDiscount(_:)", with: text).replacing("run-1", with: text) }
        }
        let page = try written(
            hostile.path, "--bad", ".cart.total < 0", "--invariant", "a=.cart.total >= 0 // \"</script>\"")
        #expect(page.components(separatedBy: "<script").count == page.components(separatedBy: "</script>").count)
        #expect(page.components(separatedBy: "<script").count == 5)
        #expect(!page.contains("alert(1)</script>") && !page.contains("<img") && !page.contains("<!--"))
        let acting = page.unicodeScalars.filter { ["\u{202E}", "\u{1B}", "\u{7}", "\u{2028}"].contains($0) }
        #expect(acting.isEmpty)
    }

    @Test("a page is at most 1.2 times the packed journal, and 150 kB", arguments: [1, 10])
    func size(times: Int) throws {
        let commit = try #require(ShopJournal.lines.last { $0.hasPrefix(#"{"seq":6,"kind":"commit"#) })
        var text = ShopJournal.lines.dropLast().joined(separator: "\n") + "\n"
        for seq in 7..<(7 + 300 * times) {
            // Foreign: no keyframes and no sums, which a page could leave out; and numbers that do not pack well.
            let number = UInt64(seq) &* 0x9E37_79B9_7F4A_7C15 >> 20
            let patch = #"[{"op":"add","path":"/items/0","value":{"id":\#(seq),"price":\#(number)}}]"#
            text += commit.replacing(#""seq":6"#, with: #""seq":\#(seq)"#).replacing("[]", with: patch) + "\n"
        }
        let large = ShopJournal(text: text)
        let packer = try #require(GzipPacker(.ofProcess()), "there is no gzip")
        let packed = try packer.finish(try packer.begin(Array(text.utf8)))
        #expect(Double(try written(large.path).utf8.count) <= 1.2 * Double(packed.count) + 150_000)
    }

    @Test("a state that does not pack, where lines do, makes a page no larger than that")
    func sizeOfUnpackableStates() throws {
        var random = SeededGenerator(seed: 1)
        let noise = (0..<4000).map { _ in String(random.next(), radix: 36) }
        var text = ShopJournal.lines[0] + "\n"
        let store = ShopJournal.lines[2].replacing(#""items":[]"#, with: #""items":\#(noise)"#)
        text += store + "\n"
        let commit = ShopJournal.lines[7]
        for seq in 1...12_000 {
            let patch = #"[{"op":"replace","path":"/total","value":\#(seq),"old":\#(seq - 1)}]"#
            text +=
                commit.replacing(#"{"seq":3"#, with: #"{"seq":\#(seq)"#).replacing(#""cause":2,"#, with: "")
                .replacing(#"[{"op":"replace","path":"/total","value":-3,"old":12}]"#, with: patch) + "\n"
        }
        let large = ShopJournal(text: text)
        let packer = try #require(GzipPacker(.ofProcess()), "there is no gzip")
        let packed = try packer.finish(try packer.begin(Array(text.utf8)))
        let size = try written(large.path).utf8.count
        #expect(Double(size) <= 1.2 * Double(packed.count) + 150_000, "\(size), packed \(packed.count)")
    }

    @Test("places lead to where the files lie, where a folder of the source is given")
    func sourceRoot() throws {
        let folder = TemporaryFolder()
        let address = "https://host/{file}#L{line}"
        folder.write([], to: "Sources/Shop/Cart.swift")
        let run = ProgramRun(["report", journal.path, "--source-url", address, "--source-root", folder.path])
        #expect(run.status == 0 && run.output.contains(#""sources":{"Shop/Cart.swift":"Sources/Shop/Cart.swift"}"#))
        #expect(run.messages.contains("there is no 'Shop/Session.swift' below"), "\(run.messages)")
    }

    @Test("what derived values that are typed did stands behind each commit, in the place of what was recorded")
    func definitions() throws {
        let text = try String(contentsOfFile: journal.path, encoding: .utf8)
        #expect(!text.contains("double"))
        let input = try Journal.open(journal.path, access: .random)
        let definitions = try #require(
            try DerivedDefinitions(typed("--define", "double=.cart.total * 2"), StoreScope(store: nil)))
        let outcomes = try DefinedOutcomes(
            input, #require(PositionRange(.zero, CommitNumber(6))), definitions, recover: false)
        let first = try outcomes.take(before: CommitNumber(3))
        #expect(first.map { $0["seq"] } == [1])
        let fired: JSONValue = ["name": "double", "outcome": "fired", "old": 0, "value": 24]
        #expect(first.first?["derived"] == [fired])
        #expect(try outcomes.take(before: nil).compactMap { $0["commit"] } == [3, 4, 5])
        #expect(ProgramRun(["report", journal.path, "--define", "a=$old.cart"]).status == 2)
        #expect(ProgramRun(["report", journal.path, "--define", "a=.cart.total"]).status == 0)
    }

    private func typed(_ arguments: String...) throws -> TypedArguments {
        var parser = ArgumentParser(["report", "J"] + arguments)
        if let problem = parser.problem() { throw problem }
        return parser.typed
    }

    @Test("the answers on top are those of 'bisect' and 'check'")
    func findings() throws {
        let page = try written(
            journal.path, "--bad", ".cart.total < 0", "--invariant", "total=.cart.total >= 0", "--invariant",
            "token=.session.token != null")
        let about = try part(of: page, from: #"id="about">"#, to: "</script>")
        #expect(
            about.contains(##""tone":"bad","title":"first bad commit","question":".cart.total \u003c 0","position":3"##)
        )
        #expect(about.contains(#""title":"'total' is violated""#) && about.contains(#""title":"'token' holds""#))
        #expect(about.contains("good up to 2, bad from 3"))
        #expect(about.contains(#""location":"Shop/Cart.swift:42""#))
    }

    @Test("what is redacted is not on the page, also not in what was found, and is asked about all the same")
    func redaction() throws {
        let journal = ShopJournal { lines in lines = lines.map { $0.replacing(#""b7""#, with: #""zebra""#) } }
        let page = try written(
            journal.path, "--redact", "/session/token", "--bad", #".session.token == "zebra""#, "--invariant",
            #"t=.session.token != "zebra" // error("no")"#)
        let about = try part(of: page, from: #"id="about">"#, to: "</script>")
        #expect(about.contains(#""position":2"#) && about.contains("$redacted"))
        #expect(about.replacing(#"\"zebra\""#, with: "").contains("zebra") == false, "\(about)")
        #expect(ProgramRun(["report", journal.path, "--redact", "/no/such"]).status == 4)
    }

    @Test("a page replaces a file at the end, and no journal that it is made of")
    func output() throws {
        let file = (journal.path as NSString).deletingLastPathComponent + "/page.html"
        let run = journal.run("report", "J", "-o", file)
        #expect(run.status == 0 && run.output.isEmpty && run.messages.contains("has 6 commits"), "\(run)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == written(journal.path))
        #expect(ProgramRun(["report", journal.path, "-o", journal.path]).status == 2)
        #expect(ProgramRun(["report", journal.path, "--source-url", "javascript:{file}"]).status == 2)
        #expect(ProgramRun(["report", journal.path, "--source-url", "https://host/"]).status == 2)
        let twice = "https://host/{file}?path={file}"
        #expect(ProgramRun(["report", journal.path, "--source-url", twice]).status == 0)
        #expect(ProgramRun(["report", journal.path, "--trace-url", "https://host/{file}"]).status == 2)
        #expect(ProgramRun(["report", journal.path, "--trace-url", "javascript:{trace}"]).status == 2)
    }

    @Test("of several journals, one that cannot be read is told on the page, and the status is 3")
    func unreadable() throws {
        let run = ProgramRun(["report", journal.path, "/no/such"])
        #expect(run.status == 3 && run.output.contains(#""unread":["/no/such"]"#))
        #expect(ProgramRun(["report", "/no/such"]).status == 3)
    }

    @Test("without a name the page stands beside the journal, in the place of nothing that is there")
    func ownName() throws {
        let journal = ShopJournal()
        let base = String(journal.path.dropLast(".jsonl".count))
        for name in [base + ".html", base + "-2.html"] {
            let run = ProgramRun(["report", journal.path], width: 80)
            #expect(run.status == 0 && run.output.isEmpty && run.messages.contains("'\(name)' has 6 commits"), "\(run)")
            #expect(FileManager.default.fileExists(atPath: name))
        }
        #expect(ProgramRun(["report", journal.path]).output.hasPrefix("<!DOCTYPE html>"))
    }

    @Test("the page is opened by the program that opens files here, and where there is none that is told")
    func opening() throws {
        let journal = ShopJournal()
        let folder = TemporaryFolder()
        let program = folder.write("#!/bin/sh\nprintf '%s' \"$1\" >\"$0.opened\"\n", to: "xdg-open")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let run = ProgramRun(
            ["report", journal.path, "--open"], environment: ["PATH": folder.path + ":/usr/bin:/bin"])
        let page = String(journal.path.dropLast(".jsonl".count)) + ".html"
        #expect(run.status == 0 && run.output.isEmpty, "\(run)")
        #expect(try String(contentsOfFile: program + ".opened", encoding: .utf8) == page)
        let none = ProgramRun(["report", journal.path, "--open"], environment: ["PATH": "/nowhere"])
        #expect(none.status == 0 && none.messages.contains("no program here opens"), "\(none)")
        #expect(ProgramRun(["report", journal.path, "--open", "-o", "-"]).status == 2)
    }
}
