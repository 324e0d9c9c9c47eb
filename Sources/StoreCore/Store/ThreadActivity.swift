public import Platform
internal import StateEncoding

/// What the current thread is doing, and during which the app's code, which runs inside, may not call certain
/// functions.
@usableFromInline
enum ThreadActivity {
    /// A commit's closure runs, under its store's lock.
    case committing(CommitLocation)
    /// A value of this type is being encoded, under the recorder's writing lock.
    case encoding(Any.Type)
    case readingClock
    /// Derived values are brought up to date, under their network's lock.
    case deriving
    /// The transform of this derived value runs, under its network's lock.
    case transforming(name: String)
    case computing(Any.Type)

    // A pointer into the stack of the running activity, set back at its end: a thread-local costs a commit a few
    // nanoseconds, where a task-local costs more than its lock.
    @usableFromInline static let present: ThreadValue<ThreadActivity> = {
        guard let place = ThreadValue<ThreadActivity>() else {
            fatalError("no thread-local storage is left for StateStore")
        }
        return place
    }()

    static var current: ThreadActivity? { present.current }

    @inlinable
    @inline(__always)
    static func during<Result, Failure: Error>(
        _ activity: ThreadActivity, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try present.setting(activity, body)
    }

    /// Runs a closure in which values of the app encode themselves, on a stack that is large enough.
    ///
    /// Inlined, since each commit of a recorded store comes here: passing closures costs more than what they do.
    @inline(__always)
    static func duringEncoding<Result, Failure: Error>(
        of type: Any.Type, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if StackRoom.isEnough { return try during(.encoding(type), body) }
        return try StackRoom.onLargeStack { () throws(Failure) in try during(.encoding(type), body) }
    }

    /// Runs a commit's closure, on a thread for which ``requireCommitAllowed(at:)`` found no activity.
    @inlinable
    @inline(__always)
    static func duringCommit<Result, Failure: Error>(
        at location: CommitLocation, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try present.setting(.committing(location), isFirst: true, body)
    }

    @inlinable
    @inline(__always)
    static func requireCommitAllowed(at location: CommitLocation) {
        if present.isSet { refuse(commitAt: location) }
    }

    @usableFromInline
    static func refuse(commitAt location: CommitLocation) { refuse("the commit at \(place(location))") }

    /// Traps if `call` would wait for a lock that this thread holds, or for itself.
    static func requireOutsideEncoding(_ call: @autoclosure () -> String) {
        switch current {
        case .encoding, .readingClock: refuse(call())
        default: break
        }
    }

    /// Traps if this thread runs code of the app inside any activity.
    static func requireNone(_ call: @autoclosure () -> String) {
        if current != nil { refuse(call()) }
    }

    static var isDeriving: Bool {
        switch current {
        case .deriving, .transforming: true
        default: false
        }
    }

    static func requireOutsideTransform(reading name: String) {
        switch current {
        case .transforming(let reader):
            fatalError("the transform of the derived value '\(reader)' reads '\(name)': make that one of its inputs")
        case .deriving:
            fatalError("a comparison of a derived value's inputs reads '\(name)': it may only compare")
        default: break
        }
    }

    /// Traps if this thread is computing the property, whose lock it would wait for.
    static func requireOutsideComputing(_ property: Any.Type) {
        if case .computing(let computed) = current, computed == property {
            fatalError("the computed property '\(property)' asks for itself: it may only read its input")
        }
    }

    // Not `preconditionFailure`: a release build would drop the text, which is all that helps.
    private static func refuse(_ call: String) {
        switch current {
        case .committing(let outer):
            fatalError("\(call) is inside the commit at \(place(outer)): a commit's closure only changes its own state")
        case .encoding(let type):
            fatalError("\(call) is inside 'encode(to:)' of '\(type)': encoding a value must not change a state")
        case .readingClock:
            fatalError("\(call) is inside the recorder's clock: it only says the time")
        case .deriving:
            fatalError("\(call) is inside a comparison of a derived value's inputs: it may only compare")
        case .transforming(let name):
            fatalError("\(call) is inside the transform of the derived value '\(name)': a transform only computes")
        case .computing(let property):
            fatalError("\(call) is inside the computed property '\(property)': it only computes")
        case nil: break
        }
    }

    private static func place(_ location: CommitLocation) -> String {
        "\(location.file):\(location.line):\(location.column) '\(location.function)'"
    }
}
