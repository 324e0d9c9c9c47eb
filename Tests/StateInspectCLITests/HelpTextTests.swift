import Testing

@testable import StateInspectCLI

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

    @Test("no line of a short help is wider than 80 columns", arguments: [nil] + CommandName.allCases)
    func narrow(_ command: CommandName?) {
        for line in HelpText(.short).text(of: command).split(separator: "\n") where line.count > 80 {
            #expect(line.contains("state-inspect "), "\(line)")
        }
    }
}
