import CommandLine
import Diagnostics
import Interchange
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

struct ExportPass {
    let asked: AskedJournal
    let select: ScopedQuery?
    let limit: Int
    let isTable: Bool
    /// Whether texts of a table stand as they are.
    let isRaw: Bool

    private var journal: Journal { asked.journal }
    private var filter: CommitFilter { asked.subject.filter }
    private var recovers: Bool { asked.subject.recovers }

    func write(_ format: ExportFormat, to output: JournalOutput) throws -> Answered {
        switch format {
        case .jsonPatch:
            return try writePatches(output)
        case .reduxDevtools: return try writeLiftedState(output)
        case .chromeTrace: return try writeTrace(output)
        case .csv: return try writeTable(output)
        case .changes: return try writeChanges(output)
        case .itf:
            var writer = ITFWriter(from: try startState, source: asked.subject.path)
            return try writeCommits(to: output, with: &writer)
        case .swiftTest: return .lookedUp(.done)
        }
    }

    private func writeCommits(
        to output: JournalOutput, with writer: inout some ExportWriter,
        _ prepared: (ReplayLine, ExportedCommit) -> ExportedCommit = { $1 }
    ) throws -> Answered {
        let status = try forEachCommit { line, commit in
            writer.add(prepared(line, commit))
            try output.append(writer.take())
            return true
        }
        writer.finish()
        try output.append(writer.take())
        return status
    }

    private func writeLiftedState(_ output: JournalOutput) throws -> Answered {
        let start = try journal.header().time.microseconds
        var writer = ReduxWriter(from: try startState, at: start)
        _ = try forEachCommit { _, commit in
            writer.addAction(commit)
            try output.append(writer.take())
            return true
        }
        return try writeCommits(to: output, with: &writer)
    }

    private func writeTable(_ output: JournalOutput) throws -> Answered {
        var writer = CSVWriter(makesColumns: select != nil, isRaw: isRaw)
        let status = try writeCommits(to: output, with: &writer)
        if writer.cutRows > 0 {
            asked.messages.warn(
                code: "export.columns", "\(writer.cutRows) rows have members that the first had not",
                notes: ["the first row's are the columns"], help: ["name them all in '--select'"])
        }
        return status
    }

    /// Where each commit is exported, its own patch is the line; after a store that opened or ended, and after what was
    /// lost, states are compared as far as they may differ.
    private func writePatches(_ output: JournalOutput) throws -> Answered {
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
    private func writeChanges(_ output: JournalOutput) throws -> Answered {
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
    private func writeTrace(_ output: JournalOutput) throws -> Answered {
        let header = try journal.header()
        var writer = ChromeTraceWriter(name: header.app ?? asked.subject.path)
        var reader = try journal.records(after: asked.range.lower, through: asked.range.upper, recover: recovers)
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
        if writer.lostCounters > 0 {
            asked.messages.note(
                "\(writer.lostCounters) numbers have no counter: choose some by '--path' or '--store'")
        }
        return Answered(
            reader.damages.isEmpty ? .done : .inconclusive, damages: reader.damages, unanswered: Unanswered(),
            lost: .nothing)
    }

    /// Null for a store that is not there.
    private var startState: JSONValue {
        get throws {
            let state = try journal.state(at: asked.range.lower, pruning: filter.scope.paths)
            guard let store = filter.scope.store else { return state.value }
            return state.stores[store] ?? .null
        }
    }

    private func forEachCommit(
        isEach: Bool = false, _ body: (ReplayLine, ExportedCommit) throws -> Bool
    ) throws -> Answered {
        let query = try select ?? ScopedQuery(".", name: "--select", scope: filter.scope)
        var question = ReplayQuestion(query.whole)
        question.asksEnd = false
        if !filter.passesAll, !isEach {
            question.filter = { [filter] (commit, _, _) throws(JournalError) in try filter.passes(commit) }
        }
        let replay = try ForwardReplay(journal, asked.range, question, recover: recovers)
        var written = 0
        while written < limit, let line = try replay.next() {
            guard let record = line.record else { continue }
            let commit = ExportedCommit(record: try record.object(), seq: line.position, state: line.value)
            if try body(line, commit) { written += 1 }
        }
        return Answered(
            damages: replay.damages, unanswered: replay.unanswered, lost: .commits("they have no row"),
            failed: (query, "that commit has no row", "commits without a row"))
    }
}

extension ExportCommand {
    static func test(
        of position: CommitNumber, in journal: Journal, _ scope: StoreScope, type: String?, _ messages: MessageWriter
    ) throws -> String {
        guard position > journal.start else {
            throw CommandFailure(
                .notThere, code: "export.no-commit", "there is no commit \(position) to test")
        }
        var reader = try journal.records(after: position.previous, through: position)
        var found: JSONObject?
        while found == nil, let line = try reader.next() {
            if line.kind == .commit, line.seq == position { found = try line.object() }
        }
        guard let commit = found, let store = commit["store"]?.string, scope.includes(store) else {
            throw CommandFailure(
                .notThere, code: "export.no-commit",
                "there is no commit \(position)" + (scope.store.map { " of '\($0)'" } ?? "") + " to test")
        }
        let before = try journal.state(at: position.previous)
        guard let state = before.stores[store] else {
            throw CommandFailure(
                .notThere, code: "export.no-state", "'\(store)' was not there before commit \(position)",
                notes: ["it opened directly before it"])
        }
        let named = try type ?? Self.type(of: store, before: position, journal)
        if !SwiftTestWriter.isTypeName(named) {
            messages.warn(
                code: "export.type",
                "the type of '\(store)' is '\(named)', which is not the name of a Swift type",
                notes: ["the test has 'State' in its place"], help: ["'--type NAME' names it"])
        }
        return SwiftTestWriter(commit: commit, before: state, type: named).text
    }

    private static func type(of store: String, before position: CommitNumber, _ journal: Journal) throws -> String {
        var reader = journal.records()
        var filter = RecordFilter(kinds: .store)
        var type = ""
        while let line = try reader.next(matching: &filter), line.seq < position {
            guard line.kind == .store else { continue }
            let record = try line.object()
            if let name = record["store"]?.string, UTF8Order.equal(name, store) { type = record["type"]?.string ?? "" }
        }
        return type
    }
}
