import Testing

@testable import StateInspectCLI

@Suite("The tables of commands and options")
struct TableTests {
    @Test("every command is declared exactly once, and takes each option once")
    func declaredOnce() {
        #expect(CommandTable.all.map(\.name.rawValue).sorted() == CommandName.allCases.map(\.rawValue).sorted())
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
        for text in OptionTable.all.map(\.option.summary) + CommandTable.all.map(\.summary) {
            #expect(!text.contains("\n") && !text.hasSuffix(".") && text.first?.isUppercase == false, "\(text)")
        }
    }

    @Test("no line of a help is wider than a terminal", arguments: CommandName.allCases)
    func width(_ command: CommandName) {
        let usage = CommandTable.definition(of: command).examples.map(\.line)
        let texts = HelpText(.long).text(of: command) + HelpText(.short).text(of: command)
        for line in texts.split(separator: "\n") {
            #expect(line.count <= 80 || usage.contains { line.contains($0) }, "\(line)")
        }
    }

    @Test("the completions of every shell name every command and option", arguments: Shell.allCases)
    func completions(_ shell: Shell) {
        let script = shell.completionScript
        for command in CommandName.allCases { #expect(script.contains(command.rawValue)) }
        for option in OptionTable.all.map(\.option) {
            #expect(script.contains(shell == .fish ? "-l \(option.name)" : option.typed), "\(option)")
        }
    }

    @Test("the formats that are offered for a command are those that it takes", arguments: CommandName.allCases)
    func formats(_ command: CommandName) throws {
        let option = try #require(OptionTable.options(of: command).first { $0 == .format })
        #expect(option.argument?.completion == .choices(ReportFormat.formats(of: command).map(\.rawValue)))
        let withFormats: [CommandName] = [.check, .bisect, .suspects, .why]
        #expect(OptionTable.ownChoices.contains { $0.0 == command } == withFormats.contains(command))
    }
}

/// The helps as whole texts: a change of a table shows here as what a person will read.
@Suite("Help")
struct HelpTextTests {
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
        let listed = CommandTable.groups.flatMap(\.commands)
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
