internal import JSONCore
internal import JournalFormat

/// What the recorder keeps of one store: the tree of its last written state.
protocol StoreTrack: AnyObject, Sendable {
    var name: String { get }
    var typeName: String { get }
    /// The store's birth.
    var location: SourceLocation { get }
    /// Whether the tree mirrors the latest state; it does not after a state that could not be encoded.
    var isEncoded: Bool { get }
    /// Whether anything of its state is redacted.
    var hasRedactions: Bool { get }
    /// What is redacted of its state, once that was encoded.
    var redaction: RedactionPaths? { get }
    /// A redacted property that was not found, so that the whole state is redacted.
    var lostProperty: String? { get }

    /// Starts from nothing with the latest state.
    func restart() throws(StateEncodingError)
    /// Appends the latest state.
    func appendState(to bytes: inout [UInt8]) throws(StateEncodingError)
    /// Begins to collect the canonical texts of what is redacted.
    func collectRedacted()
    /// Ends it.
    func takeRedacted() -> [[UInt8]]
    /// The latest texts that were redacted at any time, a few.
    var latestRedacted: [[UInt8]] { get }
    /// JSON Pointers of key paths into the store's state; nil if one of them is not known.
    func pointers(for paths: [AnyKeyPath]) -> [String]?
}

/// The track of a store with a given type of state.
final class StateTrack<State: Encodable & Sendable>: StoreTrack, @unchecked Sendable {
    // Unchecked: what changes is touched under the recorder's writing lock only.

    let name: String
    let location: SourceLocation
    private var latest: State
    private var encoder: StateEncoder<State>?
    private(set) var isEncoded = false
    /// Whether each state is held against an encoding from scratch; set before the first one is encoded.
    var verifiesEncoding = false
    private let properties: [PartialKeyPath<State>]
    private let valueLimit: ValueLimit?
    let hasRedactions: Bool
    private(set) var redaction: RedactionPaths?
    private(set) var lostProperty: String?

    init(name: String, wanted: String, location: SourceLocation, initial: State, protection: Protection) {
        self.name = name
        self.location = location
        latest = initial
        let paths = protection.paths(inStore: name, wanted: wanted)
        properties = protection.properties(of: State.self)
        hasRedactions = !paths.isEmpty || !properties.isEmpty
        redaction = hasRedactions ? paths : nil
        valueLimit = protection.valueLimit
    }

    // Stored: making the text of a type's name costs as much as the rest of a commit's encoding.
    let typeName = String(describing: State.self)

    /// Takes on a state without a patch.
    func hold(_ state: State) {
        latest = state
        isEncoded = false
    }

    /// Takes on a state and appends the patch that leads to it.
    func advance(to state: State, appendingPatchTo bytes: inout [UInt8]) throws(StateEncodingError) {
        latest = state
        guard isEncoded, let encoder else { return try restart() }
        isEncoded = false
        try encoding { () throws(StateEncodingError) in try encoder.advance(to: state, appendingPatchTo: &bytes) }
        isEncoded = true
    }

    func restart() throws(StateEncodingError) {
        isEncoded = false
        try encoding { () throws(StateEncodingError) in
            if let encoder { try encoder.reset(to: latest) } else { encoder = try makeEncoder() }
        }
        isEncoded = true
    }

    private func makeEncoder() throws(StateEncodingError) -> StateEncoder<State> {
        if !properties.isEmpty { try findProperties() }
        var options = EncodingOptions()
        options.redaction = redaction
        options.valueLimit = valueLimit
        options.verifyIncrementalEncoding = verifiesEncoding
        return try StateEncoder(latest, options: options)
    }

    /// Adds the redacted properties to the redacted paths.
    private func findProperties() throws(StateEncodingError) {
        let plain = try StateEncoder(latest)
        for property in properties {
            let pointer = plain.presumedPointer(for: property).flatMap { try? JSONPointer(parsing: $0) }
            if pointer == nil { lostProperty = String(describing: property) }
            redaction?.insert(pointer ?? JSONPointer())
        }
    }

    func collectRedacted() { encoder?.pass.redaction?.collect() }

    var latestRedacted: [[UInt8]] { encoder?.pass.redaction?.latest ?? [] }

    func takeRedacted() -> [[UInt8]] { encoder?.pass.redaction?.takeFound() ?? [] }

    func appendState(to bytes: inout [UInt8]) throws(StateEncodingError) {
        guard let encoder else { return }
        isEncoded = false
        try encoding { () throws(StateEncodingError) in try encoder.appendState(to: &bytes) }
        isEncoded = true
    }

    func pointers(for paths: [AnyKeyPath]) -> [String]? {
        guard isEncoded, let encoder else { return nil }
        var pointers: [String] = []
        for path in paths {
            guard let path = path as? PartialKeyPath<State>,
                let pointer = encoding({ encoder.pointer(for: path) })
            else { return nil }
            pointers.append(pointer)
        }
        return pointers
    }

    private func encoding<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        try ThreadActivity.during(.encoding(type: typeName), body)
    }
}
