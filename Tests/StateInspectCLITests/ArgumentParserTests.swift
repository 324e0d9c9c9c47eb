import Testing

@testable import StateInspectCLI

@Suite("What was typed")
struct ArgumentParserTests {
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
        arguments: [
            (["bisct"], UsageError.unknownCommand("bisct")),
            (["log", "--rnage"], .unknownOption("--rnage", .log)),
            (["log", "-z"], .unknownOption("-z", .log)),
            (["log", "--bad=.x"], .foreignOption(.bad, .log)),
            (["log", "--range"], .missingValue(.range, synopsis: Option.range.synopsis)),
            (["log", "-n"], .missingValue(.maxCount, synopsis: Option.maxCount.synopsis)),
            (["log", "--reverse=yes"], .unexpectedValue(.reverse, "yes")),
            (["bisect", "j", "--run"], .emptyRun),
        ])
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
