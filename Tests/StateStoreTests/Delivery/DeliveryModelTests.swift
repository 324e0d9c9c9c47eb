import JournalFormat
import Testing

@testable import StoreCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Where a record was made; the tests have places of the same name.
private typealias RecordPlace = JournalFormat.SourceLocation

/// Every order in which some threads can take their steps through a commit, its line in the journal and its delivery.
///
/// The line of deliveries and the recorder's queue are the real ones. Around them stand the steps of `Store.perform`,
/// `Recorder.settleNow`, `EncodingThread.run` and `Delivery.drain`, each as much as the code does under one lock or in one atomic
/// access; whoever changes those must change them here. `STATE_INSPECT_MODEL=1` takes the larger worlds.
struct DeliveryModelTests {
    @Test(
        "in every order of steps each version is delivered once, in order, behind its record, and by somebody",
        arguments: DeliveryWorld.Durability.allCases, DeliveryModelTests.programs)
    func everyOrder(durability: DeliveryWorld.Durability, program: [[DeliveryWorld.Job]]) throws {
        let search = try DeliverySearch(program, durability)
        #expect(try search.run() == nil)
        #expect(search.ends > 0)
    }

    @Test("the laws notice steps in a wrong order", arguments: DeliveryWorld.Fault.allCases)
    func teeth(fault: DeliveryWorld.Fault) throws {
        let program: [[DeliveryWorld.Job]] = [[.subscribe, .commit], [.commit, .commit]]
        let search = try DeliverySearch(program, .synchronous, fault: fault)
        #expect(try search.run() != nil)
    }

    /// What each of the threads does.
    private static var programs: [[[DeliveryWorld.Job]]] {
        let small: [[[DeliveryWorld.Job]]] = [
            [[.subscribe, .commit, .commit]], [[.subscribe, .commit], [.commit, .commit]],
            [[.commit, .commit], [.subscribe, .commit, .cancel]],
            [[.subscribe, .cancel, .subscribe, .cancel], [.commit, .commit]],
            [[.subscribe], [.commit], [.commit]],
        ]
        let large: [[[DeliveryWorld.Job]]] = [
            [[.subscribe, .commit, .commit], [.commit, .commit, .commit]],
            [[.subscribe, .commit], [.commit, .commit], [.commit]],
            [[.subscribe, .commit, .cancel], [.subscribe, .commit, .cancel], [.commit]],
        ]
        return getenv("STATE_INSPECT_MODEL") == nil ? small : small + large
    }
}

/// Looks at every world that can come of a program; each once, however it came to be.
private final class DeliverySearch {
    private let cast: Cast
    private var open: [DeliveryWorld]
    private var seen: Set<[Int]> = []
    /// How many worlds there are in which nothing is left to do.
    private(set) var ends = 0

    init(_ program: [[DeliveryWorld.Job]], _ durability: DeliveryWorld.Durability, fault: DeliveryWorld.Fault? = nil)
        throws
    {
        let commits = program.joined().count { $0 == .commit }
        let subscribers = program.joined().count { $0 == .subscribe }
        cast = try Cast(commits: commits, subscribers: subscribers)
        open = [DeliveryWorld(program, durability, fault: fault)]
    }

    /// - Returns: the first law that was broken; nil for none.
    func run() throws -> String? {
        while let world = open.popLast() {
            var isOver = true
            for thread in world.threads.indices {
                for choice in 0..<world.choices(of: thread, cast) {
                    isOver = false
                    var next = world
                    if let broken = next.step(thread, choice, cast) { return broken }
                    if seen.insert(next.key(cast)).inserted { open.append(next) }
                }
            }
            guard isOver else { continue }
            ends += 1
            if let broken = world.lawsAtTheEnd(cast) { return broken }
        }
        return nil
    }
}

/// What all worlds have in common: the objects behind the versions, and how far the world that is looked at has come.
private final class Cast {
    let journal = TemporaryJournal()
    let nodes: [StateNode<Int>]
    let commits: [ModelCommit]
    let sinks: [Sink]
    let progress = Progress()

    /// How much of the journal is written.
    final class Progress: @unchecked Sendable {
        // Unchecked: one thread looks at all worlds.
        var settled = 0
        var isInBackground = false
    }

    init(commits count: Int, subscribers: Int) throws {
        let place = RecordPlace(file: "M/M.swift", line: 1, column: 1, function: "f()")
        let recorder = try Recorder(journal.path)
        guard let track = recorder.open(0, wanted: "model", at: place) else {
            throw TemporaryJournal.Missing(name: "a track")
        }
        let nodes = (0...count).map { StateNode(state: $0, version: $0, location: place, cause: nil) }
        let progress = progress
        commits = (0...count).map { ModelCommit(version: $0, progress, track, recorder, place) }
        sinks = (0..<subscribers).map { _ in Sink(after: nodes[0], isStarting: false) { (_: Changes<Int>) in } }
        self.nodes = nodes
    }
}

/// A commit that is settled when its world says so.
private final class ModelCommit: PendingCommit, @unchecked Sendable {
    // Unchecked: as its superclass.
    let progress: Cast.Progress
    private let recorder: Recorder

    init(
        version: Int, _ progress: Cast.Progress, _ track: any StoreTrack, _ recorder: Recorder, _ place: RecordPlace
    ) {
        self.progress = progress
        self.recorder = recorder
        super.init(
            track: track, recorder: recorder, version: version, location: place, name: "f()", action: nil, cause: nil,
            wantsPatch: false)
    }

    override var isSettled: Bool { progress.settled >= version }
    override var mayBeDelivered: Bool { progress.isInBackground || isSettled }
}

/// Where all threads are, and what they share.
struct DeliveryWorld {
    enum Durability: CaseIterable { case synchronous, background }

    enum Job { case commit, subscribe, cancel }

    /// What the code could do wrong.
    enum Fault: CaseIterable {
        /// A version is put in line when its store's lock is free already.
        case publishesOutsideLock
        /// A version is delivered whether its record is written or not.
        case ignoresRecords
        /// Who finds that nothing may be delivered yet does not look again.
        case forgetsToDeliver
    }

    /// What a thread does next.
    enum Step: Equatable {
        case nextJob, enqueue, publish, unlock, settle, takeQueue, raise(Int), giveDeskBack
        case begin, take, deliver(Int), afterDelivery(Int), stop, waitForWork, done
    }

    struct Thread {
        var jobs: [Job]
        var step = Step.nextJob
        /// The version of its own commit, and whether that is in line.
        var own = 0
        var isHeard = false
        var isEncoder = false
        var subscriptions: [Int] = []
    }

    struct Subscriber {
        var last: Int
        var isCancelled = false
    }

    private(set) var threads: [Thread]
    private let durability: Durability
    private let fault: Fault?
    private var line = DeliveryLine()
    private var queue = RecordingQueue(clock: { Timestamp(microseconds: 0) }, start: Timestamp(microseconds: 0))
    private var version = 0
    private var hasListeners = false
    private var isLocked = false
    private var isDeskTaken = false
    private var hasWork = false
    private var settled = 0
    private var journal: [Int] = []
    private var subscribers: [Subscriber] = []
    private var isDelivering = false

    init(_ program: [[Job]], _ durability: Durability, fault: Fault?) {
        threads = program.map { Thread(jobs: $0) }
        self.durability = durability
        self.fault = fault
        if durability == .background { threads.append(Thread(jobs: [], step: .waitForWork, isEncoder: true)) }
    }
}

extension DeliveryWorld {
    private func look(_ cast: Cast) {
        cast.progress.settled = fault == .ignoresRecords ? .max : settled
        cast.progress.isInBackground = durability == .background
    }

    /// In how many ways a thread can go on; none where it waits or is done.
    fileprivate func choices(of number: Int, _ cast: Cast) -> Int {
        let thread = threads[number]
        switch thread.step {
        case .nextJob: return thread.jobs.first == .commit && isLocked ? 0 : 1
        case .settle:
            if durability == .background || settled >= thread.own { return 1 }
            return isDeskTaken ? 0 : 1
        case .waitForWork: return hasWork && !isDeskTaken ? 1 : 0
        // Its patience is at an end, or not.
        case .afterDelivery(let version): return version > thread.own ? 2 : 1
        case .done: return 0
        default: return 1
        }
    }

    /// Has a thread take its next step.
    ///
    /// - Returns: the law that it breaks; nil for none.
    fileprivate mutating func step(_ number: Int, _ choice: Int, _ cast: Cast) -> String? {
        look(cast)
        switch threads[number].step {
        case .nextJob: startJob(number, cast)
        case .enqueue: enqueue(number, cast)
        case .publish: publish(number, cast)
        case .unlock:
            isLocked = false
            threads[number].step = fault == .publishesOutsideLock ? .publish : .settle
        case .settle: settle(number)
        case .waitForWork: (hasWork, isDeskTaken, threads[number].step) = (false, true, .takeQueue)
        case .takeQueue:
            var batch: [QueuedRecord] = []
            queue.takeAll(into: &batch)
            for case .commit(let commit) in batch { journal.append(commit.version) }
            threads[number].step = .raise(queue.ticket)
        case .raise(let ticket): (settled, threads[number].step) = (ticket, .giveDeskBack)
        case .giveDeskBack:
            (isDeskTaken, threads[number].step) = (false, threads[number].isEncoder ? .waitForWork : .settle)
        case .begin: threads[number].step = line.begin() ? .take : .nextJob
        case .take: return take(number)
        case .deliver(let version): return deliver(version, number)
        case .afterDelivery: goOn(number, isPatient: choice == 0)
        case .stop:
            if line.stopListening() != nil { hasListeners = false }
            threads[number].step = .nextJob
        case .done: break
        }
        return nil
    }

    private mutating func startJob(_ number: Int, _ cast: Cast) {
        if threads[number].jobs.isEmpty { return threads[number].step = .done }
        switch threads[number].jobs.removeFirst() {
        case .commit: (isLocked, threads[number].step) = (true, .enqueue)
        case .subscribe:
            hasListeners = true
            let node = line.listen(from: cast.nodes[version])
            line.add(cast.sinks[subscribers.count])
            threads[number].subscriptions.append(subscribers.count)
            subscribers.append(Subscriber(last: node.version))
        case .cancel:
            guard let place = threads[number].subscriptions.popLast() else { return }
            subscribers[place].isCancelled = true
            line.remove(cast.sinks[place])
            threads[number].step = .stop
        }
    }

    private mutating func enqueue(_ number: Int, _ cast: Cast) {
        threads[number].own = queue.ticket + 1
        queue.append(cast.commits[queue.ticket + 1])
        threads[number].step = fault == .publishesOutsideLock ? .unlock : .publish
    }

    private mutating func publish(_ number: Int, _ cast: Cast) {
        version += 1
        threads[number].isHeard = hasListeners
        if hasListeners {
            let own = threads[number].own
            line.enqueue(DeliveryLine.Item(node: cast.nodes[own], recorded: cast.commits[own], thread: nil))
        }
        threads[number].step = fault == .publishesOutsideLock ? .settle : .unlock
    }

    private mutating func settle(_ number: Int) {
        if durability == .background { hasWork = true }
        guard durability == .background || settled >= threads[number].own else {
            return (isDeskTaken, threads[number].step) = (true, .takeQueue)
        }
        threads[number].step = threads[number].isHeard ? .begin : .nextJob
    }

    private mutating func take(_ number: Int) -> String? {
        var ending = DeliveryLine.Ending()
        guard let turn = line.take(&ending) else {
            threads[number].step = ending.isStopDue ? .stop : .nextJob
            return nil
        }
        if isDelivering { return "two deliver at a time" }
        if turn.previous.version != turn.item.node.version - 1 { return "another version came before" }
        let isWritten = settled >= turn.item.node.version
        if durability == .synchronous, !isWritten { return "a version is delivered before its record is written" }
        isDelivering = true
        threads[number].step = .deliver(turn.item.node.version)
        return nil
    }

    private mutating func deliver(_ version: Int, _ number: Int) -> String? {
        for place in subscribers.indices where !subscribers[place].isCancelled && subscribers[place].last < version {
            if subscribers[place].last + 1 != version { return "a subscriber misses a version" }
            subscribers[place].last = version
        }
        isDelivering = false
        threads[number].step = fault == .forgetsToDeliver ? .nextJob : .afterDelivery(version)
        return nil
    }

    private mutating func goOn(_ number: Int, isPatient: Bool) {
        guard !isPatient, line.handOn() else { return threads[number].step = .take }
        threads[number].step = .nextJob
        threads.append(Thread(jobs: [], step: .begin, own: .max))
    }

    // MARK: Laws

    fileprivate func lawsAtTheEnd(_ cast: Cast) -> String? {
        look(cast)
        let waiting = threads.first { $0.step != .done && $0.step != .waitForWork }
        if let waiting { return "a thread waits for ever at \(waiting.step)" }
        if journal != Array(1..<(version + 1)) { return "the journal has \(journal)" }
        for subscriber in subscribers where !subscriber.isCancelled && subscriber.last != version {
            return "version \(subscriber.last + 1) is delivered by nobody"
        }
        if hasListeners != subscribers.contains(where: { !$0.isCancelled }) {
            return "a store without listeners pays for them"
        }
        return nil
    }

    /// What tells worlds apart that go on differently.
    fileprivate func key(_ cast: Cast) -> [Int] {
        look(cast)
        var key = [version, hasListeners ? 1 : 0, isLocked ? 1 : 0, isDeskTaken ? 1 : 0, hasWork ? 1 : 0, settled]
        key += [isDelivering ? 1 : 0, queue.ticket, queue.records.count, journal.count, line.delivered?.version ?? -1]
        key += lineKey(cast)
        for subscriber in subscribers { key += [subscriber.last, subscriber.isCancelled ? 1 : 0] }
        for thread in threads {
            key += [-7, thread.jobs.count, thread.own, thread.isHeard ? 1 : 0]
            key += thread.subscriptions
            switch thread.step {
            case .nextJob: key.append(0)
            case .enqueue: key.append(1)
            case .publish: key.append(2)
            case .unlock: key.append(3)
            case .settle: key.append(4)
            case .takeQueue: key.append(5)
            case .raise(let ticket): key += [7, ticket]
            case .giveDeskBack: key.append(8)
            case .begin: key.append(9)
            case .take: key.append(10)
            case .deliver(let version): key += [11, version]
            case .afterDelivery(let version): key += [12, version]
            case .stop: key.append(13)
            case .waitForWork: key.append(14)
            case .done: key.append(15)
            }
        }
        return key
    }

    /// What a copy of the line does: how many wait in it, whether somebody is at it, and whether it stops at their end.
    private func lineKey(_ cast: Cast) -> [Int] {
        cast.progress.settled = .max
        var copy = line
        copy.enqueue(DeliveryLine.Item(node: cast.nodes[0], recorded: nil, thread: nil))
        let isTaken = !copy.begin()
        var ending = DeliveryLine.Ending()
        var count = 0
        while copy.take(&ending) != nil { count += 1 }
        return [isTaken ? 1 : 0, count, ending.isStopDue ? 1 : 0, line.sinks.count]
    }
}
