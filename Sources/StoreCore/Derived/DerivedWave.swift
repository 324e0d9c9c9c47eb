internal import Synchronization

/// One commit's way through the derived values: each that can be touched by it is looked at once, after all that it reads.
struct DerivedWave {
    private var vertices: [DerivedVertex] = []
    private let commit: CommitReference
    private let outstanding: OutstandingDeliveries

    init(commit: CommitReference, outstanding: OutstandingDeliveries) {
        self.commit = commit
        self.outstanding = outstanding
    }

    /// Whether nothing is on the way.
    var isEmpty: Bool { vertices.isEmpty }

    /// Puts all that reads a property, directly or not, on the way.
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

/// Holds back what the derived values of one commit have to tell until the store's own subscribers were told.
final class DerivedGate: Sendable {
    private let flag = Synchronization.Atomic(false)
    /// Counts what waits, of the store whose commit it is.
    let outstanding: OutstandingDeliveries
    /// The thread that delivers the commit.
    let thread = Delivery.deliveringThread

    init(_ outstanding: OutstandingDeliveries) { self.outstanding = outstanding }

    /// Whether it may be told.
    var isOpen: Bool { flag.load(ordering: .acquiring) }
    func open() { flag.store(true, ordering: .releasing) }
}
