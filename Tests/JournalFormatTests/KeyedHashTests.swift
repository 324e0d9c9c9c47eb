import Testing

@testable import JournalFormat

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
        message.withUnsafeBytes { hash.update($0) }
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
    func digests(message: String, expected: String) {
        #expect(Self.digest(Array(message.utf8)) == expected)
    }

    @Test("the digest does not depend on the pieces that the bytes come in")
    func pieces() {
        let message = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for length in [0, 1, 55, 56, 63, 64, 65, 119, 128, 300] {
            for piece in [1, 3, 63, 64, 65, 200] {
                var hash = SHA256()
                for start in stride(from: 0, to: length, by: piece) {
                    message[start..<min(start + piece, length)].withUnsafeBytes { hash.update($0) }
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
        data.withUnsafeBytes { hash.update($0) }
        #expect(Self.hexadecimal(hash.finish()) == expected)
    }

    @Test("a redacted value is the first 64 bits of the hash of its canonical text")
    func redacted() {
        var text: [UInt8] = []
        RedactionKey(Self.cases[1].key).appendRedacted(Self.cases[1].data, to: &text)
        #expect(String(decoding: text, as: UTF8.self) == #"{"$redacted":"5bdcc146bf60754e"}"#)
    }
}
