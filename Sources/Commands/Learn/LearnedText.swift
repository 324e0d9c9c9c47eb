import CommandLine
import JSONCore
import TimeTravel

struct LearnedText {
    let lines: [String]

    init(_ found: [LearnedInvariant], _ runs: borrowing LearnedRuns) {
        var lines = ["# Learned from \(runs.source): likely, not sure."]
        for invariant in found {
            let support =
                "\(invariant.samples.counted("time")) in \(invariant.runs) of \(runs.count.counted("run"))"
            lines += ["", "# could have been false \(support)", "def \(invariant.name): \(invariant.condition);"]
        }
        self.lines = lines
    }

    var file: String { lines.joined(separator: "\n") + "\n" }
}

extension LearnedText {
    static let learned = AnswerKind<LearnedInvariant>(
        "learned", "what held all along the runs",
        [
            .always("name", "its name, as a function of the query language has one", \.name),
            .always("says", #"what it says, as "equal", "range" or "monotone""#, \.kind.rawValue),
            .always("condition", "a query that is true where it holds", \.condition),
            .always("paths", "the members that it is about, '*' for every element", \.paths),
            .always("samples", "how often it could have been false, and was not", \.samples),
            .always("runs", "in how many of the runs it could have been", \.runs),
        ])

    static let learning = AnswerKind<(runs: Int, leftOut: Int, commits: Int, invariants: Int)>(
        "learning", "what invariants were learned from",
        [
            .always("runs", "how many runs there were", \.runs),
            .always("leftOut", "how many were left out: damaged, or of another app", \.leftOut),
            .always("commits", "how many commits the runs have", \.commits),
            .always("invariants", "how many invariants there are", \.invariants),
        ])
}
