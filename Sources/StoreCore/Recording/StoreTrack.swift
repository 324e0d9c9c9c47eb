internal import JSONCore
internal import JournalFormat
internal import StateEncoding

/// The recorder's view of one store, the tree of its last written state; a subclass knows the type of the state.
class StoreTrack: @unchecked Sendable {
    // Unchecked: what changes is touched under the recorder's writing lock only. No variable is accessed while another access
    // changes it, so checks of exclusive access would find nothing.

    let name: String
    /// The name of the state's type, stored, since making its text costs as much as the rest of a commit's encoding.
    let typeName: String
    /// The store's birth, or where its recording began.
    let location: CommitLocation
    /// The store's version when its recording began: the journal counts its commits from there.
    let baseVersion: Int
    /// What is kept out of its states, also where a patch is made outside the journal.
    let protection: StateProtection
    /// What is redacted of its state, once that was encoded.
    let redaction: RedactionPaths?
    /// The latest version that was taken from the queue, and the number of its commit; before the first commit, of the
    /// store's birth.
    @safe @exclusivity(unchecked) final var latest = (version: 0, number: CommitNumber.zero)
    /// Whether the tree mirrors the latest state; false after a state that could not be encoded.
    @safe @exclusivity(unchecked) fileprivate(set) final var isEncoded = false
    /// Whether what is redacted changed since ``confirmRedaction()``.
    fileprivate(set) final var isRedactionNew = true

    fileprivate init(
        name: String, wanted: String, typeName: String, location: CommitLocation, version: Int, protection: Protection
    ) {
        self.name = name
        self.typeName = typeName
        self.location = location
        baseVersion = version
        self.protection = StateProtection(protection: protection, name: name, wanted: wanted)
        redaction = self.protection.paths
    }

    final var wantedName: String { protection.wanted }
    final var hasRedactions: Bool { redaction != nil || protection.protection.types.isActive }
    final var redactedNames: [String] { redaction?.memberNames ?? [] }

    /// Records that what is redacted is hidden everywhere.
    final func confirmRedaction() { isRedactionNew = false }

    /// Encodes the latest state from scratch.
    func restart() throws(StateEncodingError) {}
    func appendState(to bytes: inout [UInt8]) throws(StateEncodingError) {}
    /// The secrets of its states so far, to be looked for in what is no state.
    var secrets: SecretSearch { SecretSearch() }
    /// A JSON Pointer of a key path into the store's latest state; nil if that is not known.
    func pointer(for path: AnyKeyPath) -> String? { nil }
    /// Whether a part surely has nothing in it, nor around it, that is hidden for its type.
    func isClear(at names: [String]) -> Bool { false }
    /// Whether a key path was found somewhere once, and not there in a later state, or not in clear.
    func hasLost(_ path: AnyKeyPath) -> Bool { false }
}

/// A state on its way to the journal, in a shared box: passing it on costs a reference count and no look-up of its
/// type.
final class SharedState<State: Sendable>: Sendable {
    let state: State

    init(_ state: State) { self.state = state }
}

final class StateTrack<State: Sendable>: StoreTrack, @unchecked Sendable {
    // Unchecked: as its superclass.

    @safe @exclusivity(unchecked) private(set) var current: SharedState<State>
    @safe @exclusivity(unchecked) private var encoder: StateEncoder<State>?
    private let form: EncodableForm<State>
    private let encoding: EncodingOptions
    /// Whether anything of a state was hidden for its type, as far as that is known to all.
    @safe @exclusivity(unchecked) private var hidesByType = false
    @safe @exclusivity(unchecked) private var isWatching = false
    /// Where key paths lead in the latest state, for those that were asked for.
    ///
    /// Many derived values may read the same, and come and go all the time. The next state may have another shape.
    private var knownPointers: [AnyKeyPath: String] = [:]
    /// Where key paths were found that derived values read, where something is redacted.
    ///
    /// What is derived of them is written in clear, because what they read is. So each state is looked at: an `encode(to:)` may
    /// move it. One that was not where it was found is never trusted again, and nil here.
    private var watchedPlaces: [PartialKeyPath<State>: WatchedPlace<State>?] = [:]

    init(
        name: String, wanted: String, location: CommitLocation, initial: State, version: Int,
        form: EncodableForm<State>, protection: Protection, encoding: EncodingOptions
    ) {
        self.form = form
        self.encoding = encoding
        current = SharedState(initial)
        super.init(
            name: name, wanted: wanted, typeName: String(describing: State.self), location: location, version: version,
            protection: protection)
    }

    // Kept, since generic code asks the runtime for them each time, which costs as much as making the objects.
    let sharedType = SharedState<State>.self
    let commitType = PendingStateCommit<State>.self

    /// Moves to a state, without a patch.
    func move(to state: SharedState<State>) {
        current = state
        if !knownPointers.isEmpty { knownPointers = [:] }
        isEncoded = false
    }

    func advance(to next: SharedState<State>, appendingPatchTo bytes: inout [UInt8]) throws(StateEncodingError) {
        let canGoOn = isEncoded
        move(to: next)
        guard canGoOn, let encoder else { return try restart() }
        try whileEncoding { () throws(StateEncodingError) in
            try encoder.advance(to: next.state, appendingPatchTo: &bytes)
        }
        isEncoded = true
        checkHiding()
        if isWatching { checkPlaces() }
    }

    override func restart() throws(StateEncodingError) {
        isEncoded = false
        try whileEncoding { () throws(StateEncodingError) in
            if let encoder {
                try encoder.reset(to: current.state)
            } else {
                encoder = try makeEncoder()
            }
        }
        isEncoded = true
        checkHiding()
        if isWatching { checkPlaces() }
    }

    private func makeEncoder() throws(StateEncodingError) -> StateEncoder<State> {
        var options = encoding
        options.redaction = redaction
        options.types = protection.protection.types
        options.valueLimit = protection.protection.valueLimit
        return try StateEncoder(current.state, by: form, options: options)
    }

    // MARK: Redaction

    /// What was in clear for derived values may not be any more.
    private func checkHiding() {
        guard !hidesByType, encoder?.hidesByType ?? false else { return }
        hidesByType = true
        isRedactionNew = true
        isWatching = !watchedPlaces.isEmpty
    }

    override func isClear(at names: [String]) -> Bool {
        guard isEncoded, let encoder else { return false }
        return whileEncoding { encoder.isClear(at: names) }
    }

    override var secrets: SecretSearch { encoder?.secrets ?? SecretSearch() }

    override func appendState(to bytes: inout [UInt8]) throws(StateEncodingError) {
        guard let encoder else { return }
        isEncoded = false
        try whileEncoding { () throws(StateEncodingError) in try encoder.appendState(to: &bytes) }
        isEncoded = true
    }

    override func pointer(for path: AnyKeyPath) -> String? {
        guard isEncoded, let encoder else { return nil }
        if let known = knownPointers[path] { return known }
        guard let path = path as? PartialKeyPath<State>, !hasLost(path) else { return nil }
        guard let pointer = whileEncoding({ encoder.pointer(for: path) }) else { return nil }
        knownPointers[path] = pointer
        watchedPlaces[path] = (try? JSONPointer(parsing: pointer)).map {
            WatchedPlace(path, names: $0.segments)
        }
        if hasRedactions { isWatching = true }
        return pointer
    }

    override func hasLost(_ path: AnyKeyPath) -> Bool {
        guard let path = path as? PartialKeyPath<State>, let place = watchedPlaces[path] else { return false }
        return place == nil
    }

    /// Looks whether the key paths that derived values read are where they were found.
    ///
    /// - Complexity: for each of them a comparison of bytes; where it changed, one encoding of what it reads.
    private func checkPlaces() {
        guard let encoder else { return }
        whileEncoding {
            for case (let path, let place?) in watchedPlaces
            where !encoder.isClear(place) {
                watchedPlaces[path] = .some(nil)
                isRedactionNew = true
            }
        }
    }

    @inline(__always)
    private func whileEncoding<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        try ThreadActivity.duringEncoding(of: State.self, body)
    }
}
