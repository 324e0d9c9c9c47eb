/// The names that were given to derived values in a file, and a sum of what the line of each says: some 16 bytes for each.
///
/// An app may make a derived value for each row that it ever shows, and a journal's name means one of them. So what is kept of
/// a name is a hash of 64 bits: that two names have one is as unlikely as it has to be, and would only give one of them a number.
///
/// A table with open addressing (Knuth, "The Art of Computer Programming", 6.4, algorithm L), which grows by a quarter where a
/// `Dictionary` doubles.
struct GivenNames: Sendable {
    /// The content of a line that may not be in the file.
    static let unknown: UInt32 = 0

    /// The hash of the name in each slot, 0 in a free one; beside it the sum.
    private var hashes: [UInt64] = []
    private var sums: [UInt32] = []
    private var count = 0

    /// What the line of a name says; nil where the name was not given.
    ///
    /// - Complexity: O(1) on average.
    subscript(name: String) -> UInt32? {
        get {
            if count == 0 { return nil }
            let hash = GivenNames.hash(name)
            let slot = slot(of: hash)
            return hashes[slot] == hash ? sums[slot] : nil
        }
        set {
            guard let newValue else { return }
            if count * 8 >= hashes.count * 7 { grow() }
            put(GivenNames.hash(name), newValue)
        }
    }

    /// Forgets what all lines say.
    mutating func forgetContents() {
        for slot in sums.indices { sums[slot] = GivenNames.unknown }
    }

    private static func hash(_ name: String) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(name)
        return max(1, UInt64(bitPattern: Int64(hasher.finalize())))
    }

    /// The slot that has a hash, or the free one that is to have it.
    private func slot(of hash: UInt64) -> Int {
        var slot = Int(hash.multipliedFullWidth(by: UInt64(hashes.count)).high)
        while hashes[slot] != hash, hashes[slot] != 0 {
            slot += 1
            if slot == hashes.count { slot = 0 }
        }
        return slot
    }

    private mutating func put(_ hash: UInt64, _ sum: UInt32) {
        let slot = slot(of: hash)
        if hashes[slot] == 0 { count += 1 }
        (hashes[slot], sums[slot]) = (hash, sum)
    }

    private mutating func grow() {
        let old = (hashes: hashes, sums: sums)
        let size = hashes.count + max(16, hashes.count / 4)
        (hashes, sums) = (Array(repeating: 0, count: size), Array(repeating: GivenNames.unknown, count: size))
        count = 0
        for (slot, hash) in old.hashes.enumerated() where hash != 0 { put(hash, old.sums[slot]) }
    }
}
