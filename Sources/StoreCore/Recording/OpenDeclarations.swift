internal import JSONCore
internal import JournalFormat

/// The derived values that a journal has lines of, in the order in which they were made.
///
/// One that is released is forgotten, except for its name. The next derived value with the same line, such as one that
/// a view makes each time it is shown, takes that name and needs no line of its own; no other one does, since a name
/// means one derived value in a file.
struct OpenDeclarations: Sendable {
    private struct Entry: Sendable {
        let order: Int
        let declaration: DerivedDeclaration
        /// A hash of its line without the name.
        let content: UInt64

        /// The part of the hash that is kept with a name.
        var sum: UInt32 { max(GivenNames.unknown + 1, UInt32(truncatingIfNeeded: content)) }
    }

    private var open: [ObjectIdentifier: Entry] = [:]
    private var count = 0
    /// The names of the open ones.
    private var used: Set<ByteName> = []
    /// All names, also of the released ones.
    private var given = GivenNames()
    /// The highest number of each wanted name that was once taken.
    private var highest: [ByteName: Int] = [:]
    /// The numbers of the released ones, by the hash of their lines: at most as many as were open at once with one
    /// wanted name.
    private var retired: [UInt64: [Int]] = [:]

    /// - Complexity: O(n log n).
    var inOrder: [DerivedDeclaration] { open.values.sorted { $0.order < $1.order }.map(\.declaration) }

    /// - Returns: whether its line has to be written.
    mutating func add(_ declaration: DerivedDeclaration) -> Bool {
        count += 1
        let entry = Entry(order: count, declaration: declaration, content: OpenDeclarations.content(of: declaration))
        open[ObjectIdentifier(declaration)] = entry
        let isNew = name(entry)
        used.insert(ByteName(declaration.name))
        return isNew
    }

    /// - Returns: whether the name is new.
    private mutating func name(_ entry: Entry) -> Bool {
        let declaration = entry.declaration
        declaration.name = declaration.wanted
        let known = given[declaration.name]
        if known == entry.sum, !used.contains(ByteName(declaration.name)) { return false }
        if let number = takeRetired(entry.content) {
            declaration.name = OpenDeclarations.name(declaration.wanted, number)
            return false
        }
        while given[declaration.name] != nil {
            let number = highest[ByteName(declaration.wanted), default: 1] + 1
            highest[ByteName(declaration.wanted)] = number
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
        hasher.combine(ByteName(declaration.wanted))
        hasher.combine(declaration.pointers?.map { ByteName($0) })
        hasher.combine(declaration.from.map { ByteName($0) })
        hasher.combine(declaration.location)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    mutating func remove(_ declaration: DerivedDeclaration) {
        guard let entry = open.removeValue(forKey: ObjectIdentifier(declaration)) else { return }
        used.remove(ByteName(declaration.name))
        guard !UTF8Order.equal(declaration.name, declaration.wanted), given[declaration.name] == entry.sum,
            let number = Int(Substring(declaration.name.utf8.dropFirst(declaration.wanted.utf8.count + 1)))
        else { return }
        retired[entry.content, default: []].append(number)
    }

    /// Forgets the lines, since some may be missing from the file.
    mutating func forgetLines() {
        given.forgetContents()
        retired = [:]
    }

    /// Records that the file has the lines of all open ones.
    mutating func confirmLines() {
        for entry in open.values { given[entry.declaration.name] = entry.sum }
    }

    /// Starts a new file, which has lines only of the open ones.
    mutating func beginFile() {
        (given, highest, retired) = (GivenNames(), [:], [:])
        confirmLines()
    }
}

/// The names given to derived values in a file, each with a checksum of its line.
///
/// An app may make a derived value for each row that it ever shows, and a name in a journal means one of them. So only
/// a 64-bit hash of each name is kept: two names with one hash are unlikely, and would only give one of them a number.
struct GivenNames: Sendable {
    /// The checksum of a line that may not be in the file.
    static let unknown: UInt32 = 0

    private var sums: [UInt64: UInt32] = [:]

    /// The checksum of a name's line; nil if the name was not given.
    subscript(name: String) -> UInt32? {
        get { sums[GivenNames.hash(name)] }
        set { sums[GivenNames.hash(name)] = newValue }
    }

    mutating func forgetContents() { sums = sums.mapValues { _ in GivenNames.unknown } }

    private static func hash(_ name: String) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(ByteName(name))
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
