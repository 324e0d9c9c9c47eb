internal import JournalFormat
internal import Synchronization

/// Something that derived values read: a property of a store, or a derived value.
///
/// All of it is touched under the network's lock.
class DerivedNode: @unchecked Sendable {
    // Unchecked: what changes is under the lock of the network that the node's sources are in.

    private static let births = Synchronization.Atomic(0)

    /// Its place in the order of evaluation: a derived value can only read what was made before it, so the order of
    /// creation is a topological one, over all stores of the process.
    final let birth = DerivedNode.births.add(1, ordering: .relaxed).newValue
    /// Rises whenever its value differs from the one before, so that a reader that keeps the stamp knows whether to
    /// read again.
    @safe @exclusivity(unchecked) final var stamp = 0
    /// The needed derived values that read it, in no order; one that reads it twice is in here twice.
    @safe @exclusivity(unchecked) final private(set) var readers: [DerivedReader] = []

    /// Whether its value is needed: only then is it kept up to date.
    var isNeeded: Bool { !readers.isEmpty }

    func activate(at version: StateVersion) {}
    func deactivate() {}

    /// Adds a reader; the node is up to date from then on.
    ///
    /// - Returns: its place among the readers, until ``DerivedVertex/setPlace(_:ofInput:)`` sets another one.
    final func attach(_ reader: DerivedReader, at version: StateVersion) -> Int {
        if !isNeeded { activate(at: version) }
        readers.append(reader)
        return readers.count - 1
    }

    /// Removes the reader at a place; the last one takes its place.
    ///
    /// - Complexity: O(1), however many there are.
    final func detach(at place: Int) {
        let last = readers.removeLast()
        if place < readers.count {
            readers[place] = last
            last.vertex.setPlace(place, ofInput: last.input)
        }
        if !isNeeded { deactivate() }
    }
}

struct DerivedReader {
    let vertex: DerivedVertex
    /// Which of its inputs it is.
    let input: Int
}
