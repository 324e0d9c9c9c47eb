import Platform

/// The strict parse of a JSON text (RFC 8259) with nothing built: where each value and each name begins and ends, in their order.
///
/// A tape is used again for one text after another, so that nothing is allocated for most of them. What it finds is read
/// through a ``JSONToken``, a view that is valid until the next text is read.
///
/// The machine keeps room for two entries ahead, and a token's index comes from entries that it wrote: that is what bounds every
/// unsafe access here and in ``JSONToken``.
@safe
public final class JSONTape {
    /// A value, or the name of a member, which stands before the member's value.
    @usableFromInline
    struct Entry: Sendable {
        /// Of a string or a name, what lies between the quotes; of any other value its whole text.
        @usableFromInline var start: UInt32
        @usableFromInline var end: UInt32
        /// Of an array or object the entry after all that is in it.
        @usableFromInline var next: UInt32
        /// The kind in the lowest bits, then flags.
        @usableFromInline var info: UInt32

        @inline(__always)
        init(_ start: Int, _ end: Int, _ info: UInt32) {
            self.start = UInt32(truncatingIfNeeded: start)
            self.end = UInt32(truncatingIfNeeded: end)
            (next, self.info) = (0, info)
        }

        @inlinable static var null: UInt32 { 0 }
        @inlinable static var `false`: UInt32 { 1 }
        @inlinable static var `true`: UInt32 { 2 }
        @inlinable static var number: UInt32 { 3 }
        @inlinable static var string: UInt32 { 4 }
        @inlinable static var name: UInt32 { 5 }
        @inlinable static var array: UInt32 { 6 }
        @inlinable static var object: UInt32 { 7 }
        @inlinable static var kindMask: UInt32 { 0x7 }
        /// Of the first entry: white space stands outside of strings, or an escape is written as ``JSONWriter`` writes none.
        @inlinable static var foreign: UInt32 { 0x8 }
        /// Of a string: it has an escape; it has bytes that are not ASCII.
        @inlinable static var escaped: UInt32 { 0x10 }
        @inlinable static var wide: UInt32 { 0x20 }
        /// Of a number: its digits are those of a whole number that cannot overflow.
        @inlinable static var whole: UInt32 { 0x40 }
    }

    /// Memory that this tape alone owns, for `capacity` entries.
    private(set) var entries: UnsafeMutablePointer<Entry>
    private var capacity: Int

    /// - Parameter length: about how many bytes the texts have that it will read.
    package init(length: Int = 512) {
        capacity = max(16, min(length, 1 << 16) / 6)
        unsafe entries = .allocate(capacity: capacity)
    }

    deinit { unsafe entries.deallocate() }

    /// - Parameters:
    ///   - text: it has to stay as long as what is found is read.
    ///   - node: what is wanted of it; nil for everything. Members outside are left out and elements outside are null, so that arrays keep
    ///     their lengths; what is left out is passed over by its brackets and quotes, and not otherwise checked.
    /// - Throws: `JSONError` with the byte at which the text stops being JSON.
    /// - Complexity: O(*n*), with no recursion.
    @discardableResult
    package func read(
        _ text: ByteView, limits: JSONLimits = .standard, pruning node: PathSet.Node? = nil
    ) throws(JSONError) -> JSONToken {
        guard !text.isEmpty else {
            throw JSONError(.unexpectedEnd(expected: "a value"), at: 0)
        }
        guard text.count <= JSONTape.lengthLimit else {
            throw JSONError(.textTooLong(limit: JSONTape.lengthLimit), at: JSONTape.lengthLimit)
        }
        // Memory that one long text took is not kept for short ones.
        if capacity > JSONTape.keptCapacity, text.count < capacity { shrink() }
        let isPruned = if case .branch? = node { true } else { false }
        try read(JSONScanner(bytes: JSONBytes(text), limits), isPruned: isPruned, node ?? .all)
        return token(0, of: text)
    }

    @inline(__always)
    private func token(_ index: Int, of text: ByteView) -> JSONToken {
        unsafe JSONToken(base: text.base, entries: UnsafePointer(entries), index: index)
    }

    func value(
        of text: ByteView, limits: JSONLimits, pruning node: PathSet.Node? = nil, order: MemberOrder
    ) throws(JSONError) -> JSONValue {
        let token = try read(text, limits: limits, pruning: node)
        return withExtendedLifetime(self) { token.value(order: order) }
    }

    /// How many bytes a text may have: as many as 32 bits count.
    static let lengthLimit = Int(UInt32.max)
    /// A tape of more entries is not kept for the next text.
    private static let keptCapacity = 1 << 16

    private func shrink() {
        unsafe entries.deallocate()
        capacity = JSONTape.keptCapacity
        unsafe entries = .allocate(capacity: capacity)
    }

    @inline(never)
    private func grow(_ count: Int) -> (UnsafeMutablePointer<Entry>, Int) {
        // At most `capacity` entries are there.
        let larger = UnsafeMutablePointer<Entry>.allocate(capacity: 2 * capacity)
        unsafe larger.update(from: entries, count: count)
        unsafe entries.deallocate()
        unsafe (entries, capacity) = unsafe (larger, 2 * capacity)
        return unsafe (entries, capacity)
    }

    /// The machine: an open container links to the one around it, so that it needs no stack.
    private func read(_ scanner: JSONScanner, isPruned: Bool, _ node: PathSet.Node) throws(JSONError) {
        var scanner = scanner
        var (entries, capacity) = unsafe (entries, capacity)
        var place = 0
        // The innermost container that is open, whether it is an object, and how many are around it.
        var (open, isObject, depth) = (0, false, 0)
        // What is wanted of each container that is open, the innermost last, and of the value to come.
        var nodes: [PathSet.Node] = []
        var wanted = node
        // Whether a member or an element begins.
        var begins = false
        let takesMembers = !isPruned && scanner.limits.numberLength >= JSONTape.wholeLimit
        reading: while true {
            // Room for a name and its value, which is all that a turn writes.
            if place &+ 2 > capacity { unsafe (entries, capacity) = unsafe grow(place) }
            var isPassedOver = false
            if begins {
                begins = false
                var stop = Stop.member
                if isObject, takesMembers {
                    let taken = unsafe JSONTape.takeMembers(
                        scanner.bytes, entries, capacity, index: scanner.index, place)
                    (scanner.index, place, stop) = (taken.index, taken.place, taken.stop)
                    if taken.isSpaced { scanner.isForeign = true }
                    isPassedOver = stop == .end
                    if place &+ 2 > capacity { unsafe (entries, capacity) = unsafe grow(place) }
                }
                if isObject, stop == .member {
                    guard scanner.next() == 0x22 else { throw scanner.unexpectedByte("a key in double quotes") }
                    let start = scanner.index &+ 1
                    let flags = try scanner.string()
                    unsafe entries[place] = Entry(start, scanner.index &- 1, Entry.name | flags)
                    place &+= 1
                    guard scanner.next() == 0x3A else { throw scanner.unexpectedByte("':'") }
                    scanner.index &+= 1
                }
                if isPruned, let end = try passOver(scanner, isObject, nodes, &wanted, name: place &- 1) {
                    isPassedOver = true
                    scanner.index = end
                    if isObject {
                        place &-= 1
                    } else {
                        unsafe entries[place] = Entry(end, end, Entry.null)
                        place &+= 1
                    }
                }
            }
            if !isPassedOver {
                let byte = scanner.next()
                if byte | 0x20 == 0x7B {
                    guard depth < scanner.limits.depth else {
                        throw scanner.error(.tooDeep(limit: scanner.limits.depth))
                    }
                    isObject = byte == 0x7B
                    unsafe entries[place] = Entry(scanner.index, open, isObject ? Entry.object : Entry.array)
                    open = place
                    place &+= 1
                    depth &+= 1
                    if isPruned { nodes.append(wanted) }
                    scanner.index &+= 1
                    if scanner.next() != byte &+ 2 {
                        begins = true
                        continue reading
                    }
                } else {
                    unsafe entries[place] = try JSONTape.scalar(byte, &scanner)
                    place &+= 1
                }
            }
            // After a value.
            while depth > 0 {
                let byte = scanner.next()
                if byte == 0x2C {
                    scanner.index &+= 1
                    begins = true
                    continue reading
                }
                guard byte == (isObject ? 0x7D : 0x5D) else {
                    throw scanner.unexpectedByte(isObject ? "',' or '}'" : "',' or ']'")
                }
                scanner.index &+= 1
                // The entry of a container that is open was written, and links to another one or to the first.
                let around = unsafe Int(entries[open].end)
                unsafe entries[open].end = UInt32(truncatingIfNeeded: scanner.index)
                unsafe entries[open].next = UInt32(truncatingIfNeeded: place)
                depth &-= 1
                if isPruned { nodes.removeLast() }
                open = around
                isObject = unsafe entries[open].info & Entry.kindMask == Entry.object
            }
            break
        }
        _ = scanner.next()
        guard scanner.isAtEnd else { throw scanner.error(.trailingText) }
        // A text has a value, so there is a first entry.
        if scanner.isForeign { unsafe entries[0].info |= Entry.foreign }
    }

    @inline(__always)
    private static func scalar(_ byte: UInt8, _ scanner: inout JSONScanner) throws(JSONError) -> Entry {
        let start = scanner.index
        if byte == 0x22 {
            let flags = try scanner.string()
            return Entry(start &+ 1, scanner.index &- 1, Entry.string | flags)
        }
        let kind = byte &- 0x30 < 10 || byte == 0x2D ? try scanner.number() : try scanner.literal()
        return Entry(start, scanner.index, kind)
    }

    /// Where ``takeMembers(_:_:_:index:_:)`` stopped: before a member, before the value of one, or after a value.
    private enum Stop { case member, value, end }

    /// How many digits a whole number has at most that cannot overflow.
    static let wholeLimit = 18

    /// Steps over members that are as most are: a name, a string without escapes in ASCII or a whole number, and a comma, with no white
    /// space or one blank after each colon and comma.
    ///
    /// It refuses nothing: what else there may be is left to the machine. That would do for all; but most of a text is such members, and
    /// with so few variables they stay in registers: a commit costs a tenth less in all (`.ci/instructions`).
    @inline(never)
    private static func takeMembers(
        _ bytes: JSONBytes, _ entries: UnsafeMutablePointer<Entry>, _ capacity: Int, index: Int, _ place: Int
    ) -> (index: Int, place: Int, stop: Stop, isSpaced: Bool) {
        var (index, place, isSpaced) = (index, place, false)
        while index < bytes.count, bytes[index] == 0x22 {
            let name = bytes.endOfPlainString(from: index &+ 1)
            guard name &+ 2 < bytes.count, place &+ 2 < capacity, bytes[name &+ 1] == 0x3A
            else { break }
            var start = name &+ 2
            if bytes[start] == 0x20, start &+ 1 < bytes.count {
                start &+= 1
                isSpaced = true
            }
            var end = start
            if bytes[start] == 0x22 {
                end = bytes.endOfPlainString(from: start &+ 1)
                guard end < bytes.count else { break }
                // Two entries are free, as was asked first.
                unsafe entries[place &+ 1] = Entry(start &+ 1, end, Entry.string)
                end &+= 1
            } else if bytes[start] &- 0x31 < 9 {
                repeat { end &+= 1 } while end < bytes.count && bytes[end] &- 0x30 < 10
                guard end < bytes.count, end &- start <= wholeLimit, bytes[end] == 0x2C || bytes[end] == 0x7D else {
                    break
                }
                unsafe entries[place &+ 1] = Entry(start, end, Entry.number | Entry.whole)
            } else {
                unsafe entries[place] = Entry(index &+ 1, name, Entry.name)
                return (start, place &+ 1, .value, isSpaced)
            }
            unsafe entries[place] = Entry(index &+ 1, name, Entry.name)
            place &+= 2
            guard end < bytes.count, bytes[end] == 0x2C else { return (end, place, .end, isSpaced) }
            index = end &+ 1
            if index < bytes.count, bytes[index] == 0x20 {
                index &+= 1
                isSpaced = true
            }
        }
        return (index, place, .member, isSpaced)
    }

    /// - Returns: where its value ends if nothing is wanted of it; nil otherwise, and then what is wanted is set.
    @inline(never)
    private func passOver(
        _ scanner: JSONScanner, _ isMember: Bool, _ nodes: [PathSet.Node], _ wanted: inout PathSet.Node, name: Int
    ) throws(JSONError) -> Int? {
        guard let around = nodes.last else { return nil }
        let node: PathSet.Node?
        if isMember {
            node = token(name, of: scanner.bytes.text).withBytes { around.node(forKey: $0) }
        } else {
            node = around.element
        }
        if let node {
            wanted = node
            return nil
        }
        return try scanner.endOfValue()
    }
}
