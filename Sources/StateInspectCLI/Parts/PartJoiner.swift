import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// Puts the answers of parts together, line by line in the order of the parts.
protocol PartJoiner {
    /// Takes a line of the next part, and writes what it makes known of the whole.
    mutating func take(_ line: [UInt8], _ output: OutputWriter) throws

    /// Ends a part.
    ///
    /// - Parameter isEmpty: whether the part says that nothing was left for it.
    /// - Throws: where a line is missing that every other part has.
    mutating func endPart(isEmpty: Bool) throws(PartLineFault)

    /// Writes what stands at the end.
    ///
    /// - Parameter absent: the first of what was asked about that no part had; nil where each was somewhere, or may have been.
    /// - Returns: the status that this comes to.
    mutating func finish(absent: Int?, _ output: OutputWriter) throws -> ExitStatus
}

extension PartJoiner {
    mutating func endPart(isEmpty: Bool) {}
    mutating func finish(absent: Int?, _ output: OutputWriter) throws -> ExitStatus { .done }
}

/// A line that no part has.
struct PartLineFault: Error {}

/// `log`, `replay`: a part's lines are those of the whole.
struct SameLines: PartJoiner {
    func take(_ line: [UInt8], _ output: OutputWriter) throws { try output.writeLine(line) }
}

/// `replay --changed`: the first value of a part may be that of the part before, or the one at the start of the run.
struct ChangedValues: PartJoiner {
    private var value: JSONValue?

    mutating func take(_ line: [UInt8], _ output: OutputWriter) throws {
        let parsed = try? JSONParser.parse(line, order: .ascending)
        let next = parsed?.member("value")
        if let value, value == next { return }
        value = next
        if parsed?.member("kind")?.string != AnswerDefinition.partBeginning.kind { try output.writeLine(line) }
    }
}

/// `history`: an operand may be at no position of any part.
struct HistoryLines: PartJoiner {
    let operands: [JSONValue]

    func take(_ line: [UInt8], _ output: OutputWriter) throws { try output.writeLine(line) }

    func finish(absent: Int?, _ output: OutputWriter) throws -> ExitStatus {
        guard let absent else { return .done }
        let text = operands.indices.contains(absent) ? operands[absent].string ?? "" : ""
        throw CommandFailure(
            .notThere,
            Diagnostic(code: "history.no-such-path", "nothing is at '\(text)' at any position of these parts"))
    }
}

/// `stats`: counts that are added up.
struct StatisticsLines: PartJoiner {
    private var joined = JoinedStatistics()
    private let scope: StoreScope
    private let messages: MessageWriter

    init(_ typed: TypedArguments, _ messages: MessageWriter) throws {
        scope = try CommitFilter(typed).scope
        self.messages = messages
    }

    mutating func take(_ line: [UInt8], _ output: OutputWriter) throws {
        guard let object = try? JSONParser.parse(line).object else { throw PartLineFault() }
        do { try joined.take(object) } catch { throw PartLineFault() }
    }

    mutating func endPart(isEmpty: Bool) throws(PartLineFault) {
        guard !isEmpty else { return }
        do { try joined.endPart() } catch { throw PartLineFault() }
    }

    func finish(absent: Int?, _ output: OutputWriter) throws -> ExitStatus {
        for answer in StatsTables(joined.statistics, scope, limit: StatsCommand.rows).answers {
            try output.writeLine(answer.line)
        }
        StatsCommand.noteBounds(of: joined.statistics, messages)
        return .done
    }
}

/// `verify`: problems of lines in their order, then damage that had to be jumped over.
struct VerifiedLines: PartJoiner {
    private var summary = Verification.Summary()
    private var isVerified = false
    private var shown = 0
    private var damages: [JSONObject] = []
    private let journal: String
    private let context: CommandContext

    init(_ journal: String, _ context: CommandContext) { (self.journal, self.context) = (journal, context) }

    mutating func take(_ line: [UInt8], _ output: OutputWriter) throws {
        guard let object = try? JSONParser.parse(line).object else { throw PartLineFault() }
        switch object["kind"]?.string {
        case AnswerDefinition.problem.kind:
            shown += 1
            if shown <= VerifyCommand.shownCount { try output.writeLine(line) }
        case AnswerDefinition.partDamage.kind: if damages.count < RecordReader.damageLimit { damages.append(object) }
        case AnswerDefinition.partVerified.kind:
            guard let part = Verification.Summary(partOf: object) else { throw PartLineFault() }
            summary.add(part)
            isVerified = true
        default: throw PartLineFault()
        }
    }

    mutating func endPart(isEmpty: Bool) throws(PartLineFault) {
        guard isEmpty || isVerified else { throw PartLineFault() }
        isVerified = false
    }

    mutating func finish(absent: Int?, _ output: OutputWriter) throws -> ExitStatus {
        for var damage in damages {
            shown += 1
            damage["kind"] = .string(AnswerDefinition.problem.kind)
            if shown <= VerifyCommand.shownCount { try output.writeLine(JSONValue.object(damage).text()) }
        }
        summary.problems += damages.count
        VerifyCommand.noteUnlisted(summary.problems - min(shown, VerifyCommand.shownCount), context.messages)
        try VerifyCommand.report(summary, journal, context)
        return summary.problems == 0 ? .done : .negative
    }
}

extension Verification.Summary {
    /// What a line of a part says; nil where it is none.
    fileprivate init?(partOf line: JSONObject) {
        func count(_ name: String) -> Int? {
            line[name]?.number?.integerValue.flatMap { (0..<1 << 44).contains($0) ? $0 : nil }
        }
        guard let records = count("records"), let commits = count("commits"), let sums = count("sums"),
            let gaps = count("gaps"), let problems = count("problems"), let repeated = count("repeated"),
            case .bool(let isEnded)? = line["ended"]
        else { return nil }
        self.init()
        (self.records, self.commits, self.sums, self.gaps) = (records, commits, sums, gaps)
        (self.problems, linesWithRepeatedNames, self.isEnded) = (problems, repeated, isEnded)
        if let name = line["name"]?.string {
            firstRepeatedName = Verification.RepeatedName(
                name: name, line: count("line").map { LineNumber($0) }, byte: .zero)
        }
    }
}

/// `derived`: a value without a formula was before what the app recorded last, maybe in a part before.
struct DerivedLines: PartJoiner {
    private var recorded = NameTable<JSONValue>()

    mutating func take(_ line: [UInt8], _ output: OutputWriter) throws {
        guard let object = try? JSONParser.parse(line).object, let name = object["name"]?.string else {
            throw PartLineFault()
        }
        if object["kind"]?.string == AnswerDefinition.partRecorded.kind {
            recorded[name] = object["value"]
            return
        }
        guard object["old"] == nil, let old = recorded[name] else { return try output.writeLine(line) }
        var whole = JSONObject()
        for (key, value) in object {
            whole[key] = value
            if key == "outcome" { whole["old"] = old }
        }
        try output.writeLine(JSONValue.object(whole).text())
    }

    func finish(absent: Int?, _ output: OutputWriter) throws -> ExitStatus { absent == nil ? .done : .inconclusive }
}

/// `derived --summary`: numbers that are added up.
struct DerivedSummaries: PartJoiner {
    private var summaries: [JSONObject] = []
    private var place = 0

    mutating func take(_ line: [UInt8], _ output: OutputWriter) throws {
        guard let object = try? JSONParser.parse(line).object else { throw PartLineFault() }
        if object["kind"]?.string == AnswerDefinition.partRecorded.kind { return }
        defer { place += 1 }
        guard summaries.indices.contains(place) else { return summaries.append(object) }
        for (key, value) in object {
            guard let number = value.number?.integerValue else { continue }
            summaries[place][key] = .number(JSONNumber(number + (summaries[place][key]?.number?.integerValue ?? 0)))
        }
    }

    mutating func endPart(isEmpty: Bool) throws(PartLineFault) {
        guard isEmpty || place == summaries.count else { throw PartLineFault() }
        place = 0
    }

    func finish(absent: Int?, _ output: OutputWriter) throws -> ExitStatus {
        for summary in summaries { try output.writeLine(JSONValue.object(summary).text()) }
        return absent == nil ? .done : .inconclusive
    }
}
