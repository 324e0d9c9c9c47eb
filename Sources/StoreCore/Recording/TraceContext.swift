/// The trace of OpenTelemetry that a commit is made in, and the span of it.
///
/// A recorder asks for it with each commit (``Recorder/init(_:durability:redact:labels:limit:options:onError:context:)``) and writes it
/// as `trace` and `span`, so that a commit is found from a trace, and a trace from a commit.
///
/// Source: W3C Trace Context, sections 3.2.2.3 and 3.2.2.4.
public struct TraceContext: Sendable, Hashable {
    /// The trace's id: 32 lower-case hexadecimal digits.
    public let trace: String
    /// The span's id: 16 lower-case hexadecimal digits; nil for none.
    public let span: String?

    /// A context by its ids.
    ///
    /// - Parameters:
    ///   - trace: 32 hexadecimal digits, not all of them zero.
    ///   - span: 16 hexadecimal digits, not all of them zero; nil for none.
    /// - Returns: nil where an id is not such digits: a context that is not valid is none, as in OpenTelemetry.
    public init?(trace: String, span: String? = nil) {
        guard let trace = Self.id(trace, digits: 32) else { return nil }
        self.trace = trace
        guard let span else {
            self.span = nil
            return
        }
        guard let span = Self.id(span, digits: 16) else { return nil }
        self.span = span
    }

    /// The context of a `traceparent` header: `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`.
    ///
    /// - Returns: nil where it is not one.
    public init?(traceparent: String) {
        let parts = traceparent.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, parts[0].utf8.count == 2, parts[0] != "ff", parts[3].utf8.count == 2 else { return nil }
        self.init(trace: String(parts[1]), span: String(parts[2]))
    }

    private static func id(_ text: String, digits: Int) -> String? {
        guard text.utf8.count == digits, text.utf8.contains(where: { $0 != UInt8(ascii: "0") }) else { return nil }
        let isHexadecimal = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"):
                true
            default: false
            }
        }
        return isHexadecimal ? text.lowercased() : nil
    }
}
