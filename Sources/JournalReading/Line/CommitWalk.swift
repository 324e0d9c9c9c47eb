import JSONCore
import Platform

/// Finds in a commit's line what a reader needs to decide whether it matters: its store, and the places that it writes.
package enum CommitWalk {
    /// `,"store"`, the first byte lowest.
    private static let storeMember: UInt64 = 0x2265_726F_7473_222C

    /// The store, where it is the first member after the kind, as our writer puts it, and nothing after it may be a second
    /// one, which would count: the rest of the line is only searched for that.
    @inline(__always)
    static func leadingStore(of line: UnsafeRawBufferPointer, from start: Int) -> LineString? {
        guard let store = firstStore(of: line, from: start), !mayNameStore(line, after: store) else { return nil }
        return store
    }

    /// The store, where it is the first member after the kind.
    ///
    /// The rest of the line is not searched: a second one may follow.
    @inline(__always)
    static func firstStore(of line: UnsafeRawBufferPointer, from start: Int) -> LineString? {
        guard start > 0 else { return nil }
        var scanner = LineScanner(line, at: start)
        if scanner.take(word: CommitWalk.storeMember, count: 8), scanner.take(0x3A) { return scanner.string() }
        var walk = MemberWalk(line, from: start)
        guard let name = walk.next(), name.equals("store") else { return nil }
        return walk.scanner.string()
    }

    /// Whether a string `"store"`, or an escape that may spell a letter of it, stands after a place.
    ///
    /// By its rarest letter in our writer's lines, at the speed of memchr(3), as ``RecordBoundary`` does.
    @inline(__always)
    static func mayNameStore(_ line: UnsafeRawBufferPointer, after name: LineString) -> Bool {
        let start = name.end(in: line)
        return contains(line, UInt8(ascii: "r"), after: start) { place in
            place >= 4 && place &+ 2 < line.count && line[place &+ 1] == UInt8(ascii: "e")
                && line[place &+ 2] == UInt8(ascii: "\"") && line[place &- 1] == UInt8(ascii: "o")
                && line[place &- 2] == UInt8(ascii: "t") && line[place &- 3] == UInt8(ascii: "s")
                && line[place &- 4] == UInt8(ascii: "\"")
        }
            || contains(line, UInt8(ascii: "\\"), after: start) { place in
                place &+ 1 < line.count && line[place &+ 1] == UInt8(ascii: "u")
            }
    }

    /// Whether a closure is true of one of the places of a byte.
    @inline(__always)
    private static func contains(
        _ line: UnsafeRawBufferPointer, _ byte: UInt8, after start: Int, where isFound: (Int) -> Bool
    ) -> Bool {
        guard let base = line.baseAddress else { return false }
        var place = start
        while place < line.count,
            let distance = RawMemory.firstOffset(of: byte, in: base + place, count: line.count &- place)
        {
            if isFound(place &+ distance) { return true }
            place &+= distance &+ 1
        }
        return false
    }

    /// Whether a closure is true of one of the places that a commit writes, called in order until it is; true also where the line
    /// is to be parsed.
    ///
    /// A place inside of a value may be passed, too.
    ///
    /// - Parameters:
    ///   - knows: given the store, before any place of it; if it is false, no place is passed.
    ///   - isWanted: given a path's text, and whether its operation puts in or takes out.
    @inline(__always)
    static func anyPlace(
        in line: UnsafeRawBufferPointer, from start: Int, ofStore knows: (LineString) -> Bool,
        where isWanted: (UnsafeRawBufferPointer, Bool) -> Bool
    ) -> Bool {
        if let store = firstStore(of: line, from: start), knows(store),
            let found = CommitSearch.anyPlace(in: line, after: store.end(in: line), where: isWanted)
        {
            return found
        }
        return anyPlaceOfAnyForm(in: line, from: start, ofStore: knows, where: isWanted)
    }

    /// Whether a closure is true of one of the places that a commit writes, whatever form the line is written in: one walk over it.
    static func anyPlaceOfAnyForm(
        in line: UnsafeRawBufferPointer, from start: Int, ofStore knows: (LineString) -> Bool,
        where isWanted: (UnsafeRawBufferPointer, Bool) -> Bool
    ) -> Bool {
        var walk = MemberWalk(line, from: start)
        var hasStore = false
        var hasPatch = false
        var isKnown = false
        while let name = walk.next() {
            if name.equals("store") {
                guard !hasStore, let text = walk.scanner.string() else { return true }
                hasStore = true
                // A second store may follow all the same.
                isKnown = knows(text)
            } else if name.equals("patch") {
                // Before its store it is rare, and read whole.
                guard hasStore, !hasPatch else { return true }
                hasPatch = true
                guard isKnown else {
                    guard walk.scanner.skipValue() else { return true }
                    continue
                }
                var patch = PatchWalk(walk.scanner)
                while let operation = patch.next() {
                    if !operation.isWhole || operation.anyPlace(isWanted) { return true }
                }
                guard patch.isWhole else { return true }
                walk.scanner = patch.place
            } else {
                if start > 0, name.equals("seq") || name.equals("kind") { return true }
                guard walk.scanner.skipValue() else { return true }
            }
        }
        return !(walk.isWhole && hasPatch)
    }
}
