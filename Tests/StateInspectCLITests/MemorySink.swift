@testable import StateInspectCLI

/// Keeps what is written to it; refuses from a given number of bytes on, if told to.
final class MemorySink: ByteSink {
    private(set) var bytes: [UInt8] = []
    private let limit: Int
    private let refusal: OutputError
    private let onWrite: () -> Void

    /// - Parameter onWrite: is called at each write.
    init(limit: Int = .max, refusal: OutputError = .refused(28), onWrite: @escaping () -> Void = {}) {
        self.limit = limit
        self.refusal = refusal
        self.onWrite = onWrite
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
        guard self.bytes.count + bytes.count <= limit else { throw refusal }
        self.bytes.append(contentsOf: bytes)
        onWrite()
    }
}
