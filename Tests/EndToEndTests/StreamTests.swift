import Foundation
import TestSupport
import Testing

/// What is read from a pipe that somebody still writes to.
struct StreamTests {
    private let folder = TemporaryFolder()

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

/// `query` on what comes in while it runs.
@Suite("query on a stream")
struct QueryStreamTests {
    @Test("an output is printed as soon as its text is whole")
    func atOnce() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: BuiltProducts.stateInspect)
        process.arguments = ["query", ".a", "-"]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        for number in 1...3 {
            try input.fileHandleForWriting.write(contentsOf: Data("{\"a\":\(number)} {\"a\"".utf8))
            #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "\(number)\n")
            try input.fileHandleForWriting.write(contentsOf: Data(":0}".utf8))
            #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "0\n")
        }
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test("'inputs' prints as the texts come, too")
    func inputsAtOnce() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: BuiltProducts.stateInspect)
        process.arguments = ["query", "-n", "inputs | . + 1"]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        // One byte and a line break are fewer than show a packed file.
        for number in 1...3 {
            try input.fileHandleForWriting.write(contentsOf: Data("\(number)\n".utf8))
            #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "\(number + 1)\n")
        }
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    private static let text = #"{"a":[1,"x"]} 2 "#

    @Test("what is packed is unpacked, of a file and of standard input", arguments: ["gzip", "zstd"])
    func packed(_ program: String) async throws {
        let folder = TemporaryFolder()
        folder.write(Data(Self.text.utf8), to: "a.json")
        let packing = try await shell("\(program) -c < a.json > a.json.packed", in: folder)
        guard packing.status == 0 else { return }  // There is no such program on this machine.
        for line in [
            "query . a.json.packed", "query . - < a.json.packed", "cat a.json.packed | query .",
            "query -n inputs a.json.packed",
        ] {
            let run = try await shell(line, in: folder)
            #expect(run.text == "{\"a\":[1,\"x\"]}\n2\n" && run.status == 0, "\(run)")
        }
        let cut = try await shell("head -c 20 a.json.packed > cut; query . cut a.json", in: folder)
        #expect(cut.text.hasSuffix("{\"a\":[1,\"x\"]}\n2\n") && cut.status == 3, "\(cut)")
    }

    @Test("a folder for temporary files that is not there is named")
    func temporaryFolder() async throws {
        let folder = TemporaryFolder()
        folder.write(Data(Self.text.utf8), to: "a.json")
        let run = try await shell("gzip -c a.json | TMPDIR=/no/such/folder query . -", in: folder)
        #expect(run.status == 3 && run.errors.contains("mkstemp in /no/such/folder"), "\(run)")
    }

    /// Runs a line in which 'query' is the command under test.
    private func shell(_ line: String, in folder: TemporaryFolder) async throws -> ProgramRun {
        let function = "query() { '\(BuiltProducts.stateInspect)' query \"$@\"; }\n"
        return try await ProgramRun.of("bash", ["-c", function + line], in: folder)
    }
}

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

    @Test(
        "a log that is imported while it grows is kept, whatever becomes of it and whatever ends the import",
        arguments: [
            (": > log; sleep 0.4; echo '{\"s\":3}' >> log", "TERM", "2 3"),
            ("mv log log.1; echo '{\"s\":3}' > log", "HUP", "2 3"),
            ("rm log; sleep 0.3; echo '{\"s\":3}' > log", "TERM", "2 3"),
            ("printf '{\"s\":7}\\n{\"s\":8}\\n{\"s\":9}\\n' > log", "TERM", "2 7 8 9"),
            ("cp log log.1; : > log; sleep 0.4; echo '{\"s\":3}' >> log", "HUP", "2 3"),
            ("echo '{\"s\":3}' >> log", "KILL", "2 3"),
            ("printf '{\"s\":3}\\n{\"s' >> log", "TERM", "2 3"),
        ])
    func importing(change: String, signal: String, values: String) async throws {
        let run = try await shell(
            #"""
            # A shell that has waited once lets its programs have the signals that the test's own thread does not take.
            /bin/true; echo '{"s":1}' > log
            "$INSPECT" import jsonl log --state .s --follow -o run.jsonl & importer=$!
            sleep 1; echo '{"s":2}' >> log
            wait_for() { n=0; while [ $n -lt 200 ] && ! [ "$(values 2> /dev/null)" = "$1" ]; do n=$((n+1)); sleep 0.05; done; }
            values() { "$INSPECT" replay run.jsonl --select .state 2> /dev/null | sed 's/.*"value":\([0-9]*\)}$/\1/' | tr '\n' ' ' | sed 's/ $//'; }
            wait_for 2; \#(change); wait_for '\#(values)'
            kill -\#(signal) $importer; wait $importer; values
            """#, in: TemporaryFolder())
        #expect(run.text == values, "\(run.testDescription)")
    }

    @Test("what came through a pipe that is followed is kept when a signal ends the import")
    func importingPipe() async throws {
        let run = try await shell(
            #"""
            mkfifo pipe; (echo '{"s":1}'; echo '{"s":2}'; sleep 60) > pipe & writer=$!
            "$INSPECT" import jsonl - --state .s --follow -o run.jsonl < pipe & importer=$!
            sleep 2; kill -TERM $importer; wait $importer; kill $writer
            "$INSPECT" state run.jsonl
            """#, in: TemporaryFolder())
        #expect(run.text == "{\"state\":2}\n", "\(run.testDescription)")
    }

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
