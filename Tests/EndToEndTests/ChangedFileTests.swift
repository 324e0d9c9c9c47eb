import Foundation
import TestSupport
import Testing

/// A journal that is cut, taken away, replaced or written on while it is read.
struct ChangedFileTests {
    private func shell(_ script: String, in folder: TemporaryFolder) async throws -> ProgramRun {
        try await ProgramRun.of(
            "/bin/sh", ["-c", script], in: folder,
            environment: ["INSPECT": BuiltProducts.stateInspect, "J": BuiltProducts.sample("checkout.jsonl")])
    }

    /// Begins to follow a journal that is half there, and does something to it.
    private func follow(_ command: String, _ script: String) async throws -> ProgramRun {
        try await shell(
            #"""
            head -n 300 "$J" > run.jsonl
            timeout 250 "$INSPECT" \#(command) > out & reader=$!
            while kill -0 $reader && ! [ -s out ]; do sleep 0.05; done; \#(script)
            wait $reader; s=$?; wc -l < out; exit $s
            """#, in: TemporaryFolder())
    }

    /// Both print something of the first half; the total is wrong from commit 118 on.
    private static let following = [
        "log run.jsonl --follow", "check run.jsonl --follow --invariant 't=.cart.total >= 0'",
    ]

    @Test("a journal that is cut while it is followed is an error, not an end", arguments: following)
    func cut(command: String) async throws {
        let run = try await follow(command, "head -n 20 \"$J\" > run.jsonl")
        #expect(run.status == 3 && run.errors.contains("shorter"), "\(run.testDescription)")
    }

    @Test("a journal that is renamed or taken away while it is followed is read on in its file", arguments: following)
    func moved(command: String) async throws {
        for change in ["mv run.jsonl run.1.jsonl", "ln run.jsonl run.1.jsonl; rm run.jsonl"] {
            let run = try await follow(command, "\(change); tail -n +301 \"$J\" >> run.1.jsonl")
            #expect(run.status == (command.hasPrefix("log") ? 0 : 1), "\(run.testDescription)")
            if command.hasPrefix("log") { #expect(run.text.contains("412"), "\(run.testDescription)") }
        }
    }

    @Test("a line that comes in pieces is one line", arguments: following)
    func pieces(command: String) async throws {
        let run = try await follow(
            command,
            #"""
            tail -n +301 "$J" > rest; head -c 1000 rest >> run.jsonl; sleep 0.2
            head -c 1001 rest | tail -c 1 >> run.jsonl; sleep 0.2; tail -c +1002 rest >> run.jsonl
            """#)
        #expect(
            run.status == (command.hasPrefix("log") ? 0 : 1) && run.errors.isEmpty, "\(run.testDescription)")
    }

    @Test("bytes of damage that come while a journal is followed are told with line and byte", arguments: following)
    func damage(command: String) async throws {
        let run = try await follow(command, #"printf '{"seq":1,"kind":"commit"}\n' >> run.jsonl"#)
        #expect(run.status == 3 && run.errors.contains("run.jsonl:301"), "\(run.testDescription)")
    }
}
