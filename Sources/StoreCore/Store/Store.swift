internal import JournalFormat
public import StateEncoding

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
public final class Store<State: Encodable & Sendable>: Sendable {
    /// The store's name: the one given, with a number after it where another live store of the recorder has that name.
    public let name: String

    /// Held while a commit's closure runs; everything that a commit changes is also under one of the two locks below
    /// it.
    ///
    /// Guards a dummy `Bool`, not `Void`: the thread sanitizer attributes an access to a zero-sized property to the
    /// whole object.
    @usableFromInline let commitLock = ContendedLock(false)
    @usableFromInline let published: PublishedState<State>
    /// What reads the whole state under observation.
    @usableFromInline let observation = ObservationPoint()
    /// Never notified: shows only whether properties are read under observation.
    @usableFromInline let tracking = ObservationPoint()
    let observedProperties = ObservedProperties<State>()
    @usableFromInline let delivery: StateDelivery<State>
    /// The recorder and its track of this store; nil without a recorder, which then costs nothing.
    let recorded: (recorder: Recorder, track: StateTrack<State>)?
    /// Whether a recorder writes its commits.
    public let isRecorded: Bool
    @usableFromInline let info: StoreInfo

    /// Makes a store whose equal states are known by `==`.
    ///
    /// - Parameters:
    ///   - initial: the state at version 0.
    ///   - name: its name in journals, a jq identifier at best; by default from the type: `cart` of `CartState`.
    ///   - recorder: what records it; nil for a store that is not recorded.
    public convenience init(
        _ initial: State, name: String? = nil, recorder: Recorder? = .current, fileID: String = #fileID,
        line: Int = #line, column: Int = #column, function: String = #function
    ) where State: Equatable {
        self.init(
            initial, name: name, recorder: recorder, isEqual: { $0 == $1 },
            at: SourceLocation(file: fileID, line: line, column: column, function: function))
    }

    /// Makes a store of a state without `==`.
    ///
    /// Two states of a plain type, made of numbers, texts and collections of such throughout, are equal if their bytes
    /// in memory are: an array that was made anew differs. Of any other type, such as one with a class in it, each
    /// commit counts as a change. A recorder does not change that.
    public convenience init(
        _ initial: State, name: String? = nil, recorder: Recorder? = .current, fileID: String = #fileID,
        line: Int = #line, column: Int = #column, function: String = #function
    ) {
        self.init(
            initial, name: name, recorder: recorder, isEqual: nil,
            at: SourceLocation(file: fileID, line: line, column: column, function: function))
    }

    private init(
        _ initial: State, name: String?, recorder: Recorder?, isEqual: (@Sendable (State, State) -> Bool)?,
        at location: SourceLocation
    ) {
        let wanted = name ?? StoreNaming.name(of: State.self)
        recorded = recorder.flatMap { recorder in
            recorder.open(initial, wanted: wanted, at: location).map { (recorder, $0) }
        }
        isRecorded = recorded != nil
        self.name = recorded?.track.name ?? wanted
        published = PublishedState(initial, location: location)
        delivery = StateDelivery(
            storeName: self.name, recorder: recorded?.recorder, track: recorded?.track,
            observation: observation, observedProperties: observedProperties, isEqual: isEqual)
        info = StoreInfo(name: self.name, type: State.self, journal: recorded?.recorder.path)
        StoreRegistry.add(info)
    }

    deinit {
        StoreRegistry.remove(info)
        if let (recorder, track) = recorded { recorder.close(track) }
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
        if observation.registerAccess() { notifyObservers() }
        return published.state
    }

    /// A copy of the state, whose read is not tracked.
    package var untrackedState: State { published.state }

    /// What records it; nil for a store that is not recorded.
    public var recorder: Recorder? { recorded?.recorder }

    /// Whether a part of its state is kept out of the journal; then messages elsewhere must not quote its values
    /// either.
    public var isRedacted: Bool { recorded?.track.hasRedactions ?? false }

    /// How many commits were made.
    public var version: Int { published.withLock { $0.version } }
}

extension Store: OpaqueToDump {}

/// Names for stores that were made without one.
enum StoreNaming {
    /// The type's name, beginning in lower case, without `State` at its end: `cart` of `CartState`.
    static func name<State>(of type: State.Type) -> String {
        var name = String(describing: type)
        if let generic = name.firstIndex(of: "<") { name = String(name[..<generic]) }
        if name.hasSuffix("State"), name.utf8.count > 5 { name.removeLast(5) }
        let initials = name.prefix { $0.isUppercase }
        // `URLCache` becomes `urlCache`, `Cart` `cart`.
        let lowered = initials.count > 1 && initials.count < name.count ? initials.dropLast() : initials
        return lowered.lowercased() + name.dropFirst(lowered.count)
    }
}
