import JSONCore
package import JournalFormat

/// Where a line's record has its members, found without building a value, in whatever form it is written.
///
/// The texts are the line's own bytes. Values are not checked: the caller parses those that it needs. ``ProvenLine`` proves besides
/// that every byte is as our writer writes it.
public struct LineMembers {
    /// One member.
    public struct Member {
        /// Its name.
        public let name: LineString
        /// Its value's text.
        public let value: UnsafeRawBufferPointer
    }

    /// The members as they stand, `seq` and `kind` among them.
    public let members: [Member]

    /// Finds the members of a record; nil where the line is not one object from its first byte to its last.
    public init?(_ line: RecordLine) { self.init(line.bytes) }

    init?(_ line: UnsafeRawBufferPointer) {
        var walk = MemberWalk(line, from: 0)
        var members: [Member] = []
        members.reserveCapacity(12)
        while let name = walk.next() {
            guard let value = walk.scanner.value() else { return nil }
            members.append(Member(name: name, value: value))
        }
        guard walk.isWhole else { return nil }
        self.members = members
    }

    /// The text of a member's value: of one that stands twice the last, as for `JSONParser`; nil where there is none.
    public subscript(name: StaticString) -> UnsafeRawBufferPointer? {
        members.last { $0.name.equals(name) }?.value
    }

    /// What a member says that is a string; nil where it is none, or missing.
    public func string(_ name: StaticString) -> LineString? {
        guard let value = self[name] else { return nil }
        var scanner = LineScanner(value)
        return scanner.string()
    }
}

extension RecordLine {
    /// The store that the record is about.
    ///
    /// - Throws: ``JournalError`` with the damage where it names none.
    /// - Complexity: a search through the line where our writer wrote it, a look at its members otherwise.
    package func storeName() throws(JournalError) -> String {
        if let text = CommitWalk.leadingStore(of: bytes, from: membersStart)?.text { return text }
        return try text("store", of: pruned(PositionState.storeNode))
    }

    /// The first commit that a gap lost.
    ///
    /// - Throws: ``JournalError`` with the damage where it does not say.
    package func firstLost() throws(JournalError) -> CommitNumber {
        var number = LineMembers(self)?["first"]?.plainNumber
        if number == nil { number = try pruned(PositionState.gapNode)["first"]?.number?.integerValue }
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
    ///
    /// - Throws: ``JournalError`` with the damage where the line is not what was written.
    package func checkSum() throws(JournalError) {
        guard case .wrong(let written, let computed) = LineSum.check(bytes) else { return }
        throw damage(.sum(written: written, computed: computed))
    }

    /// Checks a line that is handed on as it stands: that it is JSON to its end, which a right sum does not prove.
    ///
    /// - Complexity: one look at every byte.
    package func checkText() throws(JournalError) {
        let isProven = ProvingScanner.scan(bytes, as: .wellFormed) { scanner in
            scanner.value() && scanner.isDone ? true : nil
        }
        if isProven == nil { _ = try object() }
    }
}
