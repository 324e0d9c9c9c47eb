internal import JSONCore

protocol ListPair {
    var oldCount: Int { get }
    var newCount: Int { get }
    /// How many elements at the beginning, and of the rest at the end, are surely equal.
    func commonEnds() -> (prefix: Int, suffix: Int)
    /// Whether two elements are surely equal, without encoding them; false means nothing.
    func surelySame(_ old: Int, _ new: Int) -> Bool
    func old(_ place: Int) -> EncodedTree
    func new(_ place: Int) -> EncodedTree
    /// Numbers that are equal only for surely equal elements; nil if that cannot be found cheaply.
    func sameNumbers(_ old: Range<Int>, _ new: Range<Int>) -> ListNumbers?
    /// Whether elements at these places have the same identities in both versions; nil if they have none.
    func keepIdentities(at places: [Int], _ pass: EncodingPass) throws(StateEncodingError) -> Bool?
    /// Numbers of the elements' identities; nil if they have none, or one occurs twice.
    func identities(_ old: [Int], _ new: [Int], _ pass: EncodingPass) throws(StateEncodingError) -> ListNumbers?
    /// How many elements, from an index of the old version and one of the new on, are surely equal; at most `count`.
    func commonRun(_ old: Int, _ new: Int, atMost count: Int) -> Int
    func writeDifference(_ old: Int, _ new: Int, _ pass: EncodingPass) throws(StateEncodingError)
    /// Records that an element was written, as a part of the tree.
    func recordWritten(_ tree: EncodedTree, at new: Int)
    /// Whether an element of one version must know the one that it takes the place of, for the secrets in that.
    func mayHoldSecrets(_ pass: EncodingPass) -> Bool
}

extension ListPair {
    func keepIdentities(at places: [Int], _ pass: EncodingPass) throws(StateEncodingError) -> Bool? {
        try identities(places, places, pass).map { $0.old == $0.new }
    }

    func writeDifference(_ old: Int, _ new: Int, _ pass: EncodingPass) throws(StateEncodingError) {
        try pass.writeDifference(from: self.old(old), to: self.new(new))
    }

    func recordWritten(_ tree: EncodedTree, at new: Int) {}
}

/// Gives equal values of two lists equal numbers, and detects values that are in one list twice.
struct Numbering<Thing: Hashable> {
    private var known: [Thing: (number: Int, inOld: Bool, inNew: Bool)] = [:]
    private(set) var numbers = ListNumbers()
    /// Whether no value was in one list twice.
    private(set) var isDistinct = true

    init(capacity: Int) {
        known.reserveCapacity(capacity)
    }

    mutating func addOld(_ thing: Thing) {
        var entry = known[thing] ?? (known.count, false, false)
        if entry.inOld { isDistinct = false }
        entry.inOld = true
        known[thing] = entry
        numbers.old.append(entry.number)
    }

    mutating func addNew(_ thing: Thing) {
        var entry = known[thing] ?? (known.count, false, false)
        if entry.inNew { isDistinct = false }
        entry.inNew = true
        known[thing] = entry
        numbers.new.append(entry.number)
    }
}

extension EncodingPass {
    /// Numbers of the elements' scalar members `id`; nil if an element has none or two have the same.
    func memberIdentities(
        _ pair: some ListPair, _ old: [Int], _ new: [Int]
    ) throws(StateEncodingError) -> ListNumbers? {
        var numbering = Numbering<[UInt8]>(capacity: max(old.count, new.count))
        for place in old {
            guard let text = try memberIdentity(of: pair.old(place), at: place) else { return nil }
            numbering.addOld(text)
        }
        for place in new {
            guard let text = try memberIdentity(of: pair.new(place), at: place) else { return nil }
            numbering.addNew(text)
        }
        return numbering.isDistinct ? numbering.numbers : nil
    }

    private func memberIdentity(of tree: EncodedTree, at index: Int) throws(StateEncodingError) -> [UInt8]? {
        var identity: [UInt8]?
        try at(.index(index)) { () throws(StateEncodingError) in identity = try memberIdentity(of: tree) }
        return identity
    }

    private func memberIdentity(of tree: EncodedTree) throws(StateEncodingError) -> [UInt8]? {
        guard case .object(let object) = try structure(of: tree), let place = object.place(of: "id") else { return nil }
        guard case .scalar(let scalar) = try structure(of: object.values[place]) else { return nil }
        if case .null = scalar { return nil }
        return try text(of: .scalar(scalar))
    }

    /// A part of the tree as an object, array or scalar, in place of a typed value.
    func structure(of tree: EncodedTree) throws(StateEncodingError) -> EncodedTree {
        var tree = tree
        var levels = levelsLeft
        while case .value(let node) = tree {
            levels -= 1
            guard levels >= 0 else { throw failure(.tooDeep(limit: options.depthLimit), node.traits.name) }
            tree = try node.shape(self)
        }
        return tree
    }

    /// Numbers that are equal for elements with the same text.
    func textNumbers(_ pair: some ListPair, _ old: [Int], _ new: [Int]) throws(StateEncodingError) -> ListNumbers {
        var numbering = Numbering<[UInt8]>(capacity: max(old.count, new.count))
        for place in old { numbering.addOld(try text(of: pair.old(place), at: place)) }
        for place in new { numbering.addNew(try text(of: pair.new(place), at: place)) }
        return numbering.numbers
    }

    private func text(of element: EncodedTree, at place: Int) throws(StateEncodingError) -> [UInt8] {
        var bytes: [UInt8] = []
        try at(.index(place)) { () throws(StateEncodingError) in try append(element, to: &bytes) }
        return bytes
    }
}

struct TreeListPair: ListPair {
    private let older: [EncodedTree]
    private let newer: [EncodedTree]

    init(_ older: ArrayNode, _ newer: ArrayNode) {
        self.older = older.elements
        self.newer = newer.elements
    }

    var oldCount: Int { older.count }
    var newCount: Int { newer.count }

    func commonEnds() -> (prefix: Int, suffix: Int) {
        let shorter = min(older.count, newer.count)
        var prefix = 0
        while prefix < shorter, surelySame(prefix, prefix) { prefix += 1 }
        var suffix = 0
        while suffix < shorter - prefix, surelySame(older.count - 1 - suffix, newer.count - 1 - suffix) { suffix += 1 }
        return (prefix, suffix)
    }

    func surelySame(_ old: Int, _ new: Int) -> Bool { EncodedTree.identical(older[old], newer[new]) }
    func old(_ place: Int) -> EncodedTree { older[place] }
    func new(_ place: Int) -> EncodedTree { newer[place] }
    func sameNumbers(_ old: Range<Int>, _ new: Range<Int>) -> ListNumbers? { nil }

    func mayHoldSecrets(_ pass: EncodingPass) -> Bool {
        newer.contains { if case .value(let node) = $0 { node.traits.mayHoldSecrets(pass) } else { false } }
    }

    func commonRun(_ old: Int, _ new: Int, atMost most: Int) -> Int {
        var count = 0
        while count < most, surelySame(old + count, new + count) { count += 1 }
        return count
    }

    func identities(
        _ old: [Int], _ new: [Int], _ pass: EncodingPass
    ) throws(StateEncodingError) -> ListNumbers? {
        try pass.memberIdentities(self, old, new)
    }
}
