import JSONCore
import JournalFormat
import JournalReading

/// What is known of texts that occur over and over, found by their bytes without making a `String`.
///
/// A table of a fixed size in which a text takes the place of another one: a program writes the same few paths from the same few
/// lines of its source.
struct RecentTexts<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let text: [UInt8]
        let value: Value
    }

    /// Longer texts are not kept.
    private static var lengthLimit: Int { 512 }

    private var entries: [Entry?]
    private let mask: UInt64

    /// Makes room for so many texts, a power of two.
    init(capacity: Int) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0, "RecentTexts(capacity:) needs a power of two")
        entries = Array(repeating: nil, count: capacity)
        mask = UInt64(capacity - 1)
    }

    /// What is known of a text.
    func value(of text: UnsafeRawBufferPointer) -> Value? {
        guard let entry = entries[place(of: text)], entry.text.count == text.count,
            entry.text.withUnsafeBytes({ $0.hasSameBytes(as: text) })
        else { return nil }
        return entry.value
    }

    /// Keeps what is known of a text.
    mutating func keep(_ value: Value, of text: UnsafeRawBufferPointer) {
        guard text.count <= RecentTexts.lengthLimit else { return }
        entries[place(of: text)] = Entry(text: [UInt8](text), value: value)
    }

    /// Eight bytes at a time, each mixed in by a multiplication (after Knuth, "The Art of Computer Programming", 6.4).
    private func place(of text: UnsafeRawBufferPointer) -> Int {
        let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
        var hash = UInt64(text.count) &* factor
        var index = 0
        while index &+ 8 <= text.count {
            let word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            hash = (hash ^ word) &* factor
            hash ^= hash &>> 32
            index &+= 8
        }
        var rest: UInt64 = 0
        while index < text.count {
            rest = rest &<< 8 | UInt64(text[index])
            index &+= 1
        }
        hash = (hash ^ rest) &* factor
        return Int(truncatingIfNeeded: (hash ^ hash &>> 32) & mask)
    }
}

extension RecentTexts<Bool> {
    /// Whether a member `at` says a place in source code: a program has few.
    mutating func isLocation(_ at: JSONToken) -> Bool {
        if let known = value(of: at.text) { return known }
        let isLocation = SourceLocation(at) != nil
        keep(isLocation, of: at.text)
        return isLocation
    }
}
