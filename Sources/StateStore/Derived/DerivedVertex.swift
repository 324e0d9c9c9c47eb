internal import JournalFormat

/// A derived value as its graph sees it.
///
/// All of it is called under the graph's lock.
protocol DerivedVertex: AnyObject, Sendable {
    /// Whether somebody wants its value: only then is it run.
    var isAsked: Bool { get }

    /// Brings the value up to date after a commit that changed the state.
    ///
    /// - Parameter recorded: the commit, if the store has a recorder.
    /// - Returns: what is to be recorded and told; nil where its inputs were not touched.
    func advance(at moment: StateMoment, recorded: PendingCommit?) -> DerivedReport?

    /// Counts a further derived value that reads this one, and so asks for it, or one less.
    func addDependent(at moment: StateMoment)
    func removeDependent()
}

/// Where and why a state came to be.
struct StateMoment: Sendable {
    var location: SourceLocation
    var cause: CommitReference?
}

/// What one derived value did after one commit.
struct DerivedReport: Sendable {
    var name: String
    var outcome: DerivedOutcome
    /// The new value as JSON, where it fired, is encodable and small.
    var value: [UInt8]?
    /// Tells the subscribers, where it fired.
    var notify: (@Sendable (CommitReference) -> Void)?
}

/// The store that a derived value belongs to, whatever its state.
protocol DerivedHome: AnyObject, Sendable {
    /// Adds a vertex behind those that it may read.
    func add(_ vertex: any DerivedVertex)
    /// Runs a closure under the graph's lock, with a state in the graph that later deliveries go on from.
    func evaluate(_ body: (StateMoment) -> Void)
    /// Notes that one listener is gone.
    func stopListeningIfUnheard()
    /// The recorder, and where in its journal the store is.
    var recording: (recorder: Recorder, track: any StoreTrack)? { get }
}
