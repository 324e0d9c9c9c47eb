import CommandLine
import Commands
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// What derived values that were typed did along a run, as records of the page.
///
/// They stand where the app's own outcomes stand, so the page shows both in one way; `old` is added to what an app
/// records.
final class DefinedOutcomes {
    private var firings: DerivedFirings
    private var next: [DerivedFiring]?

    /// Follows the values along a part of a journal.
    init(_ journal: Journal, _ range: PositionRange, _ definitions: DerivedDefinitions, recover: Bool) throws {
        let firings = try DerivedFirings(
            journal, range, values: definitions.values(declared: []), recover: recover)
        next = try firings.next()
        self.firings = firings
    }

    /// Takes out the records of the positions before one; nil for all that are left.
    func take(before position: CommitNumber?) throws -> [JSONObject] {
        var records: [JSONObject] = []
        while let reported = next, let seq = reported.first?.seq, position.map({ seq < $0 }) ?? true {
            records.append(Self.record(of: reported, seq))
            next = try firings.next()
        }
        return records
    }

    private static func record(of firings: [DerivedFiring], _ seq: CommitNumber) -> JSONObject {
        let derived = firings.map { firing -> JSONValue in
            var members: JSONObject = ["name": .string(firing.name), "outcome": .string(firing.outcome.rawValue)]
            if firing.outcome == .fired {
                members["old"] = firing.old
                members["value"] = firing.value
            }
            return .object(members)
        }
        return [
            "seq": .number(seq.rawValue), "kind": "outcome", "commit": .number(seq.rawValue),
            "derived": .array(derived),
        ]
    }
}
