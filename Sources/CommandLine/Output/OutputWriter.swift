package import Diagnostics
package import JSONCore
package import Platform

package protocol ByteSink: AnyObject {
    func write(_ bytes: ByteView) throws(OutputError)
}

/// Buffered, and every flush is checked, the last one too: `print` hides write errors, so a full disk or `/dev/full`
/// would end in success.
///
/// The program calls `flush` before it chooses its status.
package final class OutputWriter {
    package static let capacity = 1 << 16

    /// What lines are kept from doing to who reads them; known once the command line is parsed.
    package var protection = Protection.none
    package var isPlain = false

    package enum Protection {
        /// A program: bytes as they are.
        case none
        /// A person, or the log of a workflow: no line holds a command of its runner. Unsafe characters were escaped
        /// earlier, where they could be distinguished from colours.
        case lines
        /// A terminal to which JSON is written: what may not be shown is escaped as JSON does.
        case screen
    }

    package var fit: AnswerFit?
    private var sink: any ByteSink
    private var buffer: [UInt8] = []
    private let isPrompt: Bool
    /// What shows on the same terminal, below what is written.
    private let statusLine: MessageSink?
    private var isRedirected = false
    /// Why the sink took no more, thrown again at each flush: the flush before a message cannot report it.
    private var failure: OutputError?

    /// `isPrompt` writes each line at once, for a person who watches.
    package init(_ sink: any ByteSink, isPrompt: Bool = false, above statusLine: MessageSink? = nil) {
        (self.sink, self.isPrompt, self.statusLine) = (sink, isPrompt, statusLine)
        buffer.reserveCapacity(Self.capacity)
    }

    package func write(_ text: String) throws(OutputError) {
        append(text)
        if buffer.count >= Self.capacity { try flush() }
    }

    package func write(_ bytes: [UInt8]) throws(OutputError) {
        bytes.withBytes { append($0) }
        if isPrompt || buffer.count >= Self.capacity { try flush() }
    }

    package func writeLine(_ text: String, at place: AnswerFit.LinePlace = .row) throws(OutputError) {
        append(text)
        fit?.place = place
        try endLine()
    }

    package func writeLine(_ bytes: ByteView) throws(OutputError) {
        append(bytes)
        try endLine()
    }

    package func writeLine(_ bytes: [UInt8]) throws(OutputError) {
        bytes.withBytes { append($0) }
        try endLine()
    }

    /// What was left out, in words; nil where nothing was.
    package func finish() throws(OutputError) -> String? {
        guard var fit else { return nil }
        self.fit = nil
        buffer += fit.finish()
        try flush()
        return fit.leftOut
    }

    package func flush() throws(OutputError) {
        defer { buffer.removeAll(keepingCapacity: true) }
        if let failure { throw failure }
        guard !buffer.isEmpty else { return }
        if isRedirected { statusLine?.end() } else { statusLine?.hide() }
        let sink = sink
        do throws(OutputError) {
            try buffer.withBytes { (bytes) throws(OutputError) in try sink.write(bytes) }
        } catch {
            failure = error
            throw error
        }
    }

    func redirect(to sink: any ByteSink) {
        self.sink = sink
        isRedirected = true
        failure = nil
    }

    private func append(_ text: String) {
        switch protection {
        case .none: add(text.utf8)
        case .lines: add(signs(LogLine.defused(text)).utf8)
        case .screen: add(signs(ControlCharacters.escapedJSON(text)).utf8)
        }
    }

    private func signs(_ text: String) -> String { isPlain ? PlainSigns.text(text) : text }

    private func add(_ bytes: some Sequence<UInt8>) {
        if fit == nil { buffer.append(contentsOf: bytes) } else { buffer += fit?.take(bytes) ?? [] }
    }

    private func append(_ bytes: ByteView) {
        if protection == .none { return add(bytes) }
        append(String(decoding: bytes, as: UTF8.self))
    }

    private func endLine() throws(OutputError) {
        add(CollectionOfOne(UInt8(ascii: "\n")))
        if isPrompt || buffer.count >= Self.capacity { try flush() }
    }
}

/// The descriptor is closed by its owner.
final class DescriptorSink: ByteSink {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    func write(_ bytes: ByteView) throws(OutputError) {
        do throws(SystemFailure) { try FileDescriptor.write(bytes, to: descriptor) } catch { throw OutputError(error) }
    }
}

package enum OutputError: Error, Equatable {
    /// The output has no reader any more (EPIPE), which is not a fault and needs no message.
    case closed

    /// The system refused, with this `errno`.
    case refused(Int32)

    package init(_ failure: SystemFailure) {
        self = failure.code == Errno.brokenPipe ? .closed : .refused(failure.code)
    }
}

extension OutputError: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        switch self {
        case .closed: Diagnostic(code: "output.closed", "the output has no reader any more")
        case .refused(let code):
            Diagnostic(
                code: "output.refused", "the output cannot be written: \(SystemFailure.text(of: code))",
                notes: ["what was written until then is not the whole answer"])
        }
    }
}

/// Runners read what a workflow's steps print: GitHub's takes a line for a command that begins with `::`, also after
/// white space, and `##[` anywhere; others take `##vso[` and `##teamcity[`.
///
/// What stands in an answer may come from a journal.
enum LogLine {
    static func defused(_ text: String) -> String {
        guard mayHoldCommand(text.utf8) else { return text }
        return String(decoding: defused(Array(text.utf8)), as: UTF8.self)
    }

    /// Within the strings of JSON these escapes mean what they replace.
    static func defused(_ bytes: [UInt8]) -> [UInt8] {
        guard mayHoldCommand(bytes) else { return bytes }
        let (sign, colon) = (UInt8(ascii: "#"), UInt8(ascii: ":"))
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 16)
        var isLineBegin = true
        var last: UInt8 = 0
        for byte in bytes {
            if byte == sign, last == sign {
                result += "\\u0023".utf8
            } else if byte == colon, isLineBegin, last == colon {
                result += "\\u003a".utf8
            } else {
                result.append(byte)
            }
            if byte == UInt8(ascii: "\n") {
                isLineBegin = true
            } else if byte != colon, byte > 0x20, byte < 0x80 {
                // What is not ASCII may be white space too.
                isLineBegin = false
            }
            last = byte
        }
        return result
    }

    private static func mayHoldCommand(_ bytes: some Sequence<UInt8>) -> Bool {
        var last: UInt8 = 0
        for byte in bytes {
            if byte == last, byte == UInt8(ascii: "#") || byte == UInt8(ascii: ":") { return true }
            last = byte
        }
        return false
    }
}
