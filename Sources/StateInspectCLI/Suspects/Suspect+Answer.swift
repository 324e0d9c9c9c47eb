import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

extension CommitPlace {
    /// As answers have a place; a line that is not known is null.
    var json: JSONValue {
        .members([
            "file": .string(file), "line": line > 0 ? .number(JSONNumber(line)) : .null, "function": .string(function),
        ])
    }
}

extension Suspect {
    /// The suspect as JSON.
    ///
    /// - Parameter record: its first commit in a bad run.
    func answer(rank: Int, _ record: Record, _ runs: SuspectRuns) -> Answer {
        var answer = Answer(.suspect)
        answer.set("rank", rank)
        answer.set("score", .number(JSONNumber((score * 10_000).rounded() / 10_000)))
        answer.set("at", place.json)
        answer.set("element", element)
        answer.set("bad", bad.json)
        answer.set("good", good.json)
        answer.set("journal", runs.bad[first.run].path)
        answer.set("first", record)
        answer.set("evidence", .array(evidence))
        return answer
    }

    private var element: String {
        switch sign {
        case .made: "place"
        case .caused: "cause"
        case .changes: "changes"
        case .after: "order"
        }
    }

    /// What speaks against it, each with a condition that `check` takes: violated wherever a commit was made there, and wherever one
    /// changed nothing.
    private var evidence: [JSONValue] {
        let isElsewhere = "$at.file != \(Self.quoted(place.file)) or $at.line != \(place.line)"
        let queries = [isElsewhere, isElsewhere + " or . != $old"]
        return zip(texts, queries).map { text, query in
            .members(["query": place.line > 0 ? .string(query) : .null, "text": .string(text)])
        }
    }

    private static func quoted(_ text: String) -> String {
        var writer = JSONWriter()
        writer.writeString(text)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension Suspect.Share {
    fileprivate var json: JSONValue {
        .members(["with": .number(JSONNumber(with)), "of": .number(JSONNumber(of))])
    }
}

extension Suspects {
    /// What the suspects were taken from.
    func answer(_ runs: SuspectRuns) -> Answer {
        var answer = Answer(.suspects)
        answer.set("elements", elements)
        answer.set("places", places)
        answer.set(
            "runs",
            .members(["bad": .number(JSONNumber(runs.bad.count)), "good": .number(JSONNumber(runs.goodCount))]))
        answer.set(
            "trials",
            .members(["bad": .number(JSONNumber(trials.failed)), "good": .number(JSONNumber(trials.passed))]))
        answer.set("abstained", isAbstaining)
        if let run = runs.bad.first {
            answer.set(
                "symptom",
                .members([
                    "journal": .string(run.path), "seq": .number(JSONNumber(run.symptom.position.rawValue)),
                    "text": .string(run.symptom.text),
                ]))
        }
        return answer
    }
}

extension AnswerDefinition {
    static let suspect = AnswerDefinition(
        "suspect", "a place in the source that may be to blame",
        [
            .always("rank", "from 1, the most suspicious first"),
            .always("score", "0 to 1: the mean of Ochiai's coefficients of the place and of its surest sign"),
            .always("at", "the place: 'file', 'line', 'function'"),
            .always("element", #"the surest sign: "place", "cause", "changes" or "order""#),
            .always("bad", "in how many of the trials that failed the sign was met: 'with', 'of'"),
            .always("good", "the same of the trials that passed"),
            .always("journal", "the bad run that has its first commit"),
            .always("first", "its first commit in a trial that failed"),
            .always("evidence", "what speaks against it: 'text', and 'query', which 'check' finds its commits by"),
        ])

    static let suspects = AnswerDefinition(
        "suspects", "what the suspects were taken from",
        [
            .always("elements", "how many signs were counted"),
            .always("places", "how many places were candidates"),
            .always("runs", "how many runs there were: 'bad', 'good'"),
            .always("trials", "how many trials failed and passed: 'bad', 'good'"),
            .always("abstained", "whether nothing stands out, and no suspect is named"),
            .sometimes("symptom", "what shows in the first bad run: 'journal', 'seq' and 'text'"),
        ])
}
