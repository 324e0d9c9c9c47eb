public import JSONCore
public import JournalFormat
public import QueryLanguage

/// What a history follows from position to position.
public enum HistorySubject: Sendable {
    /// What stands at some paths; the closure names them in a state, ascending or in document order.
    case places(PathSet, @Sendable (JSONValue) -> [(path: JSONPointer, value: JSONValue)])
    /// A query's first output.
    case query(Query)

    var paths: PathSet {
        switch self {
        case .places(let paths, _): paths
        case .query(let query): query.footprint.paths
        }
    }

    var query: Query? {
        guard case .query(let query) = self else { return nil }
        return query
    }
}

/// Every change of a value over a stretch: each position at which it differs from the one before.
///
/// It is one pass, pruned to what the value is read from; commits that touch nothing of that are passed over unread.
///
/// - Complexity: the bytes of the stretch are scanned once; the value is read once for each record that touches it.
public struct History: ~Copyable {
    /// One change.
    public struct Change: Sendable {
        /// The record that made it: a commit, else a store or gap.
        public let record: OwnedRecord
        /// The position at which the value is new.
        public let position: CommitNumber
        /// Where; the root for a query's output.
        public let path: JSONPointer
        /// What was there before; nil for nothing.
        public let old: JSONValue?
        /// What is there; nil for nothing.
        public let value: JSONValue?
        /// The state after the record, as far as the pass holds it.
        public let state: JSONValue
    }

    /// A value with its path.
    private typealias Place = (path: JSONPointer, value: JSONValue)

    private let journal: Journal
    private let subject: HistorySubject
    private var pass: PositionPass
    private var last: [Place] = []
    /// The state at the position before, kept for `$old` only.
    private var old = JSONValue.null
    /// What the records of a position made of the value before its last one.
    private var between: [(record: OwnedRecord, places: [Place])] = []
    /// How many positions there were at which the query failed.
    public private(set) var failures = 0
    /// The first of them.
    public private(set) var firstFailure: (position: CommitNumber, error: QueryError)?

    /// Begins with the value at the start of a stretch, which is no change.
    ///
    /// - Parameter recover: whether reading goes on behind damage.
    public init(
        _ subject: HistorySubject, _ range: PositionRange, in journal: Journal, also paths: PathSet = .nothing,
        recover: Bool = false
    ) throws(JournalError) {
        var options = PositionPass.Options()
        options.keepsRecords = true
        options.recover = recover
        if let footprint = subject.query?.footprint {
            options.everyCommit = footprint.usesCommit || footprint.usesOld
        }
        // What throws comes first: a struct that cannot be copied is destroyed wrongly where it was half made.
        let pass = try PositionPass(journal, range, reading: subject.paths.union(paths), options: options)
        self.journal = journal
        self.subject = subject
        self.pass = pass
        last = places(QueryContext(seq: range.lower.rawValue), at: range.lower) ?? []
        old = self.pass.state.value
    }

    /// The damage that was jumped over.
    public var damages: [JournalError] { pass.damages }
    /// Up to which byte of the journal the pass has come.
    public var offset: ByteOffset { pass.offset }
    /// The last commit that was read.
    public var lastCommit: CommitNumber { pass.lastCommit }

    /// The changes of the next position that has any; nil at the end.
    ///
    /// - Throws: `JournalError` at damage.
    public mutating func next() throws(JournalError) -> [Change]? {
        while let settled = try pass.next() {
            let record: OwnedRecord
            if let kept = pass.record { record = kept } else { record = try journal.record(of: settled.seq) }
            let found = places(try context(of: record), at: settled.seq)
            guard settled.isComplete else {
                if let found { between.append((record, found)) }
                continue
            }
            if subject.query?.footprint.usesOld == true { old = pass.state.value }
            defer { between.removeAll() }
            guard let found else { continue }
            let changes = changes(to: found, by: record, at: settled.seq)
            last = found
            if !changes.isEmpty { return changes }
        }
        return nil
    }

    /// What a query can ask about a position; the line is looked into only for one that does.
    private func context(of record: OwnedRecord) throws(JournalError) -> QueryContext {
        guard subject.query?.footprint.usesCommit == true else {
            return QueryContext(old: old, seq: record.seq.rawValue)
        }
        return try QueryContext(record: record, old: old)
    }

    /// What the subject is in the state of the pass; nil where the query fails, which says nothing of that position.
    private mutating func places(_ context: QueryContext, at position: CommitNumber) -> [Place]? {
        switch subject {
        case .places(_, let find): return find(pass.state.value)
        case .query(let query):
            do throws(QueryError) {
                let output = try query.first(of: pass.state.value, context: context)
                return output.map { [(JSONPointer(), $0)] } ?? []
            } catch {
                failures += 1
                if firstFailure == nil { firstFailure = (position, error) }
                return nil
            }
        }
    }

    private func changes(to places: [Place], by record: OwnedRecord, at position: CommitNumber) -> [Change] {
        var changes: [Change] = []
        func note(_ path: JSONPointer, _ old: JSONValue?, _ value: JSONValue?) {
            if old == value { return }
            let author = author(of: value, at: path, last: record)
            changes.append(
                Change(
                    record: author, position: position, path: path, old: old, value: value, state: pass.state.value))
        }
        var before: [JSONPointer: JSONValue] = [:]
        for place in last { before[place.path] = place.value }
        for place in places { note(place.path, before.removeValue(forKey: place.path), place.value) }
        for place in last where before[place.path] != nil { note(place.path, place.value, nil) }
        return changes
    }

    /// The last of a position's records at which a value came to be what it is at the end.
    private func author(of value: JSONValue?, at path: JSONPointer, last: OwnedRecord) -> OwnedRecord {
        var author = last
        for step in between.reversed() {
            if step.places.first(where: { $0.path == path })?.value != value { return author }
            author = step.record
        }
        return author
    }
}
