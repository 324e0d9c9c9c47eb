package import JSONCore

/// What a record is about.
public enum RecordKind: UInt8, Sendable, Hashable, CaseIterable {
    /// The first line: version, identity, app.
    case journal
    /// A store starts recording, with its whole state.
    case store
    /// A derived value is made.
    case derived
    /// A commit: the only kind that takes a number.
    case commit
    /// What the derived values did after a commit.
    case outcome
    /// A commit's closure threw.
    case abort
    /// The app or a test says something.
    case mark
    /// The whole states of every open store.
    case keyframe
    /// Commits that could not be kept.
    case gap
    /// A store ends.
    case close
    /// A clean end.
    case end
    /// A kind that this version does not know; its name is in the line. Readers pass over it.
    case other

    /// The kind as written, `other` for one that is unknown.
    public var name: StaticString {
        switch self {
        case .journal: "journal"
        case .store: "store"
        case .derived: "derived"
        case .commit: "commit"
        case .outcome: "outcome"
        case .abort: "abort"
        case .mark: "mark"
        case .keyframe: "keyframe"
        case .gap: "gap"
        case .close: "close"
        case .end: "end"
        case .other: "other"
        }
    }

    /// The kind with this name, as the bytes between its quotes.
    package init(name: ByteView) {
        // A switch over lengths first: a pass asks this of every line.
        let known: RecordKind =
            switch name.count {
            case 3: name[0] == UInt8(ascii: "g") ? .gap : .end
            case 4: .mark
            case 5:
                switch name[0] {
                case UInt8(ascii: "s"): .store
                case UInt8(ascii: "a"): .abort
                default: .close
                }
            case 6: .commit
            case 7:
                switch name[0] {
                case UInt8(ascii: "j"): .journal
                case UInt8(ascii: "d"): .derived
                default: .outcome
                }
            case 8: .keyframe
            default: .other
            }
        self = known != .other && known.isNamed(name) ? known : .other
    }

    private func isNamed(_ bytes: ByteView) -> Bool { ByteView(name).hasSameBytes(as: bytes) }
}

/// A set of record kinds, to choose which records a pass is given.
public struct RecordKinds: OptionSet, Sendable, Hashable {
    /// A bit for each kind.
    public let rawValue: UInt16

    /// A set of these bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The set that holds one kind.
    public init(_ kind: RecordKind) { rawValue = 1 << UInt16(kind.rawValue) }

    /// The first line.
    public static let journal = RecordKinds(.journal)
    /// Stores that start.
    public static let store = RecordKinds(.store)
    /// Derived values that are made.
    public static let derived = RecordKinds(.derived)
    /// Commits.
    public static let commit = RecordKinds(.commit)
    /// What derived values did.
    public static let outcome = RecordKinds(.outcome)
    /// Commits whose closure threw.
    public static let abort = RecordKinds(.abort)
    /// What the app or a test says.
    public static let mark = RecordKinds(.mark)
    /// Whole states.
    public static let keyframe = RecordKinds(.keyframe)
    /// Lost commits.
    public static let gap = RecordKinds(.gap)
    /// Stores that end.
    public static let close = RecordKinds(.close)
    /// Clean ends.
    public static let end = RecordKinds(.end)
    /// Kinds that this version does not know.
    public static let other = RecordKinds(.other)

    /// Every kind that changes the state.
    public static let states: RecordKinds = [.store, .commit, .gap, .close]
    /// Every kind.
    public static let all = RecordKinds(rawValue: .max)

    /// Whether the set holds a kind.
    public func contains(_ kind: RecordKind) -> Bool { rawValue & (1 << UInt16(kind.rawValue)) != 0 }
}
