internal import JSONCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// `debug` and `stderr`: the input as it is, printed to standard error on the way.
final class DebugNode: Node {
    let prefix: String
    let suffix: String

    init(prefix: String, suffix: String) {
        self.prefix = prefix
        self.suffix = suffix
    }

    override func settle() { multiplicity = .one }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        var line = Array((prefix + ValueText.json(input) + suffix).utf8)[...]
        while !line.isEmpty {
            let written = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
            // Nothing hangs on whether anybody reads it.
            guard written > 0 else { break }
            line = line.dropFirst(written)
        }
        return input
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        _ = try one(at.value, frame)
        return try sink(at)
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.consume(input)
        return input
    }
}
