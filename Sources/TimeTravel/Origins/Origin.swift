public import JSONCore
public import JournalFormat
public import JournalReading

/// Where a value comes from: the way back through the run, from place to place and from commit to commit, hop by hop.
///
/// A hop is one record that put the value where it stands. The way goes on where that record took it from: another place, the
/// commit that caused it, what an undo brought back. It ends where the value came in, or where several places may be meant.
public struct Origin: Sendable {
    /// How a value came to stand at a place.
    public enum How: String, Sendable {
        /// The record wrote it, and it is not followed further: it is trivial, or it stood at several places before.
        case written
        /// It stood at another place before.
        case copied
        /// It came with the commit's action.
        case payload
        /// Its array shifted, or it was moved.
        case moved
        /// It stood nowhere before.
        case computed
        /// A store opened with it.
        case initial
    }

    /// How much is known of a hop.
    public enum Basis: String, Sendable {
        /// The journal says so.
        case recorded
        /// Equal values say so.
        case inferred
    }

    /// One record that put the value where it stands.
    public struct Hop: Sendable {
        /// Where the record put the value.
        public let path: JSONPointer
        /// The commit, store or gap.
        public let record: OwnedRecord
        /// How the value came there.
        public let how: How
        /// How much is known of that.
        public let basis: Basis
        /// The places where the value stood before, where there are several: at most ``Origin/candidateLimit``.
        public let candidates: [JSONPointer]
    }

    /// Why the way goes no further.
    public enum End: Sendable, Equatable {
        /// The last hop is where the value came in, or has several candidates.
        case complete
        /// There are more hops than were asked for.
        case limit
        /// The value was written by a commit that was lost.
        case lost
        /// No record of the journal wrote it.
        case unknown
        /// The journal cannot be read further back.
        case damaged(JournalError)
    }

    /// How many hops are followed, unless it is said.
    public static let hopLimit = 32
    static let candidateLimit = 20

    /// The value that was asked about.
    public let value: JSONValue
    /// The hops, the newest first.
    public private(set) var hops: [Hop] = []
    /// Why it goes no further.
    public private(set) var end = End.limit

    /// Follows the value at a place of the state; nil where nothing is there.
    ///
    /// - Parameters:
    ///   - path: where, with the store's name.
    ///   - position: at which position.
    ///   - limit: how many hops are followed.
    /// - Throws: `JournalError` where the state at the position cannot be had.
    /// - Complexity: the bytes back to the last record that wrote the value, of which those are decoded that touch its place;
    ///   for each hop a seek, and a search through the whole state before it.
    public init?(
        of path: JSONPointer, at position: CommitNumber, in journal: Journal, limit: Int = hopLimit
    ) throws(JournalError) {
        let state = try journal.state(at: position, pruning: PathSet(path)).value
        guard let value = path.value(in: state) else { return nil }
        self.value = value
        do throws(JournalError) {
            end = try follow(StoodValue(path: path, position: position), in: journal, limit)
        } catch {
            end = .damaged(journal.numbered(error))
        }
    }

    private mutating func follow(
        _ start: StoodValue, in journal: Journal, _ limit: Int
    ) throws(JournalError) -> End {
        var stood = start
        var move: (record: OwnedRecord, path: JSONPointer, isRecorded: Bool)?
        while true {
            let write = try ValueWrite(last: stood, in: journal)
            if let moved = write.move {
                let isRecorded = moved.isRecorded && move?.isRecorded != false
                move = (move?.record ?? moved.record, move?.path ?? stood.path, isRecorded)
            }
            stood.path = write.path
            // Written again as it was: the commit before it says where it comes from.
            if write.record?.kind == .commit, try stood.holds(value, around: write, journal) {
                stood.position = write.seq.previous
                continue
            }
            if let moved = move {
                let basis = moved.isRecorded ? Basis.recorded : .inferred
                let hop = Hop(path: moved.path, record: moved.record, how: .moved, basis: basis, candidates: [])
                guard add(hop, limit) else { return .limit }
                move = nil
            }
            guard let record = write.record else { return .unknown }
            let source = try ValueSource.find(value, write, in: journal)
            let hop = Hop(
                path: stood.path, record: record, how: source.how, basis: source.basis, candidates: source.candidates)
            guard add(hop, limit) else { return .limit }
            guard let next = source.next else { return record.kind == .gap ? .lost : .complete }
            stood = next
        }
    }

    private mutating func add(_ hop: Hop, _ limit: Int) -> Bool {
        guard hops.count < limit else { return false }
        hops.append(hop)
        return true
    }
}

struct StoodValue {
    var path: JSONPointer
    var position: CommitNumber

    /// Whether a value stands there before the commit that wrote it, as it does after: an element that is inserted is another one.
    func holds(_ value: JSONValue, around write: ValueWrite, _ journal: Journal) throws(JournalError) -> Bool {
        let paths = PathSet(path)
        let before = try journal.state(at: write.seq.previous, pruning: paths).value
        guard path.value(in: before) == value, !write.isInsertion(into: before) else { return false }
        return path.value(in: try journal.state(at: write.seq, pruning: paths).value) == value
    }
}
