internal import JournalFormat

/// The state of one walk over a state: its place, its depth, and what is known of the types that it meets.
///
/// Each encoder keeps one; its caches outlive a walk. No variable is accessed while another access changes it, so the
/// checks of exclusive access, a tenth of an encoding's time, are left out. What is redacted depends on the place of
/// the walk, so everything that is written passes ``at(_:_:)`` on its way down.
final class EncodingPass {
    let options: EncodingOptions
    @safe @exclusivity(unchecked) private(set) var path: [PathSegment] = []
    @safe @exclusivity(unchecked) private var depth = 0
    /// How many segments of the path lead to the part that is being hashed.
    @safe @exclusivity(unchecked) private var hiddenDepth = Int.max
    /// As many levels as fit into any stack without a check.
    private static let shallow = 32
    @safe @exclusivity(unchecked) private var stackRoom: StackRoom?
    @safe @exclusivity(unchecked) private var traitsByType: [ObjectIdentifier: TypeTraits] = [:]
    private var keyTextsByType: [ObjectIdentifier: KeyText] = [:]
    /// The longest text in bytes, for callers that have no use for a longer one.
    @safe @exclusivity(unchecked) var byteLimit = Int.max
    @safe @exclusivity(unchecked) var patch = PatchText()
    /// Texts that are only compared, or copied into the patch.
    @safe @exclusivity(unchecked) var scratch = (old: [UInt8](), new: [UInt8]())
    /// Longer scratch texts are given back.
    static let scratchLimit = 1 << 16
    /// Where the walk is to what is redacted; nil where nothing is.
    let redaction: RedactionWalk?
    let types: TypeRedactions?
    /// What hashes what is redacted; nil where nothing is.
    let key: RedactionKey?
    /// Every secret of the states so far, to be found where it is in no state: in what an action or a derived value says.
    @safe @exclusivity(unchecked) var secrets = SecretSearch()
    /// Whether anything was hidden for the type that it is a part of.
    @safe @exclusivity(unchecked) var hidesByType = false
    /// How many members are hidden as copies (``TypeRedactions/epoch``): for what is encoded from a kept copy, those that were when it
    /// was written.
    @safe @exclusivity(unchecked) private var epochOfCopy = 0
    var epoch: Int { epochOfCopy }
    /// Whether a member was hidden that the epoch does not say.
    @safe @exclusivity(unchecked) var hidesMore = false
    /// Whether the walk is in a value that has no node of its own.
    @safe @exclusivity(unchecked) var isInUnit = false
    /// The secrets that the commit replaced so far, as far as a copy of one is no coincidence.
    @safe @exclusivity(unchecked) var former = SecretSearch()
    /// Whether they are collected, from what is taken out of the state.
    @safe @exclusivity(unchecked) var isCollecting = false
    /// Whether they are looked for, in what is put into it.
    @safe @exclusivity(unchecked) var looksForFormer = false

    /// A value that encoded differently the second time: nothing can be made again from a kept copy.
    @safe @exclusivity(unchecked) private(set) var unsteadyValue: StateEncodingError?
    /// Whether values with equal bytes are taken as equal, and texts are made again from copies.
    @safe @exclusivity(unchecked) private(set) var trustsCopies = true

    init(options: EncodingOptions) {
        self.options = options
        redaction = options.redaction.map { RedactionWalk($0) }
        types = options.types
        epochOfCopy = options.types?.epoch ?? 0
        key = options.redaction?.key ?? options.types?.key
    }

    enum PathSegment {
        case key(String)
        case index(Int)
    }

    /// Starts a walk at the root, also after one that failed.
    func begin() {
        path.removeAll(keepingCapacity: true)
        redaction?.begin()
        depth = 0
        hiddenDepth = .max
        stackRoom = nil
        epochOfCopy = types?.epoch ?? 0
        (hidesMore, isInUnit, isCollecting, looksForFormer) = (false, false, false, false)
    }

    /// Hides the members that were hidden at an epoch for the length of `body`; after a throw, until the next walk.
    @inline(__always)
    func asOf<Result>(
        _ epoch: Int, _ body: () throws(StateEncodingError) -> Result
    ) throws(StateEncodingError) -> Result {
        let outer = epochOfCopy
        epochOfCopy = epoch
        let result = try body()
        epochOfCopy = outer
        return result
    }

    /// After a throw the place stays where the error was.
    @inline(__always)
    func at(_ segment: PathSegment, _ body: () throws(StateEncodingError) -> Void) throws(StateEncodingError) {
        path.append(segment)
        if path.count > Self.shallow { try checkRoom(path.count, nil) }
        redaction?.enter(segment)
        try body()
        redaction?.leave()
        path.removeLast()
    }

    /// Keeps the keys below this place out of errors for the length of `body`; after a throw, until the next walk.
    func hidden(_ body: () throws(StateEncodingError) -> Void) throws(StateEncodingError) {
        let outer = hiddenDepth
        hiddenDepth = min(outer, path.count)
        try body()
        hiddenDepth = outer
    }

    @inline(__always)
    func nested(_ traits: TypeTraits?, _ body: () throws(StateEncodingError) -> Void) throws(StateEncodingError) {
        depth += 1
        if depth > Self.shallow { try checkRoom(depth, traits) }
        try body()
        depth -= 1
    }

    /// Throws if there is no room for this many levels: more than the limit, or than this thread's stack can hold.
    private func checkRoom(_ levels: Int, _ traits: TypeTraits?) throws(StateEncodingError) {
        guard levels <= options.depthLimit else { throw failure(.tooDeep(limit: options.depthLimit), traits?.name) }
        if stackRoom == nil { stackRoom = StackRoom() }
        if let stackRoom, !stackRoom.isLeft { throw failure(.tooDeep(limit: levels - 1), traits?.name) }
    }

    func checkLength(_ bytes: Int) throws(StateEncodingError) {
        if bytes > byteLimit { throw failure(.tooLong(limit: byteLimit), nil) }
    }

    var levelsLeft: Int { options.depthLimit - depth }

    func failure(_ reason: StateEncodingError.Reason, _ type: String?) -> StateEncodingError {
        StateEncodingError(path: pointer, type: type ?? "a container", reason: reason)
    }

    /// The place of the walk, as a JSON Pointer; without the keys within a redacted part.
    var pointer: String {
        path.prefix(hiddenDepth).reduce(into: "") { text, segment in
            switch segment {
            case .index(let index): text += "/\(index)"
            case .key(let key): text += JSONText.pointerSegment(key)
            }
        }
    }

    func traits<Value>(of type: Value.Type) -> TypeTraits {
        if let known = traitsByType[ObjectIdentifier(type)] { return known }
        let name = options.cases.isEmpty ? "" : TypeName.name(of: type)
        let traits = TypeTraits(
            type, trustsCopies: trustsCopies, readsLayouts: options.readsLayouts,
            rule: types?.rule(of: type, isSeen: false), cases: options.cases.filter { $0.caseName(in: name) != nil })
        traitsByType[traits.identifier] = traits
        return traits
    }

    /// From the next whole state on, encodes all values each time, and keeps what was written of them.
    func distrustCopies() {
        trustsCopies = false
        traitsByType = [:]
    }

    /// Keeps the first value that encodes differently each time.
    func recordUnsteady(_ traits: TypeTraits) {
        if unsteadyValue == nil { unsteadyValue = failure(.incrementalDifference, traits.name) }
    }

    /// - Parameter values: the type of its values; if their identity is redacted, so are keys that repeat it.
    func keyText<Key: Encodable, Value>(of type: Key.Type, for values: Value.Type) -> KeyText {
        if traits(of: values).rule?.redactsIdentity(as: type) ?? false { return KeyText(type, isHashed: true) }
        if let known = keyTextsByType[ObjectIdentifier(type)] { return known }
        let keyText = KeyText(type, isRedacted: traits(of: type).rule != nil)
        keyTextsByType[ObjectIdentifier(type)] = keyText
        return keyText
    }
}
