import Foundation
import TestSupport
import Testing

/// The file that an answer goes to: whole and in its place, or as it was, whatever happens on the way.
struct OutputFileTests {
    /// How often each command is ended by each signal; with `STATE_INSPECT_SIGNALS` in the environment so often.
    private static let rounds = ProcessInfo.processInfo.environment["STATE_INSPECT_SIGNALS"].flatMap { Int($0) } ?? 1

    /// Everything that writes a file: `J` is the journal, `L` lines that are none, and `out/x` what is written.
    private static let commands = [
        "slice J 0..400 -o out/x", "merge J -o out/x", "redact J --path /cart/total -o out/x",
        "minimize J --bad .cart.total<0 -o out/x", "export json-patch J -o out/x", "report J -o out/x",
        "verify J --repair out/x", "import jsonl L --state .seq -o out/x",
    ]

    private func shell(_ script: String, in folder: TemporaryFolder) async throws -> ProgramRun {
        try await ProgramRun.of(
            "/bin/sh", ["-c", #"cp "$SAMPLE" J; tail -n +2 J > L; "# + script], in: folder,
            environment: ["INSPECT": BuiltProducts.stateInspect, "SAMPLE": BuiltProducts.sample("checkout.jsonl")])
    }

    /// The command for a shell, also where it stands between quotes.
    private static func quoted(_ command: String) -> String { command.replacingOccurrences(of: "<", with: "\\<") }

    @Test(
        "a signal in the middle of the work leaves the old file as it was, and nothing beside it", arguments: commands,
        ["TERM", "INT", "HUP"])
    func signals(command: String, signal: String) async throws {
        let folder = TemporaryFolder()
        for round in 0..<Self.rounds {
            // The writer of the pipe pauses in the middle of the journal; the signal comes while it is waited for, or later at a
            // time that nobody chose.
            let pause = round % 2 == 0 ? "20" : "0.0\(Int.random(in: 0...9))"
            let delay = round == 0 ? "0.15" : "0.\(Int.random(in: 0...1))\(Int.random(in: 0...9))"
            let file = command.contains(" L ") ? "L" : "J"
            let words = Self.quoted(command.replacingOccurrences(of: " \(file) ", with: " - "))
            let run = try await shell(
                #"""
                mkdir -p out; printf old > out/x; chmod 640 out/x; mkfifo pipe 2> no
                (head -c 120000 \#(file); exec sleep \#(pause)) > pipe & writer=$!
                timeout --foreground -s \#(signal) \#(delay) "$INSPECT" \#(words) < pipe > no 2>&1; s=$?
                kill $writer 2> no; wait 2> no
                ls -A out; stat -c %a out/x 2> no || stat -f %Lp out/x
                [ $s != 124 ] || { [ "$(cat out/x)" = old ] && echo as it was; }
                """#, in: folder)
            // A command of which nothing is asked any more may have ended first.
            let isEnded = run.text.hasSuffix("as it was\n") || round > 0
            #expect(isEnded && run.text.hasPrefix("x\n640\n"), "\(command), \(signal): \(run.testDescription)")
        }
    }

    @Test("a file that was not there is for its owner only", arguments: commands)
    func mode(command: String) async throws {
        let run = try await shell(
            #"umask 0; mkdir out; "$INSPECT" \#(Self.quoted(command)) > no 2>&1; ls -A out; stat -c %a out/x 2> no || stat -f %Lp out/x"#,
            in: TemporaryFolder())
        #expect(run.text == "x\n600\n", "\(run.testDescription)")
    }

    private static let mayMount: Bool = {
        geteuid() == 0 && ProgramRun.isThere("unshare", "-m", "sh", "-c", "mount -t tmpfs -o size=64k none /mnt")
    }()

    @Test(
        "on a disk that is full, or may not be written, the old file stays and the error is told",
        .enabled("a file system of one's own needs root") { mayMount }, arguments: commands)
    func fullDisk(command: String) async throws {
        let run = try await shell(
            #"""
            mkdir out; exec unshare -m sh -c '
            mount -t tmpfs -o size=64k none out; printf old > out/x
            head -c 60000 /dev/zero > out/full
            "$INSPECT" \#(Self.quoted(command)) > no; echo $?; cat out/x; echo; ls -A out
            mount -o remount,ro out
            "$INSPECT" \#(Self.quoted(command)) > no; echo $?; cat out/x; echo; ls -A out'
            """#, in: TemporaryFolder())
        #expect(run.lines == ["3", "old", "full", "x", "3", "old", "full", "x"], "\(run.testDescription)")
        #expect(run.errors.contains("no space left") && run.errors.contains("read-only"), "\(run.testDescription)")
    }

    @Test(
        "an app on a full disk goes on, and what its journal holds is whole",
        .enabled("a file system of one's own needs root") { mayMount })
    func fullDiskOfAnApp() async throws {
        let run = try await shell(
            #"""
            mkdir out; exec unshare -m sh -c '
            mount -t tmpfs -o size=100k none out
            "\#(BuiltProducts.shop)" out > no; echo $?
            for f in out/*.jsonl; do "$INSPECT" verify $f > no; echo $?; done'
            """#, in: TemporaryFolder())
        // A journal that could not even be begun is refused by the app.
        #expect(run.lines.dropFirst().allSatisfy { $0 == "0" || $0 == "1" }, "\(run.testDescription)")
        #expect(run.errors.contains("no space left"), "\(run.testDescription)")
    }
}
