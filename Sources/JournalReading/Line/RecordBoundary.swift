import JSONCore

/// Tests whether a line that is not parsed is really two records whose newline was lost.
///
/// Two records on one line have two numbers, and one record mostly has but one member `seq`: so a search for that name, by its
/// rarest letter and at the speed of memchr(3), clears nearly every line. What is left is followed to the end of its first
/// object.
enum RecordBoundary {
    /// Whether a line goes on after its record.
    ///
    /// - Parameter head: the index after the line's own number.
    static func isCrossed(in line: ByteView, after head: Int) -> Bool {
        // A caller that had to search for the number followed the line to its end.
        guard head > 0 else { return false }
        var place = head
        while let found = line.firstIndex(of: UInt8(ascii: "q"), from: place) {
            if isName(line, q: found), isNumber(line, after: found &+ 2) { return !isOneObject(line, found) }
            place = found &+ 1
        }
        return false
    }

    /// Whether a `q` is that of `"seq"`.
    private static func isName(_ line: ByteView, q place: Int) -> Bool {
        place >= 3 && place &+ 1 < line.count && line[place &- 3] == UInt8(ascii: "\"")
            && line[place &- 2] == UInt8(ascii: "s") && line[place &- 1] == UInt8(ascii: "e")
            && line[place &+ 1] == UInt8(ascii: "\"")
    }

    /// Whether a colon and a digit follow.
    private static func isNumber(_ line: ByteView, after place: Int) -> Bool {
        var rest = line[place...].lazy.filter { $0 > 0x20 }.makeIterator()
        return rest.next() == UInt8(ascii: ":") && rest.next().map { $0 &- UInt8(ascii: "0") < 10 } ?? false
    }

    /// Whether a line is one object as far as its brackets go, whatever else is wrong with it.
    private static func isOneObject(_ line: ByteView, _ second: Int) -> Bool {
        do throws(JSONError) {
            try JSONTape().read(line)
            return true
        } catch {
            switch error.fact {
            case .trailingText, .unexpectedEnd: return false
            default: return error.offset > second
            }
        }
    }
}
