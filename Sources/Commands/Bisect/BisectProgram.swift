import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import Platform
import TimeTravel

/// The state is the program's standard input, from a file without a name: nothing blocks whether it is read or not;
/// what the program prints goes to standard error, because standard output is the answer's.
struct BisectProgram {
    private let arguments: [String]
    private let journal: String
    private let scope: StoreScope
    private let context: CommandContext

    init(_ arguments: [String], on journal: String, scope: StoreScope, context: CommandContext) throws(CommandFailure) {
        (self.arguments, self.journal, self.scope, self.context) = (arguments, journal, scope, context)
        if let error = ExecutableLookup(context.environment).problem(with: arguments[0]) {
            throw cannotStart(error)
        }
    }

    func search(
        _ journal: Journal, _ range: PositionRange, _ options: BisectOptions, _ log: BisectLog
    ) throws -> BisectAnswer {
        var goodEnd: (state: JSONValue, record: OwnedRecord?)?
        var isMissingChecked = false
        return try log.search(journal, range, reading: scope.paths, options) { candidate, known in
            if candidate.position == range.lower { goodEnd = (candidate.state, candidate.record) }
            if let known { return known }
            let status = try ask(candidate.state, candidate.record, at: candidate.position)
            if (status == 126 || status == 127), !isMissingChecked {
                isMissingChecked = true
                try checkGoodEnd(status, candidate, goodEnd, range.lower)
            }
            // The good end may have to be asked again, once.
            report(status, of: candidate, more: isMissingChecked ? 0 : 1)
            return status == 0 ? .good : status == 125 ? .skip : .bad
        }
    }

    /// 126 and 127 are what shells say of a command that they cannot run: on a good state too, it is not the state's fault.
    private func checkGoodEnd(
        _ status: Int32, _ candidate: MonotoneSearch.Candidate,
        _ good: (state: JSONValue, record: OwnedRecord?)?,
        _ lower: CommitNumber
    ) throws(CommandFailure) {
        if candidate.position != lower, let good, try ask(good.state, good.record, at: lower) != status { return }
        throw CommandFailure(
            .inconclusive, code: "bisect.not-runnable", "'\(arguments[0])' has status \(status) on the good end too",
            notes: ["126 and 127 are what a shell says of a command that it cannot run"],
            help: Advice(journal).isPossible ? ["try it: \(trial(at: lower))"] : [])
    }

    private func report(_ status: Int32, of candidate: MonotoneSearch.Candidate, more: Int) {
        guard context.format == .human else { return }
        let word = status == 0 ? "good" : status == 125 ? "skipped" : "bad"
        let left = candidate.testsLeft > 1 ? ", at most \(candidate.testsLeft - 1 + more) more" : ""
        context.messages.write("\(candidate.position.rawValue) is \(word) (status \(status)\(left))\n")
    }

    /// - Returns: its status, below 128.
    private func ask(_ state: JSONValue, _ record: OwnedRecord?, at position: CommitNumber) throws(CommandFailure)
        -> Int32
    {
        let file = try input(scope.part(of: state))
        let ending: ChildProcess.Ending
        do throws(SystemFailure) {
            // A signal that comes once it has started ends it, too.
            let (process, token) = try SignalHandling.making { () throws(SystemFailure) in
                let process = try ChildProcess.start(
                    arguments, environment: environment(record, at: position), input: .descriptor(file.descriptor),
                    output: .descriptor(context.childOutput))
                return (process, { process.terminate() })
            }
            defer { SignalHandling.remove(token) }
            ending = process.wait()
        } catch {
            throw cannotStart(error)
        }
        if case .status(let status) = ending, status < 128 { return status }
        throw CommandFailure(
            .inconclusive, code: "bisect.aborted",
            "'\(arguments[0])' ended the search at \(position.rawValue): \(text(of: ending))",
            notes: ["a status from 128, or a signal, says that the program itself went wrong"],
            help: ["status 125 skips a position that cannot be judged"])
    }

    private func input(_ state: JSONValue) throws(CommandFailure) -> QuestionFile {
        var writer = JSONWriter(style: .compact)
        writer.write(state)
        writer.bytes.append(UInt8(ascii: "\n"))
        do throws(SystemFailure) {
            let file = try QuestionFile(context.environment)
            try file.replaceContent(with: writer.bytes)
            return file
        } catch {
            throw CommandFailure(
                .unreadable, code: "bisect.no-input", "the state cannot be handed to '\(arguments[0])': \(error.text)",
                notes: ["it goes through a file in the folder that TMPDIR names"])
        }
    }

    private func environment(_ record: OwnedRecord?, at position: CommitNumber) -> Environment {
        var environment = context.environment
        let record = record.flatMap { try? Record($0) }
        let place = record?.place
        environment["STATE_INSPECT_SEQ"] = "\(position.rawValue)"
        environment["STATE_INSPECT_FILE"] = place?.file ?? ""
        environment["STATE_INSPECT_LINE"] = place?.line.map(String.init) ?? ""
        environment["STATE_INSPECT_FUNCTION"] = place?.function ?? ""
        environment["STATE_INSPECT_STORE"] = record?.store ?? ""
        return environment
    }

    private func cannotStart(_ error: SystemFailure) -> CommandFailure {
        CommandFailure(
            .usage, code: "bisect.cannot-start", "'\(arguments[0])' cannot be started: \(error.text)",
            help: ["everything after '--run' is the command; a script needs its path, as './check'"])
    }

    private func trial(at position: CommitNumber) -> String {
        let state = Advice(journal, scope).command(.state, [], [(.json, nil), (.at, "\(position)")])
        return state + " | " + ShellQuoting.line(arguments)
    }

    private func text(of ending: ChildProcess.Ending) -> String {
        switch ending {
        case .status(let status): "it has status \(status)"
        case .signal(let number): "it was ended by signal \(number)"
        }
    }
}

/// A file without a name, written anew for each question.
struct QuestionFile: ~Copyable {
    private let file: FileDescriptor

    init(_ environment: Environment) throws(SystemFailure) { file = try TemporaryFile.make(in: environment["TMPDIR"]) }

    var descriptor: Int32 { file.number }

    func replaceContent(with bytes: [UInt8]) throws(SystemFailure) {
        try file.removeContent()
        try file.write(bytes)
        try file.rewind()
    }
}
