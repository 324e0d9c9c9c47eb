/// The buckets of a dictionary or a set, read where they are.
///
/// A walk through a table by its iterator copies each key and value out of it, which in code that is generic over both
/// costs twenty times the comparison of their bytes. So this reads the table itself, in the layout that the standard
/// library has had since Swift 5 (`__RawDictionaryStorage`: count, capacity, scale, age, seed, keys, values, then a bit
/// for each bucket; `__RawSetStorage` is the same without values). `isTrusted` checks that layout once against tables
/// of known content; if it differs there is no view, and the iterator is used.
struct BucketView {
    /// The number of buckets, a power of two.
    let count: Int
    private let seed: Int
    private let keys: Address
    private let values: Address
    private let occupied: Address

    /// The buckets of a dictionary, for as long as that lives; nil where they cannot be read.
    init?<Key, Value>(_ dictionary: [Key: Value], _ options: EncodingOptions = EncodingOptions()) {
        guard options.readsLayouts, Self.isTrusted else { return nil }
        self.init(unchecked: dictionary)
    }

    /// The buckets of a set, for as long as that lives; nil where they cannot be read.
    init?<Element>(_ set: Set<Element>, _ options: EncodingOptions = EncodingOptions()) {
        guard options.readsLayouts, Self.isTrusted else { return nil }
        self.init(unchecked: set)
    }

    private init?<Key, Value>(unchecked dictionary: [Key: Value]) {
        // All empty tables share one storage.
        guard !dictionary.isEmpty else { return nil }
        self.init(
            storage: Self.storage(of: dictionary), count: dictionary.count, hasValues: true)
    }

    private init?<Element>(unchecked set: Set<Element>) {
        guard !set.isEmpty else { return nil }
        self.init(storage: Self.storage(of: set), count: set.count, hasValues: false)
    }

    private static func storage<Table>(of table: Table) -> Address {
        guard let storage = withAddress(of: table, { Address(bitPattern: $0.load()) }) else {
            preconditionFailure("a table has no storage")
        }
        return storage
    }

    private init?(storage: Address, count entries: Int, hasValues: Bool) {
        #if _pointerBitWidth(_64) && !canImport(ObjectiveC)
        let scale = storage.load(32, as: Int8.self)
        guard storage.load(16, as: Int.self) == entries, (1..<48).contains(scale),
            let keys = Address(bitPattern: storage.load(48))
        else { return nil }
        count = 1 << Int(scale)
        seed = storage.load(40, as: Int.self)
        self.keys = keys
        occupied = storage + (hasValues ? 64 : 56)
        guard hasValues else {
            values = keys
            return
        }
        guard let values = Address(bitPattern: storage.load(56)) else { return nil }
        self.values = values
        #else
        return nil
        #endif
    }

    /// Whether a key has the same bucket in another table, except for collisions.
    func isLaidOut(like other: BucketView) -> Bool {
        count == other.count && seed == other.seed
    }

    /// How many words of 64 bits say which buckets hold an entry.
    var wordCount: Int { (count + 63) / 64 }

    /// Which of 64 buckets hold an entry.
    func occupied(word: Int) -> UInt64 {
        let bits = occupied.load(word * 8, as: UInt64.self)
        // In a table of fewer than 64 buckets the rest of the word is undefined.
        return count < 64 ? bits & ((1 << UInt64(count)) - 1) : bits
    }

    func key(_ bucket: Int, stride: Int) -> Address { keys + bucket * stride }

    func value(_ bucket: Int, stride: Int) -> Address { values + bucket * stride }

    /// Whether tables of known content are read correctly.
    ///
    /// The places of their parts are checked against the size that such a table has before anything is read there.
    private static let isTrusted: Bool = {
        var sample: [UInt64: UInt32] = [:]
        for number in 0..<100 { sample[UInt64(number) &* 7_919] = UInt32(number) }
        let copy = sample
        sample[7_919] = 0
        return reads(sample) && reads(copy) && reads(Set(sample.keys))
    }()

    /// Whether keys and values lie after the header of a table whose entries have so many bytes.
    private func lies(within bytes: Int, of storage: Address) -> Bool {
        let end = storage + (64 + wordCount * 8 + bytes + 16)
        return [keys, values].allSatisfy { $0 - occupied > 0 && end - $0 > 0 }
    }

    private static func reads(_ sample: [UInt64: UInt32]) -> Bool {
        guard MemoryLayout<[UInt64: UInt32]>.size == 8, let view = BucketView(unchecked: sample),
            view.count >= sample.count, view.count <= sample.count * 4,
            view.lies(within: 8 * view.count + 4 * view.count, of: Self.storage(of: sample))
        else { return false }
        var found = 0
        for bucket in 0..<view.count where view.occupied(word: bucket / 64) >> UInt64(bucket % 64) & 1 == 1 {
            let key = view.key(bucket, stride: 8).load(as: UInt64.self)
            guard sample[key] == view.value(bucket, stride: 4).load(as: UInt32.self) else { return false }
            found += 1
        }
        return found == sample.count
    }

    private static func reads(_ sample: Set<UInt64>) -> Bool {
        guard MemoryLayout<Set<UInt64>>.size == 8, let view = BucketView(unchecked: sample),
            view.count >= sample.count, view.count <= sample.count * 4,
            view.lies(within: 8 * view.count, of: Self.storage(of: sample))
        else { return false }
        var found: Set<UInt64> = []
        for bucket in 0..<view.count where view.occupied(word: bucket / 64) >> UInt64(bucket % 64) & 1 == 1 {
            found.insert(view.key(bucket, stride: 8).load(as: UInt64.self))
        }
        return found == sample
    }
}
