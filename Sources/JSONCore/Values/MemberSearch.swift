/// Finds members of an object by keys that lie in a text, each member once.
///
/// Keys in the members' order cost one comparison each, as in a text of a dictionary; others a search, as in a text of a
/// struct, whose properties stand as they were declared.
struct MemberSearch {
    /// What holds the members where they are many; nil for a small object, which is one run.
    private let sorted: SortedMembers?
    /// The run in which a member was found last, and its number.
    private var run: [JSONObject.Member]
    private var number = 0
    /// The index after the member that was found last.
    private var next = 0
    /// The members of the run that were found, a bit each.
    private var found: UInt64 = 0
    /// The members found in every run, as bits; up to date for all runs but this one.
    private var foundInRuns: [UInt64] = []

    /// Begins before the first member; nil for members that are in no order.
    ///
    /// - Parameter object: held by the caller while what is found is used.
    init?(_ object: JSONObject) {
        switch object.storage {
        case .small(let members): (sorted, run) = (nil, members)
        case .sorted(let members): (sorted, run) = (members, members.chunks.first?.members ?? [])
        case .hashed: return nil
        }
    }

    /// Where the value of a member lies; nil where there is none, and where it was found before.
    mutating func find(_ key: UnsafeRawBufferPointer) -> UnsafePointer<JSONValue>? {
        guard let index = index(of: key) else { return nil }
        let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: index)
        guard index < UInt64.bitWidth, found & bit == 0 else { return nil }
        found |= bit
        next = index &+ 1
        return run.withUnsafeBufferPointer { JSONObject.pointer(toValueOf: index, in: $0) }
    }

    /// The index of a key in its run, searched for where it is expected first.
    @inline(__always)
    private mutating func index(of key: UnsafeRawBufferPointer) -> Int? {
        if next == run.count, let sorted { open(number &+ 1, of: sorted) }
        let index = run.withUnsafeBufferPointer { run -> Int? in
            if next < run.count, UTF8Order.equal(run[next].key, key) { return next }
            return sorted == nil ? run.indices.first { UTF8Order.equal(run[$0].key, key) } : nil
        }
        if index != nil { return index }
        guard let sorted, let place = sorted.place(of: String(decoding: key, as: UTF8.self)) else { return nil }
        open(place.chunk, of: sorted)
        return place.index
    }

    /// Goes on in another run.
    private mutating func open(_ other: Int, of sorted: SortedMembers) {
        guard other != number, other < sorted.chunks.count else { return }
        if foundInRuns.isEmpty { foundInRuns = Array(repeating: 0, count: sorted.chunks.count) }
        foundInRuns[number] = found
        (found, number, next) = (foundInRuns[other], other, 0)
        run = sorted.chunks[other].members
    }
}
