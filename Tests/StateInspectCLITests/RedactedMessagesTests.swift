import Foundation
import JSONCore
import TestSupport
import Testing

@testable import StateInspectCLI

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
        for form in Self.forms {
            #expect(bytes.firstRange(of: Array(form.utf8)) == nil, "\(form) in \(run)")
        }
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
        arguments: [".s.pw", ".s.pin", ".s.tokens", "(.s.tokens | keys[0])"])
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
