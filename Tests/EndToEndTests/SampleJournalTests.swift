import Foundation
import JSONCore
import TestSupport
import Testing

/// The journals beside the sample: they are what the sample writes, and what other programs read.
struct SampleJournalTests {
    static let names = ["checkout", "checkout-flipping", "checkout-good", "crashed"].map { $0 + ".jsonl" }

    @Test("the shop writes the journals that lie beside it, byte for byte")
    func regeneration() async throws {
        let folder = TemporaryFolder()
        let run = try await ProgramRun.of(BuiltProducts.shop, [folder.path], in: folder)
        #expect(run.status == 0, "\(run)")
        for name in Self.names {
            let made = try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
            let kept = try Data(contentsOf: BuiltProducts.samples.appendingPathComponent(name))
            #expect(
                made == kept,
                "\(firstDifference(made, kept)) of \(name); 'swift run shop' records the samples anew")
        }
    }

    @Test("STATE_JOURNAL records the built shop where it names no recorder, and the command reads what it wrote")
    func environment() async throws {
        let (folder, journals) = (TemporaryFolder(), TemporaryFolder())
        let run = try await ProgramRun.of(
            BuiltProducts.shop, ["--play"], in: folder, environment: ["STATE_JOURNAL": journals.path])
        #expect(run.status == 0, "\(run)")
        let name = try #require(journals.names.first, "\(run)")
        #expect(journals.names.count == 1 && name.hasPrefix("shop-") && name.hasSuffix(".jsonl"))
        let info = try await ProgramRun.inspect("info", journals.path(name), in: folder)
        #expect(info.status == 0, "\(info)")
        for store in ["session", "catalogue", "cart", "feed"] { #expect(info.text.contains(store), "\(info)") }
        #expect(info.text.contains("412"), "\(info)")
        let verified = try await ProgramRun.inspect("verify", journals.path(name), in: folder)
        #expect(verified.status == 0, "\(verified)")
    }

    @Test(
        "the shop complains of what it does not know, and of a folder that is not there",
        arguments: [
            (["--help"], 2), (["a", "b"], 2), (["no/such/folder"], 1),
        ] as [([String], Int32)])
    func shopUsage(arguments: [String], status: Int32) async throws {
        let run = try await ProgramRun.of(BuiltProducts.shop, arguments, in: TemporaryFolder())
        #expect(run.status == status, "\(run)")
        #expect(!run.errors.isEmpty && run.output.isEmpty, "\(run)")
    }

    @Test("each journal is whole, but for the one whose run crashed", arguments: names)
    func verification(name: String) async throws {
        let folder = TemporaryFolder()
        let run = try await ProgramRun.inspect("verify", BuiltProducts.sample(name), in: folder)
        let isCrashed = name == "crashed.jsonl"
        #expect(run.status == (isCrashed ? 1 : 0), "\(run)")
        #expect(run.lines.count == 1, "\(run)")
    }

    @Test(
        "jq reads every whole line", .enabled("jq is not there") { ProgramRun.isThere("jq", "--version") },
        arguments: names)
    func jqReadsEveryLine(name: String) async throws {
        let folder = TemporaryFolder()
        let lines = try wholeLines(of: name)
        let run = try await ProgramRun.of(
            "jq", ["-c", ".kind"], in: folder, input: Data(lines.joined(separator: [10])))
        #expect(run.status == 0, "\(run)")
        #expect(run.lines.count == lines.count, "\(run)")
    }

    @Test(
        "an RFC 6902 library that is not ours goes forward to our states and back from 'old'",
        .enabled("python3 with jsonpatch is not there") { ProgramRun.isThere("python3", "-c", "import jsonpatch") },
        arguments: names)
    func foreignReplay(name: String) async throws {
        let folder = TemporaryFolder()
        let replay = try await ProgramRun.inspect("replay", "--json", BuiltProducts.sample(name), in: folder)
        #expect(replay.status == 0, "\(replay)")
        let states = folder.write(replay.output, to: "states.jsonl")
        let journal = try folder.write(Data(wholeLines(of: name).joined(separator: [10])), to: "journal.jsonl")
        let run = try await ProgramRun.of("python3", ["-c", ForeignReplay.script, journal, states], in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(run.text == "\(replay.lines.count) commits forward and back\n", "\(run)")
    }

    @Test("the token and the card's number are in no journal, a hash is in their place", arguments: names)
    func secrets(name: String) throws {
        let journal = try String(contentsOfFile: BuiltProducts.sample(name), encoding: .utf8)
        for secret in ["a100", "b200", "4000 0000 0000"] { #expect(!journal.contains(secret), "\(secret)") }
        #expect(journal.contains(#"{"op":"replace","path":"/token","value":{"$redacted":"#))
        #expect(journal.contains(#""card":{"$redacted":"#))
    }

    private func wholeLines(of name: String) throws -> [Data] {
        let data = try Data(contentsOf: BuiltProducts.samples.appendingPathComponent(name))
        let lines = data.split(separator: 10)
        return data.last == 10 ? lines : lines.dropLast()
    }

    private func firstDifference(_ left: Data, _ right: Data) -> String {
        let pairs = zip(left.split(separator: 10), right.split(separator: 10)).enumerated()
        guard let (index, pair) = pairs.first(where: { $1.0 != $1.1 }) else {
            return "\(left.count) bytes, should be \(right.count),"
        }
        return """
            line \(index + 1) is
            \(String(decoding: pair.0, as: UTF8.self))
            should be
            \(String(decoding: pair.1, as: UTF8.self))

            """
    }
}

/// A replay in Python, on `jsonpatch` from PyPI.
enum ForeignReplay {
    /// Takes a journal and the lines of `replay --json`; holds each patch, and each patch turned round, against them.
    static let script = """
        import json, sys, copy, jsonpatch

        def back(patch):
            for operation in reversed(patch):
                kind, path = operation["op"], operation["path"]
                if kind == "add": yield {"op": "remove", "path": path}
                elif kind == "remove": yield {"op": "add", "path": path, "value": operation["old"]}
                elif kind == "replace": yield {"op": "replace", "path": path, "value": operation["old"]}
                elif kind == "move": yield {"op": "move", "from": path, "path": operation["from"]}
                else: sys.exit("an operation that cannot be turned round: " + kind)

        expected = {}
        for line in open(sys.argv[2]):
            answer = json.loads(line)
            expected[answer["seq"]] = answer["value"]
        stores, commits = {}, 0
        for line in open(sys.argv[1]):
            record = json.loads(line)
            if record["kind"] == "store": stores[record["store"]] = record["state"]
            if record["kind"] != "commit": continue
            name, patch, seq = record["store"], record["patch"], record["seq"]
            before = copy.deepcopy(stores[name])
            stores[name] = jsonpatch.apply_patch(before, patch)
            if stores != expected[seq]: sys.exit("the state after %d differs" % seq)
            if jsonpatch.apply_patch(stores[name], list(back(patch))) != before: sys.exit("going back from %d differs" % seq)
            commits += 1
        print("%d commits forward and back" % commits)
        """
}
