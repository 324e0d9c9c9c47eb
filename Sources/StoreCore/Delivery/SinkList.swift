/// Subscribers in the order of their subscriptions.
///
/// One that goes leaves a hole, and the holes are closed when they are as many as the others: so its end costs the same
/// however many there are.
struct SinkList: Sendable {
    private var sinks: [(birth: Int, sink: Sink?)] = []
    /// How many there are.
    private(set) var count = 0

    /// Whether there is none.
    var isEmpty: Bool { count == 0 }

    mutating func append(_ sink: Sink) {
        sinks.append((sink.birth, sink))
        count += 1
    }

    /// - Complexity: O(log *n*) on average.
    mutating func remove(_ sink: Sink) {
        // They were born in this order.
        var (low, high) = (0, sinks.count)
        while low < high {
            let middle = (low + high) / 2
            if sinks[middle].birth < sink.birth { low = middle + 1 } else { high = middle }
        }
        guard low < sinks.count, sinks[low].sink === sink else { return }
        sinks[low].sink = nil
        count -= 1
        if count * 2 < sinks.count { sinks.removeAll { $0.sink == nil } }
    }

    func forEach(_ body: (Sink) -> Void) {
        for (_, sink) in sinks { if let sink { body(sink) } }
    }
}
