import TestSupport
import Testing

@testable import JournalFormat

@Suite("Lines of a journal")
struct LineBuilderTests {
    let location = SourceLocation(file: "Shop/Cart.swift", line: 42, column: 9, function: "add(_:)")
    let time = Timestamp("2026-11-21T04:53:17.000123Z")!

    func text(_ builder: LineBuilder) -> String { String(decoding: builder.bytes, as: UTF8.self) }

    @Test("a commit's line has its members in the order of the format and ends with its sum")
    func commitLine() {
        var builder = LineBuilder()
        Array("[]".utf8).withUnsafeBytes { patch in
            builder.commit(
                seq: CommitNumber(7), store: "cart", version: 3, time: time, at: location, name: "add",
                action: EncodedAction(type: "A.b", payload: Array("{\"n\":1}".utf8)), cause: CommitNumber(6),
                thread: "main",
                patch: patch)
        }
        let body = #"""
            {"seq":7,"kind":"commit","store":"cart","version":3,"time":"2026-11-21T04:53:17.000123Z","at":{"file":"Shop/Cart.swift","line":42,"column":9,"function":"add(_:)"},"name":"add","action":{"type":"A.b","payload":{"n":1}},"cause":6,"thread":"main","patch":[]
            """#
        #expect(text(builder).hasPrefix(body + #","sum":""#))
        #expect(text(builder).hasSuffix("\"}\n"))
        let line = Array(builder.bytes.dropLast())
        #expect(line.withUnsafeBytes { LineSum.check($0) } == .right)
    }

    @Test("the sum is CRC-32C: the check values of RFC 3720")
    func crc() {
        let check = Array("123456789".utf8)
        #expect(check.withUnsafeBytes { LineSum.of($0) } == 0xE306_9283)
        let zeros = [UInt8](repeating: 0, count: 32)
        #expect(zeros.withUnsafeBytes { LineSum.of($0) } == 0x8A91_36AA)
    }

    @Test("a flipped byte makes the sum wrong, a line without a sum has none")
    func wrongSum() {
        var builder = LineBuilder()
        builder.close(seq: .zero, store: "cart", time: time)
        var line = Array(builder.bytes.dropLast())
        line[3] ^= 1
        #expect(line.withUnsafeBytes { LineSum.check($0) } != .right)
        #expect(Array("{\"seq\":1}".utf8).withUnsafeBytes { LineSum.check($0) } == .none)
        #expect(Array(",\"sum\":\"1A2b3c4d\"}".utf8).withUnsafeBytes { LineSum.check($0) } == .none)
    }

    @Test("strings escape the quote, the backslash and control characters only, as jq does")
    func strings() {
        var builder = LineBuilder()
        builder.string("a\"\\\n\r\t\u{8}\u{c}\u{1}\u{1f}\u{7f}é\u{1F600}/")
        #expect(text(builder) == #""a\"\\\n\r\t\b\f\u0001\u001f\u007fé"# + "\u{1F600}/\"")
    }

    @Test("integers are written whole", arguments: [0, 9, 10, -1, -10, 1234, .max, .min])
    func integers(value: Int) {
        var builder = LineBuilder()
        builder.integer(value)
        #expect(text(builder) == String(value))
    }

    @Test("a record that is abandoned leaves the lines before it")
    func abandon() {
        var builder = LineBuilder()
        builder.close(seq: .zero, store: "a", time: time)
        let before = builder.bytes
        builder.beginKeyframe(seq: .zero)
        builder.stateKey("a")
        builder.abandonRecord()
        #expect(builder.bytes == before)
        #expect(builder.records.count == 1)
    }

    @Test("a changed line gets a new sum, and loses none of its members")
    func resummed() {
        var builder = LineBuilder()
        builder.close(seq: .zero, store: "cart", time: time)
        let line = Array(builder.bytes.dropLast())
        let changed = Array(String(decoding: line, as: UTF8.self).replacing("cart", with: "user").utf8)
        var other = LineBuilder()
        changed.withUnsafeBytes { other.resummed($0) }
        #expect(Array(other.bytes.dropLast()).withUnsafeBytes { LineSum.check($0) } == .right)
        #expect(text(other).contains("user"))
        var again = LineBuilder()
        Array(#"{"seq":1,"kind":"x"}"#.utf8).withUnsafeBytes { again.resummed($0) }
        #expect(text(again).hasPrefix(#"{"seq":1,"kind":"x","sum":""#))
    }
}

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
