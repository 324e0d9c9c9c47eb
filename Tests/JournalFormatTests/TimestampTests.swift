import Testing
import TestSupport

@testable import JournalFormat

@Suite("Times")
struct TimestampTests {
    @Test(
        "known moments are written as RFC 3339 in UTC with six digits",
        arguments: [
            (0, "1970-01-01T00:00:00.000000Z"), (-1, "1969-12-31T23:59:59.999999Z"),
            (951_782_400_000_001, "2000-02-29T00:00:00.000001Z"),
            (1_795_236_797_000_123, "2026-11-21T04:53:17.000123Z"),
        ])
    func known(microseconds: Int, text: String) {
        #expect(Timestamp(microseconds: microseconds).text == text)
        #expect(Timestamp(text)?.microseconds == microseconds)
    }

    @Test("a time that no RFC 3339 text can hold is moved to the nearest that it can")
    func extremes() {
        #expect(Timestamp(microseconds: .max).text == "9999-12-31T23:59:59.999999Z")
        #expect(Timestamp(microseconds: .min).text == "0000-01-01T00:00:00.000000Z")
    }

    @Test("random times are the same after writing and reading", arguments: [1, 2, 3] as [UInt64])
    func roundTrip(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            let time = Timestamp(
                microseconds: Int.random(
                    in: Timestamp.earliest.microseconds...Timestamp.latest.microseconds, using: &random))
            #expect(Timestamp(time.text) == time, "seed \(seed)")
        }
    }

    @Test("offsets, short and long fractions and leap seconds are read")
    func forms() {
        let moment = Timestamp("2026-11-21T04:53:17Z")
        #expect(moment != nil)
        #expect(Timestamp("2026-11-21T05:53:17+01:00") == moment)
        #expect(Timestamp("2026-11-20t23:23:17.0-05:30") == moment)
        #expect(Timestamp("2026-11-21 04:53:17.000000999z") == moment)
        #expect(Timestamp("2016-12-31T23:59:60Z") == Timestamp("2017-01-01T00:00:00Z"))
    }

    @Test(
        "what is no time is refused",
        arguments: [
            "", "2026", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:00:00",
            "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00Z ", "2026-1-01T00:00:00Z", "2026-01-01T00:00:00+0100",
        ])
    func refused(text: String) {
        #expect(Timestamp(text) == nil)
    }
}
