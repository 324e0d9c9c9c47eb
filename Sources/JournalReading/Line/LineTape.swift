package import JSONCore
package import JournalFormat

/// The tape of a reader's line, read once, when it is first asked for.
///
/// It is the reader's own, as the line's bytes are: the reader's next line is read onto it.
final class LineTape {
    private let tape = JSONTape()
    @safe @exclusivity(unchecked) private var root: JSONToken?
    /// Whether it was found what the line says as a commit's, and that; nil where it has to be decoded.
    @safe @exclusivity(unchecked) var isCommitRead = false
    @safe @exclusivity(unchecked) var commit: CommitText?
    /// Its operations; the room is used again for each line.
    private var operations = PinnedArray<PatchOperation>(capacity: 16)

    /// Reads the operations of a patch; nil where one lacks what it needs.
    func operations(of patch: JSONToken) -> BorrowedElements<PatchOperation>? {
        operations.removeAll()
        for element in patch.elements {
            guard let operation = PatchOperation(element), operation.isWhole else { return nil }
            operations.append(operation)
        }
        return operations.elements
    }

    @inline(__always)
    func forget() {
        root = nil
        isCommitRead = false
    }

    /// Takes what another thread, or a reader before, has found in the line to come.
    func take(_ token: JSONToken?) {
        root = token
        isCommitRead = false
    }

    var known: JSONToken? { root }

    @inline(__always)
    func token(of line: ByteView) throws(JSONError) -> JSONToken {
        if let root { return root }
        let token = try tape.read(line)
        root = token
        return token
    }
}

extension RecordLine {
    /// The line taken apart, an object: what any fast way reads of it, valid as long as its bytes are.
    ///
    /// - Complexity: one look at every byte; none where that was done before, also by another thread that read ahead.
    @inline(__always)
    package func token() throws(JournalError) -> JSONToken {
        let token: JSONToken
        do throws(JSONError) { token = unsafe try tape.token(of: bytes) } catch {
            throw damage(.json(error.fact), at: error.offset)
        }
        guard token.kind == .object else { throw damage(.notAnObject) }
        return token
    }

    /// Whether the line is written exactly as our writer writes its record, so that its members can be copied and compared as
    /// texts, and none is hidden in it.
    ///
    /// - Complexity: one look at every byte.
    package var isAsWritten: Bool { membersStart > 0 && (try? token())?.isAsWritten == true }

    /// - Throws: ``JournalError`` with the damage where it names none.
    package func storeName() throws(JournalError) -> String {
        do throws(JournalError) {
            if isReadWhole, let name = (try? token())?["store"], name.kind == .string, let text = name.string {
                return text
            }
            return try text("store", of: pruned(PositionState.storeNode))
        } catch {
            // Of a line that is damaged further on the name that leads it is known all the same.
            guard let name = leadingStore else { throw error }
            return String(decoding: name, as: UTF8.self)
        }
    }

    /// A longer line of a store, whose state may be of any size, is not taken apart for some of its members.
    private static let wholeLimit = 1 << 12
    var isReadWhole: Bool {
        unsafe kind == .commit || bytes.count <= RecordLine.wholeLimit || tape.known != nil
    }

    /// The name of the store that leads the members of a line that is damaged further on; nil where another one may follow.
    var leadingStore: ByteView? {
        guard let name = LineHead.leadingStore(of: bytes, from: membersStart) else { return nil }
        let rest = bytes.extracting((name.index(in: bytes) + name.count)...)
        return rest.firstRange(of: Array("store\"".utf8)) == nil ? name : nil
    }

    /// The first commit that a gap lost.
    package func firstLost() throws(JournalError) -> CommitNumber {
        let number = try pruned(PositionState.gapNode)["first"]?.number?.integerValue
        guard let number, number > 0, number <= seq.rawValue else {
            throw damage(.record(RecordFault(member: "first", expected: "the number of a commit up to 'seq'")))
        }
        return CommitNumber(number)
    }

    /// Checks a line that is given out: that its sum is right, where it has one, and that it holds one record.
    @inline(__always)
    func checkContent() throws(JournalError) {
        switch LineSum.check(bytes) {
        case .right: break
        case .wrong(let written, let computed): throw damage(.sum(written: written, computed: computed))
        case .none: try checkEnd()
        }
    }

    /// Checks a line that was not looked into: that it holds one record.
    @inline(__always)
    func checkEnd() throws(JournalError) {
        if RecordBoundary.isCrossed(in: bytes, after: membersStart) { throw damage(.twoRecords) }
    }

    /// Checks the line's sum, where it has one.
    package func checkSum() throws(JournalError) {
        guard case .wrong(let written, let computed) = LineSum.check(bytes) else { return }
        throw damage(.sum(written: written, computed: computed))
    }
}
