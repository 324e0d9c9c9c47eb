import JournalFormat
import Synchronization

/// A clock that stands still until it is told to go on, so that the same story makes the same journal, byte for byte.
final class ShopClock: Sendable {
    private let microseconds: Atomic<Int>

    init(_ start: Timestamp) {
        microseconds = Atomic(start.microseconds)
    }

    var now: Timestamp { Timestamp(microseconds: microseconds.load(ordering: .relaxed)) }

    func advance(milliseconds: Int) {
        microseconds.add(milliseconds * 1000, ordering: .relaxed)
    }
}
