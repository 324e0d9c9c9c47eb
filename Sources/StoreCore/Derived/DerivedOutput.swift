/// A new value of a derived one that waits to be reported to its subscribers.
///
/// Two stores may fire one value on two threads. Its place among the others is decided under the network's lock. It is of no
/// generic type, so that what hands it on need not look its metadata up.
struct DerivedOutput: Versioned {
    let delivered: Sink.Delivered
    let sinks: SinkList
    let commit: CommitReference
    /// What has to come first: until then it is left to the thread that delivers its commit.
    let turn: DerivedTurn

    var version: Int { delivered.version }

    func tell() {
        sinks.forEach { $0.deliver(delivered) }
        turn.outstanding.remove()
    }
}
