import Platform
import Testing

@testable import StateInspectCLI

@Suite("The program's frame")
struct ProgramTests {
    @Test("no arguments: the short help on standard error, status 2")
    func noArguments() {
        let run = ProgramRun([])
        #expect(run.status == 2 && run.output.isEmpty, "\(run)")
        #expect(run.messages.hasPrefix("state-inspect: what a state was"))
    }

    @Test("'--version' prints the version", arguments: [["--version"], ["log", "--version"]])
    func version(_ arguments: [String]) {
        let run = ProgramRun(arguments)
        #expect(run.status == 0 && run.output == "state-inspect 0.1.0\n", "\(run)")
    }

    @Test("'-h' is short, '--help' and 'help' are long, whatever else is typed after it")
    func help() {
        let short = ProgramRun(["bisect", "-h"])
        let long = ProgramRun(["bisect", "--help"])
        #expect(short.status == 0 && long.status == 0)
        #expect(short.output.count < long.output.count)
        #expect(ProgramRun(["help", "bisect"]).output == long.output)
        #expect(ProgramRun(["-h"]).output == ProgramRun([]).messages)
        #expect(ProgramRun(["log", "-h", "--no-such-option"]).status == 0)
    }

    @Test("an unknown option is status 2 and names the nearest")
    func unknownOption() {
        let run = ProgramRun(["log", "--rnage", "1..2", "j"])
        #expect(run.status == 2 && run.output.isEmpty, "\(run)")
        #expect(
            run.messages == """
                state-inspect: error: 'log' has no option '--rnage'
                help: write '--range'
                help: 'state-inspect log -h' shows what it takes

                """)
    }

    @Test("a missing or superfluous argument is status 2")
    func operands() {
        #expect(ProgramRun(["show", "j"]).messages.hasPrefix("state-inspect: error: 'show' needs POS\n"))
        #expect(ProgramRun(["info"]).status == 2)
        let format = ProgramRun(["export", "run.jsonl"])
        #expect(
            format.messages.hasPrefix("state-inspect: error: FORMAT is 'run.jsonl', should be one of 'json-patch', "))
        let extra = ProgramRun(["info", "a", "b"])
        #expect(extra.status == 2 && extra.messages.hasPrefix("state-inspect: error: 'info' has no use for 'b'\n"))
    }

    @Test("'--messages json' makes each message one JSON line, that of a bad command line too")
    func jsonMessages() {
        let run = ProgramRun(["--messages", "json", "completions", "tcsh"])
        #expect(run.status == 2)
        #expect(
            run.messages
                == #"{"kind":"error","code":"usage.argument","message":"SHELL is 'tcsh', should be 'bash', 'zsh', 'fish'"}"#
                + "\n")
    }

    @Test("output that cannot be written is status 3 and is said, also when only the last flush fails")
    func fullDisk() {
        let run = ProgramRun(["completions", "fish"], output: MemorySink(limit: 0))
        #expect(run.status == 3, "\(run)")
        #expect(run.messages.hasPrefix("state-inspect: error: the output cannot be written: no space left on device\n"))
    }

    @Test("a reader that has gone ends the program quietly")
    func closedPipe() {
        let run = ProgramRun(["completions", "fish"], output: MemorySink(limit: 0, refusal: .closed))
        #expect(run.outcome == .outputClosed && run.messages.isEmpty, "\(run)")
    }

    @Test("the option beats NO_COLOR, which beats TERM=dumb, which beats the terminal")
    func colors() {
        let terminal = Terminal(isTerminal: true, width: 80)
        let none = Environment([:])
        let noColor = Environment(["NO_COLOR": "1"])
        #expect(ColorChoice.auto.colors(terminal, none))
        #expect(!ColorChoice.auto.colors(.none, none))
        #expect(!ColorChoice.auto.colors(terminal, noColor))
        #expect(!ColorChoice.auto.colors(terminal, Environment(["TERM": "dumb"])))
        #expect(ColorChoice.auto.colors(terminal, Environment(["NO_COLOR": "", "TERM": "xterm"])))
        #expect(ColorChoice.always.colors(.none, noColor))
        #expect(!ColorChoice.never.colors(terminal, none))
    }
}
