import Foundation
import Platform
import TestSupport
import Testing

@Suite("Files as people have them")
struct FilesOfPeopleTests {
    private let folder = TemporaryFolder()

    private func run(_ arguments: [String], _ texts: [String: String] = [:]) -> ProgramRun {
        for (name, text) in texts { folder.write(Array(text.utf8), to: name) }
        return ProgramRun(arguments.map { $0.replacing("D/", with: folder.path + "/") })
    }

    // MARK: query

    @Test("a byte order mark is taken wherever a file or a text is")
    func marks() {
        let (mark, journal) = ("\u{FEFF}", ShopJournal())
        let files = [
            "b.json": mark + "{\"a\":1}\n" + mark + "{\"a\":2}", "q.jq": mark + ".a", "d.jq": mark + "def f: .a;",
        ]
        #expect(run(["query", "-c", ".a", "D/b.json", "D/b.json"], files).output == "1\n2\n1\n2\n")
        #expect(run(["query", "-f", "D/q.jq", "D/b.json"], files).output == "1\n2\n")
        #expect(run(["query", "-n", "-c", "--slurpfile", "x", "D/b.json", "$x|map(.a)"], files).output == "[1,2]\n")
        #expect(run(["query", "-n", "--argjson", "x", mark + "3", "$x"]).output == "3\n")
        #expect(run(["query", "--definitions", "D/d.jq", "f", "D/b.json"], files).output == "1\n2\n")
        let check = run(
            ["check", journal.path, "--invariants", "D/i.jq"], ["i.jq": mark + "# all\ndef total: .cart != null;"])
        #expect(check.messages.contains("means nothing") == false, "\(check)")
        let presets = run(
            ["import", "jsonl", "D/l.jsonl", "--preset", "D/p", "-o", "D/o.jsonl"],
            ["p": mark + "# of the team\n--state .s\n", "l.jsonl": mark + "{\"s\":1}\n"])
        #expect(presets.status == 0, "\(presets)")
        let initial = run(
            ["import", "jsonl", "D/l.jsonl", "--set", "/b=.s", "--initial", "D/init.json", "-o", "D/o.jsonl"],
            ["init.json": mark + "{\"a\":0}"])
        #expect(initial.status == 0, "\(initial)")
        #expect(run(["state", "D/o.jsonl"]).output == "{\"state\":{\"a\":0,\"b\":1}}\n")
        #expect(run(["diff", "D/b1.json", "D/b2.json"], ["b1.json": mark + "1", "b2.json": "1"]).status == 0)
    }

    @Test("bytes that are no UTF-8 become U+FFFD, with a count, and the next texts are read")
    func latin1() {
        folder.write([0x22, 0xE9, 0x22, 0x0A, 0x31, 0x0A], to: "l.json")
        let run = ProgramRun(["query", ".", folder.path("l.json")])
        #expect(run.output == "\"\u{FFFD}\"\n1\n" && run.status == 0, "\(run)")
        #expect(run.messages.contains("became U+FFFD, in 1 text"), "\(run)")
    }

    @Test(
        "a file that is no UTF-8 text is named, with what makes it so",
        arguments: [
            ([0xFF, 0xFE, 0x31, 0, 0x0A, 0] as [UInt8], "UTF-16", "iconv -f UTF-16"),
            ([0x7B, 0, 0x7D, 0], "UTF-16", "iconv -f UTF-16LE"),
            (Array("SQLite format 3\0".utf8), "an SQLite database", ""),
            ([0x50, 0x4B, 3, 4], "a zip archive", "unpack it"),
        ])
    func noText(bytes: [UInt8], name: String, help: String) {
        let path = folder.write(bytes, to: "x.json")
        for command in [["query", "."], ["import", "jsonl", "--state", "."]] {
            let run = ProgramRun(command + [path])
            #expect(run.status == 3 && run.messages.contains(name), "\(run)")
            #expect(help.isEmpty || run.messages.contains(help), "\(run)")
            #expect(run.output.isEmpty, "\(run)")
        }
    }

    @Test(
        "a file that is typed without a format, and shows none, is said to be what it is",
        arguments: [
            (
                "hello\nworld\n", "no line of it is JSON, or ends in JSON after other text",
                "as 'state-inspect import csv "
            ),
            ("", "there is nothing in it", ""), ("<html><body>x</body></html>", "it looks like an HTML page", ""),
            ("{\"traceEvents\":[]}", "it looks like a trace for Perfetto, which has no states", ""),
            ("JOURNAL", "it looks like a state journal already", "every command reads it as it is"),
            ("SQLite format 3\0", "it looks like an SQLite database", ""),
        ])
    func noFormat(text: String, note: String, help: String) {
        let journal = ShopJournal()
        let path = text == "JOURNAL" ? journal.path : folder.write(Array(text.utf8), to: "x.log")
        let run = ProgramRun(["import", path])
        #expect(run.status == 2 && run.output.isEmpty, "\(run)")
        #expect(
            run.messages.hasPrefix("state-inspect: error: '\(path)' has none of the formats\nnote: \(note)\n"), "\(run)"
        )
        #expect(run.messages.contains("help: ") == !help.isEmpty, "\(run)")
        #expect(help.isEmpty || run.messages.contains(help), "\(run)")
    }

    @Test(
        "'--seq' leaves out what is cut off, and goes on at the next separator",
        arguments: [
            ("R{\"a\":R\"ok\"\n", "\"ok\"\n", 1), ("R1R2\n", "2\n", 1), ("Rtr\nR3\n", "3\n", 1), ("R\"xR4\n", "4\n", 1),
            ("R[1,2R[3]\nR{", "[3]\n", 2), ("R5\nR6", "5\n", 1), ("R{\"a\" 1}{\"b\":2}\nR7\n", "7\n", 1),
            ("R8\n", "8\n", 0),
        ])
    func sequences(text: String, output: String, dropped: Int) {
        let found = run(["query", "--seq", "-c", ".", "D/s"], ["s": text.replacing("R", with: "\u{1E}")])
        #expect(found.output.replacing("\u{1E}", with: "") == output && found.status == 0, "\(found)")
        #expect(found.messages.components(separatedBy: "is left out").count - 1 == dropped, "\(found)")
    }

    @Test(
        "'--stream' of a text that is cut off prints the events before, and then what is wrong",
        arguments: [
            ("{\"a\":[1,{\"b\":2", "[[\"a\",0],1]\n"), ("[1,2", "[[0],1]\n"),
            ("[[1],[2,", "[[0,0],1]\n[[0,0]]\n[[1,0],2]\n"),
            ("{\"a\":1,\"b", "[[\"a\"],1]\n"), ("[1", ""), ("[{\"a\":[]},", "[[0,\"a\"],[]]\n[[0,\"a\"]]\n"),
            ("[\"],\",3,x]", "[[0],\"],\"]\n[[1],3]\n"), ("[1] [2,3,", "[[0],1]\n[[0]]\n[[0],2]\n[[1],3]\n"),
        ])
    func streams(text: String, events: String) {
        let found = run(["query", "--stream", "-c", ".", "D/s"], ["s": text])
        #expect(found.output == events && found.status == 3, "\(found)")
    }

    // MARK: import

    @Test("states of a folder, and JSON files, are read in the order of their numbers")
    func states() {
        let files = [
            "s/10.json": "{\"n\":3}", "s/9.json": "{\"n\":2}", "s/1.json": "\u{FEFF}{\"n\":1}", "s/notes.txt": "x",
        ]
        for operands in [["D/s"], ["D/s/10.json", "D/s/1.json", "D/s/9.json"]] {
            let found = run(["import"] + operands + ["-o", "D/o.jsonl"], files)
            #expect(found.status == 0, "\(found)")
            let values = run(["replay", "D/o.jsonl", "--select", ".state.n"]).output
            #expect(values.split(separator: "\n").map { $0.hasSuffix("\"value\":2}") } == [true, false], "\(values)")
        }
        #expect(run(["import", "D/empty"], ["empty/x.txt": ""]).status != 0)
    }

    @Test(
        "the history of a file in git is a commit each, with its message, time and author, also under its former name")
    func git() throws {
        let script = """
            cd "$1" && git init -q r && cd r && git config user.name 'A B' && git config user.email a@b.c
            c() { GIT_COMMITTER_DATE="$1" GIT_AUTHOR_DATE="$1" git commit -qam "$2"; }
            echo '{"n":1}' > old.json && git add old.json && c 2024-01-02T03:04:05Z 'Begin "it"'
            printf '{\\n "n": 2 }\\n' > old.json && c 2024-01-02T03:05:05+01:00 'Two'
            git mv old.json new.json && c 2024-01-03T00:00:00Z Move
            echo '{"n":' > new.json && c 2024-01-04T00:00:00Z Broken
            echo '{"n":3}' > new.json && c 2024-01-05T00:00:00Z Mended
            """
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", script, "sh", folder.path]
        try shell.run()
        shell.waitUntilExit()
        let found = run(["import", "git", "D/r/new.json", "-o", "D/o.jsonl"])
        #expect(found.status == 5 && found.messages.contains("in line 4"), "\(found)")
        let log = run(["log", "D/o.jsonl"]).output.split(separator: "\n").map(String.init)
        #expect(log.count == 3, "\(log)")
        #expect(log[0].contains("\"name\":\"Two\"") && log[0].contains("\"author\":\"A B\""), "\(log)")
        #expect(log[2].contains("2024-01-05T00:00:00") && log[2].contains("\"file\":\"new.json\""), "\(log)")
        #expect(run(["state", "D/o.jsonl", "--at", "start"]).output == "{\"state\":{\"n\":1}}\n")
        for path in ["D/r/none.json", "D/o.jsonl"] {
            let none = run(["import", "git", path])
            #expect(none.status == 3 && none.messages.contains("has no history"), "\(none)")
        }
        for (text, help) in [("{\"n\":1}\n", "help: state-inspect import jsonl"), ("no JSON\n", nil)] {
            let outside = run(["import", "git", "D/outside.json"], ["outside.json": text])
            #expect(outside.status == 3 && outside.messages.contains("it lies in no repository"), "\(outside)")
            #expect(help.map { outside.messages.contains($0) } ?? !outside.messages.contains("help:"), "\(outside)")
        }
    }

    @Test("a long log that is newest first is read from its end, and refused through a pipe")
    func longNewestFirst() {
        let filling = String(repeating: "x", count: 1000)
        let lines = (1...1500).reversed().map { "{\"s\":\($0),\"t\":\($0),\"f\":\"\(filling)\"}\n" }
        let command = ["import", "jsonl", "D/n.log", "--state", ".s", "--time", ".t", "-o", "D/n.jsonl"]
        let found = run(command, ["n.log": lines.joined()])
        #expect(found.status == 0 && found.messages.contains("read from its end"), "\(found)")
        #expect(run(["verify", "D/n.jsonl"]).status == 0)
        #expect(run(["state", "D/n.jsonl"]).output == "{\"state\":1500}\n")
        #expect(run(["log", "D/n.jsonl", "-n", "1"]).output.contains("\"line\":1499"))
        #expect(run(["import", "jsonl", "D/n.log", "--suggest"]).status == 0)
        let (pipe, text) = (folder.path("pipe"), lines.joined())
        mkfifo(pipe, 0o600)
        DispatchQueue.global().async {
            let writer = FileHandle(forWritingAtPath: pipe)
            try? writer?.write(contentsOf: Data(text.utf8))
            try? writer?.close()
        }
        let piped = run(["import", "jsonl", "D/pipe", "--state", ".s", "--time", ".t"])
        #expect(piped.status == 3 && piped.output.isEmpty && piped.messages.contains("turn it round"), "\(piped)")
    }

    // MARK: Journals

    @Test("'verify' says once that lines end in CR LF, and what to do")
    func returns() throws {
        let journal = ShopJournal()
        let text = try String(contentsOfFile: journal.path, encoding: .utf8).replacing("\n", with: "\r\n")
        let found = run(["verify", "D/crlf.jsonl"], ["crlf.jsonl": text])
        #expect(found.status == 1 && found.output.split(separator: "\n").count == 1, "\(found)")
        #expect(found.output.contains("end in CR LF") && found.messages.contains("-text"), "\(found)")
        let repaired = run(["verify", "D/crlf.jsonl", "--repair", "D/whole.jsonl"])
        #expect(run(["verify", "D/whole.jsonl"]).status == 0, "\(repaired)")
    }

    @Test(
        "bytes of zero and blank lines between whole records lose nothing",
        arguments: ["\n\0\0\0", "\0\0\n", "\0\0\0", "\n\n\n", "\n\0\0\n", "\n \n\0\0\0\0"])
    func zeros(between: String) throws {
        let journal = ShopJournal()
        let text = try String(contentsOfFile: journal.path, encoding: .utf8)
        let place = try #require(text.range(of: "\n{\"seq\":3,\"kind\":\"commit\""))
        let damaged = text.replacingCharacters(in: place, with: between + "{\"seq\":3,\"kind\":\"commit\"")
        _ = run(["verify", "D/z.jsonl", "--repair", "D/whole.jsonl"], ["z.jsonl": damaged])
        let whole = run(["log", journal.path, "--all"]).output
        #expect(run(["verify", "D/whole.jsonl"]).status == 0)
        #expect(run(["replay", "D/whole.jsonl"]).output == run(["replay", journal.path]).output)
        let recovered = run(["log", "D/z.jsonl", "--all", "--recover"])
        #expect(recovered.output == whole, "\(recovered)")
        #expect(run(["verify", "D/z.jsonl"]).status == 1)
    }
}
