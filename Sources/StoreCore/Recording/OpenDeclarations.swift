internal import JournalFormat

/// The derived values that a journal has lines of, in the order in which they were made.
///
/// One that goes is forgotten, but for its name. The next one that says the same, as where a view makes it each time that it is
/// shown, takes its name and needs no line of its own; no other one does, since a name means one derived value in a file.
struct OpenDeclarations: Sendable {
    private struct Entry: Sendable {
        let order: Int
        let declaration: DerivedDeclaration
        /// A hash of what its line says, but for its name.
        let content: UInt64

        /// As much of the hash as is kept with a name.
        var sum: UInt32 { max(GivenNames.unknown + 1, UInt32(truncatingIfNeeded: content)) }
    }

    private var open: [ObjectIdentifier: Entry] = [:]
    private var count = 0
    /// The names of those that are open.
    private var used: Set<String> = []
    /// All names, of those that went, too.
    private var given = GivenNames()
    /// The highest number after each wanted name that was not free once.
    private var highest: [String: Int] = [:]
    /// The numbers of those that went, by what their lines say: at most as many as were open at once with one wanted name.
    private var retired: [UInt64: [Int]] = [:]

    /// All of them, in order.
    ///
    /// - Complexity: O(n log n).
    var inOrder: [DerivedDeclaration] { open.values.sorted { $0.order < $1.order }.map(\.declaration) }

    /// Takes a declaration in, and gives it its name.
    ///
    /// - Returns: whether its line is to be written.
    mutating func add(_ declaration: DerivedDeclaration) -> Bool {
        count += 1
        let entry = Entry(order: count, declaration: declaration, content: OpenDeclarations.content(of: declaration))
        open[ObjectIdentifier(declaration)] = entry
        let isNew = name(entry)
        used.insert(declaration.name)
        return isNew
    }

    /// Gives a derived value its name.
    ///
    /// - Returns: whether that is a new one.
    private mutating func name(_ entry: Entry) -> Bool {
        let declaration = entry.declaration
        declaration.name = declaration.wanted
        let known = given[declaration.name]
        if known == entry.sum, !used.contains(declaration.name) { return false }
        if let number = takeRetired(entry.content) {
            declaration.name = OpenDeclarations.name(declaration.wanted, number)
            return false
        }
        while given[declaration.name] != nil {
            let number = highest[declaration.wanted, default: 1] + 1
            highest[declaration.wanted] = number
            declaration.name = OpenDeclarations.name(declaration.wanted, number)
        }
        given[declaration.name] = entry.sum
        return true
    }

    private mutating func takeRetired(_ content: UInt64) -> Int? {
        guard let number = retired[content]?.popLast() else { return nil }
        if retired[content]?.isEmpty ?? false { retired[content] = nil }
        return number
    }

    private static func name(_ wanted: String, _ number: Int) -> String { "\(wanted)_\(number)" }

    private static func content(of declaration: DerivedDeclaration) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(declaration.wanted)
        hasher.combine(declaration.pointers)
        hasher.combine(declaration.from)
        hasher.combine(declaration.location)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// Forgets a derived value that is gone.
    mutating func remove(_ declaration: DerivedDeclaration) {
        guard let entry = open.removeValue(forKey: ObjectIdentifier(declaration)) else { return }
        used.remove(declaration.name)
        guard declaration.name != declaration.wanted, given[declaration.name] == entry.sum,
            let number = Int(declaration.name.dropFirst(declaration.wanted.count + 1))
        else { return }
        retired[entry.content, default: []].append(number)
    }

    /// Takes note that lines may be missing from the file.
    mutating func forgetLines() {
        given.forgetContents()
        retired = [:]
    }

    /// Takes note that the lines of all that are open are in the file.
    mutating func confirmLines() {
        for entry in open.values { given[entry.declaration.name] = entry.sum }
    }

    /// Takes note that a new file begins, which has lines of those only that are left.
    mutating func beginFile() {
        (given, highest, retired) = (GivenNames(), [:], [:])
        confirmLines()
    }
}

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
