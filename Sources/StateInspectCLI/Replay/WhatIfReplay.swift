import Diagnostics
import JSONCore
import JournalFormat
import QueryLanguage
import TimeTravel

/// Replays a stretch as if some of its commits had not been.
///
/// The journal's own states are of no use here, so the whole state is carried along: patches that still apply are applied to
/// a copy (copies share what they have in common), and one that no longer does is told and left out. Behind a gap the state
/// is the journal's again, because what was lost cannot be left out.
struct WhatIfReplay {
    private let whatIf: WhatIf
    private let question: ReplayQuestion
    private let isReversed: Bool
    private let recovers: Bool
    private var stores = JSONObject()
    private var closing: [String] = []
    private var kept: [(position: CommitNumber, record: JSONObject, answer: ReplayQuestion.Answer)] = []

    /// A replay that leaves out what `whatIf` says.
    init(_ whatIf: WhatIf, _ question: ReplayQuestion, isReversed: Bool, recovers: Bool) {
        self.whatIf = whatIf
        self.question = question
        self.isReversed = isReversed
        self.recovers = recovers
    }

    /// Hands the answer at each position to the printer.
    ///
    /// - Returns: the damage that was jumped over.
    mutating func run(
        _ journal: Journal, _ range: PositionRange, _ printer: inout ReplayPrinter
    ) throws -> [JournalError] {
        stores = try journal.state(at: range.lower, pruning: .everything).stores
        let first = try question.answer(.object(stores), at: range.lower, nil, old: .null)
        try printer.takeStart(first, at: range.lower)
        var reader = try journal.records(after: range.lower, through: range.upper, recover: recovers)
        while let line = try reader.next() {
            guard line.seq > range.lower else { continue }
            try take(line, &printer)
            if printer.isFull, !isReversed { break }
        }
        for entry in kept.reversed() {
            try printer.take(entry.answer, at: entry.position, .object(entry.record))
            if printer.isFull { break }
        }
        return reader.damages
    }

    private mutating func take(_ line: RecordLine, _ printer: inout ReplayPrinter) throws {
        switch line.kind {
        case .commit: try takeCommit(line.seq, try line.object(order: .ascending), try line.object(), &printer)
        case .store:
            let record = try line.object(order: .ascending)
            guard let name = record["store"]?.string, let state = record["state"] else { return }
            closing.removeAll { UTF8Order.equal($0, name) }
            stores.removeValue(forKey: name)
            stores.insertAscending(state, forKey: name)
        case .close:
            if let name = try line.object()["store"]?.string { closing.append(name) }
        case .keyframe where line.resumed, .gap:
            if case .object(let states)? = try line.object(order: .ascending)["states"] { stores = states.ascending() }
            closing.removeAll()
        default: break
        }
    }

    private mutating func takeCommit(
        _ position: CommitNumber, _ sorted: JSONObject, _ record: JSONObject, _ printer: inout ReplayPrinter
    ) throws {
        for name in closing { stores.removeValue(forKey: name) }
        closing.removeAll()
        guard !whatIf.without.contains(position) else { return }
        let before = JSONValue.object(stores)
        if let message = apply(sorted) {
            return try printer.printConflict(WhatIf.Conflict(seq: position, record: record, message: message))
        }
        guard stays(at: position, record, old: before) else {
            if case .object(let kept) = before { stores = kept }
            return
        }
        let answer = try question.answer(.object(stores), at: position, record, old: before)
        if isReversed {
            kept.append((position, record, answer))
        } else {
            try printer.take(answer, at: position, .object(record))
        }
    }

    /// Applies a commit.
    ///
    /// - Returns: why it does not apply; nil if it did.
    private mutating func apply(_ record: JSONObject) -> String? {
        guard let name = record["store"]?.string, var state = stores[name] else {
            return "the store '\(record["store"]?.string ?? "")' is not open"
        }
        do throws(PatchError) {
            try JSONPatch(json: record["patch"] ?? .array([])).apply(to: &state, order: .ascending)
        } catch {
            return error.diagnostic.message
        }
        stores[name] = state
        return nil
    }

    /// Whether the commit stays, by what it makes of the state.
    private func stays(at position: CommitNumber, _ record: JSONObject, old: JSONValue) -> Bool {
        guard let only = whatIf.only else { return true }
        let context = only.context(at: position, record) { old }
        guard let first = try? only.whole.first(of: .object(stores), context: context) else { return false }
        return first != .null && first != .bool(false)
    }
}
