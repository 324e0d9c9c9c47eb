internal import JournalFormat
public import StateEncoding

/// Holds a state that changes by commits only, and tells who subscribed of each.
///
///     let cart = Store(Cart(), name: "cart", recorder: recorder)
///     cart.commit { $0.items.append(apple) }
///
/// The state is a value. Any thread may read it and commit to it; commits run one after another, and each knows the line of
/// source that made it. With a ``Recorder``, every commit is one line of a journal.
public final class Store<State: Encodable & Sendable>: Sendable {
    /// The store's name: the one given, with a number behind it where another live store of the recorder has that.
    public let name: String

    /// Held while a commit's closure runs; everything that a commit changes is under the two locks below it.
    ///
    /// Of a value that means nothing: an access to an empty one counts as one to its object in the thread sanitizer's eyes.
    @usableFromInline let commitLock = ContendedLock(false)
    @usableFromInline let published: PublishedState<State>
    /// Who reads the state by the Observation framework, if anybody does.
    @usableFromInline let observation = ObservationPoint()
    /// Is never told of anything: knows only whether properties are read under observation.
    @usableFromInline let tracking = ObservationPoint()
    let observedProperties = ObservedProperties<State>()
    @usableFromInline let delivery: StateDelivery<State>
    /// Where the store is recorded; nil without a recorder, which then costs nothing.
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
    /// Two states of a type that is plain, of numbers, texts and collections of such throughout, are equal where their bytes in
    /// memory are: an array that was made anew differs. Of any other type, with a class in it for example, each commit counts
    /// as a change. A recorder changes nothing of that.
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
    /// Read inside `withObservationTracking`, or in the `body` of a SwiftUI view, it is tracked: the next commit that changes
    /// the state tells, in whatever property. ``subscript(_:)`` reads one property, and is told of that one only.
    ///
    /// - Complexity: one lock, held for the copy; never the one that a commit's closure runs under.
    @inlinable
    public var state: State {
        if observation.registerAccess() { notifyObservers() }
        return published.state
    }

    /// What records it; nil for a store that is not recorded.
    public var recorder: Recorder? { recorded?.recorder }

    /// Whether a part of its state is kept out of the journal; then so must be what is said of its values elsewhere.
    public var isRedacted: Bool { recorded?.track.hasRedactions ?? false }

    /// How many commits were made.
    public var version: Int { published.withLock { $0.version } }
}

extension Store: OpaqueToDump {}

/// The names of stores that were given none.
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
