import Diagnostics
import Interchange
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

/// What to type after an error of a library, which knows facts and nothing of commands.
struct ErrorAdvice {
    let command: CommandName?
    let recovers: Bool

    func help(for error: any Error) -> [String] {
        switch error {
        case let error as JournalError: help(for: error)
        case PositionError.journal(let error): help(for: error)
        case let error as PositionError: help(for: error)
        case let error as ImportError: ImportAdvice(error.file).help(for: error.fault)
        case MergeError.differentSegments(let one, let other, _, _):
            [one, other].flatMap { Advice($0).help(.verify, to: "reports whether it is damaged") }
                + ["'state-inspect slice JOURNAL A..B' cuts off what they both have"]
        case let errors as QuerySyntaxErrors: errors.reservedNames.flatMap { help(forDefinition: $0.name, $0.body) }
        default: []
        }
    }

    private func help(forDefinition name: String, _ body: String?) -> [String] {
        let known = command.map { CommandTable.definition(of: $0).options } ?? []
        return [Option.define, .invariant].filter(known.contains).map { option in
            "take it out of the file and write "
                + ShellQuoting.line([option.typed, name + "=" + (body ?? "QUERY")])
        }
    }

    private func help(for error: JournalError) -> [String] {
        let advice = Advice(error.path)
        return switch error.fact {
        case .damage(let damage): help(for: damage, advice)
        case .newerVersion: ["use a newer state-inspect"]
        case .notAJournal(.otherKind):
            ["'state-inspect slice JOURNAL A..B' cuts a journal so that its parts can be read alone"]
        case .pastEnd: ["write 'end' for the last commit, 'end-3' for the third before it"]
        case .beforeStart: ["write 'start' for the state before its first commit"]
        case .noCommitAtStart: advice.help(.state, [], [(.at, "start")], to: "shows the state there")
        case .unpacksTooLarge:
            ["unpack it and name that file, or set \(JournalOpener.spoolLimitVariable) to more bytes"]
        default: []
        }
    }

    private func help(for damage: JournalDamage, _ advice: Advice) -> [String] {
        let mayRecover = command.map { CommandTable.definition(of: $0).options.contains(.recover) } ?? false
        var help = mayRecover && !recovers ? ["'--recover' goes on at the next keyframe"] : []
        if case .secondHeader = damage.reason {
            help.append("cut the file before that line; 'state-inspect merge JOURNAL…' puts two journals together")
        }
        // It has just said what it found.
        return command == .verify ? help : help + advice.help(.verify, to: "lists all damage")
    }

    private func help(for error: PositionError) -> [String] {
        switch error {
        case .noMark(_, _, let journal), .fewerMarks(_, _, _, let journal):
            Advice(journal).help(.marks, to: "lists the marks")
        default: []
        }
    }
}
