/// Does one kind of work for a row of items on several threads, and hands the results over in the row's order.
package enum OrderedLanes {
    /// How many items of each lane may wait to be handed over, or be at work.
    package static let reach = 4

    /// Runs the work for each item.
    ///
    /// - Parameters:
    ///   - lanes: how many threads; with one the work is done on the calling thread, as it is where none can be started.
    ///   - each: takes a result on the calling thread; where it throws, no more work is begun.
    package static func run<Item: Sendable, Output>(
        _ items: [Item], lanes: Int, work: @escaping @Sendable (Item) -> Output, each: (Output) throws -> Void
    ) throws {
        let results = OrderedResults(count: items.count, lanes: lanes) { work(items[$0]) }
        while let output = results.next() { try each(output) }
    }
}
