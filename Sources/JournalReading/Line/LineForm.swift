import JSONCore
import JournalFormat

/// What a line is that is not written in the usual form, found by taking it apart.
enum LineForm {
    /// A record, whatever the order of its members and the white space.
    ///
    /// `members` is where those after the number and the kind begin, 0 where these two do not lead the line.
    case record(seq: Int, kind: RecordKind, members: Int)
    /// No record; `byte` is the first one that is wrong, counted from the line's front.
    case damaged(JournalDamage.Reason, byte: Int)

    /// Takes a line without its newline apart.
    init(_ line: ByteView, _ tape: LineTape) {
        if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) {
            self = .damaged(.blank, byte: 0)
            return
        }
        do throws(JSONError) {
            self = LineForm(try tape.token(of: line))
        } catch {
            if line.starts(with: [0xEF, 0xBB, 0xBF]) {
                self = .damaged(.byteOrderMark, byte: 0)
            } else if error.offset < line.count, line[error.offset] == 0 {
                self = .damaged(.zeros, byte: error.offset)
            } else {
                self = .damaged(.json(error.fact), byte: error.offset)
            }
        }
    }

    private init(_ record: JSONToken) {
        guard record.kind == .object else {
            self = .damaged(.notAnObject, byte: 0)
            return
        }
        guard let number = record["seq"], let seq = number.value().number?.integerValue,
            (0...CommitNumber.largest.rawValue).contains(seq)
        else {
            self = .damaged(.noNumber, byte: 0)
            return
        }
        guard let name = record["kind"], name.kind == .string else {
            self = .damaged(.noKind, byte: 0)
            return
        }
        // The last of each counts, unless both lead the line: then another number is damage where the line is read.
        if let (first, second) = LineForm.lead(record), let leading = first.wholeNumber, leading >= 0,
            second.kind == .string
        {
            self = .record(
                seq: leading, kind: second.withBytes { RecordKind(name: $0) },
                members: max(first.range.upperBound, second.range.upperBound))
        } else {
            self = .record(seq: seq, kind: name.withBytes { RecordKind(name: $0) }, members: 0)
        }
    }

    /// The number and the kind that are the first two members, in whatever order.
    private static func lead(_ record: JSONToken) -> (JSONToken, JSONToken)? {
        var members = record.members
        guard let one = members.next(), let other = members.next() else { return nil }
        if one.name.says("seq"), other.name.says("kind") { return (one.value, other.value) }
        if one.name.says("kind"), other.name.says("seq") { return (other.value, one.value) }
        return nil
    }
}
