import JSONCore
import TimeTravel

/// What was learned as a file of definitions.
struct LearnedText {
    /// The lines, without ends.
    let lines: [String]

    /// The definitions with what they rest on.
    init(_ found: LearnedRuns.Found, _ runs: borrowing LearnedRuns) {
        var lines = [
            "# Learned from \(found.commits.counted("commit")) of \(runs.count.counted("run")): likely, not sure."
        ]
        for invariant in found.chosen {
            lines += [
                "", "# held through \(invariant.samples.counted("change"))",
                "def \(invariant.name): \(invariant.condition);",
            ]
        }
        self.lines = lines
    }

    /// All of it.
    var file: String { lines.joined(separator: "\n") + "\n" }
}

extension LearnedInvariant {
    /// It as JSON.
    var answer: Answer {
        var answer = Answer(.learned)
        answer.set("name", name)
        answer.set("says", kind.rawValue)
        answer.set("condition", condition)
        answer.set("paths", .array(paths.map { .string($0) }))
        answer.set("samples", samples)
        answer.set("confidence", .number(JSONNumber((confidence * 1_000_000).rounded(.down) / 1_000_000)))
        return answer
    }
}

extension LearnedRuns.Found {
    /// What was learned from.
    func answer(_ runs: borrowing LearnedRuns) -> Answer {
        var answer = Answer(.learning)
        answer.set("runs", runs.count)
        answer.set("leftOut", runs.leftOut)
        answer.set("commits", commits)
        answer.set("invariants", all)
        answer.set("chosen", chosen.count)
        return answer
    }
}

extension AnswerDefinition {
    static let learned = AnswerDefinition(
        "learned", "what held all along the runs",
        [
            .always("name", "its name, as a function of the query language has one"),
            .always("says", #"what it says, as "equal", "range" or "monotone""#),
            .always("condition", "a query that is true where it holds"),
            .always("paths", "the members that it is about, '*' for every element"),
            .always("samples", "how many changes of them it held through"),
            .always("confidence", "how unlikely it is that it held by chance, 0.99 to 1"),
        ])

    static let learning = AnswerDefinition(
        "learning", "what invariants were learned from",
        [
            .always("runs", "how many runs there were"),
            .always("leftOut", "how many were left out: damaged, or of another app"),
            .always("commits", "how many commits the runs have"),
            .always("invariants", "how many invariants there are"),
            .always("chosen", "how many of them are printed"),
        ])
}
