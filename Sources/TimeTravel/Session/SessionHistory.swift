/// Where a session was, to go back there and forward again.
struct SessionHistory {
    /// No more places are remembered.
    private static let limit = 10_000

    private var past: [SessionPosition] = []
    private var future: [SessionPosition] = []

    /// Notes that a motion left a position.
    mutating func leave(_ position: SessionPosition) {
        future.removeAll()
        past.append(position)
        if past.count > SessionHistory.limit { past.removeFirst(SessionHistory.limit / 10) }
    }

    /// The position so many motions ago, or after; nil where there are not that many.
    func place(_ direction: SessionDirection, _ count: Int) -> SessionPosition? {
        let places = direction == .backward ? past : future
        return count >= 1 && count <= places.count ? places[places.count - count] : nil
    }

    /// Notes that the session went there from a position.
    mutating func go(_ direction: SessionDirection, _ count: Int, from position: SessionPosition) {
        var here = position
        for _ in 0..<count {
            if direction == .backward {
                future.append(here)
                here = past.removeLast()
            } else {
                past.append(here)
                here = future.removeLast()
            }
        }
    }
}
