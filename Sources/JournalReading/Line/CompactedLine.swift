import JSONCore
import JournalFormat

/// A copy of a line without the white space between its tokens, for passes that read lines of our writer's form in place: other
/// writers' lines mostly differ from it in nothing else.
///
/// The reader of the copy proves its form (``ProvenLine``) as that of any line: what is not JSON here is not JSON
/// there.
package struct CompactedLine: Sendable {
    /// Kept from one line to the next, so that nothing is allocated for most of them.
    private var bytes: [UInt8] = []

    /// Without a line.
    package init() {}

    /// Calls a closure with a copy of a line that has no white space, valid during the call.
    ///
    /// - Parameter body: what is done with it.
    /// - Returns: what the closure returns; nil where the line cannot be followed.
    /// - Complexity: every byte is read once.
    package mutating func withCompacted<Result>(_ line: RecordLine, _ body: (RecordLine) -> Result?) -> Result? {
        guard copy(line.bytes) else { return nil }
        return bytes.withUnsafeBytes { bytes in
            guard let head = LineHead(bytes), head.seq == line.seq.rawValue, head.kind == line.kind else { return nil }
            return body(
                RecordLine(
                    seq: line.seq, kind: line.kind, offset: line.offset, number: line.number, bytes: bytes,
                    hasNewline: line.hasNewline, resumed: line.resumed, membersStart: head.end, journal: line.journal))
        }
    }

    /// Calls a closure with the contents of a commit's line; nil where the line is not in our writer's form, white
    /// space apart, and so has to be parsed.
    ///
    /// - Parameter body: what is done with it; nothing of it is valid after the call.
    /// - Complexity: every byte is read once, and twice and copied where there is white space; what another thread that read ahead has
    ///   found is taken from there.
    package mutating func withCommit<Result>(_ line: RecordLine, _ body: (CommitText) -> Result) -> Result? {
        if let found = line.findings?.commit(at: line.findingIndex) { return found.map(body) }
        var prover = LineProver()
        if let commit = prover.compactCommit(line) { return body(commit) }
        return withCompacted(line) { line in prover.compactCommit(line).map(body) }
    }

    /// Copies a text; false where a string does not end, or white space parts what would be one token without it.
    private mutating func copy(_ text: UnsafeRawBufferPointer) -> Bool {
        bytes.removeAll(keepingCapacity: true)
        bytes.reserveCapacity(text.count)
        var scanner = LineScanner(text)
        while !scanner.isAtEnd() {
            let start = scanner.place
            if text[start] == UInt8(ascii: "\"") {
                guard scanner.string() != nil else { return false }
            } else {
                if let last = bytes.last, !isStructural(last), !isStructural(text[start]) { return false }
                scanner.skipToken()
            }
            bytes.append(contentsOf: text[start..<scanner.place])
        }
        return true
    }

    /// Whether a byte is a token of its own, or the end of a string.
    private func isStructural(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","),
            UInt8(ascii: ":"), UInt8(ascii: "\""):
            true
        default: false
        }
    }
}
