import Foundation
import TestSupport
import Testing

/// The options of jq, as `query` takes them.
@Suite("query with the options of jq")
struct QueryOptionsTests {
    private let folder = TemporaryFolder()

    private static func run(_ arguments: [String], on texts: [String] = ["null"]) -> ProgramRun {
        let folder = TemporaryFolder()
        let paths = texts.enumerated().map { folder.write($1, to: "in\($0).json") }
        return ProgramRun(["query"] + arguments.map { expanded($0, folder) } + paths)
    }

    /// `@NAME=TEXT` stands for a file of that text.
    private static func expanded(_ argument: String, _ folder: TemporaryFolder) -> String {
        guard argument.hasPrefix("@"), let equals = argument.firstIndex(of: "=") else { return argument }
        let name = String(argument[argument.index(after: argument.startIndex)..<equals])
        return folder.write(argument[argument.index(after: equals)...], to: name)
    }

    private static let texts = #"{"b":1,"a":[1,{"d":1,"c":"é😀\t"}]} 2 "x" [] {} null false"#

    /// What is run, and what it prints; each is also held against the `jq` of this machine.
    static let cases: [(arguments: [String], texts: [String], output: String)] = [
        (["-c", "."], ["[1,\n2]"], "[1,2]\n"), (["-n", "[1,.]"], ["1 2"], "[1,null]\n"),
        (["-s", "-c", "."], ["1 2", "[3]"], "[1,2,[3]]\n"), (["-sc", "."], [""], "[]\n"), (["."], [""], ""),
        (["-R", "."], ["a\nb\\c\n\nd"], "\"a\"\n\"b\\\\c\"\n\"\"\n\"d\"\n"),
        (["-Rs", "."], ["a\nb\n"], "\"a\\nb\\n\"\n"),
        (["-Rn", "."], ["a\n"], "null\n"), (["-Rr", "."], ["a\tb\n"], "a\tb\n"), (["-Rs", "."], [""], "\"\"\n"),
        (["-S", "-c", "."], [texts], #"{"a":[1,{"c":"é😀\t","d":1}],"b":1}\#n2\#n"x"\#n[]\#n{}\#nnull\#nfalse\#n"#),
        (
            ["-ac", "."], [texts],
            #"{"b":1,"a":[1,{"d":1,"c":"\u00e9\ud83d\ude00\t"}]}\#n2\#n"x"\#n[]\#n{}\#nnull\#nfalse\#n"#
        ),
        (["-ra", "."], ["\"é\""], "\"\\u00e9\"\n"), (["-j", ".,1"], [#""a" "b""#], "a1b1"),
        (["-r", "."], [#""a\nb" ["c"]"#], "a\nb\n[\"c\"]\n"),
        (
            ["--tab", "."], [#"{"a":[1,{}],"b":{"c":[]}}"#],
            "{\n\t\"a\": [\n\t\t1,\n\t\t{}\n\t],\n\t\"b\": {\n\t\t\"c\": []\n\t}\n}\n"
        ),
        (["--indent", "3", "."], [#"{"a":[1]}"#], "{\n   \"a\": [\n      1\n   ]\n}\n"),
        (["--indent", "0", "."], [#"{"a":[1]}"#], "{\"a\":[1]}\n"),
        (
            ["--arg", "x", "1", "--argjson", "y", "[2]", "-nc", "[$x,$y,$ARGS.named]"], [],
            #"["1",[2],{"x":"1","y":[2]}]\#n"#
        ),
        (["--arg", "x", "1", "--arg", "x", "2", "-n", "$x"], [], "\"1\"\n"),
        (["--slurpfile", "s", "@s=1 [2]", "--rawfile", "r", "@r=a\nb", "-nc", "[$s,$r]"], [], "[[1,[2]],\"a\\nb\"]\n"),
        (
            ["-nc", "$ARGS", "--args", "a", "b", "--jsonargs", "1", "{\"b\":null}"], [],
            #"{"positional":["a","b",1,{"b":null}],"named":{}}\#n"#
        ),
        (["-nc", "--args", "[$ARGS.positional[0],$__loc__.line]", "a"], [], "[\"a\",1]\n"),
        (
            ["-c", "--stream", "."], ["[1,[],{\"a\":2}] 3"],
            "[[0],1]\n[[1],[]]\n[[2,\"a\"],2]\n[[2,\"a\"]]\n[[2]]\n[[],3]\n"
        ),
        (["-cs", "--stream", "."], ["[1] 3"], "[[[0],1],[[0]],[[],3]]\n"),
        (["-nc", "--stream", "."], ["[1]"], "null\n"),
        (["-c", "-f", "@p=.a # the first\n| .+1"], [#"{"a":1}"#, "{}"], "2\n1\n"),
        (["--seq", "-c", "."], ["\u{1E}[1]\n\u{1E}2\n"], "\u{1E}[1]\n\u{1E}2\n"),
        (["-e", "."], ["1 null"], "1\nnull\n"), (["-c", "."], ["[1]", "[2]", "3"], "[1]\n[2]\n3\n"),
        (["-c", "[., input]"], ["1 2\n", "3 4\n"], "[1,2]\n[3,4]\n"),
        (["-nc", "[inputs]"], ["1 2\n", "[3]"], "[1,2,[3]]\n"),
        (["-nc", "[inputs]"], ["", " \n"], "[]\n"), (["-n", "input, input"], ["1 2 3"], "1\n2\n"),
        (["-snc", "[inputs]"], ["1 2\n", "3"], "[[1,2,3]]\n"),
        (["-Rnc", "[inputs]"], ["a\nb\n", "c"], "[\"a\",\"b\",\"c\"]\n"),
        (["-Rsnc", "[inputs]"], ["a\nb\n", "c"], "[\"a\\nb\\nc\"]\n"),
        (
            ["-nc", "--stream", "[inputs]"], ["[1,{}] {\"b\":[2],\"a\":{}}"],
            "[[[0],1],[[1],{}],[[1]],[[\"b\",0],2],[[\"b\",0]],[[\"a\"],{}],[[\"a\"]]]\n"
        ),
        (["-nc", "--stream", "fromstream(inputs)"], ["[1,{\"a\":[]}] 3"], "[1,{\"a\":[]}]\n3\n"),
        (["-nc", "--stream", "[limit(2; inputs)]"], ["[1,2,3]"], "[[[0],1],[[1],2]]\n"),
        (["-nc", "reduce inputs as $x (0; . + $x)"], ["1 2\n", "3"], "6\n"),
        (["-M", "-c", "."], ["[1]"], "[1]\n"), (["-c", "first(inputs)"], ["1 2 3"], "2\n"),
    ]

    @Test("each does what jq's does", arguments: cases)
    func options(_ arguments: [String], _ texts: [String], _ output: String) {
        let run = Self.run(arguments, on: texts.isEmpty && !arguments.contains("--args") ? ["null"] : texts)
        #expect(run.output == output, "\(run)")
    }

    private static let jq = ["/usr/bin/jq", "/usr/local/bin/jq", "/opt/homebrew/bin/jq"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    @Test("jq itself prints the same", .enabled(if: jq != nil, "jq is on this machine"), arguments: cases)
    func differential(_ arguments: [String], _ texts: [String], _ output: String) throws {
        let paths = texts.enumerated().map { folder.write($1, to: "in\($0).json") }
        let ends = arguments.contains("--args") || texts.isEmpty
        let answer = folder.write([], to: "out.json")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Self.jq))
        // An output is one line here unless asked otherwise; jq has to be asked for that.
        let isSpread = arguments.contains { ["--tab", "--indent"].contains($0) }
        process.arguments =
            (isSpread ? [] : ["-c"]) + arguments.map { Self.expanded($0, folder) } + (ends ? [] : paths)
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: answer))
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        process.environment = ["LC_ALL": "C.UTF-8"]
        try process.run()
        process.waitUntilExit()
        #expect(try String(contentsOfFile: answer, encoding: .utf8) == output, "\(arguments)")
    }

    @Test("a NUL ends each output of '--raw-output0', and none is inside")
    func rawOutput0() {
        #expect(Self.run(["--raw-output0", "."], on: [#""a" 1"#]).output == "a\u{0}1\u{0}")
        let run = Self.run(["--raw-output0", "."], on: [#""a\u0000b" "c""#])
        #expect(run.output == "c\u{0}" && run.status == 5 && run.messages.contains("NUL"), "\(run)")
    }

    @Test(
        "what is typed wrong is status 2",
        arguments: [
            ["--argjson", "x", "[1", "$x"], ["--indent", "8", "."], ["--indent", "-1", "."], ["--arg", "x"], [],
            ["--jsonargs", ".", "nope"], ["--indent", "x", "."],
        ])
    func usage(_ arguments: [String]) { #expect(ProgramRun(["query"] + arguments).status == 2) }

    @Test("a file that cannot be read is told, and the next one is tried")
    func missingFile() {
        let path = folder.write("7", to: "a.json")
        let run = ProgramRun(["query", ".", folder.path + "/none", path])
        #expect(run.output == "7\n" && run.status == 3 && run.messages.contains("there is no file"), "\(run)")
    }

    @Test(
        "a file that has no end is refused with its limit",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/zero")),
        arguments: [
            ["query", "-f", "/dev/zero"], ["query", "--rawfile", "x", "/dev/zero", "-n", "."],
            ["query", "--slurpfile", "x", "/dev/zero", "-n", "."], ["query", "--definitions", "/dev/zero", "-n", "."],
            ["check", "J", "--invariants", "/dev/zero"], ["derived", "J", "--definitions", "/dev/zero"],
            ["bisect", "J", "--resume", "/dev/zero", "--run", "true"],
        ]
    )
    func endlessFile(_ arguments: [String]) throws {
        let journal = ShopJournal()
        let run = journal.run(arguments)
        #expect(run.status == 3 && run.messages.contains("is longer than"), "\(run)")
    }

    @Test("what a journal or a text holds gives a terminal no orders")
    func escapes() {
        let path = folder.write(#"["\u009b31mX","\u202eY"]"#, to: "a.json")
        for options in [[], ["-r"], ["--tab"]] {
            let run = ProgramRun(["query"] + options + [".[]", path], width: 80)
            #expect(!run.output.unicodeScalars.contains { [0x9B, 0x202E].contains($0.value) }, "\(run)")
        }
        #expect(
            ProgramRun(["query", "-r", ".", folder.write(#""a\tb\nc""#, to: "b")], width: 80).output
                == "a\tb\nc\n")
    }

    private static let person = "{\u{1B}[34m\"a\"\u{1B}[0m:[1,\u{1B}[32m\"x\"\u{1B}[0m,{}]}\n"

    @Test(
        "a person gets lines and colours, a program one plain line, unless they are asked for",
        arguments: [
            ([], 80, "{\n  \"a\": [\n    1,\n    \"x\",\n    {}\n  ]\n}\n", true), (["-c"], 80, person, true),
            (["-M", "-c"], 80, "{\"a\":[1,\"x\",{}]}\n", false), (["-C"], nil, person, true),
            (["-C", "-M"], nil, "{\"a\":[1,\"x\",{}]}\n", false), ([], nil, "{\"a\":[1,\"x\",{}]}\n", false),
            (["--json"], 80, "{\"a\":[1,\"x\",{}]}\n", false), (["--json", "-C"], 80, "{\"a\":[1,\"x\",{}]}\n", false),
            (["-r", "-C", ".a[1]"], nil, "x\n", false),
            (["--tab"], 80, "{\n\t\"a\": [\n\t\t1,\n\t\t\"x\",\n\t\t{}\n\t]\n}\n", true),
            (["--indent", "0"], 80, person, true), (["--color", "always"], nil, person, true),
        ] as [([String], Int?, String, Bool)])
    func colours(_ options: [String], _ width: Int?, _ output: String, _ isColored: Bool) {
        let path = folder.write(#"{"a":[1,"x",{}]}"#, to: "a.json")
        let query = options.last?.hasPrefix(".") == true ? [] : ["."]
        let run = ProgramRun(["query"] + options + query + [path], width: width)
        #expect(run.output.contains("\u{1B}[") == isColored, "\(run)")
        func plain(_ text: String) -> String { text.replacing(#/\x1B\[[0-9;]*m/#, with: "") }
        #expect(plain(run.output) == plain(output), "\(run)")
        if output == Self.person { #expect(run.output == output, "\(run)") }
    }

    @Test("what is coloured for a pager holds nothing that acts on a terminal")
    func coloredEscapes() {
        let path = folder.write(#"{"\u009b31mK":["\u009b31mX","\u202eY"]}"#, to: "a.json")
        for options in [["-C"], ["-C", "--tab"], ["-C", "-S"]] {
            let run = ProgramRun(["query"] + options + [".", path])
            #expect(!run.output.unicodeScalars.contains { [0x9B, 0x202E].contains($0.value) }, "\(run)")
        }
        let ascii = ProgramRun(["query", "-C", "-a", ".", folder.write("\"é\"", to: "b")])
        #expect(ascii.output.contains("\\u00e9"), "\(ascii)")
    }

    @Test("'--nan' takes jq's words for numbers, and texts are strict JSON without it")
    func nonFinite() {
        let text = "[nan,NaN,-nan,Infinity,-Infinity,{\"a\":nan}] nan Infinity"
        let words = "[null,null,null,1.7976931348623157e+308,-1.7976931348623157e+308,{\"a\":null}]\n"
        #expect(Self.run(["--nan", "."], on: [text]).output == words + "null\n1.7976931348623157e+308\n")
        #expect(Self.run(["--nan", "isnan, isinfinite"], on: ["nan -Infinity"]).output == "true\nfalse\nfalse\ntrue\n")
        for text in ["nan", "[NaN]", "-Infinity", "{\"a\":Infinity}"] {
            #expect(Self.run(["."], on: [text]).status == 3, "\(text)")
        }
        for text in ["nano", "[naN]", "-", "Infinit", "[1 nan]", "+Infinity", ".5", "n", "[-I"] {
            let run = Self.run(["--nan", "."], on: [text])
            #expect(run.status == 3 && run.output == "", "\(text): \(run)")
        }
    }

    @Test("a file that cannot be read, and a text that is not JSON, end 'inputs' as they end the command")
    func unreadableInputs() {
        let path = folder.write("7 8", to: "a.json")
        let bad = folder.write("1 x 2", to: "b.json")
        let missing = ProgramRun(["query", "-nc", "[inputs]", folder.path + "/none", path])
        #expect(
            missing.output == "[7,8]\n" && missing.status == 3 && missing.messages.contains("there is no file"),
            "\(missing)")
        for query in ["[inputs]", "try [inputs] catch 0", "[inputs?]"] {
            let run = ProgramRun(["query", "-n", query, bad])
            #expect(run.output == "" && run.status == 3 && run.messages.contains("b.json:1 (byte 2)"), "\(run)")
        }
        let named = ProgramRun(["query", "-c", "[., input_filename]", path, bad])
        #expect(named.output.hasPrefix("[7,\"\(path)\"]\n[8,\"\(path)\"]\n[1,\"\(bad)\"]\n"), "\(named)")
    }
}
