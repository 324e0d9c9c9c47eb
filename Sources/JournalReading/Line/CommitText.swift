package import JSONCore
package import JournalFormat

/// What a commit's line says, member by member, with no value built: for passes that go over every commit.
///
/// It stands for ``CommitRecord``, as far as a store and a patch go; ``strictTime`` says whether for all of it.
package struct CommitText {
    package let record: JSONToken
    /// The patch's operations, each of them whole.
    package let operations: BorrowedElements<PatchOperation>
    private var storePlace: UInt32 = 0
    private var patchPlace: UInt32 = 0
    private var versionPlace: UInt32 = 0
    private var timePlace: UInt32 = 0
    private var atPlace: UInt32 = 0
    private var namePlace: UInt32 = 0
    private var threadPlace: UInt32 = 0
    private var actionPlace: UInt32 = 0
    private var causePlace: UInt32 = 0
    private var undoesPlace: UInt32 = 0

    /// Finds a commit's members; nil where the line has to be decoded, to say what is wrong with it: it is not JSON, a second number
    /// or kind contradicts the first, it names none of a store or a patch, or an operation lacks what it needs.
    ///
    /// - Complexity: one look at the members' and the operations' names; none where the line was asked before.
    @inline(__always)
    package init?(_ line: RecordLine) {
        if unsafe !line.tape.isCommitRead {
            unsafe line.tape.commit = CommitText(reading: line)
            unsafe line.tape.isCommitRead = true
        }
        guard let text = unsafe line.tape.commit else { return nil }
        self = text
    }

    @inline(never)
    private init?(reading line: RecordLine) {
        guard let record = try? line.token() else { return nil }
        self.record = record
        var (seq, kind): (JSONToken?, JSONToken?)
        for (name, value) in record.members {
            let place = UInt32(truncatingIfNeeded: value.place)
            // The bytes of each name, the first one lowest: `store`, `patch`, `version`, and so on as the places are called.
            switch name.word {
            case (0x65_726F_7473, 5): storePlace = place
            case (0x68_6374_6170, 5): patchPlace = place
            case (0x6E_6F69_7372_6576, 7): versionPlace = place
            case (0x656D_6974, 4): timePlace = place
            case (0x7461, 2): atPlace = place
            case (0x656D_616E, 4): namePlace = place
            case (0x6461_6572_6874, 6): threadPlace = place
            case (0x6E6F_6974_6361, 6): actionPlace = place
            case (0x65_7375_6163, 5): causePlace = place
            case (0x7365_6F64_6E75, 6): undoesPlace = place
            case (0x71_6573, 3): seq = value
            case (0x646E_696B, 4): kind = value
            default: break
            }
        }
        // The last of each counts, and where that is not what leads the line, the line is damaged.
        guard (seq?.wholeNumber ?? seq?.value().number?.integerValue) == line.seq.rawValue, let kind,
            kind.kind != .string || kind.withBytes({ RecordKind(name: $0) == line.kind })
        else { return nil }
        guard storePlace > 0, patchPlace > 0, record.token(at: Int(storePlace)).kind == .string else { return nil }
        let patch = record.token(at: Int(patchPlace))
        guard patch.kind == .array, let operations = unsafe line.tape.operations(of: patch) else { return nil }
        self.operations = operations
    }

    package var store: JSONToken { record.token(at: Int(storePlace)) }
    package var patch: JSONToken { record.token(at: Int(patchPlace)) }
    package var at: JSONToken? { member(atPlace) }
    package var cause: JSONToken? { member(causePlace) }
    package var undoes: JSONToken? { member(undoesPlace) }

    @inline(__always)
    private func member(_ place: UInt32) -> JSONToken? { place > 0 ? record.token(at: Int(place)) : nil }

    /// When it was made, where ``CommitRecord`` can be decoded of the line, but for `at`, which the reader of it checks; nil where
    /// it cannot, or where that takes decoding.
    package var strictTime: Timestamp? {
        guard store.plainString != nil, let version = member(versionPlace)?.wholeNumber, version >= 0, atPlace > 0,
            let moment = member(timePlace)?.plainString, let time = Timestamp(bytes: moment),
            isText(namePlace), isText(threadPlace), isAction, isNumber(causePlace), isNumber(undoesPlace),
            operations.allSatisfy({ CommitText.isPointer($0.path) && CommitText.isPointer($0.source) })
        else { return nil }
        return time
    }

    /// Whether a text, if there is one, is a JSON Pointer without escapes of JSON.
    private static func isPointer(_ text: JSONToken?) -> Bool {
        guard let text else { return true }
        guard !text.isEscaped else { return false }
        let raw = text.raw
        guard let first = raw.first else { return true }
        guard first == UInt8(ascii: "/") else { return false }
        for (index, byte) in raw.enumerated() where byte == UInt8(ascii: "~") {
            guard index + 1 < raw.count, raw[index + 1] | 1 == UInt8(ascii: "1") else { return false }
        }
        return true
    }

    private func isText(_ place: UInt32) -> Bool {
        guard let kind = member(place)?.kind else { return true }
        return kind == .string || kind == .null
    }

    private func isNumber(_ place: UInt32) -> Bool {
        guard let value = member(place), value.kind != .null else { return true }
        return value.wholeNumber.map { $0 >= 0 } ?? false
    }

    private var isAction: Bool {
        guard let action = member(actionPlace), action.kind != .null else { return true }
        return action["type"]?.kind == .string
    }
}

extension SourceLocation {
    /// Decodes a member `at`; nil if it is not a location.
    package init?(_ at: JSONToken) {
        guard let location = try? RecordMembers(object: ["at": at.value()]).location() else { return nil }
        self = location
    }
}

extension JSONToken {
    /// Whether a string is a JSON Pointer of at least one segment, in ASCII, in which nothing is escaped.
    @inline(__always)
    var isPlainPointer: Bool {
        guard !isWide, let raw = plainString, raw.first == UInt8(ascii: "/") else { return false }
        return raw.firstIndex(of: UInt8(ascii: "~")) == nil
    }
}
