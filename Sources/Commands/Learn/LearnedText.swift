package import CommandLine
import JSONCore
import TimeTravel

/// What was learned as a file of definitions.
struct LearnedText {
    /// The lines, without ends.
    let lines: [String]

    /// The definitions with what they rest on.
    init(_ found: [LearnedInvariant], _ runs: borrowing LearnedRuns) {
        var lines = ["# Learned from \(runs.source): likely, not sure."]
        for invariant in found {
            let support =
                "\(invariant.samples.counted("time")) in \(invariant.runs) of \(runs.count.counted("run"))"
            lines += ["", "# could have been false \(support)", "def \(invariant.name): \(invariant.condition);"]
        }
        self.lines = lines
    }

    /// All of it.
    var file: String { lines.joined(separator: "\n") + "\n" }
}

extension LearnedInvariant {
    /// It as JSON.
    package var answer: Answer {
        var answer = Answer(.learned)
        answer.set("name", name)
        answer.set("says", kind.rawValue)
        answer.set("condition", condition)
        answer.set("paths", .array(paths.map { .string($0) }))
        answer.set("samples", samples)
        answer.set("runs", runs)
        return answer
    }
}

extension LearnedRuns {
    /// What was learned from.
    func answer(_ invariants: Int) -> Answer {
        var answer = Answer(.learning)
        answer.set("runs", count)
        answer.set("leftOut", leftOut)
        answer.set("commits", commits)
        answer.set("invariants", invariants)
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
            .always("samples", "how often it could have been false, and was not"),
            .always("runs", "in how many of the runs it could have been"),
        ])

    static let learning = AnswerDefinition(
        "learning", "what invariants were learned from",
        [
            .always("runs", "how many runs there were"),
            .always("leftOut", "how many were left out: damaged, or of another app"),
            .always("commits", "how many commits the runs have"),
            .always("invariants", "how many invariants there are"),
        ])
}
