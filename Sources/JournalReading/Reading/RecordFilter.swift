public import JSONCore
public import JournalFormat
import Platform

/// Chooses the records that a pass gets; all others are checked, counted and passed over inside the reader.
///
/// A commit is passed over if its patch touches nothing of a path set, decided by the text of its paths: never one that
/// matters, and now and then one too many is given (an insertion counts as writing whatever array or object it is in).
/// The keyframe at which a recovering reader goes on is always given.
public struct RecordFilter: Sendable {
    /// What the pass reads of the whole state: its first segments are the stores' names.
    public let paths: PathSet
    /// The kinds that it gets.
    public let kinds: RecordKinds

    /// Whether it gives the records from which the open stores are known: every record that opens or closes one, and the first commit of each.
    private let reportsStores: Bool

    /// Chooses commits, and other records of stores, by what they write, and other kinds as given.
    ///
    /// - Parameter reportsStores: whether records of stores of which nothing is read are given too as far as a commit of a store
    ///   that is not open is noticed by them.
    public init(touching paths: PathSet = .everything, kinds: RecordKinds = .states, reportsStores: Bool = false) {
        self.paths = paths
        self.kinds = kinds
        self.reportsStores = reportsStores
        search = FootprintSearch(paths)
        interest = Interest([paths])
        readsOneStore = if case .branch(let stores) = paths.root { stores.members.count == 1 } else { false }
    }

    /// A filter with this choice for another thread; it shares no buffer with this one.
    func anew() -> RecordFilter {
        RecordFilter(touching: paths.copied(), kinds: kinds, reportsStores: reportsStores)
    }

    /// Looks for what is read by its bytes, where they are enough.
    private let search: FootprintSearch?
    private let readsOneStore: Bool

    private var interest: Interest
    /// The stores that were met, by their numbers there.
    private var stores: [StoreLines] = []
    /// Whether the record given last was, or may have been, only for its store.
    private(set) var wasForStoreOnly = false

    private struct StoreLines: Sendable {
        /// Whether a commit of it was given since one of its name may have closed.
        var wasGiven = false
        /// What stood after the kind in its last commit's line, up to and with its name: the next one mostly has the same.
        var lead: [UInt8] = []
    }

    private var current: Int { interest.current }

    private var currentSet: PathSet? { interest.stores[current].sets[0] }

    enum Verdict {
        case wanted
        /// The record cannot matter; its line was not followed to its end.
        case passedOver
        /// The record cannot matter, and there is no second one on its line.
        case cleared
    }

    /// Whether a record that was read without the filter may matter.
    package mutating func mayMatter(_ line: borrowing RecordLine) -> Bool { verdict(line) == .wanted }

    @inline(__always)
    mutating func verdict(_ line: borrowing RecordLine) -> Verdict {
        wasForStoreOnly = false
        guard kinds.contains(line.kind) else { return .passedOver }
        if paths.isEverything { return .wanted }
        switch line.kind {
        case .commit: return commitVerdict(line)
        case .store, .close:
            if reportsStores {
                if line.kind == .close { forget(line) }
                return .wanted
            }
            guard let name = try? line.storeName() else { return .wanted }
            return paths.root?.node(forKey: name) == nil ? .passedOver : .wanted
        case .gap:
            forgetStores()
            return .wanted
        default: return .wanted
        }
    }

    @inline(__always)
    private mutating func commitVerdict(_ line: borrowing RecordLine) -> Verdict {
        if search != nil, isLedByKnownStore(line.bytes, line.membersStart) {
            switch search?.scan(line.bytes, after: line.membersStart) {
            case .nothing: return .cleared
            case .pointer where readsOneStore && currentSet != nil: return .wanted
            case .pointer, .unsure, nil: break
            }
        }
        return verdictOfWhole(line)
    }

    private mutating func verdictOfWhole(_ line: RecordLine) -> Verdict {
        guard let record = try? line.token() else { return verdictOfDamaged(line) }
        let commit = CommitText(line)
        // What cannot be read here is for the reader to report.
        guard let store = commit?.store ?? record["store"], store.kind == .string,
            commit != nil || record["seq"]?.wholeNumber == line.seq.rawValue
        else { return .wanted }
        store.withBytes { (name) -> Void in enter(name) }
        if let lead = LineHead.leadingStore(of: line.bytes, from: line.membersStart) {
            keepLead(of: line, through: lead)
        }
        return verdict(or: .cleared) { interest in
            commit?.operations.contains { interest.isTouched(by: $0) } ?? true
        }
    }

    private mutating func verdict(or passedOver: Verdict, ifTouched isTouched: (inout Interest) -> Bool) -> Verdict {
        if reportsStores, !stores[current].wasGiven {
            stores[current].wasGiven = true
            wasForStoreOnly = true
            return .wanted
        }
        guard let set = currentSet else { return passedOver }
        return set.isEverything || isTouched(&interest) ? .wanted : passedOver
    }

    /// Whether a commit may matter whose line is damaged somewhere: not if it is led by a store that is not read.
    private mutating func verdictOfDamaged(_ line: RecordLine) -> Verdict {
        guard let name = line.leadingStore else { return .wanted }
        enter(name)
        return verdict(or: .passedOver) { _ in true }
    }

    /// Whether a line is led by a store that was given what it has to be given: that store is the current one then.
    @inline(__always)
    private mutating func isLedByKnownStore(_ line: ByteView, _ start: Int) -> Bool {
        if !isLedByCurrentStore(line, start) {
            guard let name = LineHead.leadingStore(of: line, from: start) else { return false }
            enter(name)
        }
        return stores[current].wasGiven || !reportsStores
    }

    /// Whether a line goes on after its kind as the last one of the current store did.
    @inline(__always)
    private func isLedByCurrentStore(_ line: ByteView, _ start: Int) -> Bool {
        guard current < stores.count, start > 0 else { return false }
        return stores[current].lead.withBytes { lead in
            guard lead.count > 0, start &+ lead.count <= line.count else { return false }
            return unsafe line.extracting(unchecked: start, count: lead.count).hasSameBytes(as: lead)
        }
    }

    /// Keeps what stands between the kind and the end of the store's name; the current store is that one.
    private mutating func keepLead(of line: RecordLine, through name: ByteView) {
        guard search != nil else { return }
        let lead = line.bytes.extracting(line.membersStart..<(name.index(in: line.bytes) + name.count + 1))
        let isSame = stores[current].lead.withBytes { $0.hasSameBytes(as: lead) }
        if !isSame { stores[current].lead = [UInt8](lead) }
    }

    @inline(__always)
    private mutating func enter(_ name: ByteView) {
        if !interest.enter(name) { stores.removeAll() }
        while stores.count <= current { stores.append(StoreLines()) }
    }

    /// Gives the next commit of a store again that a record closes: it may not be open any more.
    private mutating func forget(_ line: RecordLine) {
        guard let name = try? line.storeName() else { return forgetStores() }
        name.withBytes { enter($0) }
        stores[current].wasGiven = false
    }

    /// Gives the next commit of every store again: which of them are open is said anew.
    package mutating func forgetStores() {
        // Their room with them: a journal of many stores may have many gaps after.
        stores.removeAll()
        interest = Interest([paths])
    }
}

extension RecordReader {
    /// The next record that a filter wants, nil at the end.
    ///
    /// Every line in between is checked and counted all the same; ``lastCommit`` is how far the reader is.
    ///
    /// - Throws: as ``next()``.
    public mutating func next(matching filter: inout RecordFilter) throws(JournalError) -> RecordLine? {
        try next { line in filter.verdict(line) }
    }
}

extension BackwardRecordReader {
    /// The nearest record before that a filter wants, nil at the front.
    ///
    /// - Throws: as ``next()``.
    public mutating func next(matching filter: inout RecordFilter) throws(JournalError) -> RecordLine? {
        try next { line in filter.verdict(line) }
    }
}
