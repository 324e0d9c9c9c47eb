public import JournalFormat
public import Synchronization

/// The state that everybody sees, and where it came from.
@usableFromInline
struct PublishedState<State: Sendable>: ~Copyable, @unchecked Sendable {
    // Unchecked: the snapshot is written under `lock` only, and its state and version under the store's commit lock as well.
    // So whoever holds either of the two may read those, and a commit needs no lock to see what it starts from.

    /// One version, as it is published.
    @usableFromInline
    struct Snapshot: Sendable {
        @usableFromInline var state: State
        @usableFromInline var version = 0
        @usableFromInline var location: SourceLocation
        @usableFromInline var cause: CommitReference?
        /// Whether commits have to be delivered.
        @usableFromInline var hasListeners = false

        init(state: State, location: SourceLocation) {
            self.state = state
            self.location = location
        }
    }

    /// Held for one copy only, so that reading never waits for a commit's closure, and two stores may read each other.
    @usableFromInline let lock = Mutex(())
    @usableFromInline let snapshot: UnsafeMutablePointer<Snapshot>

    init(_ state: State, location: SourceLocation) {
        snapshot = .allocate(capacity: 1)
        snapshot.initialize(to: Snapshot(state: state, location: location))
    }

    deinit {
        snapshot.deinitialize(count: 1)
        snapshot.deallocate()
    }

    @inlinable
    @inline(__always)
    func withLock<Result: Sendable>(_ body: (inout Snapshot) -> Result) -> Result {
        lock.withLock { _ in body(&snapshot.pointee) }
    }

    /// The state, for the holder of the store's commit lock.
    @inlinable var stateOfCommitter: State { snapshot.pointee.state }
}
