import JSONCore
import JournalFormat
import JournalReading

/// Answers to a question about commits that their patches mostly answer, and the states where they do not: those are
/// followed as far as is asked.
///
/// - Complexity: nothing as long as patches answer; then a pass over the range, pruned to what is read, at most once.
final class FollowedCommits {
    protocol CommitQuestion {
        var paths: PathSet { get }
        /// The answer by a store's patch alone; nil where it does not decide.
        func answer(_ patch: JSONPatch, of store: String) -> Bool?
        /// The answer by the store's state before the patch, of which `held` is there, at least ``paths``; nil where
        /// that is not enough. The state may be edited on the way, and is given back as it was.
        func answer(_ patch: JSONPatch, of store: String, in state: inout JSONValue, holding held: PathSet) -> Bool?
    }

    private let question: any CommitQuestion
    /// What states are read from; nil for a journal that is read once.
    private var source: (journal: Journal, range: PositionRange?, recovers: Bool)?
    private var reader: RecordReader?
    private var filter: RecordFilter
    private var state: PositionState?
    private var isReading = false
    private var found: [CommitNumber: Bool] = [:]

    init(_ question: any CommitQuestion) {
        self.question = question
        filter = RecordFilter(touching: question.paths)
    }

    func follow(_ journal: Journal, _ range: PositionRange?, recover: Bool) {
        source = journal.isSeekable ? (journal, range, recover) : nil
        filter = RecordFilter(touching: question.paths)
        reader = nil
        state = nil
        isReading = false
        found = [:]
    }

    /// Call it before the commit of the line is asked about.
    func read(_ line: RecordLine) {
        guard source == nil else { return }
        if !isReading { state = PositionState(start: line.seq) }
        isReading = true
        found.removeAll(keepingCapacity: true)
        take(line)
    }

    func answer(for commit: Record) -> Bool? {
        guard let (seq, store, patch) = Self.parts(of: commit) else { return false }
        return question.answer(patch, of: store) ?? followed(to: seq)
    }

    func answer(for commit: Record, appliedTo state: JSONValue) -> Bool {
        guard let (_, store, patch) = Self.parts(of: commit), case .object(let stores) = state, var part = stores[store]
        else { return false }
        return question.answer(patch, of: store, in: &part, holding: .everything) ?? true
    }

    private static func parts(of commit: Record) -> (CommitNumber, store: String, JSONPatch)? {
        guard let store = commit.store, let patch = commit.patch else { return nil }
        return (commit.seq, store, patch)
    }

    // MARK: By the states

    private func followed(to commit: CommitNumber) -> Bool? {
        do throws(JournalError) {
            while found[commit] == nil, try advance() {}
        } catch {
            source = nil
        }
        return found[commit]
    }

    private func advance() throws(JournalError) -> Bool {
        guard let (journal, range, recovers) = source else { return false }
        if reader == nil {
            let lower = range?.lower ?? journal.start
            if lower == journal.start {
                state = PositionState(start: lower, pruning: question.paths)
            } else {
                state = try journal.state(at: lower, pruning: question.paths)
            }
            reader = try journal.records(after: lower, through: journal.lastCommit, recover: recovers)
        }
        guard let line = try reader?.next(matching: &filter) else { return false }
        take(line)
        return true
    }

    private func take(_ line: RecordLine) {
        do throws(JournalError) {
            if state == nil || line.resumed { try restart(at: line) }
            if line.kind == .commit { try note(line) }
            try state?.apply(line)
        } catch {
            goOn(after: line, error)
        }
    }

    private func restart(at line: RecordLine) throws(JournalError) {
        state = nil
        guard line.kind == .keyframe || line.kind == .gap else { return }
        var whole = PositionState(start: line.seq, pruning: source == nil ? .everything : filter.paths)
        try whole.reset(to: line)
        state = whole
    }

    private func note(_ line: RecordLine) throws(JournalError) {
        guard let held = state?.paths, let (seq, store, patch) = Self.parts(of: try Record(line)),
            question.answer(patch, of: store) == nil
        else { return }
        let answer = state?.modifyStore(store) { (state: inout JSONValue) -> Bool? in
            question.answer(patch, of: store, in: &state, holding: held)
        }
        guard let answer else { return }
        guard let answer else {
            let error = PatchError(operation: 0, path: JSONPointer(), reason: .notPrunable)
            throw line.damage(CommitFault.patch(error), of: store)
        }
        found[seq] = answer
    }

    /// A patch that needs more than is read is held against the whole state, from there on.
    private func goOn(after line: RecordLine, _ error: JournalError) {
        guard error.needsWholeState, let journal = source?.journal, state?.paths.isEverything == false else {
            state = nil
            return
        }
        filter = RecordFilter()
        state = try? journal.state(at: line.seq.previous)
        if state != nil { take(line) }
    }
}
