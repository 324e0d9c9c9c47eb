import JournalFormat
import TestSupport
import Testing
import TimeTravel

@Suite("Histograms")
struct HistogramTests {
    @Test(
        "a quantile is exact below the limit and at most a 64th too high above", arguments: seeds(1..<9)
    )
    func quantiles(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var histogram = SizeHistogram()
        var sizes: [Int] = []
        for _ in 0..<Int.random(in: 1...400, using: &random) {
            let size = Int.random(in: 0...(1 << Int.random(in: 1...40, using: &random)), using: &random)
            sizes.append(size)
            histogram.add(size)
        }
        sizes.sort()
        for part in [1, 10, 250, 500, 900, 990, 999, 1000] {
            let real = sizes[max(1, (sizes.count * part + 999) / 1000) - 1]
            let told = histogram.quantile(part) ?? -1
            if real < SizeHistogram.exactLimit {
                #expect(told == real, "seed \(seed), \(part)")
            } else {
                #expect(told >= real && told - real <= real / 64, "seed \(seed), \(part)")
            }
        }
        #expect(histogram.largest == sizes.last && histogram.count == sizes.count)
        #expect(histogram.sum == sizes.reduce(0, +))
    }

    @Test("nothing has no quantile, and sizes at the ends of their type are counted")
    func ends() {
        var histogram = SizeHistogram()
        #expect(histogram.quantile(500) == nil)
        histogram.add(.max)
        histogram.add(0)
        #expect(histogram.quantile(1000) == .max && histogram.quantile(1) == 0)
    }

    /// Moments that rarely fall, hours apart and microseconds.
    private static func moments(_ random: inout SeededGenerator) -> [Timestamp] {
        var time = Int.random(in: -1_000_000_000...1_000_000_000, using: &random)
        return (0..<Int.random(in: 1...500, using: &random)).map { _ in
            let step = 1 << Int.random(in: 0...30, using: &random)
            time += Int.random(in: (Bool.random(using: &random) ? 0 : -step / 8)...step, using: &random)
            return Timestamp(microseconds: time)
        }
    }

    @Test("times fill at most 64 intervals, each commit in its own", arguments: seeds(1..<13))
    func times(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var histogram = TimeHistogram()
        let times = Self.moments(&random)
        for time in times { histogram.add(time) }
        let start = times[0].microseconds
        #expect(histogram.start == times[0])
        var expected = Array(repeating: 0, count: histogram.counts.count)
        for time in times { expected[max(0, time.microseconds - start) / histogram.width] += 1 }
        #expect(histogram.counts == expected, "seed \(seed)")
        #expect(histogram.counts.count <= TimeHistogram.limit)
    }

    @Test("times at both ends of their type, and a clock that falls, do no harm")
    func extremes() {
        var histogram = TimeHistogram()
        for time in [Int.min, Int.max, 0] { histogram.add(Timestamp(microseconds: time)) }
        #expect(histogram.counts.reduce(0, +) == 3 && histogram.counts.count <= TimeHistogram.limit)
    }
}
