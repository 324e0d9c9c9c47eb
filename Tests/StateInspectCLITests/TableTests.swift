import Testing

@testable import CommandLine
@testable import Commands

@Suite("The tables of commands and options")
struct TableTests {
    init() { _ = tool }

    @Test("every command is declared exactly once, and takes each option once")
    func declaredOnce() {
        #expect(tool.all.map(\.name.rawValue).sorted() == CommandName.allCases.map(\.rawValue).sorted())
        for command in CommandName.allCases {
            let names = OptionTable.options(of: command).map(\.name)
            #expect(Set(names).count == names.count, "\(command)")
        }
    }

    @Test("no command has two options with one letter", arguments: CommandName.allCases)
    func letters(_ command: CommandName) {
        let letters = OptionTable.options(of: command).compactMap(\.short)
        #expect(Set(letters).count == letters.count)
    }

    @Test("summaries are one line, lower case, without a full stop")
    func summaries() {
        for text in OptionTable.all.map(\.option.summary) + tool.all.map(\.summary) {
            #expect(!text.contains("\n") && !text.hasSuffix(".") && text.first?.isUppercase == false, "\(text)")
        }
    }

    @Test("no line of a help is wider than a terminal", arguments: CommandName.allCases)
    func width(_ command: CommandName) {
        let usage = tool.definition(of: command).examples.map(\.line)
        let texts = HelpText(.long).text(of: command) + HelpText(.short).text(of: command)
        for line in texts.split(separator: "\n") {
            #expect(line.count <= 80 || usage.contains { line.contains($0) }, "\(line)")
        }
    }

    @Test("every command and every option of a command is offered where it may stand")
    func completions() {
        func offered(_ words: String...) -> [Substring] {
            ProgramRun(["completions", "zsh", "--"] + words).output.split(separator: "\n").map {
                $0.prefix { $0 != "\t" }
            }
        }
        for command in CommandName.allCases {
            #expect(offered(String(command.rawValue.dropLast())).contains(command.rawValue[...]))
            let options = offered(command.rawValue, "--")
            for option in OptionTable.options(of: command) { #expect(options.contains(option.typed[...]), "\(option)") }
        }
    }

    @Test("the formats that are offered for a command are those that it takes", arguments: CommandName.allCases)
    func formats(_ command: CommandName) throws {
        let option = try #require(OptionTable.options(of: command).first { $0 == .format })
        #expect(option.argument?.completion == .choices(ReportFormat.formats(of: command).map(\.rawValue)))
    }
}

/// The helps as whole texts: a change of a table shows here as what a person will read.
@Suite("Help")
struct HelpTextTests {
    init() { _ = tool }

    @Test(
        "a help is as it was recorded",
        arguments: [
            (["-h"], "program"), (["bisect", "-h"], "bisect"), (["query", "-h"], "query"),
            (["help", "replay"], "replay"),
        ])
    func screens(_ arguments: [String], _ name: String) throws {
        try expectRecorded(ProgramRun(arguments).output, "help-\(name).txt")
    }

    @Test("every command stands in one group of the short help")
    func groups() {
        let listed = tool.groups.flatMap(\.commands)
        #expect(listed.count == CommandName.allCases.count && Set(listed) == Set(CommandName.allCases))
    }

    @Test(
        "of a word that is no command the help says what there is about it",
        arguments: [
            ("csv", "  import csv  "), ("csv", "  export --csv"), ("positions", "  end-3"),
            ("paths", "'/cart/total < 0'"),
            ("status", "  4  no such commit"), ("watch", "watch PATH|QUERY"), ("junit", "--format junit"),
            ("pager", "--no-pager"),
            ("operands", "a file that is there is a journal"), ("Redux", "redux-devtools"), ("mark", "mark:TEXT"),
            ("lastFlip", "  bisect lastFlip  "), ("violation", "    stretches  "),
        ])
    func search(_ word: String, _ shown: String) {
        let run = ProgramRun(["help", word])
        #expect(run.status == 0 && run.output.contains(shown) && run.messages.isEmpty, "\(run)")
        for line in run.output.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
    }

    @Test("a word that nothing is about is answered with the nearest command")
    func nothing() {
        let run = ProgramRun(["help", "bisct"])
        #expect(run.status == 2 && run.messages.contains("write 'bisect'"), "\(run)")
    }
}

@Suite("What was typed")
struct ArgumentParserTests {
    init() { _ = tool }

    private func parse(_ arguments: String...) throws -> TypedArguments {
        var parser = ArgumentParser(arguments)
        try parser.readAll()
        return parser.typed
    }

    @Test("an option's value may be attached with '=' or follow it")
    func longValues() throws {
        #expect(try parse("log", "--range=1..2", "j").value(.range) == "1..2")
        #expect(try parse("log", "--range", "1..2", "j").value(.range) == "1..2")
        #expect(try parse("log", "--range=", "j").value(.range) == "")
        #expect(try parse("derived", "--define=a=b=c", "j").value(.define) == "a=b=c")
    }

    @Test("a letter's value may be attached or follow it", arguments: [["-n5"], ["-n", "5"], ["--max-count=5"]])
    func shortValues(_ typed: [String]) throws {
        var parser = ArgumentParser(["log"] + typed + ["j"])
        try parser.readAll()
        #expect(parser.typed.value(.maxCount) == "5")
        #expect(parser.typed.operands == ["j"])
    }

    @Test("switches may share one word")
    func bundledSwitches() throws {
        let typed = try parse("query", "-re", ".")
        #expect(typed.has(.rawOutput) && typed.has(.exitStatus))
        #expect(try parse("log", "-pn5", "j").value(.maxCount) == "5")
    }

    @Test("a repeatable option adds up, and two of a single one are an error, but of formats the last one counts")
    func repetition() throws {
        #expect(throws: UsageError.self) { try parse("state", "j", "--at", "1", "--at", "2") }
        #expect(throws: UsageError.self) { try parse("log", "j", "-n5", "--max-count=5") }
        #expect(try parse("log", "j", "--path", "/a", "--path=/b").all(.path) == ["/a", "/b"])
        #expect(try parse("log", "j", "--json", "--format", "human").value(.format) == "human")
        #expect(try parse("log", "j", "--format", "human", "--json").value(.format) == "json")
    }

    @Test("after '--' everything is an operand, and '-' always is")
    func operands() throws {
        #expect(try parse("query", "--", "-.5", "-").operands == ["-.5", "-"])
        #expect(try parse("log", "-").operands == ["-"])
    }

    @Test("'--run' takes every argument after it")
    func rest() throws {
        let typed = try parse("bisect", "j", "--skip=3", "--run", "jq", "-e", "--", ".x")
        #expect(typed.rest == ["jq", "-e", "--", ".x"])
        #expect(typed.has(.run) && typed.value(.skip) == "3")
        #expect(try parse("bisect", "j", "--run=jq", "-e").rest == ["jq", "-e"])
    }

    @Test("options may stand before the command, if every command takes them")
    func early() throws {
        #expect(try parse("--color=never", "log", "j").value(.color) == "never")
        #expect(throws: UsageError.unknownOption("--range", nil)) { try parse("--range", "1..2", "log") }
    }

    @Test(
        "what makes no sense is refused with the fact",
        arguments: withCommands([
            (["bisct"], UsageError.unknownCommand("bisct")), (["log", "--rnage"], .unknownOption("--rnage", .log)),
            (["log", "-z"], .unknownOption("-z", .log)), (["log", "--bad=.x"], .foreignOption(.bad, .log)),
            (["log", "--range"], .missingValue(.range, synopsis: Option.range.synopsis)),
            (["log", "-n"], .missingValue(.maxCount, synopsis: Option.maxCount.synopsis)),
            (["log", "--reverse=yes"], .unexpectedValue(.reverse, "yes")), (["bisect", "j", "--run"], .emptyRun),
        ]))
    func refusals(_ arguments: [String], _ expected: UsageError) {
        var parser = ArgumentParser(arguments)
        #expect(throws: expected) { try parser.readAll() }
    }

    @Test("numbers are checked where they are understood", arguments: ["many", "-1", "0", "99999999999999999999", ""])
    func numbers(_ text: String) throws {
        var typed = TypedArguments()
        typed.add(.maxCount, text)
        #expect(throws: UsageError.value(.maxCount, text, expected: "a whole number from 1")) {
            try typed.number(.maxCount, atLeast: 1)
        }
    }
}
