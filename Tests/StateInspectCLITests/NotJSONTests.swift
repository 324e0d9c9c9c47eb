import Foundation
import JSONCore
import TestSupport
import Testing

@testable import CommandLine
@testable import JournalFormat
@testable import JournalReading

/// A journal with a record of each kind, one line of which begins and ends as it must and is not JSON in between.
private struct BrokenJournal {
    /// How a line comes to be what it is.
    enum Fault: CaseIterable, Sendable {
        /// A word stands in it that is not JSON.
        case word
        /// Some of its bytes are gone.
        case cut
        /// Some of its bytes are others.
        case bytes
    }

    /// Its bytes.
    let bytes: [UInt8]
    /// The line's number.
    let line: Int

    /// What stands in a line that is broken by a word.
    static let word = "hunter2"

    /// - Parameter kind: the broken line's.
    init(_ kind: String, _ fault: Fault, hasSum: Bool, seed: UInt64) throws {
        var lines = Self.lines
        let place = try #require(lines.firstIndex { $0.contains(#""kind":"\#(kind)""#) })
        var random = SeededGenerator(seed: seed)
        lines[place] = try #require(Self.broken(lines[place], fault, &random))
        let texts = lines.enumerated().map { number, text in
            // A line without a sum stands beside others that have one.
            number == place && !hasSum ? text : Self.summed(text)
        }
        bytes = Array(texts.map { $0 + "\n" }.joined().utf8)
        line = place + 1
    }

    /// A line that is not JSON, though its number and kind are what they were; nil where no try led to one.
    private static func broken(_ text: String, _ fault: Fault, _ random: inout SeededGenerator) -> String? {
        let bytes = Array(text.utf8)
        guard let head = bytes.withBytes({ LineHead($0)?.end }) else { return nil }
        for _ in 0..<200 {
            var bytes = bytes
            let place = Int.random(in: head..<bytes.count - 1, using: &random)
            switch fault {
            case .word: bytes.insert(contentsOf: "x \(word)".utf8, at: bytes.count - 1)
            case .cut: bytes.removeSubrange(place..<Int.random(in: place + 1..<bytes.count, using: &random))
            case .bytes:
                // Neither a newline nor what another record could begin with.
                bytes[place] = UInt8("#!x\u{1}".utf8.randomElement(using: &random)!)
            }
            if (try? JSONParser.parse(bytes)) == nil { return String(decoding: bytes, as: UTF8.self) }
        }
        return nil
    }

    /// A line with its sum.
    private static func summed(_ text: String) -> String {
        let front = Array(text.utf8.dropLast())
        let sum = front.withBytes { LineSum.of($0) }
        return String(decoding: front, as: UTF8.self) + #","sum":"\#(LineSum.text(sum))"}"#
    }

    /// Every kind that may stand behind the first line.
    static let kinds = [
        "store", "derived", "commit", "outcome", "abort", "mark", "keyframe", "gap", "close", "end", "other",
    ]

    private static let time = "2026-01-01T00:00:00.000000Z"
    private static let at = #"{"file":"A/A.swift","line":1,"column":1,"function":"f()"}"#

    private static let lines = [
        #"{"seq":0,"kind":"journal","version":1,"id":"x","time":"\#(time)","recorder":"t"}"#,
        #"{"seq":0,"kind":"store","store":"s","type":"T","time":"\#(time)","at":\#(at),"state":{"t":0,"u":[1,2]}}"#,
        #"{"seq":0,"kind":"derived","name":"d","inputs":["/s/t"],"at":\#(at)}"#,
        #"{"seq":1,"kind":"commit","store":"s","version":1,"time":"\#(time)","at":\#(at),"name":"n","patch":[{"op":"replace","path":"/t","value":1,"old":0}]}"#,
        #"{"seq":1,"kind":"outcome","commit":1,"derived":[{"name":"d","outcome":"fired","value":1}]}"#,
        #"{"seq":1,"kind":"abort","store":"s","time":"\#(time)","at":\#(at),"error":"no"}"#,
        #"{"seq":1,"kind":"mark","time":"\#(time)","text":"a mark","payload":{"a":[1,2]}}"#,
        #"{"seq":1,"kind":"other","x":{"a":[1,2]}}"#,
        #"{"seq":3,"kind":"gap","time":"\#(time)","first":2,"lost":2,"reason":"full","states":{"s":{"t":3,"u":[1]}}}"#,
        #"{"seq":4,"kind":"commit","store":"s","version":4,"time":"\#(time)","at":\#(at),"patch":[{"op":"replace","path":"/t","value":4,"old":3}]}"#,
        #"{"seq":4,"kind":"keyframe","states":{"s":{"t":4,"u":[1]}},"totals":{"commits":{"s":2},"open":["s"],"derived":["d"],"marks":1,"gaps":1,"aborts":1}}"#,
        #"{"seq":5,"kind":"commit","store":"s","version":5,"time":"\#(time)","at":\#(at),"patch":[{"op":"remove","path":"/u/0","old":1}]}"#,
        #"{"seq":5,"kind":"close","store":"s","time":"\#(time)"}"#,
        #"{"seq":5,"kind":"end","time":"\#(time)","totals":{"commits":{"s":3},"open":[],"derived":["d"],"marks":1,"gaps":1,"aborts":1}}"#,
    ]
    /// The journal, whole.
    static let whole = Array(lines.map { summed($0) + "\n" }.joined().utf8)
}

@Suite("A line that is not JSON")
struct NotJSONTests {
    private let folder = TemporaryFolder()
    private let broken: String

    init() { broken = folder.path("run.jsonl") }

    /// A run on the journal `J` that is broken; `K` is a whole one.
    private func run(_ arguments: [String], environment: [String: String] = [:]) -> ProgramRun {
        ProgramRun(
            arguments.map { $0 == "J" ? broken : $0 == "K" ? folder.path("whole.jsonl") : $0 }, environment: environment
        )
    }

    /// Each way in which a line of a kind is broken here.
    private func each(_ kind: String, _ body: (BrokenJournal, Comment) throws -> Void) throws {
        folder.write(BrokenJournal.whole, to: "whole.jsonl")
        for fault in BrokenJournal.Fault.allCases {
            for hasSum in [true, false] {
                for seed in 0..<(fault == .word ? 1 : 8) as Range<UInt64> {
                    let journal = try BrokenJournal(kind, fault, hasSum: hasSum, seed: seed)
                    folder.write(journal.bytes, to: "run.jsonl")
                    try body(journal, "\(kind), \(fault), \(hasSum ? "with a sum" : "without"), seed \(seed)")
                }
            }
        }
    }

    /// The lines of an output that are not JSON.
    private func faults(_ output: String) -> [Substring] {
        output.split(separator: "\n").filter { (try? JSONParser.parse(Array($0.utf8))) == nil }
    }

    @Test("the journal is whole without it")
    func whole() {
        let path = folder.write(BrokenJournal.whole, to: "whole.jsonl")
        let run = ProgramRun(["verify", path])
        #expect(run.status == 0, "\(run)")
    }

    @Test("is named by 'verify', and left out by its repair", arguments: sampled(BrokenJournal.kinds))
    func verify(kind: String) throws {
        try each(kind) { journal, comment in
            let verified = run(["verify", "J", "--json"])
            #expect(verified.status == 1, "\(comment)\n\(verified)")
            #expect(verified.output.contains(#""line":\#(journal.line),"#), "\(comment)\n\(verified)")
            let repaired = folder.path("whole-again.jsonl")
            try? FileManager.default.removeItem(atPath: repaired)
            _ = run(["verify", "J", "--repair", repaired])
            let text = try String(contentsOfFile: repaired, encoding: .utf8)
            #expect(faults(text).isEmpty, "\(comment)")
            #expect(!text.contains(BrokenJournal.word), "\(comment)")
            let again = ProgramRun(["verify", repaired])
            #expect(again.status == 0, "\(comment)\n\(again)")
        }
    }

    /// What hands every line on.
    private static let wholeCommands = [
        ["log", "J", "--all"], ["slice", "J", "0..5"], ["redact", "J", "--path", "/s/t"], ["merge", "J", "K"],
        ["report", "J"],
    ]

    @Test("is damage to what hands on every line", arguments: sampled(BrokenJournal.kinds), Self.wholeCommands)
    func wholes(kind: String, command: [String]) throws {
        try each(kind) { journal, comment in
            let run = self.run(command)
            #expect(run.status == 3, "\(comment)\n\(run)")
            // What reads only which store a line closes may notice it at the end, which then names others.
            let end = kind == "close" && command[0] == "redact" ? 1 : 0
            let isNamed = (journal.line...journal.line + end).contains { run.messages.contains("run.jsonl:\($0)") }
            #expect(isNamed, "\(comment)\n\(run)")
            if command[0] != "report" { #expect(faults(run.output).isEmpty, "\(comment)\n\(run)") }
        }
    }

    /// What hands on lines of some kinds, or parts of them.
    private static let partCommands = [
        ["log", "J"], ["log", "J", "--json", "-p"], ["marks", "J"], ["show", "J", "1"], ["show", "J", "4"],
        ["slice", "J", "4..5"], ["replay", "J"], ["history", "J", "/s/t"], ["export", "csv", "J"],
        ["export", "json-patch", "J"], ["log", "J", "--all", "--recover"], ["marks", "J", "--recover"],
        ["log", "J", "--reverse", "--all"], ["why", "J", "4"], ["derived", "J"], ["state", "J", "--at", "1"],
    ]

    @Test("is handed on by no command", arguments: sampled(BrokenJournal.kinds), Self.partCommands)
    func parts(kind: String, command: [String]) throws {
        try each(kind) { _, comment in
            let run = self.run(command)
            #expect([0, 3, 4, 5].contains(run.status), "\(comment)\n\(run)")
            if command[0] != "export" || command[1] != "csv" {
                #expect(faults(run.output).isEmpty, "\(comment)\n\(run)")
            }
            #expect(!run.output.contains(BrokenJournal.word), "\(comment)\n\(run)")
        }
    }

    @Test(
        "is left out of a reversed list that recovers as out of the list itself",
        arguments: sampled(BrokenJournal.kinds))
    func reversed(kind: String) throws {
        for options in [["--json"], ["--json", "--all"], ["--json", "--path", "/s/t"], []] {
            try each(kind) { _, comment in
                let forward = self.run(["log", "J", "--recover"] + options)
                let backward = self.run(["log", "J", "--recover", "--reverse"] + options)
                #expect(backward.status == forward.status, "\(options) \(comment)\n\(backward)")
                guard options.contains("--json") else { return }
                let lines = forward.output.split(separator: "\n")
                #expect(
                    backward.output.split(separator: "\n") == lines.reversed(), "\(options) \(comment)\n\(backward)")
            }
        }
    }

    // MARK: The page of a run

    /// The lines and the facts that a page without a packer has.
    private func page(_ text: String, _ comment: Comment) throws -> (about: JSONValue, lines: [Substring]) {
        let start = try #require(text.range(of: #"id="about">"#), comment)
        let end = try #require(text.range(of: "</script>", range: start.upperBound..<text.endIndex), comment)
        let about = try JSONParser.parse(Array(text[start.upperBound..<end.lowerBound].utf8))
        guard case .array(let runs)? = about.object?["runs"], let run = runs.first?.object else { return (about, []) }
        var lines: [Substring] = []
        for (chunk, entry) in (run["chunks"]?.array ?? []).enumerated() {
            let start = try #require(text.range(of: #"id="chunk-0-\#(chunk)">"#), comment)
            let end = try #require(text.range(of: "</script>", range: start.upperBound..<text.endIndex), comment)
            let bytes = SeptetTextTests.decoded(
                Array(text[start.upperBound..<end.lowerBound].utf8), count: try #require(entry.array?[4].integer))
            lines += String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        }
        return (.object(run), lines)
    }

    @Test("is not on a page that recovers, which says that it lacks it", arguments: sampled(BrokenJournal.kinds))
    func pages(kind: String) throws {
        try each(kind) { journal, comment in
            let run = self.run(["report", "J", "--recover"], environment: ["PATH": "/nowhere"])
            #expect(run.status == 3, "\(comment)\n\(run.messages)")
            let (about, lines) = try self.page(run.output, comment)
            #expect(!run.output.contains(BrokenJournal.word), "\(comment)")
            for line in lines { #expect((try? JSONParser.parse(Array(line.utf8))) != nil, "\(comment)\n\(line)") }
            let leftOut = about.object?["leftOut"]?.array ?? []
            let first = leftOut.first?.string ?? ""
            #expect(
                first.hasPrefix("Line \(journal.line) ") || first.hasPrefix("Lines \(journal.line) "),
                "\(comment)\n\(first)")
        }
    }

    @Test("a record that lacks what its kind needs is damage to a page too")
    func members() throws {
        let records: [JSONObject] = [
            ["kind": "abort", "store": "s", "time": "2026-01-01T00:00:00.000000Z"],
            ["kind": "outcome", "commit": 1], ["kind": "outcome", "commit": 1, "derived": [.null]],
            ["kind": "mark", "time": "2026-01-01T00:00:00.000000Z", "text": 5], ["kind": "derived", "name": 5],
        ]
        for record in records {
            let line = #"{"seq":1,"# + JSONValue.object(record).text().dropFirst()
            let journal = ShopJournal { $0.insert(line, at: 6) }
            #expect(journal.run("report", "J").status == 3, "\(line)")
            let page = try self.page(
                ProgramRun(["report", journal.path, "--recover"], environment: ["PATH": "/nowhere"]).output, "\(line)")
            #expect(page.about.object?["leftOut"]?.array?.count == 1, "\(line)")
        }
    }

    @Test("a record of a kind that is not known passes for none of the page's own")
    func ownKinds() throws {
        let journal = ShopJournal { $0.insert(#"{"seq":1,"kind":"damage","last":"x","states":5}"#, at: 5) }
        let run = ProgramRun(["report", journal.path], environment: ["PATH": "/nowhere"])
        #expect(run.status == 0, "\(run.messages)")
        #expect(try page(run.output, "").lines.allSatisfy { !$0.contains("damage") })
    }
}
