internal import StateEncoding
internal import JournalFormat
internal import Synchronization

final class StateSource<State: Sendable>: DerivedSource, @unchecked Sendable {
    // Unchecked: `node` is touched under the network's lock only.

    private struct WeakProperty: Sendable {
        weak let property: DerivedProperty?
    }

    /// What properties are activated at, while they are: not longer, so that the line can cut it from the one before.
    @safe @exclusivity(unchecked) private var node: Changes<State>?
    private let shared = Mutex<[AnyKeyPath: WeakProperty]>([:])

    /// The property at a key path, shared by all inputs that compare it by `==`.
    func property<Input: Equatable & Sendable>(
        at path: any KeyPath<State, Input> & Sendable
    ) -> StateProperty<State, Input> {
        shared.withLock { shared in
            if let known = shared[path]?.property as? StateProperty<State, Input> { return known }
            let made = StateProperty(path, of: self) { $0 == $1 }
            // Released ones are removed when there is no room for another one.
            if shared.count == shared.capacity { shared = shared.filter { $0.value.property != nil } }
            shared[path] = WeakProperty(property: made)
            return made
        }
    }

    // MARK: Activation

    func activate(_ property: DerivedProperty) {
        guard let node else { preconditionFailure("a property is read before there is a state") }
        add(property)
        withAddress(of: node.current) { _ = property.refresh(from: $0, isPreviousHeld: false) }
    }

    override func endActivation() {
        DeferredRelease.keep(node)
        node = nil
    }

    /// Makes sure that there is a state to read from, and returns its version.
    ///
    /// - Parameter listen: makes sure that deliveries come, and returns the version that they continue from.
    func activate(_ listen: () -> Changes<State>) -> StateVersion {
        // A new property starts at the version of the active ones, or a transform would see two versions. `isActive` is
        // set first, so that a version taken from the line after `listen` looked there finds it set.
        isActive.store(true, ordering: .releasing)
        let latest = listen()
        // The one that is being delivered may not have come here yet.
        let current = version.flatMap { $0 < latest.version ? latest.previous : nil } ?? latest
        (node, version) = (current, current.version)
        return current
    }

    /// Runs a closure if no property is active, and keeps them inactive meanwhile.
    func whileInactive<Result: Sendable>(_ body: () -> Result?) -> Result? {
        exclusively { active.isEmpty ? body() : nil }
    }

    // MARK: Waves

    /// Brings all needed derived values of the store to a version.
    ///
    /// - Parameter recorded: the commit, if the store has a recorder: its patch shows what was touched without being
    ///   changed.
    /// - Returns: the outcomes of those whose inputs were touched, in the order of evaluation, if the commit is recorded. What fired
    ///   is in ``fired``.
    /// - Complexity: O(properties that are read) comparisons of bytes, and O(k log k) for the k values that were touched.
    func advance(
        to node: Changes<State>, isEqual: Bool, recorded: PendingCommit?, commit: CommitReference
    ) -> [QueuedOutcome] {
        guard isActive.load(ordering: .acquiring) else { return [] }
        return exclusively {
            guard let current = version, current < node.version else { return [] }
            version = node.version
            // Found for the first property that did not change: that costs more than the rest.
            lazy var paths = recorded?.writtenPaths
            withAddress(of: node.current) { state in
                for property in active {
                    switch property.refresh(from: state, isPreviousHeld: true) {
                    case .changed: wave.touch(property)
                    case .equal where paths == nil && !isEqual: wave.touch(property)
                    case .equal, .same: if paths.map(property.pointer.isTouched) ?? false { wave.touch(property) }
                    }
                }
            }
            // A commit without changes to active properties does not count as one that left a derived value untouched.
            if !isEqual || !wave.isEmpty { commits += 1 }
            if wave.isEmpty { return [] }
            var outcomes: [QueuedOutcome] = []
            wave.run { vertex in
                let outcome = vertex.advance(at: node, commit: commit, of: self)
                if let recorded, let queued = vertex.queued(outcome, for: recorded.recorder) { outcomes.append(queued) }
            }
            return outcomes
        }
    }
}
