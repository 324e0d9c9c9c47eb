import JournalFormat
import StateEncoding
import TestSupport
import Testing

@testable import StoreCore

/// Where a record was made; the tests have places of the same name.
private typealias RecordPlace = CommitLocation

/// Every order in which some threads can take their steps through a commit, its line in the journal and its delivery.
///
/// The line of deliveries and the recorder's queue are the real ones. Around them stand the steps of `Store.perform`,
/// `Recorder.writeNow`, `EncodingThread.run`, `Delivery.drain` and `Delivery.resume`, each as much as the code does under one lock
/// or in one atomic access: a change of those is one here, too. `STATE_INSPECT_SEEDS=all` takes the larger worlds.
struct DeliveryModelTests {
    @Test(
        "in every order of steps each version is delivered once, in order, after its record, and by a commit up to its own",
        arguments: DeliveryWorld.Durability.allCases, DeliveryModelTests.programs)
    func everyOrder(durability: DeliveryWorld.Durability, program: [[DeliveryWorld.Job]]) throws {
        let search = ModelSearch(DeliveryWorld(program, durability, fault: nil), try Cast(program))
        #expect(search.run() == nil)
        #expect(search.ends > 0)
    }

    @Test("the laws notice steps in a wrong order", arguments: DeliveryWorld.Fault.allCases)
    func teeth(fault: DeliveryWorld.Fault) throws {
        let program: [[DeliveryWorld.Job]] = [[.subscribe, .commitFromSubscriber], [.commit, .commit]]
        let search = ModelSearch(DeliveryWorld(program, .synchronous, fault: fault), try Cast(program))
        #expect(search.run() != nil)
    }

    /// What each of the threads does.
    private static var programs: [[[DeliveryWorld.Job]]] {
        let small: [[[DeliveryWorld.Job]]] = [
            [[.subscribe, .commit, .commit]], [[.subscribe, .commit], [.commit, .commit]],
            [[.commit, .commit], [.subscribe, .commit, .cancel]],
            [[.subscribe, .cancel, .subscribe, .cancel], [.commit, .commit]], [[.subscribe], [.commit], [.commit]],
            [[.subscribe, .commitFromSubscriber], [.commit, .commit]],
        ]
        let large: [[[DeliveryWorld.Job]]] = [
            [[.subscribe, .commit, .commit], [.commit, .commit, .commit]],
            [[.subscribe, .commit], [.commit, .commit], [.commit]],
            [[.subscribe, .commit, .cancel], [.subscribe, .commit, .cancel], [.commit]],
            [[.subscribe, .commitFromSubscriber], [.commitFromSubscriber], [.commit]],
        ]
        return CaseAmount.isAll ? small + large : small
    }
}

/// What all worlds have in common: the objects behind the versions, and how far the world that is looked at has come.
final class Cast {
    let journal = TemporaryJournal()
    let nodes: [Changes<Int>]
    let commits: [ModelCommit]
    let sinks: [Subscriber]
    let progress = Progress()

    /// How much of the journal is written.
    final class Progress: @unchecked Sendable {
        // Unchecked: one thread looks at all worlds.
        var settled = 0
        var isInBackground = false
    }

    convenience init(_ program: [[DeliveryWorld.Job]]) throws {
        try self.init(
            commits: program.joined().reduce(0) { $0 + $1.commits },
            subscribers: program.joined().count { $0 == .subscribe })
    }

    init(commits count: Int, subscribers: Int) throws {
        let place = RecordPlace(file: "M/M.swift", line: 1, column: 1, function: "f()")
        let recorder = try Recorder(journal.path)
        guard let track = recorder.open(0, wanted: "model", by: EncodableForm(), at: place) else {
            throw TemporaryJournal.Missing(name: "a track")
        }
        let nodes = (0...count).map { Changes($0, version: $0, location: place, cause: nil) }
        let progress = progress
        commits = (0...count).map { ModelCommit(version: $0, progress, track, recorder, place) }
        sinks = (0..<subscribers).map { _ in Subscriber(after: nodes[0], isStarting: false) { (_: Changes<Int>) in } }
        self.nodes = nodes
    }
}

/// A commit that is settled when its world says so.
final class ModelCommit: PendingCommit, @unchecked Sendable {
    // Unchecked: as its superclass.
    let progress: Cast.Progress
    private let keptRecorder: Recorder

    fileprivate init(
        version: Int, _ progress: Cast.Progress, _ track: StoreTrack, _ recorder: Recorder, _ place: RecordPlace
    ) {
        self.progress = progress
        keptRecorder = recorder
        super.init(
            track: track, recorder: recorder, version: version, location: place, name: "f()", action: nil, cause: nil,
            wantsPatch: false)
    }

    override var isWritten: Bool { progress.settled >= version }
    override var mayBeDelivered: Bool { progress.isInBackground || isWritten }
}

/// Where all threads are, and what they share.
struct DeliveryWorld: ModelWorld {
    enum Durability: CaseIterable { case synchronous, background }

    enum Job {
        case commit, subscribe, cancel
        /// A commit in whose delivery a subscriber makes another one.
        case commitFromSubscriber

        var commits: Int {
            switch self {
            case .commit: 1
            case .commitFromSubscriber: 2
            case .subscribe, .cancel: 0
            }
        }
    }

    /// What the code could do wrong.
    enum Fault: CaseIterable {
        /// A version is put in line when its store's lock is free already.
        case publishesOutsideLock
        /// A version is delivered whether its record is written or not.
        case ignoresRecords
        /// A thread that finds that nothing may be delivered yet does not look again.
        case forgetsToDeliver
        /// A commit delivers what others go on committing.
        case deliversForOthers
        /// A version whose thread has come and gone is left to that thread.
        case forgetsToHandOn
    }

    /// What a thread does next.
    enum Step: Equatable {
        case nextJob, lock, enqueue, publish, unlock, settle, takeQueue, raise(Int), giveDeskBack
        case begin, goOn, take, deliver(Int), stop, waitForWork, done
    }

    struct Thread {
        var jobs: [Job]
        var step = Step.nextJob
        /// The version of its own last commit, and whether that is in line.
        var own = 0
        var isHeard = false
        /// Its own version, if the line was idle when it was put there.
        var admitted: DeliveryLine.Turn?
        /// Whether a subscriber is to commit in the delivery of its own version, and the version in whose delivery one does.
        var commitsAgain = false
        var outer: Int?
        /// How many versions were delivered since its last job began.
        var delivered = 0
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
    private var queue = RecordingQueue(start: Timestamp(microseconds: 0))
    private var version = 0
    private var hasListeners = false
    private var isLocked = false
    private var isComposerTaken = false
    private var hasWork = false
    private var settled = 0
    private var journal: [Int] = []
    private var subscribers: [Subscriber] = []
    private var isDelivering = false
    /// The last version whose thread came to deliver it.
    private var arrived = 0
    private let most: Int

    var threadCount: Int { threads.count }

    init(_ program: [[Job]], _ durability: Durability, fault: Fault?) {
        threads = program.map { Thread(jobs: $0) }
        most = program.count + 1
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

    /// Whether a thread can go on, and neither waits nor is done.
    func canGoOn(_ number: Int, _ cast: Cast) -> Bool {
        let thread = threads[number]
        switch thread.step {
        case .lock: return !isLocked
        case .settle: return durability == .background || settled >= thread.own || !isComposerTaken
        case .waitForWork: return hasWork && !isComposerTaken
        case .done: return false
        default: return true
        }
    }

    /// Has a thread take its next step.
    ///
    /// - Returns: the law that it breaks; nil for none.
    mutating func step(_ number: Int, _ cast: Cast) -> String? {
        look(cast)
        switch threads[number].step {
        case .nextJob: startJob(number, cast)
        case .lock: (isLocked, threads[number].step) = (true, .enqueue)
        case .enqueue: enqueue(number, cast)
        case .publish: publish(number, cast)
        case .unlock:
            isLocked = false
            threads[number].step = fault == .publishesOutsideLock ? .publish : .settle
        case .settle: settle(number)
        case .waitForWork: (hasWork, isComposerTaken, threads[number].step) = (false, true, .takeQueue)
        case .takeQueue:
            var batch: [QueuedRecord] = []
            queue.takeAll(into: &batch)
            for case .commit(let commit) in batch { journal.append(commit.version) }
            threads[number].step = .raise(queue.ticket)
        case .raise(let ticket): (settled, threads[number].step) = (ticket, .giveDeskBack)
        case .giveDeskBack:
            (isComposerTaken, threads[number].step) = (false, threads[number].isEncoder ? .waitForWork : .settle)
        case .begin:
            let own = threads[number].own
            arrived = max(arrived, own)
            let hasTurn = line.begin(through: fault == .deliversForOthers ? .max : own, by: identity(of: number))
            if hasTurn { threads[number].step = .take } else { endCommit(number) }
        case .goOn:
            line.takeOver(by: identity(of: number))
            threads[number].step = .take
        case .take: return take(number)
        case .deliver(let version): return deliver(version, number)
        case .stop:
            if line.stopListening() != nil { hasListeners = false }
            threads[number].step = .nextJob
        case .done: break
        }
        return nil
    }

    private mutating func startJob(_ number: Int, _ cast: Cast) {
        if threads[number].jobs.isEmpty { return threads[number].step = .done }
        threads[number].delivered = 0
        let job = threads[number].jobs.removeFirst()
        switch job {
        case .commit, .commitFromSubscriber:
            threads[number].commitsAgain = job == .commitFromSubscriber
            threads[number].step = .lock
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
            let item = DeliveryLine.Item(node: cast.nodes[own], recorded: cast.commits[own])
            threads[number].admitted = line.admit(item, by: identity(of: number))
            if threads[number].admitted != nil { arrived = max(arrived, own) }
        }
        threads[number].step = fault == .publishesOutsideLock ? .settle : .unlock
    }

    private mutating func settle(_ number: Int) {
        if durability == .background { hasWork = true }
        guard durability == .background || settled >= threads[number].own else {
            return (isComposerTaken, threads[number].step) = (true, .takeQueue)
        }
        if threads[number].admitted != nil {
            threads[number].step = .take
        } else if threads[number].isHeard {
            threads[number].step = .begin
        } else {
            endCommit(number)
        }
    }

    /// Goes on with the delivery in which the commit was made, or with the next job.
    private mutating func endCommit(_ number: Int) {
        threads[number].step = threads[number].outer.map { .deliver($0) } ?? .nextJob
        threads[number].outer = nil
    }

    private func identity(of number: Int) -> DeliveringThread { DeliveringThread(place: UInt(number + 1)) }

    private mutating func take(_ number: Int) -> String? {
        var ending = DeliveryLine.Ending()
        let admitted = threads[number].admitted
        threads[number].admitted = nil
        guard let turn = admitted ?? line.take(&ending) else {
            threads[number].step = ending.isStopDue ? .stop : .nextJob
            if ending.isHandedOver, fault != .forgetsToHandOn {
                threads.append(Thread(jobs: [], step: .goOn, own: .max))
            }
            return nil
        }
        if isDelivering { return "two deliver at a time" }
        if turn.previous.version != turn.item.node.version - 1 { return "another version came before" }
        let isWritten = settled >= turn.item.node.version
        if durability == .synchronous, !isWritten { return "a version is delivered before its record is written" }
        if turn.item.version > threads[number].own { return "a commit delivers a version after its own last one" }
        threads[number].delivered += 1
        let works = threads[number].own == .max  // for all
        if !works, threads[number].delivered > most { return "a commit delivers more than one version of each thread" }
        isDelivering = true
        threads[number].step = .deliver(turn.item.version)
        return nil
    }

    private mutating func deliver(_ version: Int, _ number: Int) -> String? {
        if threads[number].commitsAgain, version == threads[number].own {
            threads[number].commitsAgain = false
            (threads[number].outer, threads[number].step) = (version, .lock)
            return nil
        }
        for place in subscribers.indices where !subscribers[place].isCancelled && subscribers[place].last < version {
            if subscribers[place].last + 1 != version { return "a subscriber misses a version" }
            subscribers[place].last = version
        }
        isDelivering = false
        threads[number].step = fault == .forgetsToDeliver ? .nextJob : .take
        return nil
    }

    // MARK: Laws

    func lawsAtTheEnd(_ cast: Cast) -> String? {
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
    func key(_ cast: Cast) -> [Int] {
        look(cast)
        var key = [version, hasListeners ? 1 : 0, isLocked ? 1 : 0, isComposerTaken ? 1 : 0, hasWork ? 1 : 0, settled]
        key += [
            arrived, isDelivering ? 1 : 0, queue.ticket, queue.records.count, journal.count,
            line.delivered?.version ?? -1,
        ]
        key += lineKey(cast)
        for subscriber in subscribers { key += [subscriber.last, subscriber.isCancelled ? 1 : 0] }
        for thread in threads {
            key += [-7, thread.jobs.count, thread.own, thread.isHeard ? 1 : 0, thread.commitsAgain ? 1 : 0]
            key += [thread.outer ?? -1, thread.delivered, thread.admitted?.item.version ?? -1]
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
            case .lock: key.append(12)
            case .stop: key.append(13)
            case .waitForWork: key.append(14)
            case .done: key.append(15)
            case .goOn: key.append(16)
            }
        }
        return key
    }

    /// What a copy of the line does: how many wait in it, whether somebody is at it, and whether it stops at their end.
    private func lineKey(_ cast: Cast) -> [Int] {
        cast.progress.settled = .max
        var copy = line
        let probe = DeliveringThread(place: .max)
        let admitted = copy.admit(DeliveryLine.Item(node: cast.nodes[0], recorded: nil), by: probe)
        let isTaken = admitted == nil && !copy.begin(through: .max, by: probe)
        copy.takeOver(by: probe)
        var ending = DeliveryLine.Ending()
        var count = admitted == nil ? 0 : 1
        while copy.take(&ending) != nil { count += 1 }
        return [isTaken ? 1 : 0, count, ending.isStopDue ? 1 : 0, line.subscribers.count]
    }
}
