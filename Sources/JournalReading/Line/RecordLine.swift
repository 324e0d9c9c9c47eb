public import JSONCore
public import JournalFormat

/// One line of a journal, as it lies in a reader's buffer.
///
/// ``bytes`` are the reader's own and are written over by its next call: to keep a line, take ``owned()``.
public struct RecordLine {
    /// The record's number.
    public let seq: CommitNumber
    /// The kind of record.
    public let kind: RecordKind
    /// Where its first byte is.
    public let offset: ByteOffset
    /// Its line, counted where the reader began at the front; ``Journal/lineNumber(at:)`` counts it otherwise.
    public let number: LineNumber?
    /// The line without its newline.
    public internal(set) var bytes: ByteView
    /// Whether a newline follows; a last line that is whole JSON counts without one.
    public let hasNewline: Bool
    /// Whether this is the keyframe (or gap) at which a recovering reader goes on after damage.
    public let resumed: Bool
    /// Where the members after `kind` begin, 0 where the line is written otherwise.
    let membersStart: Int
    /// For messages; the reader's own, as the bytes are, so that nothing is counted when a line is copied.
    unowned(unsafe) let journal: JournalName
    /// Where the line is taken apart, once; the reader's own, too.
    unowned(unsafe) let tape: LineTape

    /// The offset of the byte after the line and its newline.
    public var end: ByteOffset { ByteOffset(offset.rawValue + bytes.count + (hasNewline ? 1 : 0)) }

    /// The whole record.
    ///
    /// - Throws: ``JournalError`` with the damage where the line is not JSON inside.
    public func object(order: MemberOrder = .asWritten) throws(JournalError) -> JSONObject {
        guard case .object(let object) = try token().value(order: order) else { throw damage(.notAnObject) }
        return try checkedHead(of: object)
    }

    /// Number and kind may stand twice in a line, and the last one counts: then the line is not what it was taken for.
    private func checkedHead(of object: JSONObject) throws(JournalError) -> JSONObject {
        if let number = object["seq"]?.number?.integerValue, number != seq.rawValue {
            throw damage(.record(RecordFault(member: "seq", expected: "the number that leads the line")))
        }
        if case .string(let name)? = object["kind"],
            name.withBytes({ RecordKind(name: $0) }) != kind
        {
            throw damage(.record(RecordFault(member: "kind", expected: "the kind that leads the line")))
        }
        return object
    }

    /// A copy that stays.
    public func owned() -> OwnedRecord {
        unsafe OwnedRecord(
            seq: seq, kind: kind, offset: offset, number: number, bytes: [UInt8](bytes), hasNewline: hasNewline,
            journal: journal, tape: tape.known?.tape.map { [UInt8]($0) } ?? [])
    }

    package func damage(_ reason: JournalDamage.Reason, at byte: Int = 0) -> JournalError {
        unsafe JournalError(
            path: journal.path,
            .damage(JournalDamage(line: number, offset: ByteOffset(offset.rawValue + byte), reason: reason)))
    }

    /// Decodes the record, its values' members as they are written or ascending.
    public func decode<Record>(
        order: MemberOrder = .asWritten, _ make: (JSONObject) throws(RecordFault) -> Record
    ) throws(JournalError) -> Record {
        let object = try object(order: order)
        do throws(RecordFault) { return try make(object) } catch { throw damage(.record(error)) }
    }
}

/// One line of a journal, kept.
public struct OwnedRecord: Sendable, Equatable {
    /// The record's number.
    public let seq: CommitNumber
    /// The kind of record.
    public let kind: RecordKind
    /// Where its first byte is.
    public let offset: ByteOffset
    /// Its line, where it was counted.
    public let number: LineNumber?
    /// The line without its newline.
    public let bytes: [UInt8]
    /// Whether a newline follows.
    public let hasNewline: Bool
    /// For messages.
    let journal: JournalName
    /// The line's tape, where it was taken apart; empty otherwise.
    private let tape: [UInt8]

    init(
        seq: CommitNumber, kind: RecordKind, offset: ByteOffset, number: LineNumber?, bytes: [UInt8], hasNewline: Bool,
        journal: JournalName, tape: [UInt8] = []
    ) {
        self.seq = seq
        self.kind = kind
        self.offset = offset
        self.number = number
        self.bytes = bytes
        self.hasNewline = hasNewline
        self.journal = journal
        self.tape = tape
    }

    /// Whether both are the same line of the same file.
    public static func == (a: OwnedRecord, b: OwnedRecord) -> Bool {
        a.seq == b.seq && a.kind == b.kind && a.offset == b.offset && a.number == b.number && a.bytes == b.bytes
            && a.hasNewline == b.hasNewline && a.journal == b.journal
    }

    /// The offset of the byte after the line and its newline.
    public var end: ByteOffset { ByteOffset(offset.rawValue + bytes.count + (hasNewline ? 1 : 0)) }

    /// The line's text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The line as a reader would give it, valid during the call.
    public func withLine<Result, Failure: Error>(
        _ body: (RecordLine) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let lineTape = LineTape()
        defer { withExtendedLifetime(lineTape) {} }
        return try bytes.withBytes { (bytes) throws(Failure) in
            try tape.withBytes { (tape) throws(Failure) in
                lineTape.take(JSONToken(of: bytes, tape: tape))
                return try body(
                    RecordLine(
                        seq: seq, kind: kind, offset: offset, number: number, bytes: bytes, hasNewline: hasNewline,
                        resumed: false, membersStart: LineHead(bytes)?.end ?? 0, journal: journal, tape: lineTape))
            }
        }
    }

    /// The whole record.
    public func object(order: MemberOrder = .asWritten) throws(JournalError) -> JSONObject {
        try withLine { (line) throws(JournalError) in try line.object(order: order) }
    }

    /// Decodes the record.
    public func decode<Record>(
        _ make: (JSONObject) throws(RecordFault) -> Record
    ) throws(JournalError) -> Record {
        try withLine { (line) throws(JournalError) in try line.decode(make) }
    }
}

extension OwnedRecord {
    /// A record that stands in no file, made to be read like one.
    ///
    /// - Parameter bytes: a line as our writer makes them, without its newline.
    package init(text bytes: [UInt8], path: String) {
        var (seq, kind) = (0, RecordKind.other)
        if case .record(let number, let name, _) = bytes.withBytes({ LineForm($0, LineTape()) }) {
            (seq, kind) = (number, name)
        }
        self.init(
            seq: CommitNumber(seq), kind: kind, offset: .zero, number: nil, bytes: bytes, hasNewline: true,
            journal: JournalName(path))
    }
}

extension RecordLine {
    func pruned(_ node: PathSet.Node, order: MemberOrder = .ascending) throws(JournalError) -> JSONObject {
        do throws(JSONError) {
            if case .object(let object) = try JSONParser.parse(bytes, pruning: node, order: order) { return object }
        } catch {
            throw damage(.json(error.fact), at: error.offset)
        }
        throw damage(.notAnObject)
    }

    /// The damage that a record is which opens an open store, or closes another.
    func misplaced(expected: String) -> JournalError {
        damage(.record(RecordFault(member: "store", expected: expected)))
    }

    func text(_ member: String, of record: JSONObject) throws(JournalError) -> String {
        guard let value = record[member] else {
            throw damage(.record(RecordFault(member: member, expected: "a string", isMissing: true)))
        }
        guard case .string(let text) = value else {
            throw damage(.record(RecordFault(member: member, expected: "a string")))
        }
        return text
    }
}
