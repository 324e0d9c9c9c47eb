internal import Synchronization

/// One commit's wave through the derived values: each one that it may touch is evaluated once, after all of its inputs.
struct DerivedWave {
    private var vertices: [DerivedVertex] = []
    private let commit: CommitReference
    private let outstanding: OutstandingDeliveries

    init(commit: CommitReference, outstanding: OutstandingDeliveries) {
        self.commit = commit
        self.outstanding = outstanding
    }

    /// Whether the wave has no derived values.
    var isEmpty: Bool { vertices.isEmpty }

    /// Adds all derived values that read a property, directly or not.
    mutating func touch(_ property: DerivedProperty) {
        var next = vertices.count
        take(property.readers)
        while next < vertices.count {
            take(vertices[next].readers)
            next += 1
        }
    }

    private mutating func take(_ readers: [DerivedReader]) {
        for reader in readers where !reader.vertex.isInWave {
            reader.vertex.isInWave = true
            vertices.append(reader.vertex)
        }
    }

    /// Evaluates them.
    mutating func run(at moment: StateMoment) -> [DerivedReport] {
        if vertices.isEmpty { return [] }
        if vertices.count > 1 { vertices.sort { $0.birth < $1.birth } }
        let gate = DerivedGate(outstanding)
        return vertices.map { vertex in
            vertex.isInWave = false
            return vertex.advance(at: moment, commit: commit, gate: gate)
        }
    }
}

/// Holds back the new derived values of one commit until the store's own subscribers have received it.
final class DerivedGate: Sendable {
    private let flag = Synchronization.Atomic(false)
    /// Counts what waits for the subscribers of the commit's store.
    let outstanding: OutstandingDeliveries
    /// The thread that delivers the commit.
    let thread = Delivery.deliveringThread

    init(_ outstanding: OutstandingDeliveries) { self.outstanding = outstanding }

    /// Whether the values may be delivered.
    var isOpen: Bool { flag.load(ordering: .acquiring) }
    func open() { flag.store(true, ordering: .releasing) }
}
