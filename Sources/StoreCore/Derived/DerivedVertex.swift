internal import JournalFormat
internal import StateEncoding

/// A derived value in its network, without its type.
class DerivedVertex: DerivedNode, @unchecked Sendable {
    // Unchecked: what changes is touched under the network's lock only.

    /// Its inputs, in the order of its transform's parameters.
    final let inputs: [DerivedNode]
    /// The stores that it reads, directly or not.
    final let sources: [DerivedSource]
    final let declarations: JournalDeclarations

    @safe @exclusivity(unchecked) final var isInWave = false
    /// The stamps of the inputs that the value was computed from.
    @safe @exclusivity(unchecked) private final var seen: [Int]
    /// Its place among the readers of each input, while it is needed.
    private final var places: [Int] = []
    @safe @exclusivity(unchecked) private final var outcomes = DerivedCounters()
    /// How many commits its stores had while it was kept up to date, before `observedFrom`.
    private final var observed = 0
    private final var observedFrom: Int?

    init(inputs: [DerivedNode], sources: [DerivedSource], declarations: JournalDeclarations) {
        self.inputs = inputs
        self.sources = sources
        self.declarations = declarations
        seen = Array(repeating: -1, count: inputs.count)
    }

    // MARK: Activation

    override final func activate(at version: StateVersion) {
        for (number, input) in inputs.enumerated() {
            places.append(input.attach(DerivedReader(vertex: self, input: number), at: version))
        }
        observedFrom = commits
        // Changes from before it was needed are caught up with; they are neither counted nor delivered.
        if takeChanges() { evaluateSilently(at: version) }
    }

    override final func deactivate() {
        // One after another: if an input is read twice, removing the first reader may move the second.
        for number in inputs.indices { inputs[number].detach(at: places[number]) }
        places = []
        if let observedFrom { observed += commits - observedFrom }
        observedFrom = nil
    }

    final func setPlace(_ place: Int, ofInput number: Int) { places[number] = place }

    private final var commits: Int {
        var sum = 0
        for source in sources { sum += source.commits }
        return sum
    }

    final var counters: DerivedCounters {
        var counters = outcomes
        let total = observed + (observedFrom.map { commits - $0 } ?? 0)
        counters.untouched = total - counters.unchanged - counters.transforms
        return counters
    }

    // MARK: Evaluation

    /// Whether an input differs from the one that the value was computed from; from then on it counts as seen.
    private final func takeChanges() -> Bool {
        var isChanged = false
        for place in inputs.indices where seen[place] != inputs[place].stamp {
            seen[place] = inputs[place].stamp
            isChanged = true
        }
        return isChanged
    }

    /// Brings the value up to date after a commit that touched one of its inputs.
    final func advance(
        at version: StateVersion, commit: CommitReference, of source: DerivedSource
    ) -> DerivedOutcome {
        guard takeChanges() else {
            outcomes.unchanged += 1
            return .unchanged
        }
        guard evaluate(at: version, commit: commit, of: source) else {
            outcomes.same += 1
            return .same
        }
        outcomes.fired += 1
        return .fired
    }

    /// An outcome for the journal of a recorder; nil where the value is not declared there.
    final func queued(_ outcome: DerivedOutcome, for recorder: Recorder) -> QueuedOutcome? {
        guard let declaration = declarations.declaration(in: recorder) else { return nil }
        return QueuedOutcome(
            declaration: declaration, outcome: outcome, encode: outcome == .fired ? encoding() : nil, seen: seenVersions
        )
    }

    /// Encodes the value that it has now; nil where it is not encodable, or in no journal.
    func encoding() -> (@Sendable (TypeRedactions) -> [UInt8]?)? { nil }

    /// The versions that its stores are at, if there are several and it is in a journal.
    private final var seenVersions: [SeenVersion] {
        if sources.count < 2 || declarations.isEmpty { return [] }
        return sources.compactMap { source in
            guard let track = source.track, let version = source.version, version >= track.baseVersion else {
                return nil
            }
            return SeenVersion(track: track, version: version - track.baseVersion)
        }
    }

    func evaluateSilently(at version: StateVersion) {}

    /// - Returns: whether the value is a new one.
    func evaluate(at version: StateVersion, commit: CommitReference, of source: DerivedSource) -> Bool { false }

    func deliver(through version: Int, during commit: CommitReference) {}
}
