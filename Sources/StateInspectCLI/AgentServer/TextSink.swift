/// A text that is kept.
final class TextSink: ByteSink {
    private var bytes: [UInt8] = []
    private let limit: Int
    private let isCancelled: () -> Bool

    /// Keeps the first `limit` bytes.
    init(limit: Int, isCancelled: @escaping () -> Bool = { false }) {
        self.limit = limit
        self.isCancelled = isCancelled
    }

    var text: String {
        var text = String(decoding: bytes, as: UTF8.self)
        while text.utf8.last == UInt8(ascii: "\n") { text.removeLast() }
        return text
    }

    func write(_ new: UnsafeRawBufferPointer) throws(OutputError) {
        if isCancelled() { throw .closed }
        bytes += new.prefix(max(0, limit - bytes.count))
    }
}
