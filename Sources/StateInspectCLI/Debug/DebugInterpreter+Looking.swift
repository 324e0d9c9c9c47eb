import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import Platform
import QueryLanguage
import TimeTravel

/// What shows something and moves nothing.
extension DebugInterpreter {
    /// Carries out what shows something; false where the line does not.
    func look(_ line: DebugLine) throws -> Bool {
        switch line.verb {
        case .print: try printOutputs(line)
        case .diff: try printDifference(line)
        case .blame: try printBlame(line)
        case .why: try printCause(line)
        case .bt: try printChain(line)
        case .list: try list(line)
        case .when:
            try line.checkAlone()
            try write(printer.when(session))
        case .info: try printInfo(line)
        default: return false
        }
        return true
    }

    private func outputs(_ query: Query) throws -> [JSONValue] {
        do throws(SessionQueryError) { return try session.outputs(of: query) } catch {
            switch error {
            case .journal(let error): throw error
            case .query(let error):
                var diagnostic = error.diagnostic
                diagnostic.place = .source(
                    SourceExcerpt(
                        name: "print", text: query.text, marks: [.init(0..<query.text.utf8.count)],
                        suffix: ", at commit \(session.position.commit)"))
                throw CommandFailure(.inconclusive, diagnostic)
            }
        }
    }

    private func printOutputs(_ line: DebugLine) throws {
        let tree = ValueTree(style: printer.style)
        guard !line.rest.isEmpty else { return try write(tree.text(session.state)) }
        for output in try outputs(try query(line.rest, of: line)) { try write(tree.text(output)) }
    }

    private func printDifference(_ line: DebugLine) throws {
        let before: JSONValue
        if line.rest.isEmpty {
            guard session.position.commit > session.bounds.lower else {
                throw line.usage("there is no position before this one", help: ["write 'diff POS'"])
            }
            before = try session.stateBefore()
        } else {
            let from = try position(line.rest)
            before = try session.state(at: from)
            try write("from \(from) to \(printer.name(session.position))")
        }
        let patch = JSONPatch.difference(from: before, to: session.state)
        let changes = StateChange.all(in: patch).map { Change($0, scope: scope) }
        try write(changes.isEmpty ? ["  nothing differs"] : printer.table.lines(changes, indent: 2))
    }

    private func printBlame(_ line: DebugLine) throws {
        let pattern = try PathPattern(parsing: try line.argument("a path"), operand: "PATH")
        guard session.skipped.isEmpty, !session.position.isInside else {
            throw line.usage(
                "'blame' reports on the run as it was, after a whole commit",
                help: ["'unskip' takes all commits back, 'step' makes the rest of a commit"])
        }
        let state = session.state
        let parts = pattern.matches(in: state)
        guard !parts.isEmpty else {
            throw CommandFailure(
                .notThere,
                Diagnostic(
                    code: "debug.nothing-there", "nothing is at '\(line.rest)' here",
                    notes: NearestPath.notes(for: pattern, in: state, scope),
                    help: NearestPath.help(for: pattern, in: state, scope)))
        }
        let lines = try Blame.lines(of: parts, in: state, at: session.position.commit, journal: session.journal)
        var columns = CommitLine(style: printer.style)
        let rows = try lines.map { line in
            (line, try line.record.map { RecordSummary(try Record($0)).withoutCause })
        }
        for row in rows { if let record = row.1 { columns.measure(record) } }
        for (line, record) in rows {
            let who = record.map { columns.padded($0) } ?? "never"
            let path = ControlCharacters.escaped(line.path.text)
            try write(who + "  " + printer.style(.path, path) + "  " + printer.value(line.value))
        }
    }

    private func chain(_ line: DebugLine) throws -> CauseChain {
        try line.checkAlone()
        guard let record = try session.commitRecord() else {
            throw CommandFailure(.notThere, Diagnostic(code: "debug.no-commit", "there is no commit here"))
        }
        return try CauseChain(of: record.seq, in: session.journal)
    }

    private func printCause(_ line: DebugLine) throws {
        let chain = try chain(line)
        let block = CommitBlock(style: printer.style, width: printer.width)
        for (depth, record) in chain.commits.prefix(2).enumerated() {
            let summary = RecordSummary(try Record(record), scope: scope)
            try write(block.heading(depth == 0 ? "commit" : "caused by", summary, of: nil))
            try write(block.changes(summary.changes))
        }
        if chain.commits.count == 1 { try write(printer.end(of: chain) ?? "no commit's delivery made it") }
    }

    private func printChain(_ line: DebugLine) throws {
        let chain = try chain(line)
        let records = try chain.commits.map { RecordSummary(try Record($0)).withoutCause }
        var columns = CommitLine(style: printer.style)
        for record in records { columns.measure(record) }
        for (depth, record) in records.enumerated() { try write("#\(depth)  " + columns.text(record)) }
        if let end = printer.end(of: chain) { try write(end) }
    }

    /// How many lines `list` shows at once, and before the one that it is about.
    private static let (listCount, listBefore) = (11, 5)

    private func list(_ line: DebugLine) throws {
        try line.checkAlone()
        guard let place = try session.commitPlace(), let number = place.line
        else {
            throw CommandFailure(
                .notThere, Diagnostic(code: "debug.no-place", "no commit here says where it was made"))
        }
        var first = max(1, number - DebugInterpreter.listBefore)
        if let listed, listed.position == session.position { first = listed.line + 1 }
        let lines = try surroundings.sources.lines(of: place.file, first..<(first + DebugInterpreter.listCount))
        for (offset, text) in lines.enumerated() {
            try write(printer.sourceLine(first + offset, text, isMarked: first + offset == number))
        }
        if lines.isEmpty { try write("that was all of '\(ControlCharacters.escaped(place.file))'") }
        listed = (session.position, first + max(lines.count, 1) - 1)
    }

    // MARK: Lists

    private func printInfo(_ line: DebugLine) throws {
        let topics = ["breakpoints", "stores", "derived", "marks", "checkpoints", "display"]
        let meant = line.rest.isEmpty ? [] : topics.filter { $0.hasPrefix(line.rest) }
        switch meant.count == 1 ? meant[0] : "" {
        case "breakpoints": try write(printer.table(of: session.breakpoints))
        case "stores": try write(printer.stores(session.state))
        case "derived": try printDerived()
        case "marks": try printMarks()
        case "checkpoints":
            try write(
                session.checkpoints.map { "\(ControlCharacters.escaped($0.name))  \(printer.name($0.position))" },
                orElse: "no place is remembered")
        case "display":
            try write(
                session.displays.map { "\($0.id): \(ControlCharacters.escaped($0.query.text))" },
                orElse: "nothing is displayed")
        default: throw line.usage("'info' needs one of \(topics.map { "'\($0)'" }.joined(separator: ", "))")
        }
    }

    private func printDerived() throws {
        let recorded = try session.declaredDerivedNames(calls).map { $0 + "  as the app recorded it" }
        let defined = surroundings.definitions.map { $0.name + "  by its definition" }
        try write((recorded + defined).map(ControlCharacters.escaped), orElse: "there are no derived values")
    }

    private func printMarks() throws {
        var count = 0
        try session.records(of: .mark, calls) { line in
            let mark = try line.decode { (object) throws(RecordFault) in try MarkRecord(object) }
            try write("\(line.seq)  " + ControlCharacters.escaped(mark.text))
            count += 1
        }
        if count == 0 { try write("there are no marks") }
    }

    // MARK: Pipes

    /// Gives a query's outputs to a command of the shell.
    func pipe(_ line: DebugLine) throws {
        let typed = try line.argument("a query and a command")
        guard let (text, command) = DebugLine.split(typed, at: "|"), !text.isEmpty, !command.isEmpty else {
            throw line.usage("'pipe' needs a query, a '|' and a command")
        }
        let values = try outputs(try query(text, of: line))
        let bytes = Array(values.map { $0.text() + "\n" }.joined().utf8)
        var ending = ChildProcess.Ending.status(0)
        try surroundings.releaseTerminal { [environment = surroundings.environment] in
            ending = try DebugPipe.run(command, input: bytes, environment: environment)
        }
        switch ending {
        case .status(0): break
        case .status(let status): try write("the command ended with status \(status)")
        case .signal(let signal): try write("the command was ended by signal \(signal)")
        }
    }
}
