import CommandLine
import Diagnostics
import Interchange
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// Goes over the commits that are exported, and hands them to what writes a format.
struct ExportPass {
    let input: JournalInput
    let path: String
    let range: PositionRange
    let filter: CommitFilter
    let select: ScopedQuery?
    let limit: Int
    let recovers: Bool
    /// Whether changes are rows of a table.
    let isTable: Bool
    /// Whether texts of a table stand as they are.
    let isRaw: Bool
    let context: CommandContext

    /// Writes the whole of a format.
    ///
    /// - Returns: the status that what has no answer comes to.
    func write(_ format: ExportFormat, to output: JournalOutput) throws -> ExitStatus {
        switch format {
        case .jsonPatch:
            return try writePatches(output)
        case .reduxDevtools: return try writeLiftedState(output)
        case .chromeTrace: return try writeTrace(output)
        case .csv: return try writeTable(output)
        case .changes: return try writeChanges(output)
        case .itf:
            var writer = ITFWriter(from: try startState, source: path)
            return try writeCommits(to: output, with: &writer)
        case .swiftTest: return .done
        }
    }

    /// - Parameter prepared: what is written of a commit.
    private func writeCommits(
        to output: JournalOutput, with writer: inout some ExportWriter,
        _ prepared: (ReplayLine, ExportedCommit) -> ExportedCommit = { $1 }
    ) throws -> ExitStatus {
        let status = try forEachCommit { line, commit in
            writer.add(prepared(line, commit))
            try output.append(writer.take())
            return true
        }
        writer.finish()
        try output.append(writer.take())
        return status
    }

    private func writeLiftedState(_ output: JournalOutput) throws -> ExitStatus {
        let start = try input.journal.header().time.microseconds
        var writer = ReduxWriter(from: try startState, at: start)
        _ = try forEachCommit(reportsProblems: false) { _, commit in
            writer.addAction(commit)
            try output.append(writer.take())
            return true
        }
        return try writeCommits(to: output, with: &writer)
    }

    private func writeTable(_ output: JournalOutput) throws -> ExitStatus {
        var writer = CSVWriter(makesColumns: select != nil, isRaw: isRaw)
        let status = try writeCommits(to: output, with: &writer)
        if writer.cutRows > 0 {
            context.messages.report(
                Diagnostic(
                    .warning, code: "export.columns", "\(writer.cutRows) rows have members that the first had not",
                    notes: ["the first row's are the columns"], help: ["name them all in '--select'"]))
        }
        return status
    }

    /// Where each commit is exported, its own patch is the line, and no state is compared; after a store that opened or ended before it,
    /// and after what was lost, the states are, as far as they may differ.
    private func writePatches(_ output: JournalOutput) throws -> ExitStatus {
        let holdsStates = !filter.passesAll || recovers
        let start = try startState
        var writer = PatchWriter(from: start, isWhole: filter.scope.store == nil, holdsStates: holdsStates)
        if holdsStates { return try writeCommits(to: output, with: &writer) }
        var followed = FollowedStores(from: start, of: nil)
        return try writeCommits(to: output, with: &writer) { line, commit in
            let parts = followed.follow(line, commit.patch, of: commit.store)
            return ExportedCommit(
                record: commit.record, seq: commit.seq, state: parts?.after ?? commit.state, before: parts?.before,
                isDirect: parts == nil)
        }
    }

    /// What was there before a commit follows from all commits before it, so those that have no rows are followed, too.
    private func writeChanges(_ output: JournalOutput) throws -> ExitStatus {
        var writer = ChangeWriter(isTable ? .table(isRaw: isRaw) : .lines)
        var head = writer.take()
        var followed = FollowedStores(from: try startState, of: filter.scope.store)
        let status = try forEachCommit(isEach: true) { line, commit in
            followed.prepare(for: line)
            if filter.scope.includes(commit.store) { followed.change(commit.store) { writer.add(commit, to: &$0) } }
            followed.open(line)
            let rows = writer.take()
            guard let record = line.record, try filter.passes(try Record(record)) else { return false }
            try output.append(head + rows)
            head = []
            return true
        }
        try output.append(head)
        return status
    }

    /// A trace has what lies beside the commits, too, so it is made of lines and not of states.
    private func writeTrace(_ output: JournalOutput) throws -> ExitStatus {
        let header = try input.journal.header()
        var writer = ChromeTraceWriter(name: header.app ?? path)
        var reader = try input.journal.records(after: range.lower, through: range.upper, recover: recovers)
        var written = 0
        while written < limit, let line = try reader.next() {
            let record = try line.object()
            if let store = record["store"]?.string, !filter.scope.includes(store) { continue }
            if line.kind == .commit {
                guard try filter.passes(try Record(line)) else { continue }
                written += 1
            }
            writer.add(record, of: line.kind)
            try output.append(writer.take())
        }
        writer.finish()
        try output.append(writer.take())
        for damage in reader.damages { context.messages.report(damage.warning) }
        if writer.lostCounters > 0 {
            context.messages.note(
                "\(writer.lostCounters) numbers have no counter: choose some by '--path' or '--store'")
        }
        return reader.damages.isEmpty ? .done : .inconclusive
    }

    // MARK: States

    /// The state at the beginning of the range, or that of the one store; of a store that is not there, null.
    private var startState: JSONValue {
        get throws {
            let state = try input.journal.state(at: range.lower, pruning: filter.scope.paths)
            guard let store = filter.scope.store else { return state.value }
            return state.stores[store] ?? .null
        }
    }

    /// - Parameters:
    ///   - isEach: whether `body` is given the commits, too, that do not pass.
    ///   - body: returns whether the commit is exported.
    private func forEachCommit(
        reportsProblems: Bool = true, isEach: Bool = false, _ body: (ReplayLine, ExportedCommit) throws -> Bool
    ) throws -> ExitStatus {
        let query = try select ?? ScopedQuery(".", name: "--select", scope: filter.scope)
        var question = ReplayQuestion(query.whole)
        question.asksEnd = false
        if !filter.passesAll, !isEach {
            question.filter = { [filter] (commit, _, _) throws(JournalError) in try filter.passes(commit) }
        }
        let replay = try ForwardReplay(input.journal, range, question, recover: recovers)
        var written = 0
        while written < limit, let line = try replay.next() {
            guard let record = line.record else { continue }
            let commit = ExportedCommit(record: try record.object(), seq: line.position, state: line.value)
            if try body(line, commit) { written += 1 }
        }
        return reportsProblems ? report(replay.unanswered, replay.damages, of: query) : .done
    }

    private func report(_ unanswered: Unanswered, _ damages: [JournalError], of query: ScopedQuery) -> ExitStatus {
        for damage in damages { context.messages.report(damage.warning) }
        let report = UnansweredReport(unanswered)
        if let lost = report.lostCommits(in: path, "they have no row") { context.messages.report(lost) }
        if let failed = report.failed(
            of: query, one: "that commit has no row", several: "commits without a row")
        {
            context.messages.report(failed)
        }
        return unanswered.count > 0 ? .inconclusive : .done
    }
}
