/// Does one kind of work for a row of items on several threads, and hands the results over in the row's order.
///
/// No lane runs further ahead of the results that were handed over than ``reach`` items for each lane, so that memory does not
/// grow with the row. Each thread has a stack for the deepest query.
package enum OrderedLanes {
    /// How many items of each lane may wait to be handed over, or be at work.
    package static let reach = 4

    /// Runs the work for each item.
    ///
    /// - Parameters:
    ///   - lanes: how many threads; with one the work is done on the calling thread, as it is where none can be started.
    ///   - each: takes a result on the calling thread; where it throws, no more work is begun.
    package static func run<Item: Sendable, Output: Sendable>(
        _ items: [Item], lanes: Int, work: @escaping @Sendable (Item) -> Output, each: (Output) throws -> Void
    ) throws {
        let lanes = min(lanes, items.count)
        guard lanes > 1 else {
            for item in items { try each(work(item)) }
            return
        }
        let state = ThreadCondition(LaneState<Output>())
        var started = 0
        for _ in 0..<lanes {
            let thread = try? SystemThread.start(stackSize: LargeStack.size) {
                labor(items, window: lanes * reach, state, work)
            }
            guard let thread else { break }
            thread.detach()
            started += 1
        }
        defer { state.change { $0.isStopped = true } }
        for (index, item) in items.enumerated() {
            if started == 0 {
                try each(work(item))
            } else {
                try each(state.wait { $0.take(index) })
            }
        }
    }

    /// What each thread does until nothing is left.
    private static func labor<Item: Sendable, Output: Sendable>(
        _ items: [Item], window: Int, _ state: ThreadCondition<LaneState<Output>>, _ work: (Item) -> Output
    ) {
        while case .item(let index) = state.wait(for: { $0.claim(of: items.count, window: window) }) {
            let output = work(items[index])
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
