import JSONCore
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
        Array("[]".utf8).withBytes { patch in
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
        #expect(line.withBytes { LineSum.check($0) } == .right)
    }

    @Test("the sum is CRC-32C: the check values of RFC 3720")
    func crc() {
        let check = Array("123456789".utf8)
        #expect(check.withBytes { LineSum.of($0) } == 0xE306_9283)
        let zeros = [UInt8](repeating: 0, count: 32)
        #expect(zeros.withBytes { LineSum.of($0) } == 0x8A91_36AA)
    }

    @Test("a flipped byte makes the sum wrong, a line without a sum has none")
    func wrongSum() {
        var builder = LineBuilder()
        builder.close(seq: .zero, store: "cart", time: time)
        var line = Array(builder.bytes.dropLast())
        line[3] ^= 1
        #expect(line.withBytes { LineSum.check($0) } != .right)
        #expect(Array("{\"seq\":1}".utf8).withBytes { LineSum.check($0) } == .none)
        #expect(Array(",\"sum\":\"1A2b3c4d\"}".utf8).withBytes { LineSum.check($0) } == .none)
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
        changed.withBytes { other.resummed($0) }
        #expect(Array(other.bytes.dropLast()).withBytes { LineSum.check($0) } == .right)
        #expect(text(other).contains("user"))
        var again = LineBuilder()
        Array(#"{"seq":1,"kind":"x"}"#.utf8).withBytes { again.resummed($0) }
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
    func refused(text: String) { #expect(Timestamp(text) == nil) }
}

@Suite("SHA-256 and HMAC")
struct KeyedHashTests {
    static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal.utf8)
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16) ?? 0
        }
    }

    static func digest(_ message: [UInt8]) -> String {
        var hash = SHA256()
        message.withBytes { hash.update($0) }
        return hexadecimal(hash.finish())
    }

    @Test(
        "SHA-256 gives the digests of FIPS 180-4's examples",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                String(repeating: "a", count: 1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
        ])
    func digests(message: String, expected: String) { #expect(Self.digest(Array(message.utf8)) == expected) }

    @Test("the digest does not depend on the pieces that the bytes come in")
    func pieces() {
        let message = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for length in [0, 1, 55, 56, 63, 64, 65, 119, 128, 300] {
            for piece in [1, 3, 63, 64, 65, 200] {
                var hash = SHA256()
                for start in stride(from: 0, to: length, by: piece) {
                    Array(message[start..<min(start + piece, length)]).withBytes { hash.update($0) }
                }
                #expect(
                    Self.hexadecimal(hash.finish()) == Self.digest(Array(message[..<length])), "\(length), \(piece)")
            }
        }
    }

    /// RFC 4231, section 4: cases 1 to 4, 6 and 7.
    static let cases: [(key: [UInt8], data: [UInt8], hash: String)] = [
        (
            [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            bytes("0102030405060708090a0b0c0d0e0f10111213141516171819"), [UInt8](repeating: 0xCD, count: 50),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131),
            Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131),
            Array(
                ("This is a test using a larger than block-size key and a larger than block-size data. "
                    + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ]

    @Test("HMAC gives the hashes of RFC 4231", arguments: cases.indices)
    func hashes(index: Int) {
        let (key, data, expected) = Self.cases[index]
        var hash = KeyedHash(key: key)
        data.withBytes { hash.update($0) }
        #expect(Self.hexadecimal(hash.finish()) == expected)
    }

    @Test("a redacted value is the first 64 bits of the hash of its canonical text")
    func redacted() {
        var text: [UInt8] = []
        RedactionKey(Self.cases[1].key).appendRedacted(Self.cases[1].data, to: &text)
        #expect(String(decoding: text, as: UTF8.self) == #"{"$redacted":"5bdcc146bf60754e"}"#)
    }
}
