/// Lines of a descriptor, one by one as they are typed: nothing after a line is taken.
package enum InputLine {
    /// The longest line that is taken; a longer one is not an answer to anything.
    package static let lengthLimit = 4096

    /// The next line without its end; nil at the end of the input, and where it cannot be read.
    ///
    /// - Parameter limit: how many bytes of it are taken; the rest is a line of its own.
    package static func next(from descriptor: Int32, limit: Int = lengthLimit) -> String? {
        var bytes: [UInt8] = []
        while bytes.count < limit {
            var byte: UInt8 = 0
            let count = unsafe withUnsafeMutableBytes(of: &byte) { buffer in
                unsafe (try? FileDescriptor.read(from: descriptor, into: buffer)) ?? 0
            }
            guard count == 1 else { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
            if byte == UInt8(ascii: "\n") { break }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
