import CommandLine
import Commands
import Diagnostics
package import JSONCore
import JournalFormat
import JournalReading
package import TimeTravel

/// A row of the pane of a value's origin: a hop, or one of several places where an equal value stood before it.
enum OriginRow {
    case hop(Int, ValuePane.Target)
    case candidate(of: Int, ValuePane.Target)

    /// The rows of a story, the newest hop first.
    static func all(of story: OriginStory) -> [OriginRow] {
        zip(story.origin.hops, story.records).enumerated().flatMap { index, made -> [OriginRow] in
            let (hop, record) = made
            // What the cause wrote stood in the state after it, everything else in the one before this commit.
            let before = hop.basis == .recorded ? record.cause : nil
            let candidates = hop.candidates.map { path in
                OriginRow.candidate(
                    of: index, .init(position: before ?? max(0, hop.record.seq.rawValue - 1), path: path))
            }
            return [.hop(index, .init(position: hop.record.seq.rawValue, path: hop.path))] + candidates
        }
    }

    var target: ValuePane.Target {
        switch self {
        case .hop(_, let target), .candidate(of: _, let target): target
        }
    }

    /// The row in the head of the pane: which hop it is, and how much is known of it.
    func summary(in story: OriginStory) -> String {
        let count = story.origin.hops.count
        switch self {
        case .hop(let index, _):
            let isRecorded = story.origin.hops[index].basis == .recorded
            return "hop \(index + 1) of \(count), " + (isRecorded ? "recorded" : "inferred")
        case .candidate(let index, _):
            let count = story.origin.hops[index].candidates.count
            return "one of \(count) places that it may come from"
        }
    }

    /// The row, where the hops are these lines.
    func parts(_ hops: [String]) -> [StyledText] {
        switch self {
        case .hop(let index, _): StyledText.parts(of: hops[index])
        case .candidate(_, let target):
            [
                StyledText(String(repeating: " ", count: OriginStory.margin) + "an equal value stood at ", .dim),
                StyledText(ControlCharacters.escaped(target.path?.text ?? ""), .path),
            ]
        }
    }
}

extension OriginStory {
    /// The story of a value where a session stands.
    ///
    /// - Throws: `CommandFailure` where the state is another one than that in the journal, or nothing is at the place.
    package init(of path: JSONPointer, in session: Session) throws {
        guard session.skipped.isEmpty, !session.position.isInside else {
            throw CommandFailure(
                .usage,
                Diagnostic(
                    code: "debug.not-as-recorded",
                    "where a value comes from is known of the run as it was, after a whole commit", help: []))
        }
        guard let origin = try Origin(of: path, at: session.position.commit, in: session.journal) else {
            throw CommandFailure(
                .notThere, Diagnostic(code: "debug.nothing-there", "nothing is at '\(path.text)' here", help: []))
        }
        try self.init(origin, of: path, StoreScope(store: nil))
    }
}
