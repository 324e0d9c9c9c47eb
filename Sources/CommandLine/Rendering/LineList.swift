package struct ListOrder: Sendable {
    package var limit = Int.max
    package var isReversed = false

    package init(limit: Int = .max) { self.limit = limit }

    package init(_ typed: TypedArguments) throws(UsageError) {
        limit = try typed.number(.maxCount, atLeast: 0) ?? .max
        isReversed = typed.has(.reverse)
    }
}

/// The rows of a list that is printed while it is read: each call returns the rows that are due now.
///
/// In reverse the last rows are kept until the end, at most twice as many as are wanted.
package struct LineList<Row> {
    private let order: ListOrder
    /// How many rows are known before the first is printed, so that the columns fit them.
    private let lookAhead: Int
    private var waiting: [Row] = []
    private var isFlowing = false
    private var count = 0

    package init(_ order: ListOrder, lookAhead: Int = 64) {
        (self.order, self.lookAhead) = (order, lookAhead)
    }

    package var isFull: Bool { order.limit == 0 || (!order.isReversed && count >= order.limit) }

    /// Adds a row, unless it is one more than are wanted.
    package mutating func take(_ row: Row?, isCounted: Bool = true) -> [Row] {
        if isCounted {
            guard !isFull else { return [] }
            count += 1
        }
        guard let row else { return [] }
        waiting.append(row)
        if order.isReversed {
            // The oldest go in one step, so that a row costs O(1).
            if waiting.count / 2 >= order.limit { waiting.removeFirst(waiting.count - order.limit) }
            return []
        }
        return isFlowing || waiting.count >= lookAhead ? flush() : []
    }

    package mutating func flush() -> [Row] {
        isFlowing = true
        defer { waiting.removeAll() }
        return order.isReversed ? waiting.suffix(order.limit).reversed() : waiting
    }
}
