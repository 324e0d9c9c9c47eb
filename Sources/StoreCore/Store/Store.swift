internal import JournalFormat
public import StateEncoding
public import Synchronization

/// Holds a state that changes only by commits, and notifies its subscribers of each.
///
///     let cart = Store(Cart(), name: "cart", recorder: recorder)
///     cart.commit { $0.items.append(apple) }
///
/// The state is a value. Any thread may read it and commit to it; commits run one after another, and each knows the
/// line of source that made it. With a ``Recorder``, every commit is one line of a journal.
///
/// `cart.items` reads a property of the state, as ``subscript(_:)`` does. A property that has the name of one of the store's
/// own members is read by that subscript: `cart[\.name]`. Those are listed in <doc:CommittingChanges>.
@dynamicMemberLookup
public final class Store<State: Sendable>: Sendable {
    /// The store's name: the one given, with a number after it where another live store of the recorder has that name.
    public var name: String { published.info.name }

    /// Held while a commit's closure runs; everything that a commit changes is also under one of the two locks below
    /// it.
    ///
    /// Guards a dummy `Bool`, not `Void`: the thread sanitizer attributes an access to a zero-sized property to the
    /// whole object.
    @usableFromInline let commitLock = ContendedLock(false)
    @usableFromInline let published: PublishedState<State>
    @usableFromInline let observation = ObservationPoint()
    /// What delivers its commits; nil before the first listener.
    ///
    /// Unsafe: set once, under the published state's lock, so that its holder may read it, and a commit that has listeners.
    @safe @exclusivity(unchecked) nonisolated(unsafe) private(set) var knownDelivery: StateDelivery<State>?
    /// The recorder and its track of this store; nil while it is not recorded, which then costs nothing.
    ///
    /// Unsafe: changed under the commit lock and the published state's, so that the holder of either may read it.
    @safe @exclusivity(unchecked) nonisolated(unsafe) var recording: Recording?
    /// Whether there is a recording: not under a lock, since every commit asks.
    @usableFromInline let hasRecording: Synchronization.Atomic<Bool>
    /// Nil for that of the type.
    private let isEqual: (@Sendable (State, State) -> Bool)?
    /// Sees, and may mend, what each commit makes; nil where nothing does.
    @usableFromInline let adjust: (@Sendable (inout State, _ previous: State) -> Void)?
    /// What ``latest`` reads; nil before the first read.
    ///
    /// Unsafe: under the published state's lock.
    @safe @exclusivity(unchecked) nonisolated(unsafe) private var knownLatest: LatestChanges<State>?

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - initial: the state at version 0.
    ///   - name: its name in journals, a jq identifier at best; by default from the type: `cart` of `CartState`.
    ///   - recorder: what records it; nil for a store that is not recorded, or not yet: see ``Recorder/attach(_:fileID:line:column:function:)``.
    ///     A state that is not Encodable cannot be recorded, which is reported to the recorder's handler of errors.
    ///   - isEqual: whether two states count as equal: a subscriber of the whole state is not given one that equals what it
    ///     was given last. Those who read a part of it compare that, whatever this says. By default `==` where the type is
    ///     Equatable. Two states of another plain type, made of numbers, texts and collections of such throughout, are
    ///     equal if their bytes in memory are: an array that was made anew differs.
    ///     Of any other type, such as one with a class in it, each commit counts as a change. A recorder changes none of
    ///     that, nor does code that is generic over the state.
    ///   - adjust: called inside each commit with what its closure made, which it may mend, and with the state before: so an
    ///     invariant holds in every version, and in the journal it is a part of the commit. It is not called for the initial
    ///     state; a commit that throws does not come to it. It must not commit to any store: that traps.
    public convenience init(
        _ initial: State, name: String? = nil, recorder: Recorder? = .current,
        comparing isEqual: (@Sendable (State, State) -> Bool)? = nil,
        adjust: (@Sendable (inout State, _ previous: State) -> Void)? = nil, fileID: StaticString = #fileID,
        line: Int = #line,
        column: Int = #column, function: StaticString = #function
    ) {
        self.init(
            initial, name: name, recorder: recorder, comparing: isEqual, adjust: adjust,
            at: CommitLocation(file: fileID, line: line, column: column, function: function))
    }

    package init(
        _ initial: State, name: String?, recorder: Recorder?,
        comparing isEqual: (@Sendable (State, State) -> Bool)? = nil,
        adjust: (@Sendable (inout State, _ previous: State) -> Void)? = nil, at location: CommitLocation
    ) {
        // What the type says is asked for where it is needed: most short-lived stores need none of it.
        var (name, journal) = (name, nil as String?)
        if let recorder,
            let track = recorder.open(
                initial, wanted: name ?? StoreNaming.name(of: State.self), by: StateTraits<State>.known.form,
                at: location)
        {
            recording = (recorder, track)
            (name, journal) = (track.name, recorder.path)
        }
        hasRecording = Synchronization.Atomic(journal != nil)
        self.isEqual = isEqual
        self.adjust = adjust
        let info = StoreInfo(name: name, type: State.self, journal: journal, location: location)
        published = PublishedState(initial, info: info)
        StoreRegistry.add(info)
    }

    deinit {
        StoreRegistry.remove(published.info)
        knownDelivery?.end()
        if isRecorded, let (recorder, track) = recording { recorder.close(track) }
    }

    var delivery: StateDelivery<State> {
        published.withLock { _ in
            if let knownDelivery { return knownDelivery }
            let made = StateDelivery(
                storeName: name, info: published.info, observation: observation,
                isEqual: isEqual ?? StateTraits<State>.known.isEqual)
            made.derivedSource.track = recording?.track
            knownDelivery = made
            return made
        }
    }

    func readLatest() -> Changes<State> {
        if let latest = published.withLock({ _ in knownLatest }) { return latest.changes }
        // Another thread may make one meanwhile: one of the two ends outside the lock.
        let made = LatestChanges(of: self)
        let latest = published.withLock { _ in
            let latest = knownLatest ?? made
            knownLatest = latest
            return latest
        }
        return latest.changes
    }

    /// A copy of the state, from any thread.
    ///
    /// Read inside `withObservationTracking`, or in the `body` of a SwiftUI view, it is tracked: the next commit that
    /// changes the state, in whatever property, notifies the reader. ``subscript(_:)`` reads one property, and is
    /// notified of changes of that one only.
    ///
    /// - Complexity: one lock, held for the copy; never the one held while a commit's closure runs.
    @inlinable
    public var state: State {
        get {
            if observation.registerAccess() { notifyObservers() }
            return published.state
        }
        @available(*, unavailable, message: "use 'commit { $0 = … }', which records where it is called")
        set { commit { $0 = newValue } }
    }

    /// A copy of the state, whose read is not tracked.
    package var untrackedState: State { published.state }

    /// How many commits were made.
    public var version: Int { published.withLock { $0.version } }
}

extension Store: OpaqueToDump {}

enum StoreNaming {
    private static let known = Mutex<[ObjectIdentifier: String]>([:])

    /// The type's name, beginning in lower case, without `State` at its end: `cart` of `CartState`.
    static func name(of type: Any.Type) -> String {
        let identifier = ObjectIdentifier(type)
        if let name = known.withLock({ $0[identifier] }) { return name }
        let name = makeName(of: type)
        known.withLock { $0[identifier] = name }
        return name
    }

    private static func makeName(of type: Any.Type) -> String {
        var name = String(describing: type)
        if let generic = name.firstIndex(of: "<") { name = String(name[..<generic]) }
        if name.hasSuffix("State"), name.utf8.count > 5 { name.removeLast(5) }
        let initials = name.prefix { $0.isUppercase }
        // `URLCache` becomes `urlCache`, `Cart` `cart`.
        let lowered = initials.count > 1 && initials.count < name.count ? initials.dropLast() : initials
        return lowered.lowercased() + name.dropFirst(lowered.count)
    }
}
