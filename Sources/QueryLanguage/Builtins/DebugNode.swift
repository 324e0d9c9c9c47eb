internal import Diagnostics
internal import JSONCore

/// `debug` and `stderr`: the input as it is, handed to where messages go on the way.
final class DebugNode: Node {
    let prefix: String
    let suffix: String
    private let messages: QueryEnvironment.Messages

    init(prefix: String, suffix: String, _ messages: @escaping QueryEnvironment.Messages) {
        self.prefix = prefix
        self.suffix = suffix
        self.messages = messages
    }

    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        let text = try ValueText.bounded(input, frame.machine.limits.size)
        try frame.machine.pay(Machine.messageCost &+ text.utf8.count &>> 2)
        // Standard error is mostly a terminal, on which nothing of the input may act; as JSON it means the same.
        messages(prefix + ControlCharacters.escapedJSON(text) + suffix)
        return input
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        _ = try one(at.value, frame)
        return try sink(at)
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.tracer.noteMessages()
        frame.tracer.consume(input)
        return input
    }
}
