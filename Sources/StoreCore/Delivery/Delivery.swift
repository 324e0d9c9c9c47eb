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

    /// Whether a version is equal to the one before it.
    func isSame(_ turn: DeliveryLine.Turn) -> Bool { false }

    /// What subscribers are given.
    func changes(_ turn: DeliveryLine.Turn, _ commit: CommitReference) -> any AnyObject & Sendable { turn.item.node }

    /// Notifies what reads the state under observation.
    func notifyObservers(_ turn: DeliveryLine.Turn) {}

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
            let isSame = isSame(turn)
            // States that are equal by an `==` of the app's may still differ in an input of a derived value.
            if !isSame || source.isAwake.load(ordering: .acquiring) {
                deliver(turn, toSubscribers: !isSame, by: thread)
            }
            line.withLock { next = $0.take(&ending) }
        }
        ending.idle?.resolve(())
        return ending.isHandedOver ? .handOver : ending.isStopDue ? .stop : .nothing
    }

    private func deliver(_ turn: DeliveryLine.Turn, toSubscribers: Bool, by thread: DeliveringThread) {
        let item = turn.item
        let commit = reference(to: item)
        CommitReference.$current.withValue(commit) {
            // Most stores have no derived values.
            let reports =
                source.isAwake.load(ordering: .acquiring) ? advance(to: item, isEqual: !toSubscribers, commit) : []
            if let recorded = item.recorded { item.recorder?.record(reports, of: recorded) }
            if toSubscribers {
                if !turn.subscribers.isEmpty {
                    let delivered = Subscriber.Delivered(
                        changes: changes(turn, commit), node: item.node, previous: turn.previous, commit: commit)
                    turn.subscribers.forEach { $0.deliver(delivered) }
                }
                if turn.isObserved { notifyObservers(turn) }
            }
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
        present.pointer.map { DeliveringThread(place: UInt(bitPattern: $0)) }
    }

    /// Runs a closure that delivers.
    static func delivering<Result>(_ body: (DeliveringThread) -> Result) -> Result {
        if let place = present.pointer {
            let depth = UnsafeMutableRawPointer(mutating: place).assumingMemoryBound(to: Int.self)
            depth.pointee += 1
            defer { depth.pointee -= 1 }
            return body(DeliveringThread(place: UInt(bitPattern: place)))
        }
        defer { present.set(nil) }
        var depth = 1
        return withUnsafeMutablePointer(to: &depth) { place in
            present.set(place)
            return body(DeliveringThread(place: UInt(bitPattern: place)))
        }
    }

    /// Whether this thread is in a delivery that is not nested in another one.
    private static var isOutermost: Bool { present.pointer?.assumingMemoryBound(to: Int.self).pointee == 1 }

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
