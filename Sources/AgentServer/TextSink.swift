import CommandLine
import JSONCore
import Platform

/// A text that is kept.
final class TextSink: ByteSink {
    private var bytes: [UInt8] = []
    private let limit: Int
    private let stop: StopRequest?

    /// Keeps the first `limit` bytes.
    init(limit: Int, until stop: StopRequest? = nil) {
        self.limit = limit
        self.stop = stop
    }

    var text: String {
        var text = String(decoding: bytes, as: UTF8.self)
        while text.utf8.last == UInt8(ascii: "\n") { text.removeLast() }
        return text
    }

    func write(_ new: ByteView) throws(OutputError) {
        if stop?.isMade == true { throw .closed }
        bytes += new.prefix(max(0, limit - bytes.count))
    }
}
