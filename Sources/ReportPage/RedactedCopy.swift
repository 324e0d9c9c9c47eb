import CommandLine
import Commands
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import Platform
import TimeTravel

/// A journal with some values hashed, in a file without a name.
///
/// Questions are asked of the run itself, since a hash is not the value that a query means; what is shown of the
/// answers comes from this copy.
final class RedactedCopy {
    let journal: Journal
    private let original: Journal
    private let file: FileDescriptor

    /// - Throws: `CommandFailure` where a path matches nothing.
    init(of original: Journal, _ patterns: [PathPattern], key: RedactionKey) throws {
        var redaction = try JournalRedaction(original, patterns.map(\.steps), key: key)
        if let index = redaction.unmet.first {
            let state = try original.state(at: try original.lastCommit).value
            throw CommandFailure(
                .notThere, RedactCommand.absence(of: patterns[index], in: redaction.redacted(state)))
        }
        let file = try TemporaryFile.make()
        let number = file.number
        _ = try redaction.write(
            to: LineSink { lines in try FileDescriptor.write(lines, to: number) })
        try file.rewind()
        journal = try Journal.open("/dev/fd/\(number)", access: .random)
        self.file = file
        self.original = original
    }

    func redacted(_ answer: BisectAnswer) throws -> BisectAnswer {
        var answer = answer
        answer.firstBad = try answer.firstBad.map(redacted)
        answer.lastFlip = try answer.lastFlip.map(redacted)
        answer.badBefore = try answer.badBefore.map(redacted)
        return answer
    }

    /// What `check` says, with the records as the copy has them, and without what queries gave: that is made of the values.
    func redacted(_ checked: CheckedJournal) throws -> CheckedJournal {
        var checked = checked
        let scope = StoreScope(store: nil)
        checked.verdicts = try checked.verdicts.map { verdict in
            var verdict = verdict
            if let failure = verdict.failure {
                verdict.failure = .init(seq: failure.seq, message: "its query fails", positions: failure.positions)
            }
            guard var violation = verdict.violation else { return verdict }
            let record = try violation.record.map { (record: Record) in try Record(try redacted(record)) }
            let details = try record.flatMap { (record: Record) -> CommitDetails? in
                record.kind == .commit ? try CommitDetails(record.seq, in: journal) : nil
            }
            violation.record = record
            violation.facts = details.map { CommitFacts($0, journal, scope) }
            (violation.value, violation.changed) = (nil, violation.summary?.changes.first?.path.text)
            (violation.places, violation.history) = ([], [])
            verdict.violation = violation
            return verdict
        }
        return checked
    }

    func redacted(_ record: OwnedRecord) throws -> OwnedRecord {
        try redacted(record.kind, record.seq) { $0.offset == record.offset }
    }

    private func redacted(_ record: Record) throws -> OwnedRecord {
        let value = record.json
        return try redacted(record.kind, record.seq) { try Record($0).json == value }
    }

    /// A copy has as many lines of each kind and number.
    private func redacted(
        _ kind: RecordKind, _ seq: CommitNumber, where isIt: (OwnedRecord) throws -> Bool
    ) throws -> OwnedRecord {
        if kind == .commit { return try journal.record(of: seq) }
        let place = try records(kind, seq, in: original).firstIndex(where: isIt)
        let copies = try records(kind, seq, in: journal)
        guard let place, copies.indices.contains(place) else {
            throw CommandFailure(
                .unreadable, Diagnostic(code: "report.copy", "the redacted copy has no \(kind.name) record \(seq)"))
        }
        return copies[place]
    }

    private func records(_ kind: RecordKind, _ seq: CommitNumber, in journal: Journal) throws -> [OwnedRecord] {
        var reader = try journal.records(after: max(journal.start, seq.previous), through: seq)
        var records: [OwnedRecord] = []
        while let line = try reader.next() {
            if line.seq == seq, line.kind == kind { records.append(line.owned()) }
        }
        return records
    }
}
