internal import JSONCore

/// The key under which values are hashed that a journal must not hold, and the forms that they leave in it.
///
/// What is hashed is a value's canonical JSON text: compact, members in ascending order of UTF-8. Equal values so have equal
/// hashes under one key, wherever they stand.
package struct RedactionKey: Sendable {
    /// The hash after its key: each value starts from a copy.
    private let start: KeyedHash

    /// A key of the app's, under which hashes compare over runs.
    package init(_ bytes: [UInt8]) { start = KeyedHash(key: bytes) }

    /// A random key, which is not shown anywhere: hashes compare within one run.
    package static func random() -> RedactionKey {
        var generator = SystemRandomNumberGenerator()
        return RedactionKey((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    package var hash: KeyedHash { start }

    /// Appends what stands for a value that is left out: `{"$redacted":"9f2c41d05e1b77aa"}`.
    ///
    /// - Parameter canonical: the value's canonical JSON text.
    package func appendRedacted(_ canonical: [UInt8], to bytes: inout [UInt8]) {
        var hash = start
        canonical.withBytes { hash.update($0) }
        bytes.append(contentsOf: "{\"$redacted\":\"".utf8)
        RedactionKey.append(hash, to: &bytes)
        bytes.append(contentsOf: "\"}".utf8)
    }

    /// Appends what stands for a value that is too large: `{"$omitted":{"bytes":n,"hash":"…"}}`.
    ///
    /// - Parameter byteCount: the length of the value's JSON text, which `hash` has taken in.
    package static func appendOmitted(byteCount: Int, hash: KeyedHash, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "{\"$omitted\":{\"bytes\":\(byteCount),\"hash\":\"".utf8)
        append(hash, to: &bytes)
        bytes.append(contentsOf: "\"}}".utf8)
    }

    /// The first 64 bits of a hash as 16 hexadecimal digits.
    private static func append(_ hash: KeyedHash, to bytes: inout [UInt8]) {
        for byte in hash.finish().prefix(8) {
            for digit in [byte >> 4, byte & 15] { bytes.append(digit < 10 ? digit + 48 : digit + 87) }
        }
    }
}
