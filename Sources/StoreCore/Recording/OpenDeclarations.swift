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
        var sum: UInt32 { max(OpenDeclarations.unknownSum + 1, UInt32(truncatingIfNeeded: content)) }
    }

    /// The checksum of a line that may not be in the file.
    private static let unknownSum: UInt32 = 0

    /// The open ones by their names.
    private var open: [ByteName: Entry] = [:]
    private var count = 0
    /// The checksums of the lines of all names, also of the released ones, by the hashes of the names.
    ///
    /// An app may make a derived value for each row that it ever shows. So only a hash of each name is kept: two names with one
    /// hash are unlikely, and would only give one of them a number.
    private var given: [UInt64: UInt32] = [:]
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
        let isNew = name(entry)
        open[ByteName(declaration.name)] = entry
        return isNew
    }

    /// - Returns: whether the name is new.
    private mutating func name(_ entry: Entry) -> Bool {
        let (declaration, wanted) = (entry.declaration, ByteName(entry.declaration.wanted))
        declaration.name = declaration.wanted
        if given[OpenDeclarations.hash(wanted)] == entry.sum, open[wanted] == nil { return false }
        if let number = retired[entry.content]?.popLast() {
            if retired[entry.content]?.isEmpty ?? false { retired[entry.content] = nil }
            declaration.name = "\(declaration.wanted)_\(number)"
            return false
        }
        while given[OpenDeclarations.hash(ByteName(declaration.name))] != nil {
            let number = highest[wanted, default: 1] + 1
            highest[wanted] = number
            declaration.name = "\(declaration.wanted)_\(number)"
        }
        given[OpenDeclarations.hash(ByteName(declaration.name))] = entry.sum
        return true
    }

    private static func content(of declaration: DerivedDeclaration) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(ByteName(declaration.wanted))
        hasher.combine(declaration.pointers?.map { ByteName($0) })
        hasher.combine(declaration.from.map { ByteName($0) })
        hasher.combine(declaration.location)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    private static func hash(_ name: ByteName) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(name)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    mutating func remove(_ declaration: DerivedDeclaration) {
        let name = ByteName(declaration.name)
        guard let entry = open[name], entry.declaration === declaration else { return }
        open[name] = nil
        guard !UTF8Order.equal(declaration.name, declaration.wanted), given[OpenDeclarations.hash(name)] == entry.sum,
            let number = Int(Substring(declaration.name.utf8.dropFirst(declaration.wanted.utf8.count + 1)))
        else { return }
        retired[entry.content, default: []].append(number)
    }

    /// Forgets the lines, since some may be missing from the file.
    mutating func forgetLines() {
        given = given.mapValues { _ in OpenDeclarations.unknownSum }
        retired = [:]
    }

    /// Records that the file has the lines of all open ones.
    mutating func confirmLines() {
        for (name, entry) in open { given[OpenDeclarations.hash(name)] = entry.sum }
    }

    /// Starts a new file, which has lines only of the open ones.
    mutating func beginFile() {
        (given, highest, retired) = ([:], [:], [:])
        confirmLines()
    }
}
