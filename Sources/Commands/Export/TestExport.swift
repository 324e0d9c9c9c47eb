import CommandLine
import Diagnostics
import Interchange
import JSONCore
import JournalFormat
import JournalReading

struct TestExport {
    let text: String

    init(
        _ input: JournalInput, _ position: CommitNumber, _ scope: StoreScope, type: String?, _ messages: MessageWriter
    ) throws {
        let journal = input.journal
        guard position > journal.start else {
            throw CommandFailure(
                .notThere, Diagnostic(code: "export.no-commit", "there is no commit \(position) to test"))
        }
        var reader = try journal.records(after: position.previous, through: position)
        var found: JSONObject?
        while found == nil, let line = try reader.next() {
            if line.kind == .commit, line.seq == position { found = try line.object() }
        }
        guard let commit = found, let store = commit["store"]?.string, scope.includes(store) else {
            throw CommandFailure(
                .notThere,
                Diagnostic(
                    code: "export.no-commit",
                    "there is no commit \(position)" + (scope.store.map { " of '\($0)'" } ?? "") + " to test"))
        }
        let before = try journal.state(at: position.previous)
        guard let state = before.stores[store] else {
            throw CommandFailure(
                .notThere,
                Diagnostic(
                    code: "export.no-state", "'\(store)' was not there before commit \(position)",
                    notes: ["it opened directly before it"]))
        }
        let named = try type ?? Self.type(of: store, before: position, journal)
        if !SwiftTestWriter.isTypeName(named) {
            messages.report(
                Diagnostic(
                    .warning, code: "export.type",
                    "the type of '\(store)' is '\(named)', which is not the name of a Swift type",
                    notes: ["the test has 'State' in its place"], help: ["'--type NAME' names it"]))
        }
        text = SwiftTestWriter(commit: commit, before: state, type: named).text
    }

    /// The type that the last `store` record before a commit names.
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
