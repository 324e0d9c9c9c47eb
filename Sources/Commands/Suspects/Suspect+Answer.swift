import CommandLine
import Diagnostics
package import JSONCore
import JournalFormat
import JournalReading
package import TimeTravel

extension CommitPlace {
    /// As answers have a place; a line that is not known is null.
    package var json: JSONValue {
        .members([
            "file": .string(file), "line": line > 0 ? .number(JSONNumber(line)) : .null, "function": .string(function),
        ])
    }

    /// As `Shop/Cart.swift:42  applyDiscount(_:)`.
    package var text: String { (line > 0 ? "\(file):\(line)" : file) + (function.isEmpty ? "" : "  \(function)") }
}

extension Suspect {
    /// With four digits.
    var roundedScore: JSONValue { .number(JSONNumber((score * 10_000).rounded() / 10_000)) }

    private var elementName: String {
        switch element {
        case .place: "place"
        case .paths: "paths"
        case .path: "path"
        case .cause: "cause"
        case .value: "value"
        case .pair: "pair"
        case .symptom: "symptom"
        case .causeOfSymptom: "cause of the symptom"
        case .before: "before the symptom"
        }
    }

    /// A condition that `check` takes, violated wherever a commit was made there; nil where the line is not known.
    private var query: String? {
        var file = JSONWriter()
        file.writeString(place.file)
        return place.line > 0
            ? "$at.file != \(String(decoding: file.bytes, as: UTF8.self)) or $at.line != \(place.line)" : nil
    }

    /// As `0.87`.
    var scoreText: String {
        let hundredths = Int((score * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }

    package func text(_ found: Suspects) -> String {
        let (unit, failed, passed) =
            found.comparison == .runs
            ? ("run", "that are bad", "that are good") : ("trial", "that failed", "that passed")
        let met =
            " in \(bad.with) of \(bad.of.counted(unit)) \(bad.of == 1 && unit == "run" ? "that is bad" : failed)"
            + ", \(good.with) of \(good.of) \(passed)"
        return switch element {
        case .place: "it committed" + met
        case .paths(let paths): "it wrote \(paths.isEmpty ? "nothing" : "exactly \(paths)")" + met
        case .path(let path): "it wrote \(path)" + met
        case .cause(let place): "it committed because of \(place.text)" + met
        case .value(let path, let name): "\(path) was \(name)" + met
        case .pair(let left, let right, let order):
            "\(left) was \(order < 0 ? "less than" : order > 0 ? "greater than" : "equal to") \(right)" + met
        case .symptom: "its commit turned the run bad"
        case .causeOfSymptom: "its commit caused the one that turned the run bad"
        case .before: "it committed before the run turned bad"
        }
    }
}

extension Suspect.Share {
    fileprivate var json: JSONValue {
        .members(["with": .number(JSONNumber(with)), "of": .number(JSONNumber(of))])
    }
}

extension Suspect {
    static let answer = AnswerKind<(suspect: Suspect, first: Record, found: Suspects, runs: SuspectRuns)>(
        "suspect", "a place in the source that may be to blame",
        [
            .always(
                "rank", "from 1, the most suspicious first; places that are equal share one", \.suspect.rank),
            .always("tied", "whether another suspect has the same rank", \.suspect.isTied),
            // No class of answers was right in 95 % of the cases of a set that it was not chosen on.
            .always(
                "certain", "whether answers of its class were right in 95 of 100 cases; always false: no class was"
            ) { _ in false },
            .always(
                "score",
                "0 to 1: Ochiai's coefficient of the place, or 1 divided by its rank where nothing was compared",
                \.suspect.roundedScore),
            .always("at", "the place: 'file', 'line', 'function'", \.suspect.place.json),
            .always(
                "element",
                #"what speaks against it: "place", "paths", "path", "cause", "value", "pair", "symptom", "cause of the symptom" or "before the symptom""#,
                \.suspect.elementName),
            .always(
                "bad", "in how many of the bad runs, or of the trials that failed, that was met: 'with', 'of'",
                \.suspect.bad.json),
            .always("good", "the same of the good runs, or of the trials that passed", \.suspect.good.json),
            .always("journal", "the bad run that has the commit of 'first'") { row in
                row.runs.bad[row.suspect.first.run].path
            },
            .always(
                "first", "its first commit there, or the one nearest to the symptom where nothing was compared", \.first
            ),
            .always(
                "evidence", "what speaks against it: 'text', and 'query', which 'check' finds its commits by"
            ) { row in
                let text = JSONValue.string(row.suspect.text(row.found))
                return [JSONValue.members(["query": row.suspect.query.map(JSONValue.string), "text": text])]
            },
        ])

    static let summary = AnswerKind<(found: Suspects, bad: Int, good: Int)>(
        "suspects", "what the suspects were taken from",
        [
            .always("elements", "how many elements were counted", \.found.elements),
            .always("runs", "how many runs there were: 'bad', 'good'") { row in
                JSONValue.members(["bad": .number(row.bad), "good": .number(row.good)])
            },
            .always("abstained", "whether nothing stands out, and no suspect is named") { $0.found.abstention != nil },
        ])
}
