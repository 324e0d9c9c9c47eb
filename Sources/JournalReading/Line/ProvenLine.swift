/// A line that is proven to be in a form, and where its members are: what it says can be read member by member with no value
/// built, and where it is compact, copied or changed too.
///
/// Its bytes are the reader's own, as those of a ``RecordLine`` are.
package struct ProvenLine {
    /// Where a member is in the line.
    package struct Member {
        /// What lies between the quotes of its name.
        package let name: Range<Int>
        /// Its value's text.
        package let value: Range<Int>
    }

    /// The line without its newline.
    package let bytes: UnsafeRawBufferPointer
    /// The members, `seq` and `kind` first.
    package internal(set) var members: ArraySlice<Member>

    /// Proves that a line is written exactly as our writer writes its record; nil where it is, or may be, written otherwise: then
    /// it is to be parsed.
    ///
    /// - Complexity: one look at every byte, several times as fast as parsing.
    package init?(compact line: RecordLine) {
        var members: [Member] = []
        self.init(line, as: .compact, adding: &members)
    }

    /// Proves that a line is JSON in which no object has a name twice; nil where it is not, or that takes parsing.
    ///
    /// - Complexity: as of the other.
    package init?(wellFormed line: RecordLine) {
        var members: [Member] = []
        self.init(line, as: .wellFormed, adding: &members)
    }

    /// Proves that a line is in a form; adds its members to those of other lines.
    init?(_ line: RecordLine, as form: ProvingScanner.Form, adding members: inout [Member]) {
        guard line.membersStart > 0 else { return nil }
        let start = members.count
        let isProven = ProvingScanner.scan(line.bytes, as: form) { (scanner) -> Bool? in
            if start == 0 { members.reserveCapacity(12) }
            return scanner.object({ members.append(Member(name: $0, value: $1)) }) && scanner.isDone
        }
        guard isProven == true else { return nil }
        bytes = line.bytes
        self.members = members[start...]
    }

    /// The text of a member's value; nil where the line has none of that name.
    package subscript(name: StaticString) -> UnsafeRawBufferPointer? {
        range(of: name).map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }
    }

    /// Where a member's value is.
    package func range(of name: StaticString) -> Range<Int>? {
        members.withUnsafeBufferPointer { members in
            for member in members where UnsafeRawBufferPointer(rebasing: bytes[member.name]).equals(name) {
                return member.value
            }
            return nil
        }
    }
}

extension UnsafeRawBufferPointer {
    /// What lies between the quotes of a string without escapes; nil for any other value's text.
    package var plainString: UnsafeRawBufferPointer? {
        guard first == 0x22, count >= 2 else { return nil }
        let inside = UnsafeRawBufferPointer(rebasing: self[1..<(count - 1)])
        return inside.contains(0x5C) ? nil : inside
    }

    /// The value of a whole number of at most 15 digits without a sign; nil for any other value's text.
    package var plainNumber: Int? {
        guard (1...15).contains(count) else { return nil }
        var value = 0
        for byte in self {
            let digit = byte &- 48
            guard digit < 10 else { return nil }
            value = value &* 10 &+ Int(digit)
        }
        return count > 1 && first == 48 ? nil : value
    }
}
