public import JSONCore
import JournalFormat
public import JournalReading

/// Which paths a record wrote, by the rule of the query language's footprints: what is equal to a path, above it or below it
/// touches it, and adding, removing or moving an element touches its array.
public struct CommitTouch: Sendable {
    private enum Extent: Sendable {
        case patch(JSONPatch)
        case store(String)
        case everything
    }

    private let extent: Extent

    /// What a record wrote; a line that is not a record of its kind wrote everything, to be on the safe side.
    public init(_ record: OwnedRecord) {
        switch record.kind {
        case .commit:
            if let commit = try? record.decode(CommitRecord.init) {
                extent = .patch(commit.patch.inStore(commit.store))
            } else {
                extent = .everything
            }
        case .store:
            let store = try? record.decode(StoreRecord.init)
            extent = store.map { .store($0.store) } ?? .everything
        default: extent = .everything
        }
    }

    /// Whether it wrote something that touches a path of the set, whose first segments are stores' names.
    ///
    /// - Parameter state: the whole state, or what the set reads of it, directly after the record; it decides which numbers in
    ///   paths are indices.
    public func touches(_ set: PathSet, in state: JSONValue) -> Bool {
        switch extent {
        case .everything: return true
        case .store(let name): return set.relation(of: [name]) != .outside
        case .patch(let patch): return patch.operations.contains { set.isTouched(by: $0, in: state) }
        }
    }
}
