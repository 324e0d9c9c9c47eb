/// Every kind of answer, in the order in which the manual lists them: that of the commands.
enum AnswerTable {
    static let all: [AnswerDefinition] = [
        .info, .place, .show, .state, .stateValue, .conflict, .diff, .divergence, .equal, .bisect, .bisectLog,
        .bisectStep,
        .derived, .derivedSummary, .derivedWhy, .derivedDifference, .derivedCheck, .blame, .change, .origin, .cause,
        .hit, .violated, .violation, .holds, .failure, .checkSummary, .learned, .learning, .suspect,
        .suspects, .citation, .stats,
        .statsPath, .statsLocation, .statsFunction, .statsStore, .statsPutBack, .statsRecords, .statsRate, .problem,
        .verified,
    ]

    /// The declaration of a kind; nil for a kind that is none of an answer, as those of records are.
    static func definition(of kind: String) -> AnswerDefinition? { all.first { $0.kind == kind } }
}
