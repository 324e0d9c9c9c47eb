public import Synchronization

@usableFromInline
struct StateOrigin: Sendable {
    @usableFromInline var version = 0
    @usableFromInline var location: CommitLocation
    @usableFromInline var cause: CommitReference?
    @usableFromInline var hasListeners = false

    init(location: CommitLocation) { self.location = location }
}

/// The state that readers see, and where it came from.
@safe @usableFromInline
struct PublishedState<State: Sendable>: ~Copyable, @unchecked Sendable {
    // Unchecked: a writer of the state holds both this lock and the store's commit lock. So the holder of either may
    // read it, and a commit needs no lock to see what it starts from.

    @usableFromInline let info: StoreInfo
    /// Memory for one state, which is there from the beginning to the end.
    @usableFromInline let place: UnsafeMutablePointer<State>

    init(_ state: State, info: StoreInfo) {
        self.info = info
        unsafe place = .allocate(capacity: 1)
        unsafe place.initialize(to: state)
    }

    deinit {
        unsafe place.deinitialize(count: 1)
        unsafe place.deallocate()
    }

    @inlinable var state: State { info.origin.withLock { _ in unsafe place.pointee } }

    /// The state, for the holder of the store's commit lock or of this one.
    @inlinable var stateUnderLock: State { unsafe place.pointee }

    /// Runs a closure while no other thread publishes or reads.
    @inlinable
    @inline(__always)
    func withLock<Result: Sendable>(_ body: (inout StateOrigin) -> Result) -> Result {
        info.origin.withLock { origin in body(&origin) }
    }

    /// Exchanges the state; the caller holds the store's commit lock, and is inside ``withLock(_:)``.
    @inlinable
    @inline(__always)
    func exchange(_ state: inout State) { unsafe swap(&place.pointee, &state) }
}
