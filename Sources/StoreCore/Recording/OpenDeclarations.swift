internal import JournalFormat

/// The derived values that a journal tells of, in the order in which they were made.
///
/// One that goes is forgotten. The next one that says the same, as where a view makes it each time that it is shown, takes
/// its name and needs no line of its own; no other one does, since a name means one derived value in a file.
struct OpenDeclarations: Sendable {
    /// What the line of a declaration says, but for its name.
    private struct Content: Hashable {
        let wanted: String
        let pointers: [String]?
        let from: [String]
        let location: SourceLocation

        init(_ declaration: DerivedDeclaration) {
            wanted = declaration.wanted
            pointers = declaration.pointers
            from = declaration.from
            location = declaration.location
        }
    }

    private var open: [ObjectIdentifier: (order: Int, declaration: DerivedDeclaration)] = [:]
    private var count = 0
    /// The names of those that went, whose lines are in the file.
    private var retired: [Content: [String]] = [:]
    private var names = NamePool()

    /// All of them, in order.
    ///
    /// - Complexity: O(n log n).
    var inOrder: [DerivedDeclaration] { open.values.sorted { $0.order < $1.order }.map(\.declaration) }

    /// Takes a declaration in, and gives it its name.
    ///
    /// - Returns: whether its line is to be written.
    mutating func add(_ declaration: DerivedDeclaration) -> Bool {
        count += 1
        open[ObjectIdentifier(declaration)] = (count, declaration)
        if let known = retired[Content(declaration)]?.popLast() {
            declaration.name = known
            return false
        }
        declaration.name = names.take(declaration.wanted)
        return true
    }

    /// Forgets a derived value that is gone.
    mutating func remove(_ declaration: DerivedDeclaration) {
        guard open.removeValue(forKey: ObjectIdentifier(declaration)) != nil else { return }
        retired[Content(declaration), default: []].append(declaration.name)
    }

    /// Takes note that lines may be missing from the file.
    mutating func noteLoss() { retired = [:] }

    /// Takes note that a new file begins, which tells only of those that are left.
    mutating func beginFile() {
        retired = [:]
        names = NamePool()
        for (_, declaration) in open.values { names.keep(declaration.name) }
    }
}

extension NamePool {
    /// Takes a name that was given before.
    fileprivate mutating func keep(_ name: String) { _ = take(name) }
}
