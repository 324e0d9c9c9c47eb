internal import Diagnostics
internal import JSONCore
internal import Platform

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
        // Standard error is mostly a terminal, on which nothing of the input may act; as JSON it means the same.
        FileDescriptor.writeToStandardError(prefix + ControlCharacters.escapedJSON(ValueText.json(input)) + suffix)
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
