public import JSONCore
public import JournalFormat
public import JournalReading

/// One per-property difference that a record made, with its path in the whole state.
public struct StateChange: Sendable, Equatable {
    /// What happened at the path.
    public enum ChangeKind: Sendable, Equatable {
        case added(JSONValue)
        case removed(JSONValue?)
        case replaced(JSONValue, old: JSONValue?)
        case moved(from: JSONPointer)
        case copied(from: JSONPointer)
    }

    /// Where, beginning with the store's name.
    public let path: JSONPointer
    /// What.
    public let kind: ChangeKind

    package init(path: JSONPointer, kind: ChangeKind) { (self.path, self.kind) = (path, kind) }

    /// The changes that a patch of the whole state makes; `test` makes none, and `copy` adds what is not known here.
    public static func all(in patch: JSONPatch) -> [StateChange] {
        patch.operations.compactMap { operation in
            switch operation {
            case .add(let path, let value): StateChange(path: path, kind: .added(value))
            case .remove(let path, let old): StateChange(path: path, kind: .removed(old))
            case .replace(let path, let value, let old):
                StateChange(path: path, kind: .replaced(value, old: old))
            case .move(let from, let path): StateChange(path: path, kind: .moved(from: from))
            case .copy(let from, let path): StateChange(path: path, kind: .copied(from: from))
            case .test: nil
            }
        }
    }
}

/// A commit with what belongs to it: its changes, what its derived values did, the marks that follow it.
public struct CommitDetails: Sendable {
    /// The commit's own line.
    public let record: OwnedRecord
    /// The commit.
    public let commit: CommitRecord
    /// The commit's changes, with paths in the whole state.
    public let changes: [StateChange]
    /// What the derived values did after it, as the app recorded it.
    public let outcomes: [OutcomeRecord.Entry]
    /// The marks between it and the next commit.
    public let marks: [OwnedRecord]
    /// The first damage of what follows it, of which nothing is known then; nil where there is none.
    public let damage: JournalError?

    /// Reads a commit and what follows it up to the next one.
    ///
    /// Damage after the commit's own line leaves the commit as it is.
    ///
    /// - Throws: `JournalError` where there is no commit of that number: there is none at a journal's start.
    /// - Complexity: one search in the file, and the records up to the next commit.
    public init(_ number: CommitNumber, in journal: Journal) throws(JournalError) {
        record = try journal.record(of: number)
        commit = try record.decode(CommitRecord.init)
        changes = StateChange.all(in: commit.patch.inStore(commit.store))
        var outcomes: [OutcomeRecord.Entry] = []
        var marks: [OwnedRecord] = []
        var damage: JournalError?
        var reader = journal.records(from: record.end)
        do throws(JournalError) {
            while let line = try reader.next(), line.seq == number {
                switch line.kind {
                case .outcome:
                    let outcome = try line.decode(OutcomeRecord.init)
                    if outcome.commit == number { outcomes += outcome.derived }
                case .mark: marks.append(line.owned())
                default: break
                }
            }
        } catch {
            damage = journal.numbered(error)
        }
        self.outcomes = outcomes
        self.marks = marks
        self.damage = damage
    }
}

extension JSONPatch {
    /// The patch of one store as a patch of the whole state: every path begins with the store's name.
    public func inStore(_ name: String) -> JSONPatch { mapped { JSONPointer([name] + $0.segments) } }

    package func mapped(_ pointer: (JSONPointer) -> JSONPointer) -> JSONPatch {
        JSONPatch(operations.map { $0.mapped(pointers: pointer) })
    }
}

extension JSONPatch.Operation {
    func mapped(
        pointers pointer: (JSONPointer) -> JSONPointer = { $0 }, _ body: (JSONValue) -> JSONValue = { $0 }
    ) -> JSONPatch.Operation {
        let path = pointer(path)
        return switch self {
        case .add(_, let value): .add(path, body(value))
        case .remove(_, let old): .remove(path, old: old.map(body))
        case .replace(_, let value, let old): .replace(path, body(value), old: old.map(body))
        case .test(_, let value): .test(path, body(value))
        case .move(let from, _): .move(from: pointer(from), to: path)
        case .copy(let from, _): .copy(from: pointer(from), to: path)
        }
    }
}
