internal import JournalFormat
internal import Platform
internal import Synchronization

/// Delivers the versions of one store: each once, in order, by one thread at a time, derived values first.
///
/// A committing thread delivers what waits up to its own last version, unless another thread is delivering, and hands
/// over what comes after it: see ``DrainQueue``. A commit made by a subscriber therefore returns before its own
/// delivery, which the loop below it on the stack makes next; so does a commit while another thread delivers. The loop
/// does not know the type of the state (see ``StateVersion``); a subclass does.
@usableFromInline
class Delivery: @unchecked Sendable {
    // Unchecked: constants, and what has a lock of its own.

    final let line = ContendedLock(DeliveryLine())
    final let outstanding: OutstandingDeliveries
    final let derivedSource: DerivedSource
    private let storeName: String
    final let info: StoreInfo
    /// What is delivered now, or next; touched by the thread with the turn only.
    @safe @exclusivity(unchecked) private final var turn: DeliveryLine.Turn?
    /// Names the commit that is being delivered, and is used again if nothing else holds it; touched as `admitted` is.
    @safe @exclusivity(unchecked) private final var reference: CommitReference?

    init(storeName: String, info: StoreInfo, source: DerivedSource, outstanding: OutstandingDeliveries) {
        self.storeName = storeName
        self.info = info
        derivedSource = source
        self.outstanding = outstanding
    }

    /// The store ends: once what waits is delivered nothing can come any more.
    final func end() { if line.withLock({ $0.end() }) { endListeners() } }

    private final func endListeners() {
        let (subscribers, last) = line.withLock { $0.removeListeners() }
        subscribers.forEach { $0.onEnd?() }
        withExtendedLifetime(last) {}
    }

    // MARK: What knows the state

    func isSame(_ old: StateVersion, _ new: StateVersion) -> Bool { false }

    func notifyObservers(_ turn: DeliveryLine.Turn, _ comparison: inout VersionComparison) {}

    func advance(
        to node: StateVersion, isEqual: Bool, recorded: PendingCommit?, _ commit: CommitReference
    ) -> [QueuedOutcome] { [] }

    func stopListeningIfUnused() {}

    // MARK: Delivering

    /// Takes in a version that was just committed; the caller holds the store's locks.
    ///
    /// - Returns: whether the caller has the turn, and has to call ``drain(through:hasTurn:)``.
    final func admit(_ item: DeliveryLine.Item) -> Bool {
        line.withLock { line in
            guard let turn = line.admit(item, by: .current) else { return false }
            take(turn)
            return true
        }
    }

    /// The caller holds the line's lock, since other threads may have the version from here on.
    private final func take(_ turn: DeliveryLine.Turn) {
        if turn.previous !== turn.item.node { turn.item.node.before = turn.previous }
        self.turn = turn
    }

    /// - Returns: whether there is a turn for the caller, who holds the line's lock.
    private final func takeNext(of line: inout DeliveryLine, _ ending: inout DeliveryLine.Ending) -> Bool {
        guard let turn = line.take(&ending) else { return false }
        take(turn)
        return true
    }

    /// Delivers what waits up to a version, unless another thread is delivering.
    ///
    /// - Parameter hasTurn: whether the caller got the turn when it made the version.
    final func drain(through version: Int, hasTurn: Bool) {
        Delivery.delivering {
            var ending = DeliveryLine.Ending()
            if hasTurn { return deliverTurn(hasNext: true, &ending) }
            let hasNext = line.withLock { line -> Bool? in
                line.begin(through: version, by: .current) ? takeNext(of: &line, &ending) : nil
            }
            if let hasNext { return deliverTurn(hasNext: hasNext, &ending) }
            Delivery.waitForRoom { line.withLock(\.isCrowded) }
        }
    }

    /// Delivers what a commit handed over, and what comes meanwhile.
    private final func resume() {
        Delivery.delivering {
            var ending = DeliveryLine.Ending()
            let hasNext = line.withLock { line in
                line.takeOver(by: .current)
                return takeNext(of: &line, &ending)
            }
            deliverTurn(hasNext: hasNext, &ending)
        }
    }

    private final func deliverTurn(hasNext: Bool, _ ending: inout DeliveryLine.Ending) {
        var hasNext = hasNext
        while hasNext {
            if ending.hasRoom { Delivery.signalRoom() }
            deliver()
            let released = line.withLock { line in
                let released = line.cutDelivered()
                hasNext = takeNext(of: &line, &ending)
                return released
            }
            withExtendedLifetime(released) {}
        }
        ending.idle?.resolve(())
        if ending.isHandedOver {
            DeliveryContext.other { self.resume() }
        } else if ending.isOver {
            endListeners()
        } else if ending.isStopDue {
            stopListeningIfUnused()
        }
    }

    /// Delivers a version to the listeners for whom it differs from what they saw last.
    ///
    /// The store's comparison decides for subscribers of the whole state only: by an `==` of the app's, states may be
    /// equal that differ in what others read.
    ///
    /// The turn is released here, and not under the lock; the line then is the only one that holds the version, mostly.
    private final func deliver() {
        defer { turn = nil }
        // Not the whole turn, each copy of which counts five references.
        guard let node = turn?.item.node, let subscribers = turn?.subscribers else { return }
        var comparison = VersionComparison(with: node)
        let first = subscribers.firstPlace { $0.isDue(&comparison, in: self) }
        // Most stores have no derived values.
        let isDerivedFrom = derivedSource.isActive.load(ordering: .acquiring)
        let isObserved = turn?.isObserved ?? false
        guard first != nil || isDerivedFrom || isObserved else { return }
        let recorded = turn?.item.recorded
        let commit = reference(to: node, recorded)
        node.commit = commit
        if let protection = (recorded?.track ?? derivedSource.track)?.protection {
            node.extras.add(VersionExtras(recordedPatch: recorded?.keptPatch, protection: protection))
        }
        CommitReference.$current.withValue(commit) {
            let outcomes =
                isDerivedFrom
                ? advance(to: node, isEqual: comparison.isSameAsBefore(in: self), recorded: recorded, commit) : []
            if let recorded { turn?.item.recorder?.record(outcomes, of: recorded) }
            if let first {
                subscribers.forEach(from: first) { place, subscriber in
                    if place == first || subscriber.isDue(&comparison, in: self) { subscriber.deliver(node) }
                }
            }
            if isObserved, let turn { notifyObservers(turn, &comparison) }
            if isDerivedFrom { derivedSource.deliverFired(of: node.version, during: commit) }
        }
    }

    private final func reference(to node: StateVersion, _ recorded: PendingCommit?) -> CommitReference {
        let entry = recorded.map { CommitReference.Entry($0) } ?? node.cause?.journalEntry
        if isKnownUniquelyReferenced(&reference), let known = reference {
            known.rename(version: node.version, location: node.location, entry: entry)
            return known
        }
        let made = CommitReference(store: storeName, version: node.version, location: node.location, entry: entry)
        reference = made
        return made
    }

    /// Returns when everything is delivered, and every subscriber has received it.
    final func waitUntilIdle() async {
        await line.withLock { $0.idlePromise() }?.value
        await outstanding.waitUntilNone()
    }
}

/// Compares the version that is being delivered with those that its listeners saw last, which mostly are one: so that is
/// compared once.
struct VersionComparison {
    let version: StateVersion
    /// Whether it is the same as the one directly before it, which most listeners saw last; nil before that is asked.
    private var isSameAsBefore: Bool?
    private var last: (seen: ObjectIdentifier, isSame: Bool)?

    init(with version: StateVersion) { self.version = version }

    mutating func isSameAsBefore(in delivery: Delivery) -> Bool {
        if let isSameAsBefore { return isSameAsBefore }
        let isSame = version.before.map { delivery.isSame($0, version) } ?? false
        isSameAsBefore = isSame
        return isSame
    }

    mutating func isSame(as seen: StateVersion, in delivery: Delivery) -> Bool {
        if let last, last.seen == ObjectIdentifier(seen) { return last.isSame }
        let isSame = delivery.isSame(seen, version)
        last = (ObjectIdentifier(seen), isSame)
        return isSame
    }
}

/// Identifies a delivering thread by a number that no other one has at the time.
struct DeliveringThread: Equatable, Sendable {
    let place: UInt

    static var current: DeliveringThread { DeliveringThread(place: ThreadLocal.threadIdentity) }

    /// A thread that is known to come, but not which one.
    static let unnamed = DeliveringThread(place: 0)
}

extension Delivery {
    private static let present: ThreadLocal = {
        guard let place = ThreadLocal() else { fatalError("no thread-local storage is left for StateStore") }
        return place
    }()
    /// Woken when a crowded line has room.
    private static let room = ThreadSignal()

    @inline(__always)
    static func delivering(_ body: () -> Void) {
        let depth = present.number
        present.set(number: depth + 1)
        body()
        present.set(number: depth)
    }

    private static var isOutermost: Bool { present.number == 1 }

    /// Waits while too much is undelivered: a second at most, since the subscriber may be waiting for this thread, and
    /// never in a commit that a subscriber makes.
    static func waitForRoom(_ isCrowded: () -> Bool) {
        guard isOutermost, isCrowded() else { return }
        let end = ContinuousClock.now + .seconds(1)
        room.locked {
            // All lines share the signal: another one may have room.
            while isCrowded(), case let rest = ContinuousClock.now.duration(to: end), rest > .zero { room.wait(rest) }
        }
    }

    static func signalRoom() { room.locked { room.wakeAll() } }
}

/// Counts the deliveries to the subscribers of one store that they have not received yet.
final class OutstandingDeliveries: Sendable {
    private struct Count: Sendable {
        var deliveries = 0
        /// Resolved when there are none; nil while nothing waits for that.
        var end: Promise<Void>?
    }

    private let count = Mutex(Count())

    func add() { count.withLock { $0.deliveries += 1 } }

    /// Counts some as received, or as dropped.
    func remove(_ deliveries: Int = 1) {
        let end = count.withLock { count -> Promise<Void>? in
            count.deliveries -= deliveries
            return count.deliveries == 0 ? count.end.take() : nil
        }
        end?.resolve(())
    }

    func waitUntilNone() async {
        let end = count.withLock { count -> Promise<Void>? in
            if count.deliveries == 0 { return nil }
            let end = count.end ?? Promise()
            count.end = end
            return end
        }
        await end?.value
    }
}
