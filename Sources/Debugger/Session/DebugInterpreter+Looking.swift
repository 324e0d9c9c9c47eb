import CommandLine
import Commands
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import Platform
import QueryLanguage
import TimeTravel

extension DebugInterpreter {
    /// False where the line shows nothing.
    func look(_ line: DebugLine) throws -> Bool {
        switch line.verb {
        case .print: try printOutputs(line)
        case .diff: try printDifference(line)
        case .blame: try printBlame(line)
        case .history: try printLife(line)
        case .origin: try printOrigin(line)
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
        let values: [JSONValue]
        if line.rest.isEmpty {
            values = [session.state]
        } else if let pattern = try pattern(line.rest, of: line) {
            let paths = try matches(of: pattern, line.rest)
            guard pattern.pointer != nil else {
                for path in paths {
                    let value = path.value(in: session.state) ?? .null
                    try write("\(path.text, .path) = \(printer.value(value))")
                }
                return
            }
            values = paths.compactMap { $0.value(in: session.state) }
        } else {
            values = try outputs(try query(line.rest, of: line))
        }
        let tree = ValueTree(limit: settings.elements)
        for value in values { try write(tree.lines(value)) }
        if values.contains(where: tree.cuts) {
            try write("note: long values are cut; 'set print elements 0' prints all of them")
        }
    }

    /// - Throws: `CommandFailure` where there are none.
    private func matches(of pattern: PathPattern, _ typed: String) throws -> [JSONPointer] {
        let state = session.state
        let parts = pattern.matches(in: state)
        guard parts.isEmpty else { return parts }
        throw CommandFailure(
            .notThere,
            Diagnostic(
                code: "debug.nothing-there", "nothing is at '\(typed)' here",
                notes: NearestPath.notes(for: pattern, in: state, scope),
                help: NearestPath.help(for: pattern, in: state, scope)))
    }

    private func printLife(_ line: DebugLine) throws {
        let subject = try subject(try line.argument("a path or a query"), of: line)
        try write(printer.lines(try ValueLife(of: subject, in: session, calls, withOpening: false), of: subject))
    }

    private func printDifference(_ line: DebugLine) throws {
        let from = try line.rest.isEmpty ? nil : position(line.rest)
        if let from {
            try write("from \(from) to \(printer.name(session.position))")
        } else if session.position.commit <= session.bounds.lower {
            throw line.usage("there is no position before this one", help: ["write 'diff POS'"])
        }
        let changes = try session.differences(since: from).map { $0.shown(in: scope) }
        try write(changes.isEmpty ? ["  nothing differs"] : printer.story.lines(changes, indent: 2))
    }

    private func printBlame(_ line: DebugLine) throws {
        let pattern = try PathPattern(parsing: try line.argument("a path"), operand: "PATH")
        try checkIsAsRecorded(line)
        let lines = try session.blame(try matches(of: pattern, line.rest))
        var columns = CommitLine()
        let rows = try lines.map { line in
            (line, try line.record.map { RecordSummary(try Record($0)).withoutCause })
        }
        for row in rows { if let record = row.1 { columns.measure(record) } }
        for (line, record) in rows {
            let who = record.map { columns.padded($0) } ?? "never"
            try write(who + "  \(line.path.text, .path)  \(printer.value(line.value))")
        }
    }

    private func printOrigin(_ line: DebugLine) throws {
        let pattern = try PathPattern(parsing: try line.argument("a path"), operand: "PATH")
        try checkIsAsRecorded(line)
        let places = try matches(of: pattern, line.rest)
        guard let place = pattern.pointer else {
            throw line.usage("'origin' is of one value", help: ["write 'origin \(scope.text(of: places[0]))'"])
        }
        guard let origin = try session.origin(of: place) else { return }
        try write(OriginStory(origin, of: place, scope).lines(printer.story, width: printer.width))
        if let words = origin.end.words { try write("note: \(words)") }
    }

    private func checkIsAsRecorded(_ line: DebugLine) throws {
        guard session.isAsRecorded else {
            throw line.usage(
                "'\(line.verb.rawValue)' reports on the run as it was, after a whole commit",
                help: ["'unskip' takes all commits back, 'step' makes the rest of a commit"])
        }
    }

    private func chain(_ line: DebugLine) throws -> (chain: CauseChain, frame: Int) {
        try line.checkAlone()
        guard let causes = try causes() else { throw noCommit }
        return causes
    }

    private func printCause(_ line: DebugLine) throws {
        let (chain, frame) = try chain(line)
        let commits = chain.commits.dropFirst(frame)
        for (depth, record) in commits.prefix(2).enumerated() {
            let summary = RecordSummary(try Record(record), scope: scope)
            try write(printer.story.head(depth == 0 ? "commit" : "caused by", summary, of: nil))
            try write(printer.story.lines(summary.changes, most: .debugger))
        }
        if commits.count == 1 { try write("\(printer.end(of: chain) ?? "no commit's delivery made it")") }
    }

    private func printChain(_ line: DebugLine) throws {
        let (chain, frame) = try chain(line)
        let records = try chain.commits.map { RecordSummary(try Record($0)).withoutCause }
        var columns = CommitLine()
        for record in records { columns.measure(record) }
        for (depth, record) in records.enumerated() {
            let mark = frame == 0 ? "" : depth == frame ? "→ " : "  "
            try write("\(mark)#\(depth)  \(columns.text(record))")
        }
        if let end = printer.end(of: chain) { try write("\(end)") }
    }

    /// How many lines `list` shows at once, and before the one that it is about.
    private static let (listCount, listBefore) = (11, 5)

    private func list(_ line: DebugLine) throws {
        let place = try session.commitPlace()
        let (count, before) = (DebugInterpreter.listCount, DebugInterpreter.listBefore)
        var (file, first): (String, Int)
        if !line.rest.isEmpty {
            (file, first) = try listed(line, place)
        } else if let listed, listed.position == session.position {
            (file, first) = (listed.file, listed.line + 1)
        } else if let place, let number = place.line {
            (file, first) = (place.file, max(1, number - before))
        } else {
            throw CommandFailure(
                .notThere, Diagnostic(code: "debug.no-place", "no commit here says where it was made"))
        }
        let lines = try surroundings.sources.lines(of: file, first..<(first + count))
        for (offset, text) in lines.enumerated() {
            let number = first + offset
            let isMarked = place.map { UTF8Order.equal($0.file, file) && $0.line == number } ?? false
            try write(printer.sourceLine(number, text, isMarked: isMarked))
        }
        if lines.isEmpty { try write("that was all of '\(file)'") }
        listed = (session.position, file, first + max(lines.count, 1) - 1)
    }

    /// `list LINE` or `list FILE:LINE`; a file may be named without its folders, if commits nearby were made in it.
    private func listed(_ line: DebugLine, _ place: SourcePlace?) throws -> (String, Int) {
        let colon = line.rest.lastIndex(of: ":")
        let digits = colon.map { line.rest[line.rest.index(after: $0)...] } ?? line.rest[...]
        guard let number = Int(digits), (1...Int(Int32.max)).contains(number) else {
            throw line.usage("'\(line.rest)' is not a line of a file")
        }
        let first = max(1, number - DebugInterpreter.listBefore)
        guard let colon else {
            guard let file = listed.flatMap({ $0.position == session.position ? $0.file : nil }) ?? place?.file else {
                throw line.usage(
                    "no commit here says of which file line \(number) is", help: ["write 'list FILE:LINE'"])
            }
            return (file, first)
        }
        let name = String(line.rest[..<colon])
        let near = try session.records(around: session.position.commit, before: 1000, after: 1000)
        let file = near.lazy.compactMap { try? Record($0) }.compactMap { SourcePlace($0)?.file }
            .first { UTF8Order.equal($0, name) || UTF8Order.ends($0, with: "/" + name) }
        return (file ?? name, first)
    }

    // MARK: Lists

    private func printInfo(_ line: DebugLine) throws {
        let topics = ["breakpoints", "watchpoints", "stores", "derived", "marks", "checkpoints", "display"]
        let meant = line.rest.isEmpty ? [] : topics.filter { UTF8Order.begins($0, with: line.rest) }
        switch meant.count == 1 ? meant[0] : "" {
        case "breakpoints": try write(printer.table(of: session.breakpoints))
        case "watchpoints":
            try write(printer.table(of: session.breakpoints.filter { $0.trigger.subject != nil }))
        case "stores": try write(printer.stores(session.state))
        case "derived": try printDerived()
        case "marks": try printMarks()
        case "checkpoints":
            let rows: [[StoryLine]] = session.checkpoints.map { ["\($0.name)", "\(printer.name($0.position))"] }
            try write(rows.aligned(), orElse: "no place is remembered")
        case "display":
            try write(
                session.displays.map { "\($0.id): \($0.query.text)" },
                orElse: "nothing is displayed")
        default:
            throw line.usage(
                "'info' needs one of \(topics.map { "'\($0)'" }.joined(separator: ", "))",
                help: DebugVerbTable.advice(forInfo: line.rest).map { [$0] } ?? [])
        }
    }

    private func printDerived() throws {
        let names = try session.declaredDerivedNames(calls)
        let recorded: [[StoryLine]] = names.map { ["\($0)", "as the app recorded it"] }
        let defined: [[StoryLine]] = surroundings.definitions.map { ["\($0.name)", "by its definition"] }
        try write((recorded + defined).aligned(), orElse: "there are no derived values")
    }

    private func printMarks() throws {
        var count = 0
        let digits = "\(session.bounds.upper)".count
        try session.records(of: .mark, calls) { line in
            let mark = try line.decode { (object) throws(RecordFault) in try MarkRecord(object) }
            let number = "\(line.seq)"
            let margin = String(repeating: " ", count: max(0, digits - number.count))
            try write("\(margin)\(number)  \(mark.text)")
            count += 1
        }
        if count == 0 { try write("there are no marks") }
    }

    // MARK: Pipes

    func pipe(_ line: DebugLine) throws {
        let typed = try line.argument("a query and a command")
        guard let (text, command) = DebugLine.split(typed, at: "|"), !text.isEmpty, !command.isEmpty else {
            throw line.usage("'pipe' needs a query, a '|' and a command")
        }
        let values = try outputs(try query(text, of: line))
        let bytes = Array(values.map { $0.text() + "\n" }.joined().utf8)
        try runShell(command, input: bytes)
    }

    /// - Parameter bytes: what the command reads; nil for what this program reads, if that is not the script.
    func runShell(_ command: String, input bytes: [UInt8]? = nil) throws {
        var ending = ChildProcess.Ending.status(0)
        let input = bytes ?? (surroundings.isInputFree ? nil : [])
        guard !surroundings.capturesPrograms else { return try capture(command, input: input ?? []) }
        try surroundings.releaseTerminal { [environment = surroundings.environment] in
            ending = try DebugPipe.run(command, input: input, environment: environment)
        }
        try write(ending)
    }

    /// No more of what a program writes is printed, in bytes.
    private static let capturedLimit = 1 << 20

    private func capture(_ command: String, input: [UInt8]) throws {
        let file = try TemporaryFile.make()
        let ending = try DebugPipe.run(
            command, input: input, output: file.number, environment: surroundings.environment)
        try file.rewind()
        var bytes = [UInt8](repeating: 0, count: DebugInterpreter.capturedLimit)
        var room = bytes.mutableSpan
        let count = try file.read(into: &room)
        if count > 0 {
            let text = String(decoding: bytes[..<count], as: UTF8.self)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            for line in lines.dropLast(UTF8Order.ends(text, with: "\n") ? 1 : 0) {
                try write("\(line)")
            }
        }
        try write(ending)
    }

    private func write(_ ending: ChildProcess.Ending) throws {
        switch ending {
        case .status(0): break
        case .status(let status): try write("the command ended with status \(status)")
        case .signal(let signal): try write("the command was ended by signal \(signal)")
        }
    }
}
