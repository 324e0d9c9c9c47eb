internal import Synchronization

/// The derived values of one store, brought up to date one after another under one lock.
///
/// They stand in the order in which they were made, which is a topological order, because a derived value can only read what
/// was there before it. So each is run at most once a commit, a diamond fires once, and nobody sees a mixed pair of an old and
/// a new value. The graph holds them weakly: who wants a derived value keeps it.
final class DerivedGraph<State: Sendable>: Sendable {
    private struct WeakVertex: Sendable {
        weak let vertex: (any DerivedVertex)?
    }

    private let vertices = Mutex<[WeakVertex]>([])
    /// The version that the vertices are at; changed under the lock of `vertices` only, and apart from it so that an input
    /// can be read while that is held.
    private let current = Mutex<StateNode<State>?>(nil)

    /// The state that inputs are read from; the caller is inside ``advance(to:recorded:)`` or ``evaluate(listening:_:)``.
    var state: State? { current.withLock { $0?.state } }

    func add(_ vertex: any DerivedVertex) {
        vertices.withLock { vertices in
            vertices.removeAll { $0.vertex == nil }
            vertices.append(WeakVertex(vertex: vertex))
        }
    }

    /// Runs a closure where no vertex has to be kept up to date, and lets none be asked meanwhile.
    func whileUnasked(_ body: () -> Void) {
        vertices.withLock { vertices in
            if !vertices.contains(where: { $0.vertex?.isAsked ?? false }) { body() }
        }
    }

    /// Brings all vertices that are asked for to a version.
    ///
    /// - Complexity: O(vertices), and one comparison of each one's input.
    func advance(to node: StateNode<State>, recorded: PendingCommit?) -> [DerivedReport] {
        vertices.withLock { vertices in
            let asked = vertices.compactMap { entry in entry.vertex.flatMap { $0.isAsked ? $0 : nil } }
            let version = current.withLock { current -> Int in
                defer {
                    if asked.isEmpty {
                        current = nil
                    } else if (current?.version ?? -1) < node.version {
                        current = node
                    }
                }
                return current?.version ?? -1
            }
            guard !asked.isEmpty, version < node.version else { return [] }
            let moment = StateMoment(location: node.location, cause: node.cause)
            return asked.compactMap { $0.advance(at: moment, recorded: recorded) }
        }
    }

    /// Runs a closure that evaluates vertices outside a delivery.
    ///
    /// - Parameter listen: makes sure that deliveries come, and gives the version they go on from.
    func evaluate(listening listen: () -> StateNode<State>, _ body: (StateMoment) -> Void) {
        vertices.withLock { vertices in
            let isAsked = vertices.contains { $0.vertex?.isAsked ?? false }
            let node = current.withLock { current -> StateNode<State> in
                // Beside vertices that are at a version, a new one starts at the same, or it would see a mixed pair.
                if isAsked, let current { return current }
                let node = listen()
                current = node
                return node
            }
            body(StateMoment(location: node.location, cause: node.cause))
        }
    }
}
