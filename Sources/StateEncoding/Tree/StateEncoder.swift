internal import JSONCore

/// Mirrors the last written state of one store, and writes what a new one changes.
///
/// It belongs to the holder of the recorder's writing lock; no part of it may be used by two threads. A value's own
/// `encode(to:)` runs inside, and must not call back.
package final class StateEncoder<State> {
    let pass: EncodingPass
    let form: EncodableForm<State>
    @safe @exclusivity(unchecked) private(set) var root: EncodedTree
    @safe @exclusivity(unchecked) private var isUsable = true
    /// The text of a state that was encoded whole and not read yet: a store's record reads it at once.
    @safe @exclusivity(unchecked) private var wholeText: [UInt8]?

    /// Encodes a whole state, so that one with no JSON form is known here.
    ///
    /// - Throws: the property that has no JSON form, and why.
    package init(
        _ initial: State, by form: EncodableForm<State>, options: EncodingOptions = EncodingOptions()
    ) throws(StateEncodingError) {
        self.form = form
        pass = EncodingPass(options: options)
        root = .scalar(.null)
        try reset(to: initial)
    }

    /// Appends the state as it was last written, as compact JSON.
    ///
    /// - Complexity: O(the state). A plain part is encoded anew from its kept copy.
    package func appendState(to bytes: inout [UInt8]) throws(StateEncodingError) {
        precondition(isUsable, "'appendState' of an encoder that failed before 'reset(to:)'")
        if let text = wholeText {
            wholeText = nil
            return bytes.append(contentsOf: text)
        }
        pass.begin()
        try pass.append(root, to: &bytes)
    }

    /// Moves to a new state and appends the patch that leads to it: a whole JSON array, `[]` when nothing changed.
    ///
    /// - Throws: the property that has no JSON form. Then `bytes` is as it was, and the encoder accepts only
    ///   ``reset(to:)``.
    /// - Complexity: O(what changed), with one comparison for each property beside it, and of bytes for the elements of
    ///   a collection that changed.
    package func advance(to new: State, appendingPatchTo bytes: inout [UInt8]) throws(StateEncodingError) {
        precondition(isUsable, "'advance' of an encoder that failed before 'reset(to:)'")
        isUsable = false
        wholeText = nil
        var before: [UInt8] = []
        if pass.options.verifyIncrementalEncoding {
            pass.begin()
            try pass.append(root, to: &before)
        }
        root = try writeDifference(to: new)
        let patch = pass.patch.bytes
        if pass.options.verifyIncrementalEncoding { try verify(new, before: before, patch) }
        if let error = pass.unsteadyValue, pass.trustsCopies {
            // The state before is not known any more: the next whole state begins anew.
            pass.distrustCopies()
            throw error
        }
        bytes.append(contentsOf: patch)
        isUsable = true
    }

    /// Starts anew with a state, after a gap or a failed encoding.
    package func reset(to state: State) throws(StateEncodingError) {
        isUsable = false
        // What repeats a secret of the last state that was written is hidden as in a patch.
        if case .value = root, pass.types?.isActive ?? false { _ = try? writeDifference(to: state) }
        try begin(with: state)
        if pass.unsteadyValue != nil, pass.trustsCopies {
            pass.distrustCopies()
            try begin(with: state)
        }
        isUsable = true
    }

    private func writeDifference(to new: State) throws(StateEncodingError) -> EncodedTree {
        pass.begin()
        pass.former = SecretSearch()
        defer { pass.former = SecretSearch() }
        pass.patch.begin()
        let next = form.tree(pass, new, root)
        try pass.writeDifference(from: root, to: next)
        pass.patch.end()
        return next
    }

    // MARK: Redaction

    /// The secrets of the states so far, to be looked for in what is no state.
    package var secrets: SecretSearch { pass.secrets }

    private func begin(with state: State) throws(StateEncodingError) {
        pass.begin()
        root = form.tree(pass, state, nil)
        // Expands what cannot be made from the copy later, and finds what has no JSON form.
        var bytes: [UInt8] = []
        try pass.append(root, to: &bytes)
        wholeText = bytes
    }
}

extension StateEncoder where State: Encodable {
    package convenience init(
        _ initial: State, options: EncodingOptions = EncodingOptions()
    ) throws(StateEncodingError) {
        try self.init(initial, by: EncodableForm(), options: options)
    }
}

/// Encodes single values by the rules of a state: action payloads, outcomes of derived values.
package enum ValueEncoder {
    /// Appends a value as compact JSON.
    ///
    /// - Parameter limit: the longest JSON in bytes; the encoding of a longer one stops after about as many.
    /// - Throws: the part of the value that has no JSON form, or that it is too long; then nothing is appended.
    package static func append<Value: Encodable>(
        _ value: Value, to bytes: inout [UInt8], options: EncodingOptions = EncodingOptions(), limit: Int = .max
    ) throws(StateEncodingError) {
        if appendLeaf(value, to: &bytes, options, limit) { return }
        let pass = EncodingPass(options: options)
        pass.byteLimit = limit
        bytes.append(contentsOf: try pass.text(of: pass.child(of: value, base: nil)))
    }
    /// Appends a number, a truth value or a short text, for which nothing need be known of other types.
    private static func appendLeaf<Value: Encodable>(
        _ value: Value, to bytes: inout [UInt8], _ options: EncodingOptions, _ limit: Int
    ) -> Bool {
        guard options.redaction == nil, options.valueLimit == nil,
            case let facts = TypeFacts.of(Value.self, readsLayouts: options.readsLayouts), facts.leaf?.isCheap ?? false,
            let scalar = facts.scalar(of: value),
            options.types?.rule(of: Value.self, isSeen: false) == nil
        else { return false }
        if case .string(let text) = scalar, text.utf8.count >= limit { return false }
        let start = bytes.count
        scalar.append(to: &bytes)
        if bytes.count - start <= limit { return true }
        bytes.removeSubrange(start...)
        return false
    }
}
