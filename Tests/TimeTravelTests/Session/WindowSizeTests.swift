import JournalFormat
import Testing

@testable import TimeTravel

@Suite("How much of a run is asked at once")
struct WindowSizeTests {
    /// How long it takes to ask all of a run from its end to its start, as a multiple of one pass over it.
    ///
    /// - Parameter way: how many positions lie between the nearest state and a position.
    private func cost(of positions: Int, way: (Int) -> Int) -> Double {
        var (upper, size, spent) = (positions, WindowSize(), Duration.zero)
        while upper > 0 {
            let lower = size.start(before: CommitNumber(upper), CommitNumber(0)).rawValue
            let opening = Duration.microseconds(way(lower))
            let total = opening + .microseconds(upper - lower)
            size.note(total: total, opening: opening)
            spent += total
            upper = lower
        }
        return spent / .microseconds(positions)
    }

    @Test(
        "without keyframes it takes some passes over the run, however long that is",
        arguments: [10_000, 1_000_000, 10_000_000])
    func withoutKeyframes(positions: Int) {
        #expect(cost(of: positions) { $0 } < 12)
    }

    @Test("with keyframes it takes hardly more than one", arguments: [10_000, 1_000_000, 10_000_000])
    func withKeyframes(positions: Int) {
        #expect(cost(of: positions) { $0 % 200 } < 1.2)
    }

    @Test("what can be stopped is stopped within a second, where a window begins at once")
    func short() {
        var size = WindowSize()
        for _ in 0..<50 { size.note(total: .microseconds(size.count * 10), opening: .zero) }
        #expect(size.count * 10 < 1_000_000)
    }
}
