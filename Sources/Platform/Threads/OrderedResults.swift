/// Does one kind of work for each item on several threads, and passes the results on in the items' order.
package enum ParallelMap {
    /// How many items of each thread may be at work, or done and waiting for their turn.
    package static let reach = 4

    /// - Parameters:
    ///   - threads: how many threads; with one the work is done on the calling thread, as it is where none can be started.
    ///   - each: takes a result on the calling thread; where it throws, no more work is begun.
    package static func run<Item: Sendable, Output>(
        _ items: [Item], threads: Int, work: @escaping @Sendable (Item) -> Output, each: (Output) throws -> Void
    ) throws {
        let results = OrderedResults(count: items.count, threads: threads) { work(items[$0]) }
        while let output = results.next() { try each(output) }
    }
}

/// A row of results that several threads make ahead of the caller, who takes them in order.
///
/// The threads run at most ``ParallelMap/reach`` items each ahead of the results that were taken, so that memory does not
/// grow with the row. Each thread has a stack for the deepest query. When the row goes away, no more work is begun.
package final class OrderedResults<Output> {
    private let count: Int
    private let work: @Sendable (Int) -> Output
    private let state = ThreadCondition(WorkState<Output>())
    /// Whether no thread could be started: then the caller that takes a result makes it.
    private let isAlone: Bool
    private var taken = 0

    /// - Parameters:
    ///   - threads: how many threads; with one the work is done on the thread that takes the results.
    ///   - work: makes the result of a number below `count`.
    package init(count: Int, threads: Int, work: @escaping @Sendable (Int) -> Output) {
        self.count = count
        self.work = work
        let threads = min(threads, count)
        var started = 0
        let state = state
        for _ in 0..<(threads > 1 ? threads : 0) {
            let thread = try? SystemThread.start(stackSize: LargeStack.size) {
                OrderedResults.runWorker(count, window: threads * ParallelMap.reach, state, work)
            }
            guard let thread else { break }
            thread.detach()
            started += 1
        }
        isAlone = started == 0
    }

    deinit { state.change { $0.isStopped = true } }

    /// The next result, waited for where it is not there yet; nil after the last.
    package func next() -> Output? {
        guard taken < count else { return nil }
        let index = taken
        taken += 1
        return isAlone ? work(index) : state.wait { $0.take(index) }
    }

    private static func runWorker(
        _ count: Int, window: Int, _ state: ThreadCondition<WorkState<Output>>, _ work: (Int) -> Output
    ) {
        while case .item(let index) = state.wait(for: { $0.claim(of: count, window: window) }) {
            let output = work(index)
            state.change { $0.done[index] = output }
        }
    }
}

/// How far the row is; shared by the threads.
private struct WorkState<Output> {
    /// The next item that no thread has taken.
    var next = 0
    /// The item whose result is passed on next.
    var delivered = 0
    var done: [Int: Output] = [:]
    var isStopped = false

    enum Claim {
        case item(Int)
        case nothingLeft
    }

    /// Takes the next item; nil where the thread has to wait.
    mutating func claim(of count: Int, window: Int) -> Claim? {
        if isStopped || next >= count { return .nothingLeft }
        guard next < delivered + window else { return nil }
        next += 1
        return .item(next - 1)
    }

    mutating func take(_ index: Int) -> Output? {
        guard let output = done.removeValue(forKey: index) else { return nil }
        delivered = index + 1
        return output
    }
}
