import JSONCore
package import JournalFormat
package import JournalReading
import QueryLanguage

/// Something that held through many changes of a run and then broke: a symptom where none is known.
///
/// It is learned from the first half of the run, or the first three quarters, and asked of the rest.
package struct BrokenInvariant: Sendable {
    /// What held.
    package let invariant: LearnedInvariant
    /// The first position at which it does not.
    package let position: CommitNumber
    /// Where the commit that broke it was made; nil where nothing says so.
    package let place: CommitPlace?

    /// Through fewer changes than this something holds in half of all runs that are in order, and breaks all the same.
    package static let fewestChanges = 50

    /// Bounds, values that were not met before, and who writes what go on changing in a run that is in order, and so does what is
    /// null or distinct by chance; these do not.
    private static let kinds: Set<LearnedInvariant.Kind> = [
        .equal, .sum, .order,
    ]

    /// What reads more elements than this is not asked: a commit that changes one would have all of them read.
    private static let mostElements = 256

    /// The parts of a run that are learned from, in quarters.
    private static let learned = [2, 3]

    /// Those of a run, the one that breaks first in front.
    ///
    /// - Throws: `JournalError` at damage.
    /// - Complexity: each part is learned from, which reads it twice, and the rest is read once.
    package static func all(in journal: Journal) throws(JournalError) -> [BrokenInvariant] {
        var found: [BrokenInvariant] = []
        guard let whole = try PositionRange(journal.start, journal.lastCommit) else { return [] }
        for quarters in learned {
            let cut = CommitNumber(whole.lower.rawValue + whole.count / 4 * quarters)
            guard cut > whole.lower, let first = PositionRange(whole.lower, cut),
                let rest = PositionRange(cut, whole.upper)
            else { continue }
            for broken in try all(in: journal, learningFrom: first, asking: rest)
            where !found.contains(where: { UTF8Order.equal($0.invariant.condition, broken.invariant.condition) }) {
                found.append(broken)
            }
        }
        return found.enumerated().sorted {
            ($0.element.position, $0.offset) < ($1.element.position, $1.offset)
        }.map(\.element)
    }

    private static func all(
        in journal: Journal, learningFrom first: PositionRange, asking rest: PositionRange
    ) throws(JournalError) -> [BrokenInvariant] {
        var learner = Learner()
        try learner.survey(journal, first)
        try learner.add(journal, first)
        let last = try journal.state(at: rest.upper).value
        var asked: [(learned: LearnedInvariant, invariant: Invariant)] = []
        for learned in learner.invariants() where kinds.contains(learned.kind) && learned.samples >= fewestChanges {
            guard learned.paths.allSatisfy({ elements(along: $0, of: last) <= mostElements }),
                let query = try? Query(learned.condition)
            else { continue }
            asked.append((learned, Invariant(name: learned.name, query: query)))
        }
        guard !asked.isEmpty else { return [] }
        var found: [BrokenInvariant] = []
        for (index, answer) in try InvariantScan.run(journal, rest, asked.map(\.invariant)).answers.enumerated() {
            // What does not hold where the rest begins was refuted before.
            guard let violation = answer.violation, violation.position > rest.lower else { continue }
            let record = try violation.first.map { (record) throws(JournalError) in try Record(record) }
            found.append(
                BrokenInvariant(
                    invariant: asked[index].learned, position: violation.position,
                    place: record.flatMap(CommitPlace.init)))
        }
        return found
    }

    /// How many elements or members are at a path, or where its first `*` stands.
    private static func elements(along path: String, of state: JSONValue) -> Int {
        var value = state
        for segment in path.utf8.split(separator: UInt8(ascii: "/")) where !segment.elementsEqual("*".utf8) {
            guard let member = JSONPointer([String(Substring(segment))]).value(in: value) else { break }
            value = member
        }
        return switch value {
        case .array(let elements): elements.count
        case .object(let object): object.count
        case .null, .bool, .number, .string: 0
        }
    }
}
