/// A new value of a derived one that waits to be told.
///
/// Two stores may fire one value on two threads. Its place among the others is decided under the network's lock.
struct DerivedOutput<Value: Sendable>: Sendable {
    let node: StateNode<Value>
    let previous: StateNode<Value>?
    let sinks: SinkList
    let commit: CommitReference
    /// What has to come first: until then it is left to the thread that delivers its commit.
    let turn: DerivedTurn
    let protection: StateProtection<Value>?

    func tell() {
        let delivered = Sink.Delivered(
            changes: Changes(node, previous: previous, commit: commit, protection: protection), commit: commit)
        sinks.forEach { $0.deliver(delivered) }
        turn.outstanding.remove()
    }
}
