package import JSONCore
import JournalFormat
package import JournalReading
import QueryLanguage

/// Findings of a part that travel as lines of JSON.
extension PartFindings {
    /// What a line of a part says, by its member `kind`.
    private enum Kind {
        static let start = "part.start"
        static let turn = "part.turn"
        static let judged = "part.judged"
        static let lost = "part.lost"
    }

    /// The findings as objects, one a line.
    ///
    /// - Parameter openings: for each condition the record that turned it bad at the start of a run.
    package func lines(of journal: Journal, openings: [OwnedRecord?]) throws(JournalError) -> [JSONObject] {
        var lines: [JSONObject] = []
        for index in start.indices {
            var line = Self.line(Kind.start, index)
            start[index].write(to: &line)
            if openings.indices.contains(index), let record = openings[index] { line["line"] = .string(record.text) }
            lines.append(line)
            for (step, judgement) in turns[index].steps {
                var line = Self.line(Kind.turn, index)
                step.write(to: &line)
                judgement.write(to: &line)
                line["line"] = .string(try journal.record(of: step.author).text)
                lines.append(line)
            }
            var judged = Self.line(Kind.judged, index)
            judged["count"] = .number(JSONNumber(turns[index].unreported))
            lines.append(judged)
        }
        if let lost {
            var line: JSONObject = ["kind": .string(Kind.lost)]
            line["first"] = .number(JSONNumber(lost.lowerBound.rawValue))
            line["last"] = .number(JSONNumber(lost.upperBound.rawValue))
            lines.append(line)
        }
        return lines
    }

    private static func line(_ kind: String, _ condition: Int) -> JSONObject {
        ["kind": .string(kind), "condition": .number(JSONNumber(condition))]
    }
}

/// What conditions come to along a range, of which the parts were asked apart and arrive as lines.
package struct JoinedConditions {
    /// A line that no part has.
    package struct Fault: Error {}

    package let range: PositionRange
    /// For each condition that names what the run never has, by its number: that.
    package private(set) var absent: [Int: String] = [:]
    private let count: Int
    private var join: ConditionJoin
    private var lost: ClosedRange<CommitNumber>?
    private var records: [FlipTracker.Author: OwnedRecord] = [:]
    private var openings: [Int: OwnedRecord] = [:]
    private let path: String

    /// A join that has got no line yet.
    ///
    /// - Parameter path: the journal, for messages.
    package init(_ conditions: [Condition], _ range: PositionRange, path: String) {
        self.range = range
        self.path = path
        count = conditions.count
        join = ConditionJoin(conditions, from: range.lower)
    }

    /// Takes a line of the next part.
    package mutating func take(_ line: JSONObject) throws(Fault) {
        guard let kind = line["kind"]?.string else { throw Fault() }
        if kind == "part.lost" {
            guard let first = line.commit("first"), let last = line.commit("last"), first <= last else { throw Fault() }
            lost = first...last
            return
        }
        guard let condition = line["condition"]?.number?.integerValue, (0..<count).contains(condition) else {
            throw Fault()
        }
        let record = line["line"]?.string.map { OwnedRecord(text: Array($0.utf8), path: path) }
        switch kind {
        case "part.absent":
            guard let message = line["message"]?.string else { throw Fault() }
            absent[condition] = message
        case "part.start":
            join.begin(try Condition.Judgement(line), condition)
            if let record, openings[condition] == nil { openings[condition] = record }
        case "part.turn":
            let step = try Pass.Step(line)
            records[step.author] = record
            join.note(step, try Condition.Judgement(line), condition)
        case "part.judged":
            guard let count = line["count"]?.number?.integerValue, count >= 0 else { throw Fault() }
            join.count(tested: count, condition)
        default: throw Fault()
        }
    }

    /// Ends a part.
    package mutating func endPart() { join.endPart() }

    /// What `bisect` answers.
    package mutating func bisectAnswer() throws(JournalError) -> BisectAnswer {
        let track = join.finish(range, lost: lost)[0]
        return try FlipScan.answer(of: track, range, damages: []) { author throws(JournalError) in
            try record(of: author)
        }
    }

    /// What became of invariants.
    package mutating func answers(of invariants: [Invariant]) throws(JournalError) -> [InvariantAnswer] {
        var answers: [InvariantAnswer] = []
        for (index, track) in join.finish(range, lost: lost).enumerated() {
            var first: OwnedRecord?
            if let (position, author) = track.tracker.firstBad {
                first = position == range.lower ? openings[index] : try record(of: author)
            }
            answers.append(InvariantAnswer(invariants[index], track.violation(by: first), over: range, track))
        }
        return answers
    }

    private func record(of author: FlipTracker.Author) throws(JournalError) -> OwnedRecord {
        guard let record = records[author] else {
            throw JournalError(path: path, .damage(JournalDamage(line: nil, offset: .zero, reason: .notAnObject)))
        }
        return record
    }
}

extension Pass.Step {
    fileprivate func write(to line: inout JSONObject) {
        line["record"] = .string("\(kind.name)")
        line["seq"] = .number(JSONNumber(seq.rawValue))
        line["offset"] = offset.map { .number(JSONNumber($0.rawValue)) } ?? .null
        line["complete"] = .bool(isComplete)
        line["before"] = .number(JSONNumber(before.rawValue))
    }

    fileprivate init(_ line: JSONObject) throws(JoinedConditions.Fault) {
        guard let seq = line.commit("seq"), let before = line.commit("before"), let name = line["record"]?.string,
            case .bool(let isComplete)? = line["complete"]
        else { throw JoinedConditions.Fault() }
        let offset = line["offset"]?.number?.integerValue.map { ByteOffset($0) }
        let kind = Array(name.utf8).withUnsafeBytes { RecordKind(name: $0) }
        self.init(kind: kind, seq: seq, offset: offset, isComplete: isComplete, before: before)
    }
}

extension Condition.Judgement {
    fileprivate func write(to line: inout JSONObject) {
        switch verdict {
        case .good: line["verdict"] = "good"
        case .bad:
            line["verdict"] = "bad"
            if let value { line["value"] = value }
            if let state { line["state"] = state }
        case .failed(.failure(let error)): (line["verdict"], line["error"]) = ("failed", error)
        case .failed(.limit(let limit)):
            (line["verdict"], line["limit"]) = ("failed", .string(limit.message))
        case .failed(.unreadInput): preconditionFailure("a condition of a run reads no inputs")
        }
    }

    fileprivate init(_ line: JSONObject) throws(JoinedConditions.Fault) {
        let verdict: Condition.Verdict
        switch line["verdict"] {
        case "good": verdict = .good
        case "bad": verdict = .bad
        case "failed":
            if let error = line["error"] {
                verdict = .failed(.failure(error))
            } else if let limit = QueryLimit.all.first(where: { line["limit"] == .string($0.message) }) {
                verdict = .failed(.limit(limit))
            } else {
                throw JoinedConditions.Fault()
            }
        default: throw JoinedConditions.Fault()
        }
        self.init(verdict: verdict, value: line["value"], state: line["state"])
    }
}

extension QueryLimit {
    fileprivate static let all: [QueryLimit] = [.steps, .callDepth, .valueDepth, .size]
}

extension JSONObject {
    fileprivate func commit(_ name: String) -> CommitNumber? {
        self[name]?.number?.integerValue.flatMap { $0 >= 0 ? CommitNumber($0) : nil }
    }
}
