// The file format, as it is written. Every byte of a journal that this package makes comes from here and from the functions
// named after the kinds, which live beside their record types (`Records/`).
//
//   file   = journal *record                       each record one line, UTF-8, ended by "\n", no white space between tokens
//   record = {"seq":N,"kind":"K" *member [sum] }
//   member = ,"name":value                         the members of each kind in the order of its function
//   sum    = ,"sum":"1a2b3c4d"                     CRC-32C of the line's bytes before it, lower-case hexadecimal
//
// Whatever changes here must change in the checker too: `TimeTravel/Verification`, `RecordReader` and `LineHead` (what every
// pass checks), and in the manual page state-journal(5).

public import JSONCore

/// Composes lines of a journal in one buffer that is used again and again, without values in between.
///
/// Several whole lines may be composed before they are written. A record is begun, gets its members in the order of the
/// format, and is ended; the functions named after the kinds do all three. A value that is encoded already, or that an encoder
/// appends to ``bytes`` itself after ``key(_:)``, is taken as it is: it must be one JSON value without a raw newline.
public struct LineBuilder: Sendable {
    /// The lines composed so far, and what there is of the one begun.
    public var bytes: [UInt8] = []
    private var lineStart = 0
    /// What the whole lines are, for the writer's totals.
    package private(set) var records: [CountedRecord] = []
    private var composing = CountedRecord(.other, seq: .zero)
    /// The member `time` of the last second, up to its fraction.
    private var secondText: [UInt8] = []
    private var knownSecond: Int?

    /// Makes an empty builder.
    public init() {}

    /// Whether nothing was composed.
    public var isEmpty: Bool { bytes.isEmpty }

    /// Forgets everything composed and keeps the buffer for the next lines.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        records.removeAll(keepingCapacity: true)
        lineStart = 0
    }

    /// Appends the whole lines of another builder.
    package mutating func append(_ other: LineBuilder) {
        bytes.append(contentsOf: other.bytes)
        records.append(contentsOf: other.records)
        lineStart = bytes.count
    }

    package func count(of kind: RecordKind) -> Int { records.count { $0.kind == kind } }

    /// Takes back the record that was begun last, for example because a value of it could not be encoded.
    public mutating func abandonRecord() {
        bytes.removeSubrange(lineStart...)  // the whole lines before it stay
    }

    // MARK: Records

    /// Begins a line: `{"seq":N,"kind":"K"`.
    public mutating func begin(_ kind: RecordKind, seq: CommitNumber) {
        lineStart = bytes.count
        composing = CountedRecord(kind, seq: seq)
        literal("{\"seq\":")
        integer(seq.rawValue)
        literal(",\"kind\":\"")
        literal(kind.name)
        literal("\"")
    }

    /// Begins the line of a commit, up to its version, which is to be appended next.
    mutating func begin(commit seq: CommitNumber, _ head: CommitHead) {
        lineStart = bytes.count
        composing = CountedRecord(.commit, seq: seq, name: head.store)
        literal("{\"seq\":")
        integer(seq.rawValue)
        raw(head.front)
    }

    /// Ends the line with its sum: `,"sum":"…"}` and a newline.
    ///
    /// - Complexity: O(n) in the length of the line.
    public mutating func endRecord() {
        let start = lineStart
        let sum = bytes.withBytes { LineSum.of($0.extracting(start...)) }
        appendTail(sum)
        composing.byteCount = bytes.count - lineStart
        records.append(composing)
        lineStart = bytes.count
    }

    /// Notes the name that the record begun last is about.
    mutating func named(_ name: String) { composing.name = name }

    /// Notes the time that no later record is before, where that is not the record's own.
    mutating func setBack(to time: Timestamp) { composing.time = time }

    /// Notes a store whose state is in the record begun last.
    mutating func holdsState(of store: String) { composing.states.append(store) }

    /// Appends a line that was changed elsewhere: its members as they are, without the sum it had, and the sum it has now.
    ///
    /// Like ``line(_:)``, for commands that write whole files: a ``JournalWriter`` does not count such lines in its totals.
    ///
    /// - Parameter line: one whole record without its newline.
    public mutating func resummed(_ line: ByteView) {
        lineStart = bytes.count
        composing = CountedRecord(.other, seq: .zero)
        let hasSum = LineSum.written(in: line) != nil
        let end = hasSum ? line.count - LineSum.tailLength : line.lastIndex(of: UInt8(ascii: "}")) ?? line.count
        raw(line.extracting(..<end))
        endRecord()
    }

    /// Appends a whole line as it is, and a newline.
    public mutating func line(_ line: ByteView) {
        raw(line)
        literal("\n")
        lineStart = bytes.count
    }

    // MARK: Members

    /// Writes `,"name":`; the value is to be appended next.
    public mutating func key(_ name: StaticString) {
        literal(",\"")
        literal(name)
        literal("\":")
    }

    /// Writes a member whose value is a string.
    public mutating func member(_ name: StaticString, string value: String) {
        key(name)
        string(value)
    }

    /// Writes a member whose value is an integer.
    public mutating func member(_ name: StaticString, integer value: Int) {
        key(name)
        integer(value)
    }

    /// Writes a member whose value is encoded already.
    public mutating func member(_ name: StaticString, raw value: ByteView) {
        key(name)
        raw(value)
    }

    /// Writes the member `time`.
    public mutating func time(_ moment: Timestamp) {
        composing.time = moment
        let (second, microseconds) = moment.parts
        if second != knownSecond {
            // The date of most lines is that of the line before.
            secondText = Array(",\"time\":\"\(moment.text.dropLast(7))".utf8)
            knownSecond = second
        }
        raw(secondText)
        ByteView.withTemporaryBytes(8) { text in
            var rest = microseconds
            for place in stride(from: 5, through: 0, by: -1) {
                text[place] = UInt8(truncatingIfNeeded: 48 &+ rest % 10)
                rest /= 10
            }
            text[6] = UInt8(ascii: "Z")
            text[7] = UInt8(ascii: "\"")
            return 0..<8
        } _: {
            raw($0)
        }
    }

    /// Writes the member `at`.
    public mutating func at(_ location: SourceLocation) {
        literal(",\"at\":{\"file\":")
        string(location.file)
        literal(",\"line\":")
        integer(location.line)
        literal(",\"column\":")
        integer(location.column)
        literal(",\"function\":")
        string(location.function)
        literal("}")
    }

    // MARK: Values

    /// Writes text that is JSON already.
    mutating func literal(_ text: StaticString) {
        raw(ByteView(text))
    }

    /// Writes a value that is encoded already.
    public mutating func raw(_ value: ByteView) {
        bytes.append(contentsOf: value)
    }

    /// Writes an integer.
    public mutating func integer(_ value: Int) { JSONWriter.append(value, to: &bytes) }

    /// Writes a string with its quotes; only `"`, `\` and control characters are escaped.
    public mutating func string(_ text: String) { JSONWriter.append(text, to: &bytes) }

    /// Writes a value that is encoded already.
    mutating func raw(_ value: [UInt8]) { bytes.append(contentsOf: value) }

    /// Writes the end of a line: `,"sum":"1a2b3c4d"}` and a newline.
    private mutating func appendTail(_ sum: UInt32) {
        literal(",\"sum\":\"")
        ByteView.withTemporaryBytes(8) { text in
            for digit in 0..<8 {
                let value = sum &>> UInt32(28 &- 4 &* digit) & 0xF
                text[digit] = UInt8(truncatingIfNeeded: value < 10 ? 48 &+ value : 87 &+ value)
            }
            return 0..<8
        } _: {
            raw($0)
        }
        literal("\"}\n")
    }
}
