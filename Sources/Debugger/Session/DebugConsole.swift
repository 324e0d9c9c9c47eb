import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import Platform
import TimeTravel

struct DebugConsole {
    let interpreter: DebugInterpreter
    let context: CommandContext
    let pager: OutputPager

    /// Standard input comes after the scripts, unless `isBatch`.
    func run(scripts: [String], isBatch: Bool) throws -> ExitStatus {
        let isTerminal = TerminalDevice.isTerminal(context.input) && !isBatch
        if isTerminal || scripts.isEmpty { try greet() }
        do {
            for script in scripts { if try !interpreter.source(script) { return .done } }
            if isBatch { return .done }
            if !isTerminal { return try readScript() }
        } catch let error as DebugScriptError {
            if !isTerminal { return try end(error) }
            try report(error)
        }
        try talk()
        return .done
    }

    private func greet() throws {
        if let paired = interpreter.paired { return try interpreter.write(interpreter.printer.place(of: paired)) }
        let session = interpreter.session
        let lines = try interpreter.printer.lines(.stopped(session.lastStop), session)
        try interpreter.write(lines.isEmpty ? interpreter.printer.place(session, showsChanges: true) : lines)
    }

    // MARK: A script on standard input

    private func readScript() throws -> ExitStatus {
        var number = 0
        while let line = InputLine.next(from: context.input, limit: DebugInterpreter.scriptLimit) {
            number += 1
            do {
                if try !interpreter.execute(line) { return .done }
            } catch {
                let placed = DebugInterpreter.placed(error, line: number, text: line, of: "standard input")
                guard let failure = placed as? DebugScriptError else { throw placed }
                return try end(failure)
            }
            // A program that sends one line after another waits for the answer to each.
            try context.output.flush()
        }
        return .done
    }

    private func end(_ error: DebugScriptError) throws -> ExitStatus {
        try report(error)
        return ExitStatus.of(error.cause)
    }

    private func report(_ error: DebugScriptError) throws {
        for diagnostic in error.diagnostics { context.messages.report(diagnostic) }
    }

    // MARK: A person

    private func talk() throws {
        let isEditing = context.terminal.isTerminal && context.environment["TERM"] != "dumb"
        interpreter.settings.elements = DebugSettings.usualElements
        if isEditing { pager.ask = { try ask() } }
        let completion = DebugCompletion(
            session: interpreter.session, definitions: interpreter.surroundings.definitions)
        let reader = LineReader(
            input: context.input, output: 1, historyPath: DebugConsole.historyPath(context.environment),
            isEditing: isEditing,
            completing: { completion.completion(of: $0) })
        var again: String?
        while true {
            try context.output.flush()
            let line = reader.readLine(prompt: "(debug) ")
            let size = TerminalDevice.size(of: 1)
            pager.begin(ScreenSize(columns: size?.columns ?? Terminal.defaultWidth, rows: max(2, size?.rows ?? 24)))
            switch line {
            case .ended: return
            case .cancelled: continue
            case .line(let typed):
                guard let line = typed.allSatisfy(\.isWhitespace) ? again : typed else { continue }
                let verb = (try? DebugLine(parsing: line))?.verb
                let isRepeated = verb.map { DebugVerbTable.definition(of: $0).isRepeated } ?? false
                again = isRepeated ? line : nil
                if try !answer(line) { return }
            }
        }
    }

    private func ask() throws -> OutputPager.Reply {
        guard interpreter.settings.isPaging,
            let terminal = TerminalSession(.line, input: context.input, output: 1)
        else { return .all }
        try context.output.flush()
        return terminal.ask(OutputPager.question) { key -> OutputPager.Reply? in
            switch key {
            case Key(.enter), .scalar(" "): .goOn
            case .scalar("c"): .all
            case .scalar("q"), Key(.escape), .control("c"), .control("d"): .quit
            default: nil
            }
        } ?? .quit
    }

    /// A problem is reported and does not end the session.
    private func answer(_ line: String) throws -> Bool {
        do { return try interpreter.execute(line) } catch let error as OutputError {
            throw error
        } catch is OutputPager.Ended {
            return true
        } catch let error as DebugScriptError {
            try context.output.flush()
            try report(error)
        } catch {
            try context.output.flush()
            for diagnostic in ExitStatus.diagnostics(of: DebugInterpreter.facts(of: error), in: .debug) {
                context.messages.report(diagnostic)
            }
        }
        return true
    }

    /// `STATE_INSPECT_HISTORY`, or a file in the folder of the user's state (XDG Base Directory Specification); nil if
    /// the variable is empty, or there is no such folder.
    static func historyPath(_ environment: Environment) -> String? {
        if let path = environment["STATE_INSPECT_HISTORY"] { return path.isEmpty ? nil : path }
        guard let home = environment["HOME"], UTF8Order.begins(home, with: "/") else { return nil }
        let state =
            environment["XDG_STATE_HOME"].flatMap { UTF8Order.begins($0, with: "/") ? $0 : nil } ?? home
            + "/.local/state"
        let folder = state + "/state-inspect"
        // A home that is not there is not made.
        var path = UTF8Order.begins(folder, with: home + "/") ? home : ""
        for name in folder.dropFirst(path.count).split(separator: "/") {
            path += "/" + name
            FileSystem.makeFolder(path)
        }
        return path + "/debug_history"
    }
}

/// Shows long output a screen at a time, where a person reads it.
final class OutputPager {
    enum Reply {
        case goOn, all, quit
    }

    struct Ended: Error {}

    private let output: (StoryLine) throws -> Void
    var ask: (() throws -> Reply)?
    var size = ScreenSize(columns: 80, rows: 24)
    private var used = 0
    private var asksNoMore = false

    /// The line that asks, in gdb's words.
    static let question = "--Type <RET> for more, q to quit--"

    init(_ output: @escaping (StoryLine) throws -> Void) { self.output = output }

    func begin(_ size: ScreenSize) {
        (used, asksNoMore) = (0, false)
        self.size = size
    }

    /// - Throws: ``Ended`` where no more lines are wanted.
    func write(_ line: StoryLine) throws {
        guard let ask, !asksNoMore else { return try output(line) }
        let rows = max(1, (line.columns + size.columns - 1) / max(1, size.columns))
        if used > 0, used + rows >= size.rows {
            used = 0
            switch try ask() {
            case .goOn: break
            case .all: asksNoMore = true
            case .quit: throw Ended()
            }
        }
        used += rows
        try output(line)
    }
}

struct DebugHelp {
    let width: Int?

    /// All commands, or all there is to say of one.
    func lines(_ topic: String) throws(CommandFailure) -> [StoryLine] {
        if topic.isEmpty { return list }
        do throws(CommandFailure) { return of(DebugVerbTable.definition(of: try DebugLine.verb(topic))) } catch {
            let word = topic.lowercased()
            let found = DebugVerbTable.all.filter {
                "\($0.synopsis) \($0.summary) \($0.details)".lowercased().contains(word)
            }
            if found.isEmpty { throw error }
            return rows(found)
        }
    }

    private func rows(_ verbs: [DebugVerbDefinition]) -> [StoryLine] {
        let column = DebugVerbTable.all.map(\.verb.rawValue.count).max() ?? 0
        return verbs.map { verb in
            let short = verb.short.first.map { ", \($0)" } ?? ""
            let name = DisplayWidth.padded(verb.verb.rawValue + short, to: column + 6)
            return "  \(name, .path)\(verb.summary)"
        }
    }

    private var list: [StoryLine] {
        DebugVerbTable.groups.flatMap { ["\($0.title, .heading)"] + rows($0.verbs) }
            + ["'help COMMAND' says more, 'help WORD' searches; Enter does a motion again"]
    }

    private func of(_ verb: DebugVerbDefinition) -> [StoryLine] {
        let details = verb.details.isEmpty ? [] : verb.details.wrapped(to: (width ?? 100) - 2)
        let short = verb.short.joined(separator: ", ")
        return ["\(verb.synopsis, .path)", "  \(verb.summary)"] + details.map { "  \($0)" }
            + (short.isEmpty ? [] : ["  short: \(short)"])
    }
}
