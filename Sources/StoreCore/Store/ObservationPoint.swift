public import Observation
internal import Synchronization

/// A store's state as the Observation framework sees it: one property of one object.
///
/// The framework does not say whether a read is tracked, and telling a registrar of each commit costs as much as the commit.
/// But it keeps what was read in tables by key path, and so hashes the key path of a tracked read, and of no other. Ours has an
/// argument whose hashing takes a note. The framework does not promise that, so it is tried once in each process; where it is
/// not so, every read counts as a tracked one.
@usableFromInline
final class ObservationPoint: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private let note: TrackingNote
    private let path: any KeyPath<ObservationPoint, Void> & Sendable
    private let isTold = Synchronization.Atomic(false)

    init() {
        let note = TrackingNote()
        self.note = note
        path = \ObservationPoint[note]
    }

    private subscript(note: TrackingNote) -> Void { () }

    /// Notes a read of the state, where it is tracked.
    ///
    /// - Returns: whether commits have to be told from now on.
    /// - Complexity: a look at a thread-local outside of a tracked read.
    @usableFromInline
    func noteRead() -> Bool {
        registrar.access(self, keyPath: path)
        return !isTold.load(ordering: .acquiring) && (note.isTaken || !ObservationPoint.tellsTrackedReads)
    }

    /// Notes that commits are told: not before they are, or another thread that reads meanwhile would miss one.
    func noteTold() { isTold.store(true, ordering: .releasing) }

    /// Whether the framework hashes the key path of a tracked read, and of no other.
    static let tellsTrackedReads: Bool = {
        let point = ObservationPoint()
        point.registrar.access(point, keyPath: point.path)
        let isNotedUntracked = point.note.isTaken
        withObservationTracking {
            point.registrar.access(point, keyPath: point.path)
        } onChange: {
        }
        return !isNotedUntracked && point.note.isTaken
    }()

    /// Tells whoever tracks the state that it has changed.
    func tell() {
        // One-shot observers listen to the first, which the framework means to be called before a change. Ours hear it when
        // the new state can be read.
        registrar.willSet(self, keyPath: path)
        registrar.didSet(self, keyPath: path)
    }
}

/// The argument of a key path, which notes that the key path was put into a table.
private struct TrackingNote: Hashable, Sendable {
    private final class Flag: Sendable {
        let isTaken = Synchronization.Atomic(false)
    }

    private let flag = Flag()

    var isTaken: Bool { flag.isTaken.load(ordering: .relaxed) }

    static func == (left: TrackingNote, right: TrackingNote) -> Bool {
        left.flag.isTaken.store(true, ordering: .relaxed)
        return left.flag === right.flag
    }

    func hash(into hasher: inout Hasher) {
        flag.isTaken.store(true, ordering: .relaxed)
        hasher.combine(ObjectIdentifier(flag))
    }
}

/// Reads of ``Store/state`` are tracked; a commit that changes the state tells once the new state can be read.
///
/// Tracking begins with the read; as everywhere in the Observation framework, a change by another thread between the read and
/// the end of the tracking closure is not told. Track where the commits are made, or subscribe.
extension Store: Observable {
    /// Makes sure that commits are delivered, to observers too, for as long as the store lives.
    @usableFromInline
    func tellObservers() {
        listen { line, _ in line.isObserved = true }
        observation.noteTold()
    }
}
