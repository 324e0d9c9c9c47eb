package import JSONCore

/// HMAC-SHA-256 of bytes that come in pieces.
///
/// Source: RFC 2104; its test cases are those of RFC 4231.
package struct KeyedHash: Sendable {
    private var inner = SHA256()
    private var outer = SHA256()

    /// The hash of nothing yet, under a key of any length.
    package init(key: [UInt8]) {
        var block = key
        if block.count > SHA256.blockLength {
            var digest = SHA256()
            key.withBytes { digest.update($0) }
            block = digest.finish()
        }
        block += [UInt8](repeating: 0, count: SHA256.blockLength - block.count)
        block.map { $0 ^ 0x36 }.withBytes { inner.update($0) }
        block.map { $0 ^ 0x5C }.withBytes { outer.update($0) }
    }

    package mutating func update(_ bytes: ByteView) { inner.update(bytes) }

    /// The hash of everything taken in: 32 bytes.
    package consuming func finish() -> [UInt8] {
        var outer = outer
        inner.finish().withBytes { outer.update($0) }
        return outer.finish()
    }
}
