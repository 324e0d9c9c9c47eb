import Platform

/// The strict parse of a JSON text (RFC 8259) with nothing built: where each value and each name begins and ends, in their order.
///
/// A tape is used again for one text after another, so that nothing is allocated for most of them. What it finds is read
/// through a ``JSONToken``, a view that is valid until the next text is read.
package final class JSONTape {
    /// A value, or the name of a member, which stands before the member's value.
    struct Entry {
        /// Of a string or a name, what lies between the quotes; of any other value its whole text.
        var start: UInt32
        var end: UInt32
        /// Of an array or object the entry after all that is in it.
        var next: UInt32
        /// The kind in the lowest byte, then flags; of an array or object the number of its members or elements.
        var info: UInt32

        static let null: UInt32 = 0
        static let `false`: UInt32 = 1
        static let `true`: UInt32 = 2
        static let number: UInt32 = 3
        static let string: UInt32 = 4
        static let name: UInt32 = 5
        static let array: UInt32 = 6
        static let object: UInt32 = 7
        static let kindMask: UInt32 = 0x7
        static let countShift: UInt32 = 4
        /// Of the first entry: white space stands outside of strings, or an escape is written as ``JSONWriter`` writes none.
        static let foreign: UInt32 = 0x8
        /// Of a string: it has an escape; it has bytes that are not ASCII.
        static let escaped: UInt32 = 0x10
        static let wide: UInt32 = 0x20
        /// Of a number: its digits are those of a whole number that cannot overflow.
        static let whole: UInt32 = 0x40
    }

    private(set) var entries: UnsafeMutablePointer<Entry>
    private var capacity: Int
    private(set) var count = 0
    /// What was read.
    private(set) var text = UnsafeRawBufferPointer(start: nil, count: 0)

    /// A tape of nothing yet.
    ///
    /// - Parameter length: about how many bytes the texts have that it will read.
    package init(length: Int = 512) {
        capacity = max(16, min(length, 1 << 16) / 6)
        entries = .allocate(capacity: capacity)
    }

    deinit { entries.deallocate() }

    /// The value that the text is; only after a text was read.
    package var root: JSONToken {
        JSONToken(base: text.baseAddress ?? JSONTape.nowhere, entries: UnsafePointer(entries), index: 0)
    }

    private static var nowhere: UnsafeRawPointer { UnsafeRawPointer(StaticString("").utf8Start) }

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - text: it has to stay as long as what is found is read.
    ///   - node: what is wanted of it; nil for everything. Members outside are left out and elements outside are null, so that arrays keep
    ///     their lengths; what is left out is passed over by its brackets and quotes, and not otherwise checked.
    /// - Returns: the value that the text is.
    /// - Throws: `JSONError` with the byte at which the text stops being JSON.
    /// - Complexity: O(*n*), with no recursion.
    @discardableResult
    package func read(
        _ text: UnsafeRawBufferPointer, limits: JSONLimits = .standard, pruning node: PathSet.Node? = nil
    ) throws(JSONError) -> JSONToken {
        guard let base = text.baseAddress, !text.isEmpty else {
            throw JSONError(.unexpectedEnd(expected: "a value"), at: 0)
        }
        guard text.count <= JSONTape.lengthLimit else {
            throw JSONError(.textTooLong(limit: JSONTape.lengthLimit), at: JSONTape.lengthLimit)
        }
        self.text = text
        // Memory that one long text took is not kept for short ones.
        if capacity > JSONTape.keptCapacity, text.count < capacity { shrink() }
        let scanner = JSONScanner(bytes: JSONBytes(base: base.assumingMemoryBound(to: UInt8.self), count: text.count), limits)
        if let node, case .branch = node {
            try read(scanner, isPruned: true, node)
        } else {
            try read(scanner, isPruned: false, .all)
        }
        return root
    }

    /// Reads a text and builds its value.
    func value(
        of text: UnsafeRawBufferPointer, limits: JSONLimits, pruning node: PathSet.Node? = nil, order: MemberOrder
    ) throws(JSONError) -> JSONValue {
        let token = try read(text, limits: limits, pruning: node)
        return withExtendedLifetime(self) { token.value(order: order) }
    }

    /// How many bytes a text may have: so that what an array holds can be counted in the bits of an entry.
    static let lengthLimit = 1 << 29
    /// A tape of more entries is not kept for the next text.
    private static let keptCapacity = 1 << 16

    private func shrink() {
        entries.deallocate()
        capacity = JSONTape.keptCapacity
        entries = .allocate(capacity: capacity)
    }

    @inline(never)
    private func grow() {
        let larger = UnsafeMutablePointer<Entry>.allocate(capacity: 2 * capacity)
        larger.update(from: entries, count: capacity)
        entries.deallocate()
        entries = larger
        capacity *= 2
    }

    @inline(__always)
    private func push(_ start: Int, _ end: Int, next: UInt32, _ info: UInt32, at place: inout Int) {
        if place == capacity { grow() }
        entries[place] = Entry(
            start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end), next: next, info: info)
        place &+= 1
    }

    /// The machine: an open container links to the one around it, so that it needs no stack.
    @inline(__always)
    private func read(_ scanner: JSONScanner, isPruned: Bool, _ node: PathSet.Node) throws(JSONError) {
        var scanner = scanner
        var place = 0
        var depth = 0
        // The innermost container that is open, whether it is an object, and how many values it has so far.
        var (open, isObject, children): (Int, Bool, UInt32) = (0, false, 0)
        // What is wanted of each container that is open, the innermost last, and of the value to come.
        var nodes: [PathSet.Node] = []
        var wanted = node
        reading: while true {
            scanner.skipSpace()
            switch scanner.byte {
            case 0x22:
                let start = scanner.index &+ 1
                let flags = try scanner.string()
                push(start, scanner.index &- 1, next: 0, Entry.string | flags, at: &place)
                children &+= 1
            case 0x7B, 0x5B:
                guard depth < scanner.limits.depth else {
                    throw scanner.error(.tooDeep(limit: scanner.limits.depth))
                }
                if depth > 0 { entries[open].info = JSONTape.info(isObject, children) }
                depth &+= 1
                isObject = scanner.byte == 0x7B
                push(scanner.index, 0, next: UInt32(truncatingIfNeeded: open), 0, at: &place)
                (open, children) = (place &- 1, 0)
                if isPruned { nodes.append(wanted) }
                scanner.index &+= 1
                scanner.skipSpace()
                if scanner.byte != (isObject ? 0x7D : 0x5D) {
                    if isObject { try name(&scanner, &place) }
                    if !isPruned { continue reading }
                    if try enter(isObject, nodes, &wanted, &scanner, &place) { continue reading }
                    if !isObject { children = 1 }
                }
            default:
                try scalar(&scanner, &place)
                children &+= 1
            }
            // After a value.
            while depth > 0 {
                scanner.skipSpace()
                if scanner.byte == 0x2C {
                    scanner.index &+= 1
                    scanner.skipSpace()
                    if isObject { try name(&scanner, &place) }
                    if !isPruned { continue reading }
                    if try enter(isObject, nodes, &wanted, &scanner, &place) { continue reading }
                    if !isObject { children &+= 1 }
                    continue
                }
                guard scanner.byte == (isObject ? 0x7D : 0x5D) else {
                    throw scanner.unexpectedByte(isObject ? "',' or '}'" : "',' or ']'")
                }
                scanner.index &+= 1
                let around = Int(entries[open].next)
                entries[open].end = UInt32(truncatingIfNeeded: scanner.index)
                entries[open].next = UInt32(truncatingIfNeeded: place)
                entries[open].info = JSONTape.info(isObject, children)
                depth &-= 1
                if isPruned { nodes.removeLast() }
                open = around
                let info = entries[open].info
                isObject = info & Entry.kindMask == Entry.object
                children = info &>> Entry.countShift &+ 1
            }
            break
        }
        scanner.skipSpace()
        guard scanner.isAtEnd else { throw scanner.error(.trailingText) }
        count = place
        if scanner.isForeign { entries[0].info |= Entry.foreign }
    }

    @inline(__always)
    private static func info(_ isObject: Bool, _ count: UInt32) -> UInt32 {
        (isObject ? Entry.object : Entry.array) | count &<< Entry.countShift
    }

    /// Steps over a number or one of the three literals.
    @inline(__always)
    private func scalar(_ scanner: inout JSONScanner, _ place: inout Int) throws(JSONError) {
        let start = scanner.index
        let info: UInt32
        switch scanner.byte {
        case 0x2D, 0x30...0x39: info = try scanner.number()
        case 0x74: info = try scanner.literal("true", Entry.true)
        case 0x66: info = try scanner.literal("false", Entry.false)
        default: info = try scanner.unusual()
        }
        push(start, scanner.index, next: 0, info, at: &place)
    }

    /// Steps over the name of a member and the colon after it.
    @inline(__always)
    private func name(_ scanner: inout JSONScanner, _ place: inout Int) throws(JSONError) {
        guard scanner.byte == 0x22 else { throw scanner.unexpectedByte("a key in double quotes") }
        let start = scanner.index &+ 1
        let flags = try scanner.string()
        push(start, scanner.index &- 1, next: 0, Entry.name | flags, at: &place)
        scanner.skipSpace()
        guard scanner.byte == 0x3A else { throw scanner.unexpectedByte("':'") }
        scanner.index &+= 1
    }

    /// Finds out what is wanted of the member or element to come, and passes over one of which that is nothing.
    ///
    /// - Returns: whether something is wanted of it.
    @inline(never)
    private func enter(
        _ isMember: Bool, _ nodes: [PathSet.Node], _ wanted: inout PathSet.Node, _ scanner: inout JSONScanner,
        _ place: inout Int
    ) throws(JSONError) -> Bool {
        guard let around = nodes.last else { return true }
        let node: PathSet.Node?
        if isMember {
            let name = JSONToken(base: scanner.base, entries: UnsafePointer(entries), index: place - 1)
            node = name.withBytes { around.node(forKey: $0) }
        } else {
            node = around.element
        }
        if let node {
            wanted = node
            return true
        }
        scanner.skipSpace()
        try scanner.skipValue()
        if isMember { place &-= 1 } else { push(scanner.index, scanner.index, next: 0, Entry.null, at: &place) }
        return false
    }
}
