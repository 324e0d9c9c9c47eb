import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import Platform
import TimeTravel

/// The line session: where commands come from, and what becomes of those that fail.
struct DebugConsole {
    private let interpreter: DebugInterpreter
    private let context: CommandContext
    private let definitions: [DerivedValue]
    private let pager: OutputPager

    init(
        _ interpreter: DebugInterpreter, _ context: CommandContext, _ definitions: [DerivedValue], _ pager: OutputPager
    ) {
        self.interpreter = interpreter
        self.pager = pager
        self.context = context
        self.definitions = definitions
    }

    /// Carries out scripts, and then what comes from standard input, unless that is not wanted.
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

    /// Says where the session begins.
    private func greet() throws {
        if let paired = interpreter.paired { return try interpreter.write(interpreter.printer.place(of: paired)) }
        let session = interpreter.session
        let lines = try interpreter.printer.lines(.stopped(session.lastStop), session)
        for line in lines { try interpreter.write(line) }
        if lines.isEmpty { try interpreter.write(interpreter.printer.place(session, showsChanges: true)) }
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
        let completion = DebugCompletion(session: interpreter.session, definitions: definitions)
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

    /// Asks at the end of a screen whether to go on.
    private func ask() throws -> OutputPager.Answer {
        guard interpreter.settings.isPaging,
            let terminal = TerminalSession(.line, input: context.input, output: 1)
        else { return .all }
        try context.output.flush()
        return terminal.ask(OutputPager.question) { key -> OutputPager.Answer? in
            switch key {
            case Key(.enter), .scalar(" "): .goOn
            case .scalar("c"): .all
            case .scalar("q"), Key(.escape), .control("c"), .control("d"): .quit
            default: nil
            }
        } ?? .quit
    }

    /// Carries out a line; a problem is reported and does not end the session.
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

    /// The history file: `STATE_INSPECT_HISTORY`, or one in the folder of the user's state; nil if the variable is
    /// empty, or there is no such folder.
    ///
    /// The folders are those of the XDG Base Directory Specification.
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
