public import StateEncoding
internal import Synchronization

/// A version of a store's state, or of a derived value, without its type: what ``Changes`` of any state have in common.
public class StateVersion: @unchecked Sendable {
    // Unchecked: constants, and what is set before another thread can have it.

    // Code that is generic over the state asks the runtime for each generic type that it touches, each time. A delivery
    // passes the line several times, and each pass costs less than such a request.

    /// The store's count of commits at this state; of a derived value, the count of its values.
    public final let version: Int
    /// Where the commit was made; before the first commit, where the store was made.
    public final let location: CommitLocation
    /// The commit whose delivery made this one, if there is one.
    public final let cause: CommitReference?

    /// The version that is seen as the previous one, whose own is nil; nil in a first delivery.
    @safe @exclusivity(unchecked) final var before: StateVersion?
    /// The commit that led here; nil in a first delivery, and for a change of a derived value that was made for no
    /// commit.
    @safe @exclusivity(unchecked) final var commit: CommitReference?
    /// What few versions have; made by the first that needs it.
    final let extras = LazyReference<VersionExtras>()

    init(
        version: Int, location: CommitLocation, cause: CommitReference?, before: StateVersion? = nil,
        commit: CommitReference? = nil
    ) {
        (self.version, self.location, self.cause) = (version, location, cause)
        (self.before, self.commit) = (before, commit)
    }

    /// This version after another one.
    func following(_ seen: StateVersion?) -> StateVersion { self }

    /// This version with nothing before it, delivered for no commit.
    func alone() -> StateVersion { self }

    /// This version with nothing before it.
    ///
    /// So no chain of versions is kept alive. What was delivered is not changed any more, but copied: another thread may have
    /// read it until now.
    ///
    /// - Parameter version: what a line has of what it delivered; afterwards, what is before the next one.
    /// - Returns: what is not needed any more, to be released outside of all locks.
    static func cut(_ version: inout StateVersion?) -> StateVersion? {
        let last = version
        if let last, last.before != nil || last.commit != nil { version = last.alone() }
        return last
    }

    /// The version as one of a known state: each line has those of its own store.
    @inline(__always)
    final func of<State: Sendable>(_ type: State.Type) -> Changes<State> {
        assert(self is Changes<State>)
        return unsafe unsafeDowncast(self, to: Changes<State>.self)
    }
}

extension StateVersion: Versioned {}

extension StateVersion: OpaqueToDump {
    /// A mirror without children, also of this class in that of a subclass.
    public var customMirror: Mirror {
        Mirror(self, children: [:] as KeyValuePairs<String, Any>, ancestorRepresentation: .suppressed)
    }
}

/// What a version has where its store is recorded, or where more than the state was asked for.
final class VersionExtras: Sendable {
    let recordedPatch: [UInt8]?
    /// What the recorder keeps out of its journal, and so out of a patch that is made here; nil without a recorder.
    let protection: StateProtection?
    let foundPatch = AtomicLazyReference<FoundPatch>()
    /// What was computed from the state.
    let memories: ComputedMemories

    init(recordedPatch: [UInt8]? = nil, protection: StateProtection? = nil, memories: ComputedMemories? = nil) {
        self.recordedPatch = recordedPatch
        self.protection = protection
        self.memories = memories ?? ComputedMemories()
    }
}

final class FoundPatch: Sendable {
    let result: Result<StatePatch, StatePatchError>

    init(_ result: Result<StatePatch, StatePatchError>) { self.result = result }
}
