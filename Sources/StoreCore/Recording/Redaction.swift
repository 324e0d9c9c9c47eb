internal import JSONCore

/// Names a part of a state that must not be in a journal: it is written as a keyed hash.
///
///     let recorder = try Recorder(path, redact: ["/session/token", "/**/password", .keyPath(\CartState.coupon)])
///
/// Equal values have equal hashes, so that a journal still shows whether a secret changed, and nothing else of it.
public struct Redaction: Sendable, ExpressibleByStringLiteral {
    enum Target: Sendable {
        case path(PathSteps)
        case property(any AnyKeyPath & Sendable)
    }

    let target: Target

    /// Names what a path points at, and all that is in it.
    ///
    /// - Parameter pattern: a JSON Pointer into the whole state, which begins with the store's name, as in `/session/token`.
    ///   `*` stands for one segment and `**` for any number, none too; a key that is literally `*` is `~2`. An index stands
    ///   for every element of its array, because elements move.
    /// - Precondition: it is such a path, of at most 64 segments.
    public static func path(_ pattern: String) -> Redaction {
        do throws(PathSteps.Fault) {
            return Redaction(target: .path(try PathSteps(parsing: pattern)))
        } catch {
            // A pattern that matches nothing would write what it was meant to keep out.
            fatalError("'redact:' has '\(pattern)', which is no path such as '/session/token'")
        }
    }

    /// Names a property of every store with this type of state, whatever its name.
    ///
    /// Swift tells the names of a key path's properties only for stored ones, and not where the program is stripped of them;
    /// the property may be encoded under another name; and nothing is to be seen behind a nil. So each state is looked at
    /// before it is written. Where the property is not found in it, the innermost part that surely holds it is redacted, the
    /// whole state at worst, and so are the payloads of actions. The recorder's handler is told. A path needs no looking for.
    public static func keyPath<State: Encodable & Sendable, Value>(
        _ keyPath: any KeyPath<State, Value> & Sendable
    ) -> Redaction {
        Redaction(target: .property(keyPath))
    }

    private init(target: Target) { self.target = target }

    /// Names what a path points at, as ``path(_:)`` does.
    public init(stringLiteral pattern: String) { self = .path(pattern) }
}
