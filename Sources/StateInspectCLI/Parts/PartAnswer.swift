import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

/// The answer of one part of a range: a line that says which part it is, what the command answers of it, and a line that ends it.
///
/// A command asks its range through ``range(of:_:reading:)``; the rest it answers as it always does. What is known only of the
/// whole, it notes here, and ``PartsCommand`` puts it together.
final class PartAnswer {
    private let part: PartNumber
    private let question: PartQuestion
    private let path: String
    private let output: OutputWriter
    /// The part's range, once it is known, with the id of the run.
    private var asked: (range: PositionRange, id: String)?
    private var hasBegun = false
    /// The operands at which nothing was in this part, or the derived values that had none, and how many positions it lost.
    private var absent: [Int] = []
    private var lost = 0

    /// The part that was typed; nil where none was.
    init?(_ typed: TypedArguments, _ output: OutputWriter) throws(UsageError) {
        guard let part = try PartNumber(typed) else { return nil }
        self.part = part
        self.output = output
        path = typed.operands.first ?? ""
        do { question = try PartQuestion(typed, journals: 1) } catch {
            throw .value(.part, typed.value(.part) ?? "", expected: "beside files that can be read")
        }
    }

    /// There are fewer keyframes than parts, and nothing is left for this one.
    private struct IsEmpty: Error {}

    /// Answers, with the lines around it.
    func run(_ body: () throws -> ExitStatus) throws -> ExitStatus {
        do {
            let status = try body()
            try end(status)
            return status
        } catch is IsEmpty {
            try end(.done)
            return .done
        } catch {
            if asked != nil, !(error is OutputError) {
                if !hasBegun { try begin(nil, nil) }
                try end(ExitStatus.of(error))
            }
            throw error
        }
    }

    /// The part of a range, of which the command answers; its first line is written.
    ///
    /// - Parameter paths: what the question reads of states.
    func range(of whole: PositionRange, _ journal: Journal, reading paths: PathSet) throws -> PositionRange {
        let range = try cut(whole, journal)
        try begin(journal, paths)
        return range
    }

    /// Answers what conditions come to along the part.
    ///
    /// - Parameter absence: says of a condition, by its number, what it names that the run never has; nil where it has all.
    func judge(
        _ conditions: [Condition], _ whole: PositionRange, _ journal: Journal, recovers: Bool,
        absence: (Int) -> Diagnostic?
    ) throws -> ExitStatus {
        let range = try cut(whole, journal)
        try begin(journal, conditions.reduce(.nothing) { $0.union($1.query.footprint.paths) })
        // As in one pass, that is known before damage is met.
        for index in conditions.indices {
            guard let absence = absence(index) else { continue }
            var answer = Answer(.partAbsent)
            answer.set("condition", index)
            answer.set("message", absence.message)
            try output.writeLine(answer.line)
        }
        let found = try PartFindings(
            journal, range, conditions, threads: BisectOptions().threads, recover: recovers)
        let openings = InvariantScan.openings(journal, range, conditions)
        for line in try found.lines(of: journal, openings: openings) {
            try output.writeLine(JSONValue.object(line).text())
        }
        return .done
    }

    /// Whether a part comes before it.
    var followsAnother: Bool { part.number > 1 }

    /// Notes operands at which nothing was in this part, or derived values that had no value in it, by their numbers.
    func note(absent operands: [Int], lost positions: Int) { (absent, lost) = (operands, positions) }

    /// Writes what the app recorded last of derived values, which the next part begins with.
    func write(recorded values: [(name: String, value: JSONValue)]) throws {
        for (name, value) in values {
            var answer = Answer(.partRecorded)
            answer.set("name", name)
            answer.set("value", value)
            try output.writeLine(answer.line)
        }
    }

    /// Verifies a part of the file; what is known only of the whole is written as lines of its own.
    func verify(_ journal: Journal) throws -> ExitStatus {
        let parts = try VerificationPart.all(of: journal, count: part.count)
        let id = (try? journal.headerRecord.object()["id"]?.string) ?? ""
        guard part.number <= parts.count else {
            try beginEmpty(at: parts[parts.count - 1].range.upper, id)
            throw IsEmpty()
        }
        let own = parts[part.number - 1]
        asked = (own.range, id)
        try begin(journal, .nothing)
        let found = try own.verify(journal, limit: VerifyCommand.shownCount)
        for problem in found.problems { try output.writeLine(VerifyCommand.answer(.problem, problem).line) }
        for problem in found.damages { try output.writeLine(VerifyCommand.answer(.partDamage, problem).line) }
        try output.writeLine(Answer(partOf: found.summary, damages: found.damages.count).line)
        return found.summary.problems == 0 ? .done : .negative
    }

    private func cut(_ whole: PositionRange, _ journal: Journal) throws -> PositionRange {
        let parts = journal.parts(of: whole, count: part.count)
        let id = try journal.headerRecord.object()["id"]?.string ?? ""
        if part.number <= parts.count {
            asked = (parts[part.number - 1], id)
            return parts[part.number - 1]
        }
        try beginEmpty(at: whole.upper, id)
        throw IsEmpty()
    }

    private func beginEmpty(at position: CommitNumber, _ id: String) throws {
        guard let end = PositionRange(position, position) else { return }
        asked = (end, id)
        try begin(nil, nil, isEmpty: true)
    }

    /// Begins with the states that a seek finds at both ends; that the walk between them leads from one to the other, the keyframe
    /// at which it ends says, against which every pass holds its state.
    private func begin(_ journal: Journal, _ paths: PathSet) throws {
        guard let range = asked?.range else { return }
        func hash(_ position: CommitNumber) -> String? {
            // A question that reads no state has the same at both ends, whatever a seek would find.
            if paths.isEmpty { return PartHash.text(of: []) }
            return (try? journal.state(at: position, pruning: paths)).map(PartHash.text)
        }
        try begin(hash(range.lower), hash(range.upper))
    }

    private func begin(_ start: String?, _ end: String?, isEmpty: Bool = false) throws {
        guard let asked else { return }
        hasBegun = true
        var answer = Answer(.part)
        answer.set("part", part.number)
        answer.set("of", part.count)
        answer.set("question", question.value)
        answer.set("id", asked.id)
        answer.set("journal", path)
        answer.set("from", asked.range.lower.rawValue)
        answer.set("to", asked.range.upper.rawValue)
        answer.set("start", start)
        answer.set("end", end)
        if isEmpty { answer.set("empty", true) }
        try output.writeLine(answer.line)
    }

    private func end(_ status: ExitStatus) throws {
        guard hasBegun else { return }
        var answer = Answer(.partEnd)
        answer.set("part", part.number)
        answer.set("status", Int(status.rawValue))
        if !absent.isEmpty { answer.set("absent", .array(absent.map { .number(JSONNumber($0)) })) }
        if lost > 0 { answer.set("lost", lost) }
        try output.writeLine(answer.line)
    }
}

extension Answer {
    /// What was looked at in a part.
    ///
    /// - Parameter damages: how many problems have their own lines.
    fileprivate init(partOf summary: Verification.Summary, damages: Int) {
        self.init(.partVerified)
        set("records", summary.records)
        set("commits", summary.commits)
        set("sums", summary.sums)
        set("gaps", summary.gaps)
        set("problems", summary.problems - damages)
        set("repeated", summary.linesWithRepeatedNames)
        if let name = summary.firstRepeatedName {
            set("name", name.name)
            set("line", name.line?.rawValue)
        }
        set("ended", summary.isEnded)
    }
}
