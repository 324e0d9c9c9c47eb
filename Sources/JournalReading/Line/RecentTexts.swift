public import JSONCore

/// What was made of the texts met last, found by their bytes: a program writes the same few paths from the same few lines of source.
///
/// Inlinable, because passes look a text up for every line.
public struct RecentTexts<Value: Sendable>: Sendable {
    @usableFromInline
    struct Entry: Sendable {
        /// Where its text is; of a place that is free the length is negative.
        @usableFromInline var start: UInt32 = 0
        @usableFromInline var length: Int32 = -1
        @usableFromInline var beside: Int = 0
        @usableFromInline var value: Value

        @inlinable
        init(start: UInt32 = 0, length: Int32 = -1, beside: Int = 0, value: Value) {
            (self.start, self.length, self.beside, self.value) = (start, length, beside, value)
        }
    }

    /// A power of two; a text that falls on another's place takes it.
    @usableFromInline let capacity: Int
    /// Longer texts are not remembered.
    @inlinable static var lengthLimit: Int { 512 }
    /// All is begun anew when the texts have more bytes, with those whose places were taken.
    @inlinable static var byteLimit: Int { 1 << 18 }

    @usableFromInline var entries: [Entry] = []
    /// The texts one after another: so no reference is counted to compare one.
    @usableFromInline var bytes: [UInt8] = []

    /// Remembers up to `capacity` texts, a power of two.
    @inlinable
    public init(capacity: Int) { self.capacity = capacity }

    /// What was made of a text; nil where that is not remembered.
    ///
    /// - Parameter beside: what else it depends on.
    /// - Complexity: O(the text's length).
    @inlinable @inline(__always)
    public func value(of text: ByteView, beside: Int = 0) -> Value? {
        guard !entries.isEmpty, text.count <= RecentTexts.lengthLimit else { return nil }
        let place = place(of: text, beside)
        guard entries[place].length == text.count, entries[place].beside == beside else { return nil }
        let start = Int(entries[place].start)
        let isSame = bytes.withBytes { $0.extracting(start..<(start &+ text.count)).hasSameBytes(as: text) }
        return isSame ? entries[place].value : nil
    }

    /// Remembers what was made of a text.
    @inlinable
    public mutating func keep(_ value: Value, of text: ByteView, beside: Int = 0) {
        guard text.count <= RecentTexts.lengthLimit else { return }
        if entries.isEmpty || bytes.count > RecentTexts.byteLimit {
            entries = Array(repeating: Entry(value: value), count: capacity)
            bytes.removeAll(keepingCapacity: true)
        }
        entries[place(of: text, beside)] = Entry(
            start: UInt32(truncatingIfNeeded: bytes.count), length: Int32(truncatingIfNeeded: text.count),
            beside: beside,
            value: value)
        bytes.append(contentsOf: text)
    }

    /// FNV-1a (Fowler, Noll and Vo) a word at a time, its high bits mixed into those that count.
    @inlinable @inline(__always)
    func place(of text: ByteView, _ beside: Int) -> Int {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ UInt64(truncatingIfNeeded: beside)
        var place = 0
        while place &+ 8 <= text.count {
            hash = (hash ^ text.load(at: place, as: UInt64.self)) &* 0x100_0000_01b3
            hash ^= hash &>> 29
            place &+= 8
        }
        while place < text.count {
            hash = (hash ^ UInt64(text[place])) &* 0x100_0000_01b3
            place &+= 1
        }
        return Int(truncatingIfNeeded: hash ^ hash &>> 32) & (capacity &- 1)
    }
}
