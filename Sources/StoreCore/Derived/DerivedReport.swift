internal import JournalFormat
internal import StateEncoding

/// The version of a recorded store that a derived value saw.
struct SeenVersion: Sendable {
    let track: any StoreTrack
    let version: Int
}

/// What one derived value did after one commit.
struct DerivedReport: Sendable {
    let vertex: DerivedVertex
    let outcome: DerivedOutcome
    /// The versions that were seen of its stores, where those are several.
    var seen: [SeenVersion] = []
    /// Encodes the new value, where it fired and is encodable; called outside the network's lock.
    var encode: (@Sendable (TypeRedactions) -> [UInt8]?)?
    /// The value before, which goes away with the report, outside the network's lock.
    var previous: (any AnyObject & Sendable)?
    /// What has to come before the value is reported to its subscribers, and its version; nil where there is nothing to report.
    var output: (gate: DerivedGate, version: Int)?
}

extension DerivedReport {
    /// Tells the subscribers of what fired.
    ///
    /// - Parameters:
    ///   - reports: of one commit, in the order of evaluation.
    ///   - commit: the commit, which is the current cause on this thread.
    static func deliver(_ reports: [DerivedReport], during commit: CommitReference, by thread: DeliveringThread) {
        for report in reports {
            guard let (gate, version) = report.output else { continue }
            gate.open()
            report.vertex.deliver(through: version, during: commit, by: thread)
        }
    }

    /// The outcome as one journal has it; nil where the derived value is not declared there.
    func encoded(for recorder: Recorder) -> QueuedOutcome? {
        guard let declaration = vertex.declarations.declaration(in: recorder) else { return nil }
        return QueuedOutcome(
            declaration: declaration, outcome: outcome, value: encode?(recorder.protection.types), seen: seen)
    }
}

/// Values that are short enough to stand in an `outcome` record.
enum SmallValue {
    /// The longest text, in bytes.
    static let limit = 1024

    /// A value as JSON; nil where it is too long, or has no JSON form.
    ///
    /// - Complexity: O(the limit), and one level of the value: what is longer is given up, not encoded.
    static func encoded(_ value: some Sendable, _ types: TypeRedactions) -> [UInt8]? {
        guard let value = value as? any Encodable else { return nil }
        var bytes: [UInt8] = []
        do {
            try ThreadActivity.duringEncoding(of: String(describing: type(of: value))) {
                try ValueEncoder.append(
                    value, to: &bytes, options: EncodingOptions(types: types), limit: SmallValue.limit)
            }
        } catch {
            return nil  // the outcome stands without its value, as the format has it
        }
        return bytes.count <= limit ? bytes : nil
    }
}
