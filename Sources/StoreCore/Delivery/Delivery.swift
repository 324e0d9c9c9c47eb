internal import JournalFormat
internal import Platform
internal import Synchronization

/// Delivers the versions of one store: each once, in order, by one thread at a time, derived values first.
///
/// A committing thread delivers what waits up to its own last version, unless another thread is delivering, and hands
/// over what comes after it: see ``DrainQueue``. A commit made by a subscriber therefore returns before its own
/// delivery, which the loop below it on the stack makes next; so does a commit while another thread delivers. The loop
/// does not know the type of the state (see ``VersionNode``); a subclass does.
@usableFromInline
class Delivery: @unchecked Sendable {
    // Unchecked: constants, and what has a lock of its own.

    final let line = ContendedLock(DeliveryLine())
    /// Whether there are listeners.
    ///
    /// Read without the lock, to decide whether a commit keeps its patch.
    final let hasListeners = Synchronization.Atomic(false)
    /// Deliveries to subscribers on other threads that they have not received yet.
    final let outstanding: OutstandingDeliveries
    /// What derived values know of the store.
    private let source: DerivedSource
    private let storeName: String

    init(storeName: String, source: DerivedSource, outstanding: OutstandingDeliveries) {
        self.storeName = storeName
        self.source = source
        self.outstanding = outstanding
    }

    deinit {
        line.withLock { $0.subscribers }.forEach { $0.onEnd?() }
    }

    // MARK: What knows the state

    /// Whether two versions are equal, by the comparison of the store.
    func isSame(_ old: VersionNode, _ new: VersionNode) -> Bool { false }

    /// What subscribers are given.
    func changes(_ turn: DeliveryLine.Turn, _ commit: CommitReference) -> any AnyObject & Sendable { turn.item.node }

    /// Notifies what reads the state, or a part of it, under observation, and saw another one.
    func notifyObservers(_ turn: DeliveryLine.Turn, _ comparison: inout VersionComparison) {}

    /// Brings the derived values to a version.
    ///
    /// - Parameter isEqual: whether it is equal to the one before.
    func advance(to item: DeliveryLine.Item, isEqual: Bool, _ commit: CommitReference) -> [DerivedReport] { [] }

    // MARK: Delivering

    /// What is left to do for the store after a delivery.
    enum Rest: Sendable {
        case nothing
        /// No listener is left.
        case stop
        /// Another thread has to call ``resume()``.
        case handOver
    }

    /// Delivers what waits up to a version, unless another thread is delivering.
    ///
    /// - Parameter version: the caller's own.
    final func drain(through version: Int) -> Rest {
        Delivery.delivering { thread in
            var ending = DeliveryLine.Ending()
            var first: DeliveryLine.Turn?
            let hasTurn = line.withLock { line in
                guard line.begin(through: version, by: thread) else { return false }
                first = line.take(&ending)
                return true
            }
            if hasTurn { return deliverTurn(from: &first, &ending, by: thread) }
            Delivery.waitForRoom { line.withLock(\.isCrowded) }
            return .nothing
        }
    }

    /// Delivers what a commit handed over, and what comes meanwhile.
    final func resume() -> Rest {
        Delivery.delivering { thread in
            var ending = DeliveryLine.Ending()
            var first: DeliveryLine.Turn?
            line.withLock { line in
                line.takeOver(by: thread)
                first = line.take(&ending)
            }
            return deliverTurn(from: &first, &ending, by: thread)
        }
    }

    /// - Parameter next: what is delivered first; passed on without copies, each of which counts five references.
    private func deliverTurn(
        from next: inout DeliveryLine.Turn?, _ ending: inout DeliveryLine.Ending, by thread: DeliveringThread
    ) -> Rest {
        while let turn = next.take() {
            if ending.hasRoom { Delivery.signalRoom() }
            deliver(turn, by: thread)
            line.withLock { next = $0.take(&ending) }
        }
        ending.idle?.resolve(())
        return ending.isHandedOver ? .handOver : ending.isStopDue ? .stop : .nothing
    }

    /// Delivers a version to the listeners for whom it differs from what they saw last.
    ///
    /// The store's comparison decides for subscribers of the whole state only: by an `==` of the app's, states may be
    /// equal that differ in what others read.
    private func deliver(_ turn: DeliveryLine.Turn, by thread: DeliveringThread) {
        let item = turn.item
        var comparison = VersionComparison(with: item.node)
        let first = turn.subscribers.firstPlace { $0.isDue(&comparison, in: self) }
        // Most stores have no derived values.
        let isDerivedFrom = source.isAwake.load(ordering: .acquiring)
        guard first != nil || isDerivedFrom || turn.isObserved else { return }
        let commit = reference(to: item)
        CommitReference.$current.withValue(commit) {
            let reports =
                isDerivedFrom
                ? advance(to: item, isEqual: comparison.isSame(as: turn.previous, in: self), commit) : []
            if let recorded = item.recorded { item.recorder?.record(reports, of: recorded) }
            if let first {
                let delivered = Subscriber.Delivered(
                    changes: changes(turn, commit), node: item.node, previous: turn.previous, commit: commit)
                turn.subscribers.forEach(from: first) { place, subscriber in
                    if place == first || subscriber.isDue(&comparison, in: self) { subscriber.deliver(delivered) }
                }
            }
            if turn.isObserved { notifyObservers(turn, &comparison) }
            DerivedReport.deliver(reports, during: commit, by: thread)
        }
    }

    /// The cause of what subscribers commit.
    private func reference(to item: DeliveryLine.Item) -> CommitReference {
        let node = item.node
        let entry = item.recorded.map { CommitReference.Entry($0) }
        return CommitReference(
            store: storeName, version: node.version, location: node.location, entry: entry ?? node.cause?.journalEntry)
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
    let version: VersionNode
    private var last: (seen: VersionNode, isSame: Bool)?

    init(with version: VersionNode) { self.version = version }

    /// Whether the version is equal to one that was seen, by the comparison of the store.
    mutating func isSame(as seen: VersionNode, in delivery: Delivery) -> Bool {
        if let last, last.seen === seen { return last.isSame }
        let isSame = delivery.isSame(seen, version)
        last = (seen, isSame)
        return isSame
    }
}

/// Identifies a delivering thread by a number that no other one has at the time.
struct DeliveringThread: Equatable, Sendable {
    let place: UInt

    /// A thread that is known to come, but not which one.
    static let unnamed = DeliveringThread(place: 0)
}

extension Delivery {
    // The address of a variable on the stack of the thread's outermost delivery, which counts the nested ones.
    private static let present: ThreadLocal = {
        guard let place = ThreadLocal() else { fatalError("no thread-local storage is left for StateStore") }
        return place
    }()
    /// Woken when a crowded line has room.
    private static let room = ThreadSignal()

    /// The present thread, while it is delivering.
    static var deliveringThread: DeliveringThread? {
        unsafe present.pointer.map { DeliveringThread(place: UInt(bitPattern: $0)) }
    }

    /// Runs a closure that delivers.
    static func delivering<Result>(_ body: (DeliveringThread) -> Result) -> Result {
        if let place = unsafe present.pointer {
            let depth = unsafe UnsafeMutableRawPointer(mutating: place).assumingMemoryBound(to: Int.self)
            unsafe depth.pointee += 1
            defer { unsafe depth.pointee -= 1 }
            return body(DeliveringThread(place: UInt(bitPattern: place)))
        }
        defer { unsafe present.set(nil) }
        var depth = 1
        return unsafe withUnsafeMutablePointer(to: &depth) { place in
            unsafe present.set(place)
            return body(DeliveringThread(place: UInt(bitPattern: place)))
        }
    }

    /// Whether this thread is in a delivery that is not nested in another one.
    private static var isOutermost: Bool { unsafe present.pointer?.assumingMemoryBound(to: Int.self).pointee == 1 }

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

    /// Counts one more.
    func add() { count.withLock { $0.deliveries += 1 } }

    /// Counts some as received, or as dropped.
    func remove(_ deliveries: Int = 1) {
        let end = count.withLock { count -> Promise<Void>? in
            count.deliveries -= deliveries
            return count.deliveries == 0 ? count.end.take() : nil
        }
        end?.resolve(())
    }

    /// Returns when there are none.
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
