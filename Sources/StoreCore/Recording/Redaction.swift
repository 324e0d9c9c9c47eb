internal import JSONCore
internal import StateEncoding

/// Names a part of a state that must not be in a journal: it is written as a keyed hash.
///
///     let recorder = try Recorder(path, redact: ["/session/token", "/**/password", .keyPath(\CartState.coupon)])
///
/// Equal values have equal hashes, so that a journal still shows whether a secret changed, and nothing else of it.
public struct Redaction: Sendable, ExpressibleByStringLiteral {
    enum Target: Sendable {
        case path(PathSteps)
        case property(any AnyKeyPath & Sendable)
        case payload(action: String, position: CaseRedaction.Position?)
    }

    let target: Target
    /// Whether it is reported when nothing was redacted for it.
    private(set) var isRequired = true

    /// Names what a path points at, and all that is in it.
    ///
    /// - Parameter pattern: a JSON Pointer into the whole state, which begins with the store's name, as in `/session/token`.
    ///   `*` stands for one segment and `**` for any number, none too; a key that is literally `*` is `~2`. An index stands
    ///   for every element of its array, because elements move.
    /// - Precondition: it is such a path, of at most 64 segments.
    public static func path(_ pattern: String) -> Redaction {
        // A pattern that matches nothing would write what it was meant to keep out.
        guard let redaction = Redaction(parsing: pattern) else {
            fatalError("'redact:' has '\(pattern)', which is no path such as '/session/token'")
        }
        return redaction
    }

    init?(parsing pattern: String) {
        guard let path = try? PathSteps(parsing: pattern) else { return nil }
        self.init(target: .path(path))
    }

    /// Names a property of every value of a type, wherever a state, a model, a payload or a derived value holds one.
    ///
    /// The property is found by its name, or by the name of the case of `CodingKeys` that it is encoded under, and what is
    /// encoded there is compared with what the key path reads. Members beside it that repeat it are redacted, too. Where it is
    /// not found, the whole value is redacted, and so are the payloads of actions; the recorder's handler is called. A key path
    /// that may trap, through an element of an array or a `!`, is never read: the stored property that it begins with is
    /// redacted as a whole, and that is reported.
    ///
    /// - Complexity: for each value of the type that a commit changed one look at its members.
    public static func keyPath<Root: Encodable, Value>(
        _ keyPath: any KeyPath<Root, Value> & Sendable
    ) -> Redaction {
        Redaction(target: .property(keyPath))
    }

    /// Names what a case of an action carries, also of one that other actions carry, at any depth: all of it, or the value at one
    /// position.
    ///
    /// - Parameters:
    ///   - action: the case after the name of its own type, `Login.otp`, or the action as the journal names it.
    ///   - position: which of the associated values, from 0 on; nil for all.
    public static func payload(_ action: String, at position: Int? = nil) -> Redaction {
        Redaction(target: .payload(action: action, position: position.map { .index($0) }))
    }

    /// Names the value that a case of an action carries under a label, also of one that other actions carry, at any depth.
    public static func payload(_ action: String, label: String) -> Redaction {
        Redaction(target: .payload(action: action, position: .label(label)))
    }

    /// This redaction, but not reported when it redacted nothing.
    ///
    ///     redact: ["/session/token", .path("/**/password").ifPresent]
    ///
    /// Without this, a recorder reports each redaction that matched nothing when it is closed: a name that is misspelled would
    /// leave a secret in clear.
    public var ifPresent: Redaction {
        var copy = self
        copy.isRequired = false
        return copy
    }

    var text: String {
        switch target {
        case .path(let path): path.text
        case .property(let keyPath): String(describing: keyPath)
        case .payload(let action, nil): "payload of \(action)"
        case .payload(let action, .index(let index)): "payload of \(action) at \(index)"
        case .payload(let action, .label(let label)): "payload of \(action) at \(label)"
        }
    }

    private init(target: Target) { self.target = target }

    /// Names what a path points at, as ``path(_:)`` does.
    public init(stringLiteral pattern: String) { self = .path(pattern) }
}

/// A type that says itself which parts of its values must not be in a journal.
///
///     extension User: RedactedState {
///         static var redacted: [Redaction] { [.keyPath(\User.token), "/cards/*/number"] }
///     }
///
/// Every recorder honours it, those that the environment or a test turns on among them, wherever a state holds such a value.
public protocol RedactedState {
    /// What is redacted of each value; paths begin at the value, not at a store.
    static var redacted: [Redaction] { get }
}
