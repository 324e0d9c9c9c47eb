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
    /// The versions of its stores that it saw, if those are several.
    var seen: [SeenVersion] = []
    /// Encodes the new value, if it fired and is encodable; called when its record is written.
    var encode: (@Sendable (TypeRedactions) -> [UInt8]?)?
    /// The value before, which is released with the report, outside the network's lock.
    var previous: (any AnyObject & Sendable)?
    /// The gate that holds the new value back, and its version; nil if there is nothing to deliver.
    var output: (gate: DerivedGate, version: Int)?
}

extension DerivedReport {
    /// Delivers the values that fired to their subscribers.
    ///
    /// - Parameters:
    ///   - reports: those of one commit, in the order of evaluation.
    ///   - commit: the commit, which is the current cause on this thread.
    static func deliver(_ reports: [DerivedReport], during commit: CommitReference, by thread: DeliveringThread) {
        for report in reports {
            guard let (gate, version) = report.output else { continue }
            gate.open()
            report.vertex.deliver(through: version, during: commit, by: thread)
        }
    }

    /// The outcome for one journal; nil if the derived value is not declared there.
    func queued(for recorder: Recorder) -> QueuedOutcome? {
        guard let declaration = vertex.declarations.declaration(in: recorder) else { return nil }
        return QueuedOutcome(declaration: declaration, outcome: outcome, encode: encode, seen: seen)
    }
}

/// Values that are short enough for an `outcome` record.
enum SmallValue {
    /// The longest text, in bytes.
    static let limit = 1024

    /// A value as JSON; nil if it is too long, or has no JSON form.
    ///
    /// - Complexity: O(the limit), and one level of the value: the encoding of a longer one stops.
    static func encoded(_ value: some Sendable, _ types: TypeRedactions) -> [UInt8]? {
        guard let value = value as? any Encodable else { return nil }
        var bytes: [UInt8] = []
        do {
            try ThreadActivity.duringEncoding(of: type(of: value as Any)) {
                try ValueEncoder.append(
                    value, to: &bytes, options: EncodingOptions(types: types), limit: SmallValue.limit)
            }
        } catch {
            return nil  // the outcome stands without its value, as the format has it
        }
        return bytes.count <= limit ? bytes : nil
    }
}
