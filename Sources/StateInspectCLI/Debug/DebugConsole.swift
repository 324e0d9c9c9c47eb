import Diagnostics
import JournalFormat
import Platform
import TimeTravel

/// The line session: where commands come from, and what becomes of those that fail.
struct DebugConsole {
    private let interpreter: DebugInterpreter
    private let context: CommandContext
    private let definitions: [DerivedValue]

    init(_ interpreter: DebugInterpreter, _ context: CommandContext, _ definitions: [DerivedValue]) {
        self.interpreter = interpreter
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
        let completion = DebugCompletion(session: interpreter.session, definitions: definitions)
        let reader = LineReader(
            input: context.input, output: 1, historyPath: DebugConsole.historyPath(context.environment),
            isEditing: context.terminal.isTerminal && context.environment["TERM"] != "dumb",
            completing: { completion.completion(of: $0) })
        var again: String?
        while true {
            try context.output.flush()
            switch reader.readLine(prompt: "(debug) ") {
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

    /// Carries out a line; a problem is reported and does not end the session.
    private func answer(_ line: String) throws -> Bool {
        do { return try interpreter.execute(line) } catch let error as OutputError {
            throw error
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
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        if state == nil {
            FileSystem.makeFolder(home + "/.local")
            FileSystem.makeFolder(home + "/.local/state")
        }
        let folder = (state ?? home + "/.local/state") + "/state-inspect"
        FileSystem.makeFolder(folder)
        return folder + "/debug_history"
    }
}
