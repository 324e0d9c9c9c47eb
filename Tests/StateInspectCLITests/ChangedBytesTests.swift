import Foundation
import JSONCore
import JournalFormat
import TestSupport
import Testing

/// What no journal may do: trap, or get a status that is none.
///
/// All bytes and all questions are tried with `STATE_INSPECT_SEEDS=all`; otherwise each with one question in turn, of every few
/// bytes.
@Suite("A journal cut or changed at any place")
struct ChangedBytesTests {
    private let folder = TemporaryFolder()
    private static let isThorough = CaseAmount.isAll

    private static let questions: [[String]] = [
        ["info"], ["log", "--all"], ["log", "-p", "--format", "human"], ["log", "--reverse"], ["marks"],
        ["show", "3"], ["show", "1..4", "--format", "human"], ["state"], ["state", "--recover"],
        ["state", "--at", "12:00:04"],
        ["state", "mark:total"], ["replay"], ["replay", "--reverse"], ["replay", "--recover"],
        ["replay", "--reverse", "--recover"], ["replay", "--without", "2"], ["diff", "1", "end"],
        ["bisect", "--bad", ".cart.total < 0"],
        ["bisect", "--bad", ".cart.total < 0", "--recover", "--format", "human"],
        ["bisect", "--monotone", "--bad", ".cart.total < -5"], ["derived", "--all"], ["derived", "--summary"],
        ["derived", "--define", "badge=.cart.items | length", "--check"], ["blame"], ["blame", "--reverse"],
        ["history", ".cart"], ["history", "/cart/*", "--recover"], ["why", "3"],
        ["check", "--invariant", "t=.cart.total >= 0"],
        ["check", "--invariant", "t=$old.cart.total >= 0", "--recover", "--format", "human"], ["stats", "--recover"],
        ["stats", "--format", "human"], ["verify"], ["slice", "1..3"], ["redact", "--path", "/cart/total", "-o", "-"],
        ["minimize", "--bad", ".cart.total < 0"], ["merge"], ["info", "--format", "human"], ["replay", "--final"],
        ["replay", "--only", ".cart.total > 0"], ["blame", "--ignore", "3,5"], ["verify", "--messages", "json"],
        ["report", "--bad", ".cart.total < 0"], ["export", "json-patch", "J"], ["export", "redux-devtools", "J"],
        ["export", "chrome-trace", "J"], ["export", "csv", "J"], ["export", "itf", "J"], ["export", "changes", "J"],
        ["export", "swift-test", "J", "--at", "3"], ["import", "snapshots", "J"],
        ["import", "jsonl", "J", "--suggest"], ["diff", "J", "J"], ["debug", "-x", "W", "--batch"],
    ]

    /// Walks a run in both directions, and looks at all that there is.
    private static let walk = """
        start
        step
        stepi
        watch /cart/total
        catch gap
        continue
        continue
        end
        reverse-continue
        last /cart/total
        print .cart, $old.cart
        blame /cart
        why
        skip 3
        reverse-step 2
        info
        """

    /// A question of a journal, its path where the question has a place for it, else before the options.
    private static func question(_ words: [String], _ path: String, _ folder: TemporaryFolder) -> ProgramRun {
        let words = words.contains("J") ? words : [words[0], "J"] + words.dropFirst()
        return ProgramRun(words.map { $0 == "J" ? path : $0 == "W" ? folder.write(walk, to: "walk") : $0 })
    }

    /// Asks some questions of a journal, of which `turn` says which.
    private func ask(_ bytes: [UInt8], turn: Int, _ folder: TemporaryFolder, _ what: String) {
        let path = folder.write(bytes, to: "run.jsonl")
        let questions = Self.isThorough ? Self.questions : [Self.questions[turn % Self.questions.count]]
        for question in questions {
            let run = Self.question(question, path, folder)
            #expect((0...5).contains(run.status), "\(what): \(run)")
        }
    }

    private static var text: [UInt8] { Array(ShopJournal.lines.map { $0 + "\n" }.joined().utf8) }

    @Test("cut at any byte it is answered up to there, and only a torn first line is refused")
    func cut() {
        let (text, folder) = (Self.text, TemporaryFolder())
        let header = (text.firstIndex(of: 0x0A) ?? 0) + 1
        for end in stride(from: 0, through: text.count, by: Self.isThorough ? 1 : 7) {
            let path = folder.write(Array(text[..<end]), to: "run.jsonl")
            let questions =
                Self.isThorough ? Self.questions : [Self.questions[(end / 7) % Self.questions.count], ["replay"]]
            for question in questions {
                let run = Self.question(question, path, folder)
                #expect((0...5).contains(run.status), "cut at \(end): \(run)")
                guard question[0] != "import" else { continue }
                if end < header - 1 { #expect(run.status == 3, "cut at \(end): \(run)") }
                if end >= header { #expect(run.status != 3, "cut at \(end): \(run)") }
            }
        }
    }

    /// The sample with a sum behind each line, as our recorder writes it.
    private static let summed = ShopJournal.lines.flatMap { line -> [UInt8] in
        let body = Array(line.utf8.dropLast())
        let sum = body.withBytes { LineSum.text(LineSum.of($0)) }
        return body + Array(",\"sum\":\"\(sum)\"}\n".utf8)
    }

    /// Questions that parse the lines they answer from: none is passed over by a search.
    private static let parsing: [[String]] = [
        ["log", "--all"], ["log", "-p", "--format", "human"], ["log", "--reverse"], ["show", "3"],
        ["show", "1..4", "--format", "human"], ["state"], ["state", "--at", "12:00:04"], ["replay"],
        ["replay", "--reverse"], ["slice", "1..3"], ["why", "3"], ["stats"], ["marks"], ["derived", "--all"],
        ["diff", "1", "end"],
    ]

    @Test("with any byte changed an answer that rests on its line is the same, or damage is told")
    func told() {
        let (text, folder) = (Self.summed, TemporaryFolder())
        func answer(_ bytes: [UInt8], _ question: [String]) -> ProgramRun {
            ProgramRun([question[0], folder.write(bytes, to: "run.jsonl")] + question.dropFirst())
        }
        let expected = Self.parsing.map { answer(text, $0) }
        // What holds a sum is no part of an answer: with its name damaged, a line has none. What is printed is JSON all the same.
        let tail = #","sum":"00000000"}"#.utf8.count
        for at in stride(from: 0, to: text.count, by: Self.isThorough ? 1 : 5) {
            let isSum = text[at] != 0x0A && text[at...].prefix(tail + 1).contains(0x0A)
            var bytes = text
            bytes[at] ^= UInt8(1 << (at % 8))
            for turn in Self.parsing.indices where Self.isThorough || turn == at / 5 % Self.parsing.count {
                let run = answer(bytes, Self.parsing[turn])
                let isSame = run.output == expected[turn].output && run.status == expected[turn].status
                let isReported = isSame || run.status == 3 || run.messages.contains("warning:")
                #expect(isReported || isSum && Self.isJSON(run), "byte \(at) changed: \(run)")
            }
        }
    }

    /// Whether each line that was printed for programs is one JSON text.
    private static func isJSON(_ run: ProgramRun) -> Bool {
        run.arguments.contains("human")
            || run.output.split(separator: "\n").allSatisfy { (try? JSONParser.parse(Array($0.utf8))) != nil }
    }

    @Test("numbers that fall behind a gap or a keyframe are damage, beside which the last known state is found")
    func falling() {
        let (lines, folder) = ((Self.text + Self.gap).split(separator: 0x0A), TemporaryFolder())
        for at in lines.indices {
            for number in 0...10 {
                let rest = lines[at].drop { $0 != UInt8(ascii: ",") }
                let text = lines.indices.flatMap { index -> [UInt8] in
                    (index == at ? Array(#"{"seq":\#(number)"#.utf8) + rest : Array(lines[index])) + [0x0A]
                }
                let path = folder.write(text, to: "run.jsonl")
                for question in [["state", "--recover"], ["replay", "--reverse", "--recover"], ["debug", "--batch"]] {
                    let run = ProgramRun([question[0], path] + question.dropFirst())
                    #expect((0...5).contains(run.status), "line \(at) with number \(number): \(run)")
                }
            }
        }
    }

    @Test(
        "a line that is no JSON, and has no sum that would tell, is damage for whoever prints or copies it as it stands"
    )
    func printed() {
        for (index, question) in [
            ["log", "--all"], ["log", "--all", "--reverse"], ["log", "--follow", "--all"], ["marks"],
            ["slice", "0..6"], ["merge"],
        ].enumerated() {
            for line in Self.summed.split(separator: 0x0A)
            where question[0] != "marks" || line.firstRange(of: Array(#""kind":"mark""#.utf8)) != nil {
                // The comma before the sum, and the sum with it: what stands there now is a value behind a value.
                let damaged = line.dropLast(18) + Array(#"-"sum":"00000000"}"#.utf8)
                let whole = Self.summed.split(separator: 0x0A).map { $0 == line ? Array(damaged) : Array($0) }
                let path = folder.write(Array(whole.joined(separator: [0x0A])) + [0x0A], to: "run\(index).jsonl")
                let run = ProgramRun([question[0], path] + question.dropFirst())
                #expect(run.status == 3 && run.messages.contains("JSON"), "\(run)")
            }
        }
    }

    @Test("with any byte changed it is answered or refused, and a sum tells of it")
    func flipped() throws {
        let (folder, text) = (TemporaryFolder(), Self.summed)
        // No changed byte before a sum may be taken for good.
        let lines = text.split(separator: 0x0A)
        for (index, line) in lines.enumerated() {
            for at in stride(from: line.startIndex + index % 5, to: line.endIndex, by: Self.isThorough ? 1 : 5) {
                var bytes = text
                bytes[at] ^= UInt8(1 << (at % 8))
                ask(bytes, turn: at, folder, "byte \(at) changed")
                let isBeforeSum = at < line.endIndex - #","sum":"00000000"}"#.utf8.count
                guard isBeforeSum, at % 3 == 0 || Self.isThorough else { continue }
                let verified = ProgramRun(["verify", folder.write(bytes, to: "run.jsonl")])
                #expect(verified.status == 1 || verified.status == 3, "byte \(at) changed: \(verified)")
            }
        }
    }

    @Test(
        "any number in it may be at an edge of what numbers are",
        arguments: [
            "0", "-1", "1", "2147483648", "9007199254740992", "9223372036854775806", "9223372036854775807",
            "9223372036854775808", "-9223372036854775808",
            "1e400", "1" + String(repeating: "0", count: 400), "0.5", "-0",
        ])
    func numbers(_ edge: String) {
        let (text, folder) = (Self.text + Self.gap, TemporaryFolder())
        var turn = edge.utf8.count
        for number in Self.integers(in: text) {
            let bytes = Array(text[..<number.lowerBound]) + Array(edge.utf8) + Array(text[number.upperBound...])
            turn += 1
            ask(bytes, turn: turn, folder, "the number at \(number.lowerBound) is \(edge)")
            ask(bytes, turn: turn + Self.questions.count / 2, folder, "the number at \(number.lowerBound) is \(edge)")
        }
    }

    /// Kinds of records that the sample lacks: a gap, a keyframe, an abort, and a segment's numbers.
    private static let gap = Array(
        """
        {"seq":9,"kind":"gap","time":"2026-11-21T12:00:08.000000Z","first":7,"lost":3,"reason":"full","states":{"cart":{"items":[],"total":1}}}
        {"seq":9,"kind":"abort","store":"cart","time":"2026-11-21T12:00:08.100000Z","at":{"file":"Shop/Cart.swift","line":50,"column":9,"function":"repair()"},"error":"declined"}
        {"seq":10,"kind":"commit","store":"cart","version":6,"time":"2026-11-21T12:00:09.000000Z","at":{"file":"Shop/Cart.swift","line":70,"column":9,"function":"touch()"},"cause":6,"patch":[{"op":"add","path":"/items/0","value":{"id":2,"price":3}}]}
        {"seq":10,"kind":"keyframe","states":{"cart":{"items":[{"id":2,"price":3}],"total":1}},"totals":{"commits":{"cart":6,"session":1},"open":["cart"],"derived":["badge"],"marks":1,"gaps":1,"aborts":1}}

        """.utf8)

    @Test("a gap that claims nearly all numbers there are is answered as any other, by every command")
    func widestGap() {
        let last = CommitNumber.largest.rawValue
        let gap =
            #"{"seq":\#(last - 1),"kind":"gap","time":"2026-11-21T12:00:08.000000Z","first":7,"lost":\#(last - 7),"#
            + #""reason":"full","states":{"cart":{"items":[],"total":1}}}"#
        let behind =
            #"{"seq":\#(last),"kind":"commit","store":"cart","version":9,"time":"2026-11-21T12:00:09.000000Z","#
            + #""at":{"file":"Shop/Cart.swift","line":50,"column":9,"function":"repair()"},"#
            + #""patch":[{"op":"replace","path":"/total","value":-4,"old":1}]}"#
        let text = (ShopJournal.lines.dropLast() + [gap, behind]).map { $0 + "\n" }.joined()
        let path = folder.write(text, to: "run.jsonl")
        let more = [
            ["show", "1..end"], ["replay", "--without", "1..\(last - 2)"], ["blame", "--ignore", "1..\(last - 2)"],
            ["bisect", "--monotone", "--bad", ".cart.total < 0"],
            ["bisect", "--monotone", "--bad", ".cart.total < 0", "--from", "4"],
            ["bisect", "--monotone", "--bad", ".cart.total < 0", "--from", "4", "--skip", "5..\(last - 2)"],
        ]
        for question in Self.questions + more {
            let run = Self.question(question, path, folder)
            #expect((0...5).contains(run.status), "\(run)")
        }
        let most = Int.max
        for line in [
            "watch /cart/total\nc\nc\nc", "end\nwatch /cart/total\nrc\nrc", "until .cart.total == -4",
            "last /cart/total",
            "watch /cart/total\nc \(most)", "end\nwatch /cart/total\nrc \(most)", "step \(most)", "end\nrs \(most)",
            "stepi \(most)", "skip 1..\(last)\nrs\nunskip", "skip 2..\(last - 2)\nrs\nunskip 1..\(most)",
        ] {
            let script = folder.write("start\n\(line)\n", to: "script")
            let run = ProgramRun(["debug", path, "-x", script, "--batch"])
            #expect(run.status == 0, "\(run)")
        }
        let shown = ProgramRun(["show", path, "6..end"])
        #expect(
            shown.status == 5 && shown.messages.contains("\(last - 7) of the commits could not be kept"), "\(shown)")
        let found = ProgramRun(["bisect", path, "--monotone", "--bad", ".cart.total == -4"])
        #expect(found.status == 0 && found.output.contains(#""lastGood":\#(last - 1)"#), "\(found)")
    }

    /// Where whole numbers stand that are values.
    private static func integers(in text: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var at = 0
        while at < text.count {
            guard text[at] == UInt8(ascii: ":") || text[at] == UInt8(ascii: "[") else {
                at += 1
                continue
            }
            let begin = at + 1
            at = begin
            if at < text.count, text[at] == UInt8(ascii: "-") { at += 1 }
            while at < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[at]) { at += 1 }
            if at > begin, at < text.count,
                [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(text[at])
            {
                found.append(begin..<at)
            }
        }
        return found
    }
}
