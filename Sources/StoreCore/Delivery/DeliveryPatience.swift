/// How long a thread goes on with what others left to it.
struct DeliveryPatience {
    private let limit: Duration
    private var start: ContinuousClock.Instant?

    init(limit: Duration) { self.limit = limit }

    /// Begins to count, unless it did.
    mutating func begin() { if start == nil { start = .now } }

    /// Whether it is at an end; begins to count, unless it did.
    var isOver: Bool {
        mutating get {
            begin()
            return start.map { $0.duration(to: .now) >= limit } ?? false
        }
    }
}
