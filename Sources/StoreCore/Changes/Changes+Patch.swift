public import Diagnostics
internal import StateEncoding
internal import Synchronization

/// Why there is no patch between two states: one of them has no JSON form.
public struct StatePatchError: DiagnosticConvertible, Sendable, Equatable {
    /// A JSON Pointer to the value without one.
    public let path: String
    /// The value's type in Swift.
    public let type: String
    /// The error as a sentence with its reason and a remedy.
    public let diagnostic: Diagnostic
}

extension StatePatch {
    /// What leads from one value to another, property by property: to show how two states differ.
    ///
    /// - Throws: if one of them has no JSON form.
    /// - Complexity: O(both values).
    public init<State: Encodable>(from old: State, to new: State) throws(StatePatchError) {
        self = try StatePatch(from: old, to: new, options: EncodingOptions())
    }

    init<State: Encodable>(from old: State, to new: State, options: EncodingOptions) throws(StatePatchError) {
        try self.init(from: old, to: new, by: EncodableForm<State>(), options: options)
    }

    fileprivate init<State>(
        from old: State, to new: State, by form: EncodableForm<State>, options: EncodingOptions
    ) throws(StatePatchError) {
        var bytes: [UInt8] = []
        do throws(StateEncodingError) {
            try ThreadActivity.duringEncoding(of: State.self) { () throws(StateEncodingError) in
                let encoder = try StateEncoder(old, by: form, options: options)
                try encoder.advance(to: new, appendingPatchTo: &bytes)
            }
        } catch {
            throw StatePatchError(error)
        }
        self.init(bytes)
    }
}

extension StatePatchError {
    fileprivate init(_ error: StateEncodingError) {
        self.init(path: error.path, type: error.type, diagnostic: error.diagnostic)
    }
}

extension Changes where State: Encodable {
    /// What differs from the state before, property by property; nil in a first delivery, which has no state before.
    ///
    /// For a recorded store it is what stands in the journal. Elsewhere both states are encoded: read it to log or to
    /// debug, and use ``ifChanged(_:_:perform:)-(KeyPath<State,First>,_,_)`` to react to a property. What the recorder
    /// redacts is redacted here too, also for commits that are not in its journal; for a derived value that may reveal
    /// it, everything is.
    ///
    /// - Throws: if a state has no JSON form.
    /// - Complexity: O(1) if it is in the journal, or was read already; otherwise O(both states), mostly once for each
    ///   object: threads that ask at the same time each compute it.
    public var patch: StatePatch? {
        get throws(StatePatchError) {
            guard let previous else { return nil }
            let extras = extras.object ?? extras.add(VersionExtras())
            // What the first of several threads found counts.
            let found = extras.foundPatch.load() ?? extras.foundPatch.storeIfNil(FoundPatch(findPatch(since: previous)))
            return try found.result.get()
        }
    }

    private func findPatch(since previous: Changes<State>) -> Result<StatePatch, StatePatchError> {
        if let recordedPatch = extras.object?.recordedPatch { return .success(StatePatch(recordedPatch)) }
        do throws(StatePatchError) {
            return .success(try StatePatch(from: previous.current, to: current, keepingOut: protection))
        } catch {
            return .failure(error)
        }
    }
}

extension StatePatch {
    fileprivate init<State: Encodable>(
        from old: State, to new: State, keepingOut protection: StateProtection?
    ) throws(StatePatchError) {
        let options = protection?.options ?? EncodingOptions()
        self = try StatePatch(from: old, to: new, options: options)
    }
}

extension Store {
    /// What leads from one state to another, property by property, without what the recorder redacts: for messages
    /// about states outside the journal.
    ///
    /// - Throws: if one of them has no JSON form, as no state of a type that is not Encodable has.
    /// - Complexity: O(both states).
    package func patch(from old: State, to new: State) throws(StatePatchError) -> StatePatch {
        guard let form = StateTraits<State>.known.form else {
            throw StatePatchError(StateEncodingError(path: "", type: "\(State.self)", reason: .notEncodable))
        }
        return try StatePatch(from: old, to: new, by: form, options: protection?.options ?? EncodingOptions())
    }
}
