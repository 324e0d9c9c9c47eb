import Foundation
import TestSupport
import Testing

/// `verify --repair`: a journal that was damaged becomes one that is whole.
struct RepairTests {
    @Test("a crashed run is kept without its torn last line")
    func crashed() async throws {
        let folder = TemporaryFolder()
        let bytes = TemporaryFolder.read(BuiltProducts.sample("crashed.jsonl"))
        let whole = bytes[...(bytes.lastIndex(of: 10) ?? 0)]
        let out = folder.path("whole.jsonl")
        let run = try await ProgramRun.inspect(
            "verify", "--repair", out, BuiltProducts.sample("crashed.jsonl"), in: folder)
        #expect(run.status == 1 && run.lines.count == 1, "\(run)")
        #expect(run.errors.contains("note: '\(out)' has 125 commits\n"), "\(run)")
        #expect(TemporaryFolder.read(out) == Array(whole))
        try await expectWhole(out, in: folder)
    }

    @Test("commits that were damaged become a gap, and what is around them stays")
    func damaged() async throws {
        let folder = TemporaryFolder()
        var lines = try BadInputTests.lines()
        let first = try #require(lines.firstIndex { $0.starts(with: Data(#"{"seq":30,"kind":"commit""#.utf8)) })
        lines[first] = lines[first].dropLast(40)
        let damaged = folder.write(Data(lines.joined(separator: [10])), to: "damaged.jsonl")
        let out = folder.write("an old file", to: "whole.jsonl")
        let run = try await ProgramRun.inspect("verify", damaged, "--repair", out, in: folder)
        #expect(run.status == 1 && run.lines.count >= 1, "\(run)")
        #expect(run.errors.contains("became part of a gap"), "\(run)")
        try await expectWhole(out, in: folder)
        for position in ["29", "end"] {
            let kept = try await ProgramRun.inspect("state", out, "--at", position, in: folder)
            let original = try await ProgramRun.inspect(
                "state", BuiltProducts.sample("checkout.jsonl"), "--at", position, in: folder)
            #expect(kept.status == 0 && kept.text == original.text, "\(kept)")
        }
        let inside = try await ProgramRun.inspect("state", out, "--at", "30", in: folder)
        #expect(inside.status == 4, "\(inside)")
        #expect(folder.names.filter { $0.hasPrefix("whole.jsonl") } == ["whole.jsonl"])
    }

    @Test("a whole journal from standard input is copied, and the status is 0")
    func whole() async throws {
        let folder = TemporaryFolder()
        let data = try Data(contentsOf: URL(fileURLWithPath: BuiltProducts.sample("checkout.jsonl")))
        let out = folder.path("copy.jsonl")
        let run = try await ProgramRun.of(
            BuiltProducts.stateInspect, ["verify", "--repair", out, "-"], in: folder, input: data)
        #expect(run.status == 0, "\(run)")
        #expect(TemporaryFolder.read(out) == [UInt8](data))
    }

    @Test("the journal itself is refused, also by another name, and stays as it is")
    func same() async throws {
        let folder = TemporaryFolder()
        let path = folder.write("not even a journal", to: "run.jsonl")
        let link = folder.path("link.jsonl")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        for (journal, out) in [(path, path), (path, link), (link, path)] {
            let run = try await ProgramRun.inspect("verify", journal, "--repair", out, in: folder)
            #expect(run.status == 2 && run.errors.contains("is the journal itself"), "\(run)")
        }
        #expect(TemporaryFolder.read(path) == Array("not even a journal".utf8))
    }

    @Test(
        "a file that cannot be written is status 3", arguments: ["no/such/folder/out.jsonl", "/tmp", ""])
    func unwritable(out: String) async throws {
        let folder = TemporaryFolder()
        let run = try await ProgramRun.inspect(
            "verify", BuiltProducts.sample("checkout.jsonl"), "--repair", out, in: folder)
        #expect(run.status == 3 && run.errors.contains("cannot be written"), "\(run)")
    }

    @Test("a journal that cannot be read leaves no file and the old one as it was")
    func unreadable() async throws {
        let folder = TemporaryFolder()
        let path = folder.write("no journal\n", to: "run.jsonl")
        let out = folder.write("old", to: "out.jsonl")
        let run = try await ProgramRun.inspect("verify", path, "--repair", out, in: folder)
        #expect(run.status == 3, "\(run)")
        #expect(TemporaryFolder.read(out) == Array("old".utf8))
        #expect(folder.names.filter { $0.hasPrefix("out.jsonl") } == ["out.jsonl"])
    }

    private func expectWhole(_ path: String, in folder: TemporaryFolder) async throws {
        let run = try await ProgramRun.inspect("verify", path, in: folder)
        #expect(run.status == 0 && run.text.hasPrefix(#"{"kind":"verified""#), "\(run)")
    }
}
