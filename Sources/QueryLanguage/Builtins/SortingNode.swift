internal import JSONCore

enum SortingKind: String, CaseIterable {
    case sort = "sort_by"
    case group = "group_by"
    case unique = "unique_by"
    case minimum = "min_by"
    case maximum = "max_by"
}

/// The key is the array of all outputs of `f`.
final class SortingNode: UnaryNode {
    let kind: SortingKind
    private var columns: [Node] = []
    /// The cost of sorting, as a multiple of reading the array once.
    static let effort = 16
    /// The additional cost of each element if groups are made: each may be a group of its own.
    private static let groupCost = 16

    init(_ kind: SortingKind, key: Node) {
        self.kind = kind
        super.init(key)
    }

    override var inferredCardinality: Cardinality { .one }
    override func inferCardinality() {
        super.inferCardinality()
        if let parts = (operand as? CommaNode)?.parts, parts.allSatisfy({ $0.cardinality == .one }), !isExtreme {
            columns = parts
        }
    }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        guard case .array(let elements) = input else {
            // Errors of the keys come first, also for an object, which cannot be sorted.
            var lists: [JSONValue] = []
            _ = try IterateNode.forEachPart(of: input, frame.machine) { part throws(Interruption) in
                lists.append(.array(try operand.all(part, frame)))
                return .more
            }
            throw refusal(input, .array(lists))
        }
        if !columns.isEmpty { return try sorted(elements, frame) }
        var keys: [JSONValue] = []
        keys.reserveCapacity(elements.count)
        _ = try elements.eachBorrowed { element throws(Interruption) in
            try frame.machine.charge(operand.stepCost)
            if operand.cardinality == .one, let value = try element.one(operand, frame) {
                // Single keys have the order that arrays of one key would have.
                keys.append(value)
            } else {
                keys.append(.array(try element.all(operand, frame)))
            }
            return .more
        }
        try frame.machine.charge(work: input.readingCost * Self.effort)
        return try Self.apply(kind, elements.array, keys, frame.machine)
    }

    private var isExtreme: Bool { kind == .minimum || kind == .maximum }

    /// Orders by several keys, each a column of its own, so that no array is made for an element.
    private func sorted(_ elements: JSONArray, _ frame: Frame) throws(Interruption) -> JSONValue {
        let columns = columns
        var values = columns.map { _ in [JSONValue]() }
        for column in values.indices { values[column].reserveCapacity(elements.count) }
        _ = try elements.eachBorrowed { element throws(Interruption) in
            try frame.machine.charge(operand.stepCost)
            for column in columns.indices {
                if let value = try element.one(columns[column], frame) { values[column].append(value) }
            }
            return .more
        }
        let machine = frame.machine
        try machine.charge(work: elements.count * (Self.effort / 4 + Machine.buildingCost))
        if kind == .sort { return .array(try SortedOrder.places(ofColumns: values, machine).map { elements[$0] }) }
        try machine.charge(work: Self.groupCost &* elements.count)
        let groups = try SortedOrder.groups(ofColumns: values, machine)
        return Self.grouped(groups, elements.array, isUnique: kind == .unique)
    }

    private func refusal(_ input: JSONValue, _ lists: JSONValue) -> Interruption {
        return Arithmetic.failure(
            input, lists, isExtreme ? "cannot be iterated over" : "cannot be sorted, as they are not both arrays")
    }

    static func apply(
        _ kind: SortingKind, _ elements: [JSONValue], _ keys: [JSONValue], _ machine: Machine
    ) throws(Interruption) -> JSONValue {
        switch kind {
        case .minimum, .maximum: return try extreme(elements, keys, isMinimum: kind == .minimum, machine)
        case .sort: return .array(try SortedOrder.places(of: keys, machine).map { elements[$0] })
        case .group, .unique: break
        }
        try machine.charge(work: groupCost &* elements.count)
        let groups = try SortedOrder(keys, machine).groups()
        return grouped(groups, elements, isUnique: kind == .unique)
    }

    private static func grouped(_ groups: [[Int]], _ elements: [JSONValue], isUnique: Bool) -> JSONValue {
        .array(groups.map { group in isUnique ? elements[group[0]] : .array(group.map { elements[$0] }) })
    }

    private static func extreme(
        _ elements: [JSONValue], _ keys: [JSONValue], isMinimum: Bool, _ machine: Machine
    ) throws(Interruption) -> JSONValue {
        guard !elements.isEmpty else { return .null }
        var best = 0
        for place in 1..<elements.count
        where (try ValueOrder.compare(keys[place], keys[best], machine) < 0) == isMinimum { best = place }
        return elements[best]
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        let elements = frame.tracer.parts(of: input)
        frame.tracer.consume(operand.trace(elements, frame))
        switch kind {
        case .minimum, .maximum: return elements
        case .sort, .unique: return .array(of: elements)
        case .group: return .array(of: .array(of: elements))
        }
    }
}

/// Each key has a word of 64 bits that decides most comparisons, so sorting touches no string, no number's storage and
/// no reference count; only for two equal words are the keys themselves compared.
struct SortedOrder {
    /// The word of a key: where words differ, they are in the order of their keys.
    private struct RankedKey {
        let rank: UInt8
        let word: UInt64
        let place: Int
    }

    private let keys: [JSONValue]
    private var entries: [RankedKey]
    /// Charges what comparing keys takes beside their words.
    private let machine: Machine

    /// Equal keys keep their order.
    ///
    /// - Complexity: O(*n* log *n*) comparisons.
    init(_ keys: [JSONValue], _ machine: Machine) throws(Interruption) {
        try self.init(keys, among: keys.indices, machine)
    }

    init(_ keys: [JSONValue], among places: some Collection<Int>, _ machine: Machine) throws(Interruption) {
        self.keys = keys
        self.machine = machine
        let shared = Self.sharedPrefix(of: keys, among: places)
        try machine.charge(work: (shared &>> 5) &* places.count)
        entries = []
        entries.reserveCapacity(places.count)
        for place in places {
            let rank = UInt8(ValueOrder.rank(keys[place]))
            entries.append(RankedKey(rank: rank, word: Self.word(of: keys[place], from: shared), place: place))
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

    var places: [Int] { entries.map(\.place) }

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

    func groups() throws(Interruption) -> [[Int]] { Self.groups(places, try groupEnds()) }

    private static func groups(_ places: [Int], _ ends: [Int]) -> [[Int]] {
        var start = 0
        return ends.map { end in
            defer { start = end }
            return Array(places[start..<end])
        }
    }

    // MARK: Keys of several parts

    /// Keys that are arrays of one length are sorted column by column, so that there too words are compared.
    static func places(of keys: [JSONValue], _ machine: Machine) throws(Interruption) -> [Int] {
        let rows = keys.compactMap(\.array)
        guard let width = rows.first?.count, width > 1, rows.count == keys.count,
            rows.allSatisfy({ $0.count == width })
        else { return try SortedOrder(keys, machine).places }
        try machine.charge(work: keys.count &* width)
        return try places(ofColumns: (0..<width).map { column in rows.map { $0[column] } }, machine)
    }

    static func places(ofColumns columns: [[JSONValue]], _ machine: Machine) throws(Interruption) -> [Int] {
        var places = Array((columns.first ?? []).indices)
        var ends: [Int]?
        try sort(&places, in: 0..<places.count, by: columns[...], &ends, machine)
        return places
    }

    static func groups(ofColumns columns: [[JSONValue]], _ machine: Machine) throws(Interruption) -> [[Int]] {
        var places = Array((columns.first ?? []).indices)
        if places.isEmpty { return [] }
        var ends: [Int]? = []
        try sort(&places, in: 0..<places.count, by: columns[...], &ends, machine)
        return groups(places, ends ?? [])
    }

    /// `ends` gets where groups of equal keys end, if it is not nil.
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

    /// Names and times differ late, so the words begin after the common prefix of keys that are all strings.
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

    private static func word(of number: Double) -> UInt64 {
        if number.isNaN { return 0 }
        let bits = (number == 0 ? 0 : number).bitPattern
        return bits >> 63 == 1 ? ~bits : bits | 1 << 63
    }

    private static func word(of text: String, from start: Int) -> UInt64 {
        text.withBytes { bytes in
            var word: UInt64 = 0
            for place in start..<start + 8 { word = word << 8 | (place < bytes.count ? UInt64(bytes[place]) : 0) }
            return word
        }
    }
}
