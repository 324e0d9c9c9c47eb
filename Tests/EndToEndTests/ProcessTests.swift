import Foundation
import TestSupport
import Testing

/// The program as a process: the descriptors it is given, and the signals that end it.
struct ProcessTests {
    private let folder = TemporaryFolder()

    private func shell(_ script: String, in folder: TemporaryFolder) async throws -> ProgramRun {
        try await ProgramRun.of(
            "/bin/sh", ["-c", script], in: folder,
            environment: [
                "INSPECT": BuiltProducts.stateInspect,
                "J": BuiltProducts.samples.appendingPathComponent("checkout.jsonl").path,
            ])
    }

    @Test("closed standard descriptors are nobody's: the answer is not lost in silence, and signals are no output")
    func closedDescriptors() async throws {
        let log = try await shell(#"timeout 250 "$INSPECT" log "$J" <&- >&-"#, in: folder)
        #expect(log.status == 3 && log.errors.contains("cannot be written"), "\(log.testDescription)")
        let repair = try await shell(
            #"""
            timeout 250 "$INSPECT" verify "$J" --repair out.jsonl <&- >&- 2>&-; s=$?
            cmp out.jsonl "$J" || exit 1; exit $s
            """#,
            in: folder)
        // The file is whole all the same; that the journal is, too, could not be said.
        #expect(repair.status == 3, "\(repair.testDescription)")
    }

    @Test(
        "a signal that ends the program ends the program that it asks, too", arguments: ["QUIT", "TERM", "INT", "HUP"])
    func signals(_ name: String) async throws {
        let run = try await shell(
            #"""
            ulimit -c 0
            until_minute() { turn=0; while "$@" && [ $turn -lt 1200 ]; do sleep 0.05; turn=$((turn + 1)); done; }
            is_not_there() { ! [ -s child ]; }
            lives() { ps -o stat= -p "$(cat child)" | grep -qv Z; }
            { until_minute is_not_there; kill -\#(name) "$(cat number)"; } &
            sh -c 'echo $$ > number; exec "$INSPECT" bisect "$J" --run sh -c "echo \$\$ > child; exec sleep 300"' >&2
            until_minute lives; [ -s child ] || echo was not asked; ! lives || echo lives; exit 0
            """#, in: folder)
        #expect(run.status == 0 && run.text.isEmpty, "\(run.testDescription)")
    }

    @Test("a file that may not grow is an error that is told, and no temporary file is left")
    func fileSizeLimit() async throws {
        let run = try await shell(
            #"mkdir out; (ulimit -f 8; "$INSPECT" slice "$J" 0..400 -o out/x.jsonl); s=$?; ls -A out; exit $s"#,
            in: folder)
        #expect(run.status == 3 && run.text.isEmpty, "\(run.testDescription)")
    }

    @Test("what 'debug' and 'stderr' print cannot act on a terminal")
    func debugOutput() async throws {
        for word in ["debug", "stderr"] {
            let run = try await ProgramRun.inspect(
                "query", ".|\(word)", in: folder, input: Data("\"\u{9B}31mX\u{202E}\"\n".utf8))
            #expect(run.status == 0 && run.errors.contains(#"\u009b31mX\u202e"#), "\(run.testDescription)")
        }
    }

    @Test("a command that redacts prints nothing of what 'debug' and 'stderr' are given, and says so once")
    func redactedDebugOutput() async throws {
        let at = #""at":{"file":"A/A.swift","line":1,"column":1,"function":"f()"}"#
        folder.write(
            """
            {"seq":0,"kind":"journal","version":1,"id":"r","time":"2026-01-01T00:00:01.000000Z","recorder":"h"}
            {"seq":0,"kind":"store","store":"s","type":"T","time":"2026-01-01T00:00:01.000000Z",\(at),"state":{"pw":"hunter2","n":0}}

            """, to: "run.jsonl")
        let queries = [
            ".s.pw | debug | false", "debug(.s.pw) | false", #"debug("m", .s.pw) | false"#, ".s.pw | stderr | false",
            ".s.pw | debug(.) | error", ".s.n | debug(\"of \\(.)\") | true",
        ].enumerated().flatMap { ["--invariant", "i\($0)=\($1)"] }
        let run = try await ProgramRun.of(
            BuiltProducts.stateInspect, ["report", "run.jsonl", "-o", "page", "--redact", "/s/pw"] + queries, in: folder
        )
        #expect(run.status == 0 && run.errors.components(separatedBy: "DEBUG").count == 2, "\(run)")
        #expect(run.errors.contains("left out") && !run.errors.contains("hunter2"), "\(run)")
    }

    @Test("a packed journal unpacks to no more than is allowed")
    func spoolLimit() async throws {
        let refused = try await shell(
            #"gzip -c "$J" > run.jsonl.gz; STATE_INSPECT_SPOOL_LIMIT=1000 "$INSPECT" state run.jsonl.gz"#, in: folder)
        #expect(
            refused.status == 3 && refused.errors.contains("unpacks to more than 1000 bytes"),
            "\(refused.testDescription)")
        #expect(refused.errors.contains("STATE_INSPECT_SPOOL_LIMIT"), "\(refused.testDescription)")
        let read = try await shell(#"gzip -c "$J" > run.jsonl.gz; "$INSPECT" state run.jsonl.gz"#, in: folder)
        #expect(read.status == 0, "\(read.testDescription)")
    }
}

/// What goes wrong ends the process with its status; which one, and its words, are tested in `StateInspectCLITests`.
struct BadInputTests {
    private static let checkout = BuiltProducts.sample("checkout.jsonl")

    @Test(
        "the status of what went wrong is the one that the process ends with",
        arguments: [
            (["diff", checkout, "117", "118"], 1, ""), (["bisekt", checkout], 2, "write 'bisect'"),
            (["info", "nowhere.jsonl"], 3, "no file 'nowhere.jsonl'"),
            (["state", checkout, "--at", "90000"], 4, "'90000' is past the end"),
            (["bisect", checkout, "--run", "sh", "-c", "kill -9 $$"], 5, "signal 9"),
        ] as [([String], Int32, String)])
    func status(arguments: [String], status: Int32, says: String) async throws {
        let run = try await ProgramRun.of(BuiltProducts.stateInspect, arguments, in: TemporaryFolder())
        #expect(run.status == status && (says.isEmpty || run.errors.contains(says)), "\(run)")
    }

    @Test(
        "an output that cannot be written is status 3",
        arguments: ["info", "log", "state", "replay", "derived", "--help", "slice", "merge", "redact", "minimize"])
    func fullDevice(command: String) async throws {
        guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
        let options = [
            "slice": ["1..9"], "redact": ["--path", "/cart"], "minimize": ["--bad", ".cart.total < 0"],
        ]
        let arguments = command == "--help" ? [command] : [command, Self.checkout] + (options[command] ?? [])
        let run = try await ProgramRun.of(
            BuiltProducts.stateInspect, arguments, in: TemporaryFolder(), output: "/dev/full")
        #expect(run.status == 3 && run.errors.contains("no space left"), "\(run)")
    }
}

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
