package import JSONCore
package import JournalFormat
package import JournalReading
import QueryLanguage

/// Where a text comes into a run, and where it goes: one pass over a range.
///
/// A place that holds the text comes in once, however often it is written with the text in it again, and keeps its number
/// when its array shifts or it is moved (``TextPlaces``). What the range begins with is not reported, except that of a journal's
/// start: there the records that opened the stores brought it in.
///
/// - Complexity: the bytes of the range are scanned once. Up to the first line that can have the text nothing is replayed; from
///   there on every record is applied. Memory is that of the state and of what has the text in it.
package final class TextSearch {
    package enum Kind: String, Sendable {
        case value
        case name
        case mark
        /// The payload of an action or of a mark.
        case payload
    }

    package struct Hit: Sendable {
        /// The number of the place, by which it is reported as gone; nil for one that happens and does not last.
        package let place: Int?
        package let kind: Kind
        /// Where in the state, or in the payload; nil for a mark.
        package let path: JSONPointer?
        package let value: JSONValue
    }

    package struct Step: Sendable {
        /// Nil for a commit that only makes an earlier `close` take effect.
        package let record: OwnedRecord?
        package let seq: CommitNumber
        package let came: [Hit]
        package let gone: [Int]
    }

    private let pattern: TextPattern
    private let range: PositionRange
    private var run: Run
    private let judge: Judge
    private var places: TextPlaces
    private var storeCount = 0
    private var openings: ArraySlice<OwnedRecord> = []
    private var ready: [Step] = []
    package private(set) var unanswered = Unanswered()

    /// - Parameter start: up to which position of it nothing is to be found, as ``start(of:_:in:)`` says.
    package init(
        _ pattern: TextPattern, _ range: PositionRange, from start: CommitNumber, in journal: Journal,
        recover: Bool = false
    ) throws(JournalError) {
        let judge = Judge(pattern)
        let options = Run.Options(
            reading: .everything, everyCommit: true, keepsRecords: true, companions: .mark, recover: recover)
        let run = try Run(journal, PositionRange(start, range.upper) ?? range, options: options)
        let openings = start == journal.start ? try Self.openings(run.openings, journal, recover) : nil
        self.pattern = pattern
        self.range = range
        self.judge = judge
        places = TextPlaces(matches: judge.matches)
        storeCount = run.stores.count
        self.run = run
        if let openings { self.openings = openings[...] } else { begin() }
    }

    private func begin() {
        places.restart(with: run.state)
        _ = places.takeChanges()
    }

    private static func openings(
        _ stores: [OwnedRecord], _ journal: Journal, _ recover: Bool
    ) throws(JournalError) -> [OwnedRecord] {
        var marks: [OwnedRecord] = []
        var reader = journal.records(recover: recover)
        while let line = try reader.next(), line.kind != .commit, line.seq == journal.start {
            if line.kind == .mark { marks.append(line.owned()) }
        }
        return (stores + marks).sorted { $0.offset < $1.offset }
    }

    package var damages: [JournalError] { run.damages }

    package func next() throws(JournalError) -> Step? {
        while ready.isEmpty {
            if let record = openings.popFirst() {
                if record.kind == .mark { try noteMark(record) } else { try note(record, at: record.seq) }
                continue
            }
            guard let step = try run.next() else {
                unanswered.finish(range, lost: run.lostEnd)
                return nil
            }
            // The payloads of lost commits are lost too, also where every position has a state.
            if step.isJump, step.before < step.seq { unanswered.lose(step.before.next...step.seq) }
            try note(step)
        }
        return ready.removeFirst()
    }

    // MARK: Records

    private func note(_ step: Run.Step) throws(JournalError) {
        let record = run.record
        if let record { try note(record, at: step.seq) }
        // A commit ends the stores that were closed before it.
        if step.kind != .commit || run.stores.count < storeCount {
            places.keep(run.stores)
            report(record, at: step.seq, [])
        }
        storeCount = run.stores.count
        for mark in run.companions { try noteMark(mark) }
        if let failure = judge.takeFailure() { unanswered.fail(failure, at: step.seq) }
    }

    private func note(_ record: OwnedRecord, at seq: CommitNumber) throws(JournalError) {
        let mayMatch = record.withLine { pattern.mayStand(in: $0.bytes) }
        var payload: [Hit] = []
        switch record.kind {
        case .commit:
            let commit = try record.decode(CommitRecord.init)
            if mayMatch { payload = hits(inPayload: commit.action?.payload) }
            for operation in commit.patch.inStore(commit.store).operations {
                places.follow(operation, mayMatch: mayMatch)
            }
        case .store:
            let store = try record.decode(StoreRecord.init)
            places.follow(.add(JSONPointer([store.store]), store.state), mayMatch: mayMatch)
        default: places.restart(with: run.state)
        }
        report(record, at: seq, payload)
    }

    private func report(_ record: OwnedRecord?, at seq: CommitNumber, _ payload: [Hit]) {
        let changes = places.takeChanges()
        let came = changes.opened.map {
            Hit(place: $0.place, kind: $0.isName ? .name : .value, path: $0.path, value: $0.value)
        }
        let step = Step(record: record, seq: seq, came: payload + came, gone: changes.closed)
        if !step.came.isEmpty || !step.gone.isEmpty { ready.append(step) }
    }

    // MARK: Marks and payloads

    private func noteMark(_ record: OwnedRecord) throws(JournalError) {
        let mark = try record.decode(MarkRecord.init)
        var hits: [Hit] = []
        if judge.matches(mark.text) { hits.append(Hit(place: nil, kind: .mark, path: nil, value: .string(mark.text))) }
        hits += self.hits(inPayload: mark.payload)
        if !hits.isEmpty { ready.append(Step(record: record, seq: record.seq, came: hits, gone: [])) }
    }

    private func hits(inPayload payload: JSONValue?) -> [Hit] {
        var hits: [Hit] = []
        payload?.forEachText { text, value, path in
            guard judge.matches(text) else { return }
            hits.append(Hit(place: nil, kind: .payload, path: JSONPointer(path), value: value ?? .string(text)))
        }
        return hits
    }

    // MARK: Where it begins

    /// Nil where no line can bring the text in, or has to be judged by a replay.
    ///
    /// - Complexity: the bytes up to there, of which nothing is decoded.
    package static func start(
        of pattern: TextPattern, _ range: PositionRange, in journal: Journal
    ) throws(JournalError) -> CommitNumber? {
        var last = range.lower
        do throws(JournalError) {
            var reader = try journal.records(after: range.lower, through: range.upper)
            while let line = try reader.next() {
                if line.kind == .gap { return last }
                if pattern.mayStand(in: line.bytes) { return max(range.lower, line.seq.previous) }
                last = max(last, line.seq)
            }
            return nil
        } catch {
            // The replay meets the damage again, and says what it means.
            return max(range.lower, last.previous)
        }
    }
}

private final class Judge {
    private let pattern: TextPattern
    private var failure: QueryError?

    init(_ pattern: TextPattern) { self.pattern = pattern }

    func matches(_ text: String) -> Bool {
        do throws(QueryError) { return try pattern.matches(text) } catch {
            failure = failure ?? error
            return false
        }
    }

    func takeFailure() -> QueryError? { failure.take() }
}
