package import CommandLine
package import JSONCore

/// What a question found in a run, in the parts that every report is made of.
package struct Finding: Sendable {
    enum Tone: String, Sendable {
        /// What was looked for is there: an invariant is violated, the state is bad.
        case bad
        /// It is nowhere.
        case good
        /// There is no answer, or none for every position.
        case unknown
    }

    var tone: Tone
    /// What was found, as a heading: `'total' is violated`.
    package var title: String
    /// What was asked: a query, or where one is defined.
    package var question: String
    /// The position that shows it; nil where none does.
    package var position: Int?
    /// The last position at which it is so.
    package var last: Int?
    /// The record that made it so.
    package var record: RecordSummary?
    package var cause: RecordSummary?
    package var firings = CommitBlock.Firings()
    /// For how long, how often, and what has no answer; a sentence each.
    var sentences: [String] = []
    package var commands: [String] = []
    /// The name of the invariant; nil for another question.
    package var invariant: String?
    /// At how many positions it is so.
    package var positions: Int?
    /// The index of the rule that it is about.
    var rule = 0
    /// The positions at which the question could not be evaluated; nil where it could, or another finding has them.
    package var failure: CheckedJournal.Failure?
    /// What a record did, for reports that point to a line of source; nil where there is nothing to point to.
    package var result: Result?

    /// A record that made something bad.
    package struct Result: Sendable {
        package var place: SourcePlace?
        package var heading: String
        package var details: [String]
        /// The records on the way, this one last; none unless they were asked for.
        package var history: [HistoryStep] = []
        package var properties: JSONValue
    }

    /// A record that touched what a question reads, and what that was after it.
    package struct HistoryStep: Sendable {
        let record: RecordSummary
        let place: SourcePlace?
        let state: [(path: String, value: String)]
    }
}
