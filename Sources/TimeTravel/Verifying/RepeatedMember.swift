import JSONCore
import JournalFormat
import JournalReading

/// A name that stands twice in one object of a line: readers may take either member, so the journal says two things.
enum RepeatedMember {
    /// The first such name in a line that is JSON; nil where every name stands once.
    ///
    /// - Complexity: O(n); a line that is written as our writer does is proven faster.
    static func first(in line: RecordLine) -> String? {
        ProvenLine(wellFormed: line) == nil ? first(in: line.bytes) : nil
    }

    /// The first such name in a JSON text.
    static func first(in text: UnsafeRawBufferPointer) -> String? {
        // The names so far of each object that is open; nil for an array.
        var open: [NameTable<Bool>?] = []
        var place = 0
        while place < text.count {
            switch text[place] {
            case UInt8(ascii: "{"): open.append(NameTable())
            case UInt8(ascii: "["): open.append(nil)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
            case UInt8(ascii: "\""):
                let end = endOfString(text, from: place)
                if isName(text, after: end), let name = string(text[place..<end]), let last = open.indices.last {
                    if open[last]?[name] != nil { return name }
                    open[last]?[name] = true
                }
                place = end
                continue
            default: break
            }
            place += 1
        }
        return nil
    }

    /// The index after the quote that closes a string.
    private static func endOfString(_ text: UnsafeRawBufferPointer, from start: Int) -> Int {
        var place = start + 1
        while place < text.count, text[place] != UInt8(ascii: "\"") {
            place += text[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(place + 1, text.count)
    }

    private static func isName(_ text: UnsafeRawBufferPointer, after end: Int) -> Bool {
        text[end...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: ":")
    }

    private static func string(_ text: Slice<UnsafeRawBufferPointer>) -> String? {
        guard case .string(let name)? = try? JSONParser.parse(UnsafeRawBufferPointer(rebasing: text)) else {
            return nil
        }
        return name
    }
}
