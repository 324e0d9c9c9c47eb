internal import JSONCore

/// The order of an array's places by their keys.
///
/// Each key has a word of 64 bits that decides most comparisons. Sorting then touches no string, no number's storage
/// and no reference count; only for two equal words are the keys themselves compared.
struct SortedOrder {
    /// The word of a key: where words differ, they are in the order of their keys.
    private struct Entry {
        let rank: UInt8
        let word: UInt64
        let place: Int
    }

    private let keys: [JSONValue]
    private var entries: [Entry]
    /// Charges what comparing keys takes beside their words.
    private let machine: Machine

    /// Sorts; equal keys keep their order.
    ///
    /// - Throws: what comparing two keys throws.
    /// - Complexity: O(*n* log *n*) comparisons.
    init(_ keys: [JSONValue], _ machine: Machine) throws(Interruption) {
        try self.init(keys, among: keys.indices, machine)
    }

    /// Sorts some of the places.
    init(_ keys: [JSONValue], among places: some Collection<Int>, _ machine: Machine) throws(Interruption) {
        self.keys = keys
        self.machine = machine
        let shared = Self.sharedPrefix(of: keys, among: places)
        try machine.charge(work: (shared &>> 5) &* places.count)
        entries = []
        entries.reserveCapacity(places.count)
        for place in places {
            let rank = UInt8(ValueOrder.rank(keys[place]))
            entries.append(Entry(rank: rank, word: Self.word(of: keys[place], from: shared), place: place))
        }
        var failure: Interruption?
        entries.sort { a, b in
            if a.rank != b.rank { return a.rank < b.rank }
            if a.word != b.word { return a.word < b.word }
            if failure != nil { return false }
            do throws(Interruption) {
                let order = try Self.compare(keys[a.place], keys[b.place], machine)
                // Swift's sort is stable in practice but does not promise it: the place decides ties.
                return order == 0 ? a.place < b.place : order < 0
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
    }

    /// The places, the least key's first.
    var places: [Int] { entries.map(\.place) }

    /// Where, among the sorted places, each group of equal keys ends.
    private func groupEnds() throws(Interruption) -> [Int] {
        var ends: [Int] = []
        for index in entries.indices.dropFirst() {
            let (last, entry) = (entries[index - 1], entries[index])
            let isSame =
                last.rank == entry.rank && last.word == entry.word
                ? try ValueOrder.compare(keys[last.place], keys[entry.place], machine) == 0 : false
            if !isSame { ends.append(index) }
        }
        if !entries.isEmpty { ends.append(entries.count) }
        return ends
    }

    /// The places by groups of equal keys, the least first.
    func groups() throws(Interruption) -> [[Int]] { Self.groups(places, try groupEnds()) }

    private static func groups(_ places: [Int], _ ends: [Int]) -> [[Int]] {
        var start = 0
        return ends.map { end in
            defer { start = end }
            return Array(places[start..<end])
        }
    }

    // MARK: Keys of several parts

    /// The places of keys, the least first.
    ///
    /// Keys that are arrays of one length are sorted column by column, so that there too each comparison is one of
    /// words.
    static func places(of keys: [JSONValue], _ machine: Machine) throws(Interruption) -> [Int] {
        let rows = keys.compactMap(\.array)
        guard let width = rows.first?.count, width > 1, rows.count == keys.count,
            rows.allSatisfy({ $0.count == width })
        else { return try SortedOrder(keys, machine).places }
        try machine.charge(work: keys.count &* width)
        return try places(ofColumns: (0..<width).map { column in rows.map { $0[column] } }, machine)
    }

    /// The places of keys that are given as columns, the least first.
    static func places(ofColumns columns: [[JSONValue]], _ machine: Machine) throws(Interruption) -> [Int] {
        var places = Array((columns.first ?? []).indices)
        var ends: [Int]?
        try sort(&places, in: 0..<places.count, by: columns[...], &ends, machine)
        return places
    }

    /// The places of keys that are given as columns, in groups of equal keys, the least first.
    static func groups(ofColumns columns: [[JSONValue]], _ machine: Machine) throws(Interruption) -> [[Int]] {
        var places = Array((columns.first ?? []).indices)
        var ends: [Int]? = []
        try sort(&places, in: 0..<places.count, by: columns[...], &ends, machine)
        return groups(places, ends ?? [])
    }

    /// Sorts a range of the places by some columns, and notes where groups of equal keys end, if the caller wants
    /// them.
    private static func sort(
        _ places: inout [Int], in range: Range<Int>, by columns: ArraySlice<[JSONValue]>, _ ends: inout [Int]?,
        _ machine: Machine
    ) throws(Interruption) {
        guard let first = columns.first, range.count > 1 else {
            ends?.append(range.upperBound)
            return
        }
        let order = try SortedOrder(first, among: places[range], machine)
        for (index, entry) in order.entries.enumerated() { places[range.lowerBound + index] = entry.place }
        let rest = columns.dropFirst()
        if rest.isEmpty && ends == nil { return }
        var start = range.lowerBound
        for end in try order.groupEnds() {
            try sort(&places, in: start..<range.lowerBound + end, by: rest, &ends, machine)
            start = range.lowerBound + end
        }
    }

    /// NaN is less than itself, so keys with NaN have no order that a sort could rely on.
    private static func compare(_ a: JSONValue, _ b: JSONValue, _ machine: Machine) throws(Interruption) -> Int {
        if case .number(let x) = a, case .number(let y) = b, x.doubleValue.isNaN, y.doubleValue.isNaN { return 0 }
        return try ValueOrder.compare(a, b, machine)
    }

    /// The length of the common prefix of keys that are all strings: names and times differ late, so the words begin
    /// after it.
    private static func sharedPrefix(of keys: [JSONValue], among places: some Collection<Int>) -> Int {
        guard let start = places.first, case .string(let first) = keys[start] else { return 0 }
        let beginning = Array(first.utf8)
        var shared = beginning.count
        for place in places.dropFirst() {
            guard case .string(let text) = keys[place] else { return 0 }
            shared = text.withBytes { bytes in
                let limit = min(shared, bytes.count)
                var place = 0
                while place < limit, bytes[place] == beginning[place] { place += 1 }
                return place
            }
            if shared == 0 { return 0 }
        }
        return shared
    }

    private static func word(of key: JSONValue, from shared: Int) -> UInt64 {
        switch key {
        case .number(let number): return word(of: number.doubleValue)
        case .string(let text): return word(of: text, from: shared)
        case .array(let elements):
            // The first element decides first: its kind, then what its word has room for.
            guard let first = elements.first else { return 0 }
            return UInt64(ValueOrder.rank(first) + 1) << 60 | word(of: first, from: 0) >> 4
        default: return 0
        }
    }

    /// The bits of a double in the order of the numbers; NaN is the least.
    private static func word(of number: Double) -> UInt64 {
        if number.isNaN { return 0 }
        let bits = (number == 0 ? 0 : number).bitPattern
        return bits >> 63 == 1 ? ~bits : bits | 1 << 63
    }

    /// The next eight bytes, the first the most significant.
    private static func word(of text: String, from start: Int) -> UInt64 {
        text.withBytes { bytes in
            var word: UInt64 = 0
            for place in start..<start + 8 { word = word << 8 | (place < bytes.count ? UInt64(bytes[place]) : 0) }
            return word
        }
    }
}
