import JSONCore
import JournalFormat
public import JournalReading
public import QueryLanguage

extension Run {
    struct Questions {
        let list: [Query]
        let paths: PathSet
        let usesOld: Bool
        let usesCommit: Bool
        private let memos: [QueryMemo?]
        private let asked: [Bool]

        init(_ list: [Query]) {
            self.list = list
            paths = list.reduce(.nothing) { $0.union($1.footprint.paths) }
            usesOld = list.contains(where: \.footprint.usesOld)
            usesCommit = list.contains(where: \.footprint.usesCommit)
            memos = list.map { $0.memo() }
            asked = usesOld || usesCommit ? list.map { $0.footprint.usesOld || $0.footprint.usesCommit } : []
        }

        var count: Int { list.count }
        subscript(index: Int) -> QueryMemo? { memos[index] }
        var wantsPlaces: Bool { memos.contains { $0?.wantsPlaces ?? false } }

        func note(changed places: [ChangedPlace]?) { for memo in memos { memo?.note(changed: places) } }

        func note(oldIsKnown isKnown: Bool) { for memo in memos { memo?.note(oldIsKnown: isKnown) } }
        func asksAlways(_ index: Int) -> Bool { !asked.isEmpty && asked[index] }
    }

    /// What a question keeps from one state to the next, up to date for the state of the pass; nil where it keeps nothing.
    package func memo(of question: Int) -> QueryMemo? { questions[question] }

    /// Whether the step reported last may have changed the answer of a question.
    ///
    /// True for all questions inside a position, too: the last state of a position is the one that counts.
    public func isTouched(_ question: Int) -> Bool { touchesAll || touched[question] || questions.asksAlways(question) }

    /// What a query can ask about the step reported last; the line is looked into only where a question asks about its commit.
    ///
    /// - Throws: `JournalError` where the commit's line is not JSON inside.
    public func context(of step: Step) throws(JournalError) -> QueryContext {
        guard questions.usesCommit, let commit = try commit(of: step) else {
            return QueryContext(old: old, seq: step.seq.rawValue)
        }
        return try QueryContext(record: commit, old: old)
    }

    /// The commit of a step's position; nil where it was lost.
    ///
    /// A store that opens after a commit belongs to the commit's position.
    public func commit(of step: Step) throws(JournalError) -> OwnedRecord? {
        if step.seq == jump { return nil }
        if let commit, commit.seq == step.seq { return commit }
        return try journal.keptRecord(of: step.seq)
    }

    /// The record of the step reported last: a commit, a store or a gap.
    public func record(of step: Step) throws(JournalError) -> OwnedRecord {
        // A commit with which a closed store went away is reported without its line.
        if keepsRecords, let record { return record }
        guard let offset = step.offset else { return try journal.record(of: step.seq) }
        return try journal.record(at: offset)
    }
}

extension Journal {
    func record(at offset: ByteOffset) throws(JournalError) -> OwnedRecord {
        var reader = records(from: offset)
        guard let line = try reader.next() else { throw JournalError(path: path, .empty) }
        return line.owned()
    }
}
