/// What one derived value has yet to tell: a pure state machine.
///
/// Two stores may fire one value on two threads. Its place in the line is decided under the network's lock; whoever finds
/// nobody telling goes on until nothing is left that may be told.
struct OutputLine<Value: Sendable>: Sendable {
    /// A new value that waits to be told.
    struct Item: Sendable {
        let node: StateNode<Value>
        let previous: StateNode<Value>?
        let sinks: [Sink]
        let commit: CommitReference
        let turn: DerivedTurn
        let protection: StateProtection<Value>?

        func tell() {
            let delivered = Sink.Delivered(
                changes: Changes(node, previous: previous, commit: commit, protection: protection), commit: commit)
            for sink in sinks { sink.deliver(delivered) }
            turn.outstanding.remove()
        }
    }

    private var items: [Item] = []
    private var isTelling = false

    mutating func append(_ item: Item) { items.append(item) }

    /// Makes the caller the one who tells, unless there is one.
    mutating func begin() -> Bool {
        guard !isTelling, !items.isEmpty else { return false }
        isTelling = true
        return true
    }

    /// Ends the caller's turn in the middle, for another thread to go on; false where there is nothing to go on with.
    mutating func handOn() -> Bool {
        if items.first?.turn.hasCome ?? false { isTelling = false }
        return !isTelling
    }

    /// The next value; nil ends the caller's turn.
    ///
    /// One whose turn has not come is left to the thread that delivers its commit, which comes here then.
    mutating func take() -> Item? {
        guard let first = items.first, first.turn.hasCome else {
            isTelling = false
            return nil
        }
        return items.removeFirst()
    }
}
