internal import JSONCore

/// A redacted property of one type of state, and where it is in the JSON of the latest one.
///
/// A property's name may be another one in JSON, and a nil on the way hides where it leads. So a place counts only while the
/// JSON there is that of the value, which is held against each state before anything of it is written. As long as no
/// place is known, the innermost part that surely holds the property is redacted, the whole state at worst.
package struct RedactedProperty<State: Encodable> {
    /// Where the property is.
    enum Place: Equatable {
        /// Its JSON is here, and nowhere else.
        case known([String])
        /// It is somewhere in this part.
        case hidden(in: [String])
    }

    private let path: PropertyPath<State>
    /// One that redacts nothing: what an encoder's nodes keep of a state is redacted by its place.
    private let pass = EncodingPass(options: EncodingOptions())
    private(set) var place = Place.hidden(in: [])
    /// How many of the names may lead where they seem to: one under which there was another value at any time is never
    /// trusted again, even where both happen to be equal.
    private var trusted: Int

    package init(_ keyPath: PartialKeyPath<State>) {
        path = PropertyPath(keyPath)
        trusted = path.names.count
    }

    /// The key path as Swift describes it.
    package var text: String { String(describing: path.keyPath) }

    /// The property's own name, which an action's payload may have too.
    package var name: String? { path.names.last }

    /// What is redacted for it.
    package var segments: [String] {
        switch place {
        case .known(let segments), .hidden(let segments): segments
        }
    }

    /// The part that is redacted because the property was not found, as a JSON Pointer; nil where it was.
    package var hiddenPart: String? {
        guard case .hidden(let segments) = place else { return nil }
        return segments.map(JSONText.pointerSegment).joined()
    }

    /// Finds the property in a state.
    ///
    /// - Complexity: one encoding of what the key path reads, and of one level for each of its steps.
    package mutating func look(in state: State) {
        pass.begin()
        place = (try? find(in: state, pass.child(of: state, base: nil), pass)) ?? .hidden(in: [])
    }

    private mutating func find(
        in state: State, _ tree: EncodedTree, _ pass: EncodingPass
    ) throws(StateEncodingError) -> Place {
        if path.isWhole, trusted == path.names.count {
            let value = state[keyPath: path.keyPath]
            if let part = try pass.part(of: tree, at: path.names) {
                if try RedactedProperty.encodes(value, as: part, pass) { return .known(path.names) }
                trusted -= 1
            } else if case .known = place, OptionalValue.isNil(value) {
                // What is nil is no secret, and where it is was known before.
                return place
            }
        }
        return .hidden(in: try surePart(of: state, tree, pass))
    }

    /// The names of the properties on the way that surely are where they seem to be: the JSON there is that of the stored
    /// property.
    private mutating func surePart(
        of state: State, _ tree: EncodedTree, _ pass: EncodingPass
    ) throws(StateEncodingError) -> [String] {
        var (value, tree, names): (Any, EncodedTree, [String]) = (state, tree, [])
        let limit = path.isWhole ? min(trusted, path.names.count - 1) : trusted
        for name in path.names.prefix(max(limit, 0)) {
            guard let child = OptionalValue.child(name, of: value), let part = try pass.part(of: tree, at: [name])
            else { break }
            guard try RedactedProperty.encodes(child, as: part, pass) else {
                trusted = names.count
                break
            }
            (value, tree) = (child, part)
            names.append(name)
        }
        return names
    }

    private static func encodes(
        _ value: Any, as tree: EncodedTree, _ pass: EncodingPass
    ) throws(StateEncodingError) -> Bool {
        if OptionalValue.isNil(value) {
            if case .scalar(.null) = try pass.structure(of: tree) { return true }
            return false
        }
        guard let value = value as? any Encodable else { return false }
        return try pass.encodes(value, as: tree)
    }
}

/// Looks into values whose types are not known.
enum OptionalValue {
    /// Whether a value is an optional without one in it.
    static func isNil(_ value: Any) -> Bool {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return false }
        return mirror.children.first.map { isNil($0.value) } ?? true
    }

    /// The stored property of a value, or of what an optional holds.
    static func child(_ name: String, of value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional { return mirror.children.first.flatMap { child(name, of: $0.value) } }
        return mirror.children.first { $0.label == name }?.value
    }
}
