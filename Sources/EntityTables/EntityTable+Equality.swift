extension EntityTable: Equatable where Entity: Equatable {
    /// Whether both hold equal entities.
    ///
    /// - Complexity: O(1) for copies of one table, what differs for versions of one, O(*n*) otherwise.
    public static func == (left: EntityTable, right: EntityTable) -> Bool {
        if left.root === right.root { return true }
        guard left.count == right.count else { return false }
        let comparison = TreeComparison(from: left.root, to: right.root, stopsAtFirst: true) {
            $0.pointee == $1.pointee
        }
        return comparison.differences.isEmpty
    }
}

extension EntityTable: Hashable where Entity: Hashable {
    /// Hashes the entities, whose order does not count.
    public func hash(into hasher: inout Hasher) {
        var sum = 0
        forEachEntry { sum ^= $0.pointee._rawHashValue(seed: 0) }
        hasher.combine(sum)
        hasher.combine(count)
    }
}

extension EntityTable: CustomStringConvertible {
    /// The entities, in ascending order of their identities.
    public var description: String {
        "[" + IdentityOrder.sorted(Array(self), by: \.id).map { "\($0)" }.joined(separator: ", ") + "]"
    }
}

extension EntityTable: ExpressibleByArrayLiteral {
    /// A table of some entities; of two with one identity the last counts.
    public init(arrayLiteral entities: Entity...) { self.init(entities) }
}
