import Foundation
import JSONCore
import TestSupport
import Testing

/// `slice`, `merge`, `redact` and `minimize`: what they write is a journal again, and says what it should.
struct JournalsOutTests {
    private static let bad = BuiltProducts.sample("checkout.jsonl")
    private static let cut = BuiltProducts.sample("crashed.jsonl")

    private func expectWhole(_ path: String, in folder: TemporaryFolder) async throws {
        let run = try await ProgramRun.inspect("verify", path, in: folder)
        #expect(run.status == 0 && run.text.hasPrefix(#"{"kind":"verified""#), "\(run)")
    }

    @Test("a slice replays alone: each of its positions has the state that it had", arguments: [bad, cut])
    func slice(journal: String) async throws {
        let folder = TemporaryFolder()
        let out = folder.path("part.jsonl")
        let run = try await ProgramRun.inspect("slice", journal, "100..118", "-o", out, in: folder)
        #expect(run.status == 0 && run.text.isEmpty, "\(run)")
        try await expectWhole(out, in: folder)
        for position in ["100", "109", "118", "end"] {
            let part = try await ProgramRun.inspect("state", out, "--at", position, in: folder)
            let whole = try await ProgramRun.inspect(
                "state", journal, "--at", position == "end" ? "118" : position, in: folder)
            #expect(part.status == 0 && part.text == whole.text, "\(part)")
        }
        let before = try await ProgramRun.inspect("state", out, "--at", "99", in: folder)
        #expect(before.status == 4, "\(before)")
    }

    @Test("runs of different apps are merged with a warning, their causes and states kept")
    func merge() async throws {
        let folder = TemporaryFolder()
        let other = try String(contentsOfFile: Self.cut, encoding: .utf8)
            .replacing(/"app":"Shop"(.*?),"sum":"[0-9a-f]{8}"/, maxReplacements: 1) { #""app":"Stall"\#($0.1)"# }
        let second = folder.write(other, to: "second.jsonl")
        let out = folder.path("both.jsonl")
        let run = try await ProgramRun.inspect("merge", Self.bad, second, "-o", out, in: folder)
        #expect(run.status == 0 && run.errors.contains("the journals are of different apps: 'Shop', 'Stall'"), "\(run)")
        let verified = try await ProgramRun.inspect("verify", out, in: folder)
        #expect(verified.status == 0 && verified.errors.contains("has no end"), "\(verified)")
        let totals = try await ProgramRun.inspect(
            "state", out, "--select", "[.cart.total, .cart_2.total, (keys | length)]", in: folder)
        #expect(totals.text == "[-6,-6,16]\n", "\(totals)")
        let commits = try await ProgramRun.inspect("stats", out, "-n", "0", in: folder)
        #expect(commits.text.hasPrefix(#"{"kind":"stats","commits":537,"#), "\(commits)")
    }

    @Test("segments of one run are put together again as they were cut")
    func segments() async throws {
        let folder = TemporaryFolder()
        var parts: [String] = []
        for range in ["0..100", "100..250", "250..412"] {
            parts.append(folder.path("\(parts.count).jsonl"))
            _ = try await ProgramRun.inspect("slice", Self.bad, range, "-o", parts[parts.count - 1], in: folder)
        }
        let run = try await ProgramRun.of(
            BuiltProducts.stateInspect, ["merge", parts[2], parts[0], parts[1], "-o", folder.path("all.jsonl")],
            in: folder)
        #expect(run.status == 0, "\(run)")
        try await expectWhole(folder.path("all.jsonl"), in: folder)
        let diff = try await ProgramRun.inspect("diff", Self.bad, folder.path("all.jsonl"), in: folder)
        #expect(diff.status == 0, "\(diff)")
    }

    // MARK: redact

    /// A journal that has a secret in a state, a patch, an `old`, a keyframe, a payload, a mark, a derived value, an error, a
    /// gap and a record that nobody knows, each time escaped otherwise.
    private static let secretive: String = {
        let at = #""at":{"file":"A/B.swift","line":1,"column":1,"function":"f()"}"#
        let time = #""time":"2026-11-21T12:00:00.000000Z""#
        return [
            #"{"seq":0,"kind":"journal","version":1,"id":"x",\#(time),"recorder":"hand","labels":{"user":"p\u00e4ss\/word1"}}"#,
            #"{"seq":0,"kind":"store","store":"login","type":"L",\#(time),\#(at),"state":{"password":"päss/word1","tries":0}}"#,
            #"{"seq":0,"kind":"derived","name":"hint","inputs":["/login/password"],\#(at)}"#,
            #"{"seq":1,"kind":"commit","store":"login","version":1,\#(time),\#(at),"action":{"type":"Set","payload":{"text":"\u0070äss/word1"}},"patch":[{"op":"replace","path":"/password","value":"second-p\u00E4ss","old":"p\u00e4ss/word1"},{"op":"replace","path":"/tries","value":1,"old":0}]}"#,
            #"{"seq":1,"kind":"keyframe","states":{"login":{"password":"second-päs\u0073","tries":1}},"totals":{"commits":{"login":1},"open":["login"],"derived":["hint"],"marks":0,"gaps":0,"aborts":0}}"#,
            #"{"seq":1,"kind":"outcome","commit":1,"derived":[{"name":"hint","outcome":"fired","value":"starts with p"}]}"#,
            #"{"seq":1,"kind":"mark",\#(time),"text":"typed 'second-p\u00e4ss' twice"}"#,
            #"{"seq":1,"kind":"abort","store":"login",\#(time),\#(at),"error":"päss\/word1 is too old"}"#,
            #"{"seq":2,"kind":"commit","store":"login","version":2,\#(time),\#(at),"patch":[{"op":"replace","path":"","value":{"password":"third-pass","tries":2},"old":{"password":"second-päss","tries":1}}]}"#,
            #"{"seq":2,"kind":"custom","deep":[{"päss/word1":"third-\u0070ass"}]}"#,
            #"{"seq":4,"kind":"gap",\#(time),"first":3,"lost":2,"reason":"third-pass","states":{"login":{"password":"päss/word1","tries":3}}}"#,
        ].map { $0 + "\n" }.joined()
    }()

    private static let secrets = ["päss/word1", "second-päss", "third-pass", "starts with p"]

    /// Every string, name and number in a text of JSON Lines, escapes undone.
    private func texts(_ data: Data) throws -> [String] {
        func collect(_ value: JSONValue, into texts: inout [String]) {
            switch value {
            case .string(let text): texts.append(text)
            case .number(let number): texts.append(number.text)
            case .array(let elements): for element in elements { collect(element, into: &texts) }
            case .object(let members):
                for (name, member) in members {
                    texts.append(name)
                    collect(member, into: &texts)
                }
            case .null, .bool: break
            }
        }
        var texts: [String] = []
        for line in data.split(separator: 10) { collect(try JSONParser.parse(Array(line)), into: &texts) }
        return texts
    }

    @Test("redact reaches a secret wherever it went and however it is escaped, and '--check' proves it")
    func redact() async throws {
        let folder = TemporaryFolder()
        let journal = folder.write(Self.secretive, to: "run.jsonl")
        let out = folder.path("safe.jsonl")
        let checks = Self.secrets.flatMap { ["--check", $0] }
        let run = try await ProgramRun.of(
            BuiltProducts.stateInspect, ["redact", journal, "--path", "/login/password", "-o", out] + checks, in: folder
        )
        #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
        let written = Data(TemporaryFolder.read(out))
        for text in try texts(written) {
            for secret in Self.secrets {
                #expect(!text.contains(secret), "\(String(decoding: written, as: UTF8.self))")
            }
        }
        let tries = try await ProgramRun.inspect("state", out, "--select", ".login.tries", in: folder)
        #expect(tries.text == "3\n", "\(tries)")
        // Equal values have equal hashes: the first password is there again at the end.
        let first = try await ProgramRun.inspect(
            "state", out, "--at", "start", "--select", ".login.password", in: folder)
        let last = try await ProgramRun.inspect("state", out, "--select", ".login.password", in: folder)
        #expect(first.text == last.text && first.text.hasPrefix(#"{"$redacted":""#), "\(last)")
        let verified = try await ProgramRun.inspect("verify", out, in: folder)
        #expect(verified.status == 0, "\(verified)")
    }

    @Test("'--check' alone names every place in which a secret stands")
    func check() async throws {
        let folder = TemporaryFolder()
        let journal = folder.write(Self.secretive, to: "run.jsonl")
        let run = try await ProgramRun.of(
            BuiltProducts.stateInspect, ["redact", journal] + Self.secrets.flatMap { ["--check", $0] }, in: folder)
        #expect(run.status == 1 && run.text.isEmpty, "\(run)")
        for place in [
            "'/labels/user' of the journal record at line 1", "'/state/password' of the store record at line 2",
            "'/action/payload/text' of the commit record at line 4", "'/patch/0/value' of the commit record at line 4",
            "'/patch/0/old' of the commit record at line 4",
            "'/states/login/password' of the keyframe record at line 5",
            "'/derived/0/value' of the outcome record at line 6", "'/text' of the mark record at line 7",
            "'/error' of the abort record at line 8", "'/patch/0/value/password' of the commit record at line 9",
            "'/reason' of the gap record at line 11",
        ] { #expect(run.errors.contains(place), "should say \(place): \(run)") }
    }

    @Test("a file that would still hold a secret is not written, and an old one stays")
    func secretLeft() async throws {
        let folder = TemporaryFolder()
        let journal = folder.write(Self.secretive, to: "run.jsonl")
        let out = folder.write("old", to: "safe.jsonl")
        let run = try await ProgramRun.inspect(
            "redact", journal, "--path", "/login/tries", "--check", "päss/word1", "-o", out, in: folder)
        #expect(run.status == 1 && run.errors.contains("'\(out)' was not written"), "\(run)")
        #expect(TemporaryFolder.read(out) == Array("old".utf8))
        #expect(folder.names.filter { $0.hasPrefix("safe.jsonl") } == ["safe.jsonl"])
    }

    // MARK: minimize

    @Test("the fewest commits still end bad, and none of them can be left out", arguments: [bad, cut])
    func minimize(journal: String) async throws {
        let folder = TemporaryFolder()
        let out = folder.path("small.jsonl")
        let run = try await ProgramRun.inspect(
            "minimize", journal, "--bad", ".cart.total < 0", "-o", out, in: folder)
        #expect(run.status == 0 && run.errors.contains("commits are enough: 71, 118"), "\(run)")
        try await expectWhole(out, in: folder)
        let total = try await ProgramRun.inspect("state", out, "--select", ".cart.total < 0", in: folder)
        #expect(total.text == "true\n", "\(total)")
        let log = try await ProgramRun.inspect("log", out, in: folder)
        #expect(log.lines.count == 2, "\(log)")
        for number in ["1", "2"] {
            let without = try await ProgramRun.inspect(
                "replay", out, "--without", number, "--final", "--select", ".cart.total < 0", in: folder)
            #expect(!without.text.contains(#""value":true"#), "\(without)")
        }
    }

    @Test("a run that does not end bad is status 1 and nothing is written")
    func neverBad() async throws {
        let folder = TemporaryFolder()
        let out = folder.path("small.jsonl")
        let run = try await ProgramRun.inspect("minimize", Self.bad, "--bad", ".cart.total > 99", "-o", out, in: folder)
        #expect(run.status == 1 && run.text.isEmpty, "\(run)")
        #expect(folder.names.filter { $0.hasPrefix("small") } == [])
    }

    // MARK: What all of them do

    private static let commands = [
        ["slice", bad, "1..9"], ["merge", bad], ["redact", bad, "--path", "/cart"],
        ["minimize", bad, "--bad", ".cart.total < 0"],
    ]

    @Test("a journal that is read is not written over, also by another name", arguments: commands)
    func same(command: [String]) async throws {
        let folder = TemporaryFolder()
        let bytes = TemporaryFolder.read(Self.bad)
        let path = folder.write(bytes, to: "run.jsonl")
        let link = folder.path("link.jsonl")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        for out in [path, link] {
            let named = command.map { $0 == Self.bad ? path : $0 }
            let run = try await ProgramRun.of(BuiltProducts.stateInspect, named + ["-o", out], in: folder)
            #expect(run.status == 2 && run.errors.contains("is the journal itself"), "\(run)")
        }
        #expect(TemporaryFolder.read(path) == bytes)
    }

    @Test("an output that cannot be written is status 3", arguments: commands)
    func unwritable(command: [String]) async throws {
        let folder = TemporaryFolder()
        for out in ["no/such/out.jsonl", folder.path] {
            let run = try await ProgramRun.of(BuiltProducts.stateInspect, command + ["-o", out], in: folder)
            #expect(run.status == 3 && run.errors.contains("cannot be written"), "\(run)")
        }
        guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
        let full = try await ProgramRun.of(BuiltProducts.stateInspect, command, in: folder, output: "/dev/full")
        #expect(full.status == 3 && full.errors.contains("no space left"), "\(full)")
    }
}
