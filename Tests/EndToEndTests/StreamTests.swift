import Foundation
import TestSupport
import Testing

/// What is read from a pipe that somebody still writes to.
struct StreamTests {
    /// Waits for the file `out` to have so many lines, for half an hour at most, and keeps what it has in `seen`: a program that
    /// prints when its input ends prints too late.
    private static let pause = #"""
        pause() {
            turn=0
            while [ "$(grep -c . out)" -lt "$1" ] && [ $turn -lt 36000 ]; do sleep 0.05; turn=$((turn + 1)); done
            cp out seen
        }
        : > out
        """#

    @Test(
        "lines are printed before the writer of the pipe pauses",
        arguments: [
            "", "--format human", "--store cart", "--where '.cart.total < 20'", "--where '.cart.total < 20' --follow",
        ])
    func pause(_ options: String) async throws {
        let folder = TemporaryFolder()
        try folder.copySamples()
        let front = "head -n 400 samples/checkout.jsonl"
        let whole = try await ProgramRun.of(
            "/bin/sh", ["-c", "\(front) | \"$BUILT\" log - \(options)"], in: folder,
            environment: ["BUILT": BuiltProducts.stateInspect])
        let paused = try await ProgramRun.of(
            "/bin/sh",
            [
                "-c",
                "\(Self.pause)\n{ \(front); pause \(whole.lines.count); } | \"$BUILT\" log - \(options) > out; cat seen",
            ], in: folder, environment: ["BUILT": BuiltProducts.stateInspect])
        // For people, columns fit the lines that are known when the first is printed.
        #expect(whole.lines.count > 3 && paused.lines.count == whole.lines.count, "\(paused)")
    }

    @Test("what is merged is printed before the writer of the pipe pauses")
    func mergePause() async throws {
        let folder = TemporaryFolder()
        try folder.copySamples()
        let run = try await ProgramRun.of(
            "/bin/sh",
            [
                "-c",
                "\(Self.pause)\n{ head -n 100 samples/checkout.jsonl; pause 100; } | \"$BUILT\" merge - > out; cat seen",
            ], in: folder, environment: ["BUILT": BuiltProducts.stateInspect])
        #expect(run.lines.count == 100, "\(run)")
    }

    /// A shell line about the sample journal, which `$J` names; `$N` is the line of the commit that makes the total negative.
    private func shell(_ script: String) async throws -> ProgramRun {
        let folder = TemporaryFolder()
        try folder.copySamples()
        let number = #"N=$(grep -n '"seq":118,"kind":"commit"' "$J" | cut -d: -f1); "#
        return try await ProgramRun.of(
            "/bin/sh", ["-c", Self.pause + "\n" + number + script], in: folder,
            environment: ["BUILT": BuiltProducts.stateInspect, "J": "samples/checkout.jsonl"])
    }

    @Test(
        "a violation is told while the writer of the pipe pauses behind the commit that began it, and what stands beside that",
        arguments: [0, 1, 2])
    func violation(_ more: Int) async throws {
        let run = try await shell(
            """
            { head -n $((N + \(more))) $J; pause 1; } |
                "$BUILT" check - --invariant 'total=.cart.total >= 0' > out; cat seen
            """
        )
        #expect(run.lines.count == 1 && run.lines[0].contains(#""kind":"violated""#), "\(run)")
        #expect(run.lines[0].contains(#""seq":118"#), "\(run)")
    }

    @Test("a journal that is followed is read past the end that it has, up to the record that ends the run")
    func follow() async throws {
        let run = try await shell(
            #"""
            head -n $N $J > grown.jsonl; { pause 1; tail -n +$((N + 1)) $J; } >> grown.jsonl &
            timeout 1700 "$BUILT" check grown.jsonl --follow --invariant 'total=.cart.total >= 0' > out; echo "status $?"
            "$BUILT" check $J --invariant 'total=.cart.total >= 0' | sed 's|samples/checkout|grown|' > plain
            grep -v violated out | cmp - plain && "$BUILT" log $J > whole && "$BUILT" log grown.jsonl --follow | cmp - whole && echo same
            """#)
        #expect(run.lines == ["status 1", "same"], "\(run)")
    }

    @Test("Ctrl-C ends a check that follows with its summary and its status, and a second one the program")
    func interrupted() async throws {
        let run = try await shell(
            #"""
            head -n $N $J > cut.jsonl
            { pause 1; kill -INT "$(cat number)"; } &
            sh -c 'echo $$ > number; exec "$BUILT" check cut.jsonl --follow --invariant "total=.cart.total >= 0"' > out
            cat out
            """#)
        #expect(run.lines.count == 2 && run.lines[1].contains(#""kind":"violation""#), "\(run)")
        #expect(run.errors.contains("has no end"), "\(run)")
    }
}
