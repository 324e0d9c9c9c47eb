import Foundation
import JSONCore
import TestSupport
import Testing

/// A command that is asked to redact quotes no redacted value: not in its answer, not in a file, and not in a message about what
/// goes wrong on the way.
@Suite("A command that redacts")
struct RedactedMessagesTests {
    private static let secret = "hunter2-s3\"cr/t-Ü"
    private static let pin = "48392017"

    private static let redacted = ["--redact", "/s/pw", "--redact", "/s/pin", "--redact", "/s/tokens"]

    private static func commit(_ seq: Int, _ patch: String) -> String {
        #"{"seq":\#(seq),"kind":"commit","store":"s","version":\#(seq),\#(time),\#(at),"patch":[\#(patch)]}"#
    }

    private static let time = #""time":"2026-01-01T00:00:01.000000Z""#
    private static let at = #""at":{"file":"A/A.swift","line":1,"column":1,"function":"f()"}"#

    private static func json(_ text: String) -> String { JSONValue.string(text).text() }

    /// Secrets as a member, as a number, as a name, in a mark, and in a patch.
    private static func journal(_ more: [String] = []) -> String {
        let state = #"{"pw":\#(json(secret)),"pin":\#(pin),"tokens":{\#(json(secret)):[1]},"n":0}"#
        let path = json("/tokens" + JSONPointer([secret]).text)
        let lines =
            [
                #"{"seq":0,"kind":"journal","version":1,"id":"r",\#(time),"recorder":"h"}"#,
                #"{"seq":0,"kind":"store","store":"s","type":"T",\#(time),\#(at),"state":\#(state)}"#,
                commit(1, #"{"op":"replace","path":"/n","value":1,"old":0}"#),
                #"{"seq":1,"kind":"mark",\#(time),"text":\#(json("logged in with \(secret)"))}"#,
                commit(2, #"{"op":"replace","path":\#(path),"value":[2],"old":[1]}"#),
            ] + more
        return lines.joined(separator: "\n") + "\n"
    }

    /// How a secret could stand in bytes.
    private static let forms: [String] = [secret, pin].flatMap { secret -> [String] in
        let bytes = Array(secret.utf8)
        let base64 = (0..<3).map { shift in
            // Without the letters that hold bits of what stands around it.
            String(Data(Array(repeating: 0, count: shift) + bytes).base64EncodedString().dropFirst(4).dropLast(4))
        }
        let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return base64 + [
            secret, secret.uppercased(), String(JSONValue.string(secret).text().dropFirst().dropLast()), hex,
            hex.uppercased(), String(secret.prefix(8)), String(JSONPointer([secret]).text.dropFirst()),
            secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? secret,
            secret.unicodeScalars.prefix(6).map { String($0.value) }.joined(separator: ","),
        ]
    }

    private func expectNone(in text: String, _ run: ProgramRun) {
        let bytes = Array(text.utf8)
        for form in Self.forms { #expect(bytes.firstRange(of: Array(form.utf8)) == nil, "\(form) in \(run)") }
    }

    /// A page with what it holds packed in septets in clear; it must have been made without `gzip`.
    private static func unpacked(_ page: String) -> String {
        page
            + page.components(separatedBy: "<script type=\"text/plain\"").dropFirst().map { element in
                let text = element.drop { $0 != ">" }.dropFirst().prefix { $0 != "<" }
                let reserved: [UInt32] = [0x00, 0x07, 0x08, 0x0A, 0x0D, 0x0E, 0x1B, 0x3C]
                let septets = text.unicodeScalars.flatMap { scalar -> [UInt32] in
                    if scalar.value < 0x80 { return [scalar.value] }
                    return [reserved[Int((scalar.value - 0x100) >> 7)], scalar.value & 0x7F]
                }
                var (bits, count): (UInt32, UInt32) = (0, 0)
                var bytes: [UInt8] = []
                for septet in septets {
                    bits = bits << 7 | septet
                    count += 7
                    if count >= 8 {
                        count -= 8
                        bytes.append(UInt8(bits >> count & 0xFF))
                    }
                }
                return String(decoding: bytes, as: UTF8.self)
            }.joined()
    }

    /// Queries that fail, print, or ask for what is not there; `X` is a redacted value.
    private static let queries: [String] = [
        "X | tonumber | error", "error(X)", "X | error", "error({a: X})", "X + {}", "X - {}", "X * {}", "X / {}",
        "X % {}", "-(X | tostring)", "X | test({})", "X | tostring | test(\"(\" + .)", "X | tostring | fromjson",
        "X | tostring | fromjson | error", "[X] | implode", "X | @base64d | error", "X | ltrimstr(1) | error",
        "X | has(0)", "X | has(\"a\")", ".s.n[X]", "X[\"k\"]", "X[0]", "[1][X | tostring]", "X | keys",
        "{(X): 1} | error",
        "{([X]): 1}", "X | @json | error", "X | tostring | @base64 | error", "X | tostring | explode | error",
        "X | tostring | ascii_upcase | error", "X | @uri | error", "X | tostring | @sh | error", "X | tojson | error",
        "X | strptime(\"%Y\")", "X | tostring | mktime", "X | todate", "X | tostring | splits(1)", "X | from_entries",
        "X | getpath([\"a\", \"b\"])", "getpath([\"s\", \"n\", X])", "setpath([\"s\", \"n\", (X | tostring)]; 1)",
        "del(.s.n[X | tostring])", "path(X | tostring)", "try error(X) catch error", ".s | to_entries | error", "error",
        "X as [$a] | $a", "X as {a: $a} | $a | error", "X as $x | error($x)", "reduce X as $x (0; . + $x) | error",
        "X | limit(-1; .)", "X | tostring | ascii", "X | join(\",\")", "X | flatten(-1)", "X | tostring | error(null)",
        "X | debug | false", "debug(X) | false", "debug(\"m\", X) | false", "X | stderr | false",
        "$__loc__ | error(X)", "X | @text \"\\(.)\" | error", "X | debug(.) | error",
        #".s.tokens["hunter3-s3\"cr/t-Ü"]"#, ".s.tokens.hunter3 == 1", ".S.pw == 1", ".s.pwd == 1", "X | getpath(1)",
    ]

    @Test(
        "leaves every value out of what a query fails with, prints or misses, in text and JSON, on the page and beside it",
        arguments: sampled([".s.pw", ".s.pin", ".s.tokens", "(.s.tokens | keys[0])"]))
    func queries(value: String) {
        let folder = TemporaryFolder()
        let path = folder.write(Self.journal(), to: "run.jsonl")
        var failures = 0
        for (index, text) in Self.queries.enumerated() {
            let query = text.replacingOccurrences(of: "X", with: value)
            let (judge, messages) = index % 2 == 0 ? ("--bad", "text") : ("--good", "json")
            let run = ProgramRun(
                ["report", path, judge, query, "--invariant", "i=\(query)", "--define", "d=\(query)"]
                    + ["--messages", messages] + Self.redacted, environment: ["PATH": folder.path])
            #expect([0, 4].contains(run.status), "\(run)")
            if run.messages.contains("the query fails") { failures += 1 }
            expectNone(in: run.messages + Self.unpacked(run.output), run)
        }
        #expect(failures > Self.queries.count / 2, "most of the queries fail")
    }

    @Test("leaves names, marks and other paths' values out of what it suggests, and names out of what is damaged")
    func suggestions() {
        let folder = TemporaryFolder()
        let path = folder.write(Self.journal(), to: "run.jsonl")
        func damaged(_ name: String, _ patch: String) -> String {
            folder.write(Self.journal([Self.commit(3, patch)]), to: name)
        }
        let inside = Self.json("/tokens" + JSONPointer([Self.secret, "x", "y"]).text)
        let missing = Self.json("/other" + JSONPointer([Self.secret]).text)
        let secret = Self.json(Self.secret)
        let journals = [
            damaged("a", #"{"op":"add","path":\#(inside),"value":1}"#),
            damaged("b", #"{"op":"remove","path":\#(missing)}"#), damaged("c", #"{"op":\#(secret),"path":"/n"}"#),
            damaged("d", #"{"op":"test","path":"/pw","value":\#(Self.json(Self.secret + "x"))}"#),
            folder.write(Self.journal([#"{"seq":3,"kind":\#(secret)}"#]), to: "e"),
            folder.write(Self.journal([#"{"seq":2,"kind":\#(secret)}"#, "{}"]), to: "f"),
        ]
        let paths = Self.redacted.map { $0 == "--redact" ? "--path" : $0 }
        var commands: [[String]] = [
            ["report", path, "--range", "mark:loged in wiht..", "-o", folder.path("page")] + Self.redacted,
            ["report", path, "-o", folder.path("page")] + Self.redacted + [
                "--redact", "/s/tokens/hunter3-s3\"cr~1t-Ü",
            ],
            ["report", path, "-o", folder.path("page")] + Self.redacted + ["--redact", "/s/tokenz"],
            ["redact", path] + paths + ["--path", #"/s/tokens/hunter3-s3"cr~1t-U"#],
            ["redact", path, "--check", Self.secret], ["redact", path, "--path", "/s/pin", "--check", Self.secret],
            ["redact", path, "--path", "/s/pin", "--check", "hunter2", "--check", Self.secret],
        ]
        for journal in journals {
            commands.append(["report", journal, "-o", folder.path("page")] + Self.redacted)
            commands.append(["report", journal, path, "-o", folder.path("page")] + Self.redacted)
            commands.append(["redact", journal, "--check", Self.secret] + paths)
        }
        for command in commands {
            for messages in ["text", "json"] {
                let run = ProgramRun(command + ["--messages", messages])
                #expect(run.status != 0 && run.messages.count > 20, "\(run)")
                let isSearch = run.messages.contains("a secret is left")
                #expect(isSearch == (command[0] == "redact" && run.status == 1), "\(run)")
                expectNone(in: run.messages + run.output, run)
            }
        }
    }
}

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
