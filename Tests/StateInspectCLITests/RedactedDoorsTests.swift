import Foundation
import JSONCore
import TestSupport
import Testing

/// What was redacted stays so behind every door: answers in each form, pages, what other tools read, messages.
@Suite("A secret that was redacted")
struct RedactedDoorsTests {
    private static let secret = "hünter2-\"s/3\\cret"

    /// Every kind of record; `S` is the secret as JSON text, `U` the same in escapes.
    private static let journal: [UInt8] = {
        let at = #""at":{"file":"Shop/Cart.swift","line":3,"column":1,"function":"f()"}"#
        func time(_ second: Int) -> String { #""time":"2026-11-21T12:00:0\#(second).000000Z""# }
        let text = """
            {"seq":0,"kind":"journal","version":1,"id":"r",\(time(0)),"recorder":"h","labels":{"user":S}}
            {"seq":0,"kind":"store","store":"cart","type":"C",\(time(0)),\(at),"state":{"token":S,"list":[U,1],"n":0}}
            {"seq":0,"kind":"derived","name":"d","inputs":["/cart/token"],\(at)}
            {"seq":1,"kind":"commit","store":"cart","version":1,\(time(1)),\(at),"name":S,"action":{"type":"A","payload":{"t":U}},"thread":S,"patch":[{"op":"replace","path":"/token","value":"other","old":S},{"op":"add","path":"/list/0","value":U},{"op":"copy","from":"/list/0","path":"/token"}]}
            {"seq":1,"kind":"outcome","commit":1,"derived":[{"name":"d","outcome":"fired","value":S}]}
            {"seq":1,"kind":"mark",\(time(1)),"text":S}
            {"seq":1,"kind":"abort","store":"cart",\(time(1)),\(at),"name":S,"error":S}
            {"seq":1,"kind":"keyframe","states":{"cart":{"token":U,"list":[S,S,1],"n":0}},"totals":{"commits":{"cart":1},"open":["cart"],"derived":["d"],"marks":1,"gaps":0,"aborts":1}}
            {"seq":3,"kind":"gap",\(time(2)),"first":2,"lost":2,"reason":S,"states":{"cart":{"token":S,"list":[U],"n":2}}}
            {"seq":4,"kind":"commit","store":"cart","version":4,\(time(3)),\(at),"patch":[{"op":"remove","path":"/list/0","old":S}]}
            {"seq":4,"kind":"custom","x":S}

            """
        let escapes = secret.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        let plain = JSONValue.string(secret).text()
        return Array(
            text.replacingOccurrences(of: "U", with: "\"\(escapes.joined())\"")
                .replacingOccurrences(of: "S}", with: plain + "}").replacingOccurrences(of: "S,", with: plain + ",")
                .utf8)
    }()

    /// How the secret could stand in bytes.
    private static let forms: [[UInt8]] = {
        let bytes = Array(secret.utf8)
        let units = Array(secret.utf16)
        let base64 = (0..<3).map { shift in
            // Without the letters that hold bits of what stands around it.
            Array(Data(Array(repeating: 0, count: shift) + bytes).base64EncodedString().utf8.dropFirst(4).dropLast(4))
        }
        return base64 + [
            bytes, Array(JSONValue.string(secret).text().utf8.dropFirst().dropLast()), Array("nter2-".utf8),
            bytes.flatMap { byte in Array((byte < 16 ? "0" : "").utf8) + Array(String(byte, radix: 16).utf8) },
            Array((secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "").utf8),
            units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] },
            units.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] },
        ]
    }()

    private func expectNone(in text: String, _ what: String) {
        let bytes = Array(text.utf8)
        for form in Self.forms {
            #expect(bytes.firstRange(of: form) == nil, "\(what): \(String(decoding: form, as: UTF8.self))")
        }
    }

    private static let redaction = ["--path", "/cart/token", "--path", "/cart/list/*", "--check", secret]

    @Test("is in no answer, in no form, in no message and in no encoding")
    func answers() {
        let folder = TemporaryFolder()
        let path = folder.write(Self.journal, to: "run.jsonl")
        let out = folder.path("redacted.jsonl")
        let redacted = ProgramRun(["redact", path] + Self.redaction + ["-o", out])
        #expect(redacted.status == 0, "\(redacted)")
        #expect(ProgramRun(["verify", out]).status == 0)
        let questions: [[String]] = [
            ["info"], ["log", "--all"], ["log", "-p"], ["marks"], ["show", "1"], ["state"], ["state", "--at", "1"],
            ["replay"],
            ["replay", "--reverse"], ["diff", "0", "1"], ["bisect", "--bad", ".cart.n == 2"], ["derived", "--all"],
            ["blame"],
            ["history", ".cart"], ["why", "1"], ["check", "--invariant", "t=.cart.n == 0"], ["stats"], ["verify"],
            ["slice", "1..4"], ["state", "--select", ".cart.token | error"], ["history", "/nowhere"],
        ]
        for question in questions {
            for format in ["human", "json"] where question[0] != "slice" || format == "json" {
                let run = ProgramRun([question[0], out] + question.dropFirst() + ["--format", format])
                expectNone(in: run.output + run.messages, "\(run)")
            }
        }
        for format in ["json-patch", "redux-devtools", "chrome-trace", "csv", "itf", "swift-test"] {
            let run = ProgramRun(["export", format, out] + (format == "swift-test" ? ["--at", "1"] : []))
            expectNone(in: run.output + run.messages, "\(run)")
        }
        let page = ProgramRun([
            "report", path, "--redact", "/cart/token", "--redact", "/cart/list/*", "--bad", ".cart.n == 2",
        ])
        expectNone(in: page.output + page.messages, "the page")
    }

    @Test("a commit of a store that has closed is damage, as it is to every other command")
    func closedStores() {
        let at = #""at":{"file":"A/A.swift","line":1,"column":1,"function":"f()"}"#
        let time = #""time":"2026-11-21T12:00:00.000000Z""#
        let text = """
            {"seq":0,"kind":"journal","version":1,"id":"r",\(time),"recorder":"h"}
            {"seq":0,"kind":"store","store":"a","type":"A",\(time),\(at),"state":{"n":0}}
            {"seq":0,"kind":"store","store":"b","type":"B",\(time),\(at),"state":{"n":0}}
            {"seq":0,"kind":"close","store":"a",\(time)}
            {"seq":1,"kind":"commit","store":"b","version":1,\(time),\(at),"patch":[]}
            {"seq":2,"kind":"commit","store":"a","version":1,\(time),\(at),"patch":[{"op":"replace","path":"/n","value":1}]}

            """
        let folder = TemporaryFolder()
        let path = folder.write(text, to: "run.jsonl")
        for redacted in ["/b/n", "/a/n"] {
            let run = ProgramRun(["redact", path, "--path", redacted])
            #expect(run.status == 3 && run.messages.contains("is not open"), "\(run)")
        }
    }
}
