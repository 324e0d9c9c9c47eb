/// A row of results that several threads make ahead of whoever takes them in order.
///
/// No lane runs further ahead of the results that were taken than ``OrderedLanes/reach`` items for each lane, so that memory does
/// not grow with the row. Each thread has a stack for the deepest query. When the row goes away, no more work is begun.
package final class OrderedResults<Output> {
    private let count: Int
    private let work: @Sendable (Int) -> Output
    private let state = ThreadCondition(LaneState<Output>())
    /// Whether no thread could be started: then whoever takes a result makes it.
    private let isAlone: Bool
    private var taken = 0

    /// Begins the work.
    ///
    /// - Parameters:
    ///   - count: how many results there are.
    ///   - lanes: how many threads; with one the work is done on the thread that takes the results.
    ///   - work: makes the result of a number below `count`.
    package init(count: Int, lanes: Int, work: @escaping @Sendable (Int) -> Output) {
        self.count = count
        self.work = work
        let lanes = min(lanes, count)
        var started = 0
        let state = state
        for _ in 0..<(lanes > 1 ? lanes : 0) {
            let thread = try? SystemThread.start(stackSize: LargeStack.size) {
                OrderedResults.labor(count, window: lanes * OrderedLanes.reach, state, work)
            }
            guard let thread else { break }
            thread.detach()
            started += 1
        }
        isAlone = started == 0
    }

    deinit { state.change { $0.isStopped = true } }

    /// The next result, waited for where it is not there yet; nil behind the last.
    package func next() -> Output? {
        guard taken < count else { return nil }
        let index = taken
        taken += 1
        return isAlone ? work(index) : state.wait { $0.take(index) }
    }

    /// What each thread does until nothing is left.
    private static func labor(
        _ count: Int, window: Int, _ state: ThreadCondition<LaneState<Output>>, _ work: (Int) -> Output
    ) {
        while case .item(let index) = state.wait(for: { $0.claim(of: count, window: window) }) {
            let output = work(index)
            state.change { $0.done[index] = output }
        }
    }
}

/// How far the row is; shared by the lanes.
private struct LaneState<Output> {
    /// The next item that nobody has taken.
    var next = 0
    /// The item whose result is handed over next.
    var delivered = 0
    /// Results that wait, by item.
    var done: [Int: Output] = [:]
    /// Whether whoever takes the results wants no more.
    var isStopped = false

    /// What a lane is to do.
    enum Claim {
        case item(Int)
        case nothingLeft
    }

    /// Takes the next item; nil where the lane has to wait.
    mutating func claim(of count: Int, window: Int) -> Claim? {
        if isStopped || next >= count { return .nothingLeft }
        guard next < delivered + window else { return nil }
        next += 1
        return .item(next - 1)
    }

    /// Hands over the result of an item, if it is there.
    mutating func take(_ index: Int) -> Output? {
        guard let output = done.removeValue(forKey: index) else { return nil }
        delivered = index + 1
        return output
    }
}
