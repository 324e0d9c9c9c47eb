import JournalFormat
import TestSupport
import Testing

@testable import StoreCore

/// Every order in which the main actor and other threads can take their steps through commits that a subscriber receives
/// on the main actor, at once where it can.
///
/// The line of deliveries and the subscriber's gate are the real ones. Around them stand the steps of `Delivery.drain`
/// and of `Subscriber`, each as much as the code does under one lock. `STATE_INSPECT_SEEDS=all` takes the larger worlds.
struct AtOnceModelTests {
    @Test(
        "in every order of steps each version is received once, in order, on the main actor, in the turn that delivers it",
        arguments: AtOnceModelTests.programs)
    func everyOrder(program: [[AtOnceWorld.Job]]) {
        let search = ModelSearch(AtOnceWorld(program), AtOnceWorld.Cast(program))
        #expect(search.run() == nil)
        #expect(search.ends > 0)
    }

    @Test("the laws notice a subscriber that does a step wrong", arguments: AtOnceWorld.Fault.allCases)
    func teeth(fault: AtOnceWorld.Fault) {
        let isNoticed = AtOnceModelTests.programs.contains { program in
            ModelSearch(AtOnceWorld(program, fault: fault), AtOnceWorld.Cast(program)).run() != nil
        }
        #expect(isNoticed)
    }

    /// What each of the threads does; the first one is the main actor's.
    private static var programs: [[[AtOnceWorld.Job]]] {
        let small: [[[AtOnceWorld.Job]]] = [
            [[.subscribe, .commit, .commit], [.commit, .commit]], [[.subscribe, .commit], [.commit], [.commit]],
            [[.subscribeCommitting, .commit], [.commit, .commit]],
            [[.subscribe, .commitFromReceiver, .commit], [.commit, .commit]],
            [[.subscribe, .commitFromSubscriber], [.commit, .commitFromSubscriber]],
            [[.commit, .commit], [.subscribe, .commit]], [[.commit], [.subscribe], [.commit]],
            [[.subscribe, .commit, .cancel, .commit], [.commit, .commit]],
        ]
        let large: [[[AtOnceWorld.Job]]] = [
            [[.subscribe, .commit, .commit, .commit], [.commit, .commit], [.commit]],
            [[.subscribeCommitting, .commitFromReceiver, .commit], [.commit, .commit], [.commit]],
            [[.commit, .commitFromReceiver, .commit], [.subscribe, .commit, .cancel], [.commit]],
        ]
        return CaseAmount.isAll ? small + large : small
    }
}

/// Where all threads are, and what they share.
struct AtOnceWorld: ModelWorld {
    enum Job {
        case commit, subscribe, cancel
        /// A commit in whose delivery a subscriber elsewhere makes another one.
        case commitFromSubscriber
        /// A commit that the subscriber on the main actor answers with another one.
        case commitFromReceiver
        /// A subscription whose first delivery makes a commit.
        case subscribeCommitting
    }

    /// What the code could do wrong.
    enum Fault: CaseIterable {
        /// A version is received at once although others wait.
        case overtakes
        /// A job receives what waits although a commit has the turn.
        case takesTurnTwice
        /// A commit receives what waits before the first delivery.
        case receivesBeforeStart
        /// What others brought during a turn is left without a job.
        case forgetsJob
        /// A commit on the main actor leaves what it delivers to the job that was scheduled before.
        case leavesToJob
    }

    /// What a thread does next.
    enum Step: Hashable {
        case nextJob, publish, begin, goOn, take, start, startElsewhere, takeFromBacklog, runJob, done
        case deliver(Int), admit(Int), finish(Int)
        case receive(Int, then: [Step])
    }

    /// The objects that stand for the versions.
    final class Cast {
        let nodes: [Changes<Int>]
        let subscriber: Subscriber

        init(_ program: [[Job]]) {
            let place = CommitLocation(file: "M/M.swift", line: 1, column: 1, function: "f()")
            // Each job makes two commits at most.
            nodes = (0...program.joined().count * 2).map {
                Changes($0, version: $0, location: place, cause: nil)
            }
            subscriber = Subscriber(after: nodes[0], isStarting: false) { (_: Changes<Int>) in }
        }

        func delivered(_ version: Int) -> StateVersion {
            nodes[version].copy(after: version > 0 ? nodes[version - 1] : nil)
        }
    }

    struct Thread {
        var jobs: [Job] = []
        var step = Step.nextJob
        /// The version of its own last commit.
        var own = 0
        /// What a subscriber has yet to commit: in the delivery of the thread's own version, or as it receives that.
        var commitsInDelivery = false
        var commitsInReceive = false
        /// Where it continues after a commit that a subscriber made.
        var outer: Step?
        /// Where it continues once it has received what waits.
        var afterBacklog = Step.nextJob
        var isJob = false
    }

    struct Receiver {
        var gate: Subscriber.Gate
        let startsAfter: Int
        /// The version received last.
        var last: Int
        /// Whether the first delivery was made, or is scheduled.
        var hasBegun = false
    }

    private var threads: [Thread]
    private let fault: Fault?
    private var line = DeliveryLine()
    private var version = 0
    /// The last version whose thread came to deliver it.
    private var arrived = 0
    private var receiver: Receiver?

    var threadCount: Int { threads.count }

    init(_ program: [[Job]], fault: Fault? = nil) {
        threads = program.map { Thread(jobs: $0) }
        self.fault = fault
    }
}

extension AtOnceWorld {
    private func isOnMainActor(_ number: Int) -> Bool { number == 0 || threads[number].isJob }

    /// All that runs on the main actor is one thread.
    private func identity(of number: Int) -> DeliveringThread {
        DeliveringThread(place: UInt(isOnMainActor(number) ? 1 : number + 1))
    }

    /// Whether the main actor is at the end of a closure that received what waited.
    private var isReceivingBacklog: Bool { threads[0].step == .takeFromBacklog }

    func canGoOn(_ number: Int, _ cast: Cast) -> Bool {
        let thread = threads[number]
        let isJobRunning = threads.contains { $0.isJob && $0.step != .runJob && $0.step != .done }
        if thread.step == .done { return false }
        if number == 0 { return !isJobRunning }
        guard thread.isJob, thread.step == .runJob else { return true }
        // What a subscriber does may run other jobs of the main actor: a run loop inside its closure.
        let mayRunJob = threads[0].step == .nextJob || threads[0].step == .done || isReceivingBacklog
        return !isJobRunning && mayRunJob
    }

    mutating func step(_ number: Int, _ cast: Cast) -> String? {
        switch threads[number].step {
        case .nextJob: startJob(number, cast)
        case .publish: publish(number, cast)
        case .begin:
            arrived = max(arrived, threads[number].own)
            let hasTurn = line.begin(through: threads[number].own, by: identity(of: number))
            if hasTurn { threads[number].step = .take } else { endCommit(number) }
        case .goOn:
            line.takeOver(by: identity(of: number))
            threads[number].step = .take
        case .take: take(number)
        case .deliver(let version): deliver(version, number)
        case .admit(let version): admit(version, number, cast)
        case .finish(let version): return finish(version, number)
        case .start:
            guard let first = receiver?.startsAfter else { break }
            receiver?.hasBegun = true
            let thread = identity(of: number)
            receiver?.gate.backlog.takeOver(through: first, by: thread)
            threads[number].step = .receive(first, then: [.takeFromBacklog])
            threads[number].afterBacklog = .nextJob
        case .startElsewhere:
            guard let first = receiver?.startsAfter else { break }
            receiver?.hasBegun = true
            receiver?.gate.begin(with: cast.delivered(first))
            schedule()
            threads[number].step = .nextJob
        case .receive(let version, let next): return receive(version, number, next)
        case .takeFromBacklog: takeFromBacklog(number)
        case .runJob: runJob(number)
        case .done: break
        }
        return nil
    }

    private mutating func startJob(_ number: Int, _ cast: Cast) {
        if threads[number].jobs.isEmpty { return threads[number].step = .done }
        let job = threads[number].jobs.removeFirst()
        switch job {
        case .commit, .commitFromSubscriber, .commitFromReceiver:
            threads[number].commitsInDelivery = job == .commitFromSubscriber
            threads[number].commitsInReceive = job == .commitFromReceiver
            threads[number].step = .publish
        case .subscribe, .subscribeCommitting:
            let node = line.listen(from: cast.nodes[version])
            line.add(cast.subscriber)
            var gate = Subscriber.Gate(backlog: DrainQueue(isTaken: true))
            if fault == .receivesBeforeStart { gate.backlog.handOver() }
            receiver = Receiver(gate: gate, startsAfter: node.version, last: node.version - 1)
            threads[number].step = number == 0 ? .start : .startElsewhere
            guard job == .subscribeCommitting else { return }
            (threads[number].own, threads[number].commitsInReceive) = (node.version, true)
        case .cancel:
            receiver?.gate.isCancelled = true
            _ = receiver?.gate.backlog.removeAll()
            line.remove(cast.subscriber)
            _ = line.stopListening()
        }
    }

    private mutating func publish(_ number: Int, _ cast: Cast) {
        version += 1
        threads[number].own = version
        guard line.delivered != nil else { return endCommit(number) }
        let item = DeliveryLine.Item(node: cast.nodes[version], recorded: nil)
        guard line.admit(item, by: identity(of: number)) != nil else { return threads[number].step = .begin }
        arrived = max(arrived, version)
        threads[number].step = .deliver(version)
    }

    /// Goes on with what the commit was made in, or with the next job.
    private mutating func endCommit(_ number: Int) {
        threads[number].step = threads[number].outer ?? .nextJob
        threads[number].outer = nil
    }

    private mutating func take(_ number: Int) {
        var ending = DeliveryLine.Ending()
        if let turn = line.take(&ending) { return threads[number].step = .deliver(turn.item.version) }
        if ending.isStopDue { _ = line.stopListening() }
        if ending.isHandedOver { threads.append(Thread(step: .goOn)) }
        endCommit(number)
    }

    private mutating func deliver(_ version: Int, _ number: Int) {
        threads[number].step = .admit(version)
        guard threads[number].commitsInDelivery, version == threads[number].own else { return }
        threads[number].commitsInDelivery = false
        (threads[number].outer, threads[number].step) = (.admit(version), .publish)
    }

    private mutating func admit(_ version: Int, _ number: Int, _ cast: Cast) {
        // Another thread that is about to make the first delivery receives what comes before it, too.
        threads[number].step = receiver?.hasBegun == false ? .take : .finish(version)
        guard let startsAfter = receiver?.startsAfter, version > startsAfter else { return }
        let isHere = isOnMainActor(number) && fault != .leavesToJob
        let thread = identity(of: number)
        if fault == .overtakes, isHere { return threads[number].step = .receive(version, then: [.finish(version)]) }
        let delivered = cast.delivered(version)
        switch receiver?.gate.admit(delivered, on: thread, isHere: isHere, isInline: false) {
        case .now: threads[number].step = .receive(version, then: [.finish(version)])
        case .turn:
            threads[number].step = .takeFromBacklog
            threads[number].afterBacklog = .finish(version)
        case .later(isFirst: true): schedule()
        case .later(isFirst: false), .refused, nil: break
        }
    }

    private mutating func schedule() { threads.append(Thread(step: .runJob, isJob: true)) }

    private mutating func finish(_ version: Int, _ number: Int) -> String? {
        threads[number].step = .take
        guard isOnMainActor(number), threads[number].outer == nil, let receiver, !receiver.gate.isCancelled else {
            return nil
        }
        return receiver.last < version ? "version \(version) is not received in the turn that delivered it" : nil
    }

    private mutating func receive(_ version: Int, _ number: Int, _ next: [Step]) -> String? {
        guard let last = receiver?.last else { return "there is no subscriber" }
        if !isOnMainActor(number) { return "version \(version) is received elsewhere" }
        if threads[number].isJob, isReceivingBacklog { return "version \(version) is received while another one is" }
        if version != last + 1 { return "version \(version) is received after \(last)" }
        receiver?.last = version
        threads[number].step = next[0]
        guard threads[number].commitsInReceive, version == threads[number].own else { return nil }
        threads[number].commitsInReceive = false
        (threads[number].outer, threads[number].step) = (next[0], .publish)
        return nil
    }

    private mutating func takeFromBacklog(_ number: Int) {
        switch receiver?.gate.backlog.take() {
        case .element(let delivered):
            return threads[number].step = .receive(delivered.version, then: [.takeFromBacklog])
        case .handedOver where fault != .forgetsJob: schedule()
        case .handedOver, .end, nil: break
        }
        threads[number].step = threads[number].isJob ? .done : threads[number].afterBacklog
    }

    private mutating func runJob(_ number: Int) {
        let thread = identity(of: number)
        if fault == .takesTurnTwice { receiver?.gate.backlog.handOver() }
        let hasTurn = receiver?.gate.takeOver(by: thread, isInline: false) ?? false
        threads[number].step = hasTurn ? .takeFromBacklog : .done
    }

    // MARK: Laws

    func lawsAtTheEnd(_ cast: Cast) -> String? {
        if let waiting = threads.first(where: { $0.step != .done }) { return "a thread waits at \(waiting.step)" }
        guard let receiver, !receiver.gate.isCancelled else { return nil }
        if receiver.last != version { return "version \(receiver.last + 1) is never received" }
        return receiver.gate.backlog.isTaken ? "the turn is kept for a job that never comes" : nil
    }

    func key(_ cast: Cast) -> [Int] {
        var key = [version, arrived, line.delivered?.version ?? -1, line.subscribers.count]
        var copy = line
        let probe = DeliveringThread(place: .max)
        let admitted = copy.admit(DeliveryLine.Item(node: cast.nodes[0], recorded: nil), by: probe)
        key.append(admitted != nil || copy.begin(through: .max, by: probe) ? 1 : 0)
        copy.takeOver(by: probe)
        var ending = DeliveryLine.Ending()
        while let turn = copy.take(&ending) { key.append(turn.item.version) }
        key += [-7, ending.isStopDue ? 1 : 0]
        if let receiver {
            let backlog = receiver.gate.backlog
            key += [receiver.last, receiver.startsAfter, receiver.gate.isCancelled ? 1 : 0, backlog.count]
            key.append(receiver.hasBegun ? 1 : 0)
            key += [backlog.isTaken ? 1 : 0, backlog.isAwaited ? 1 : 0, backlog.through]
        }
        for thread in threads where !(thread.isJob && thread.step == .done) {
            key += [-8, thread.jobs.count, thread.own, thread.step.hashValue, thread.afterBacklog.hashValue]
            key += [thread.outer?.hashValue ?? 0, thread.commitsInDelivery ? 1 : 0, thread.commitsInReceive ? 1 : 0]
        }
        return key
    }
}
