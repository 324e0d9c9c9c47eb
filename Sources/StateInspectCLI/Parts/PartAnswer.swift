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
    /// The operands at which nothing was in this part, and how many positions it lost.
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
    func judge(_ conditions: [Condition], _ whole: PositionRange, _ journal: Journal) throws -> ExitStatus {
        let range = try cut(whole, journal)
        let found = try PartFindings(journal, range, conditions, threads: BisectOptions().threads)
        let openings = InvariantScan.openings(journal, range, conditions)
        let lines = try found.lines(of: journal, openings: openings)
        try begin(journal, conditions.reduce(.nothing) { $0.union($1.query.footprint.paths) })
        for line in lines { try output.writeLine(JSONValue.object(line).text()) }
        return .done
    }

    /// Notes operands at which nothing was in this part.
    func note(absent operands: [Int], lost positions: Int) { (absent, lost) = (operands, positions) }

    private func cut(_ whole: PositionRange, _ journal: Journal) throws -> PositionRange {
        let parts = journal.parts(of: whole, count: part.count)
        let id = try journal.headerRecord.object()["id"]?.string ?? ""
        if part.number <= parts.count {
            asked = (parts[part.number - 1], id)
            return parts[part.number - 1]
        }
        guard let end = PositionRange(whole.upper, whole.upper) else { return whole }
        asked = (end, id)
        try begin(nil, nil, isEmpty: true)
        throw IsEmpty()
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

extension AnswerDefinition {
    static let part = AnswerDefinition(
        "part", "the first line of an answer with '--part': which part of which question it is",
        [
            .always("part", "the part's number"),
            .always("of", "how many parts there are"),
            .always(
                "question", "what is asked: the command, its operands and options, of files the hash of what they hold"),
            .always("id", "the id of the run"),
            .always("journal", "the journal, as it was named"),
            .always("from", "the position at which the part begins"),
            .always("to", "the position at which it ends"),
            .always("start", "a hash of the state there, as far as the question reads it, null where it has none"),
            .always("end", "a hash of the state at the end, null where it has none"),
            .sometimes("empty", "true where the run has too few keyframes for so many parts"),
        ])

    static let partEnd = AnswerDefinition(
        "part.end", "the last line of an answer with '--part'",
        [
            .always("part", "the part's number"),
            .always("status", "the status that the part came to"),
            .sometimes("absent", "the numbers of the operands at which nothing was in this part"),
            .sometimes("lost", "how many positions were lost in a gap"),
        ])

    static let partStart = AnswerDefinition(
        "part.start", "what a condition says of the first state of a part",
        [
            .always("condition", "the number of the condition, from 0"),
            .always("verdict", "what was found: 'good', 'bad' or 'failed'"),
            .sometimes("value", "the output that makes it bad"),
            .sometimes("state", "the state that is bad, as far as the question reads it"),
            .sometimes("error", "the value with which the query failed"),
            .sometimes("limit", "the limit that the query reached"),
            .sometimes("line", "the record that made it bad, as its line's text"),
        ])

    static let partTurn = AnswerDefinition(
        "part.turn", "a record at which the verdict of a condition turned, or could not be given",
        [
            .always("condition", "the number of the condition, from 0"),
            .always("record", "the kind of the record"),
            .always("seq", "the position"),
            .always("offset", "where the record's line begins, null where a store closed before the commit"),
            .always("complete", "whether nothing more changes the state at that position"),
            .always("before", "the last position before it that has a state"),
            .always("verdict", "what was found: 'good', 'bad' or 'failed'"),
            .sometimes("value", "the output that makes it bad, of the first such state of the part"),
            .sometimes("state", "the state that is bad, likewise, as far as the question reads it"),
            .sometimes("error", "the value with which the query failed"),
            .sometimes("limit", "the limit that the query reached"),
            .always("line", "the record, as its line's text"),
        ])

    static let partJudged = AnswerDefinition(
        "part.judged", "how many more states a condition was asked of, each like the one before",
        [
            .always("condition", "the number of the condition, from 0"),
            .always("count", "how many"),
        ])

    static let partLost = AnswerDefinition(
        "part.lost", "the positions at the end of a part that have no state",
        [
            .always("first", "the first of them"),
            .always("last", "the last of them"),
        ])
}
