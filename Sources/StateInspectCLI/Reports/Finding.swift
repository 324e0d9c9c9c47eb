import JSONCore

/// What a question found in a run, in the parts that any report is made of: a page, a summary in Markdown.
struct Finding: Sendable {
    /// What it comes to.
    enum Tone: String, Sendable {
        /// What was looked for is there: an invariant is violated, the state is bad.
        case bad
        /// It is nowhere.
        case good
        /// There is no answer, or none for every position.
        case unknown
    }

    /// What it comes to.
    var tone: Tone
    /// What was found, as a heading: `'total' is violated`.
    var title: String
    /// What was asked: a query, or where one is defined.
    var question: String
    /// The position that shows it; nil where none does.
    var position: Int?
    /// The last position at which it is so.
    var last: Int?
    /// The record that made it so.
    var record: RecordSummary?
    /// What caused the commit, and what fired.
    var cause: RecordSummary?
    var firings = CommitBlock.Firings()
    /// For how long, how often, and what has no answer; a sentence each.
    var sentences: [String] = []
    /// Commands to look further with.
    var commands: [String] = []
    /// The name of the invariant; nil for another question.
    var invariant: String?
    /// At how many positions it is so.
    var positions: Int?
}
