/// What the lines of a part have.
extension AnswerDefinition {
    static let part = AnswerDefinition(
        "part", "the first line of an answer with '--part': which part of which question it is",
        [
            .always("part", "the part's number"),
            .always("of", "how many parts there are"),
            .always(
                "question", "what is asked: the command, its operands and options, of files the hash of what they hold"),
            .always("id", "the id of the run"),
            .always("journal", "the journal, as it was named"),
            .always("from", "the position at which the part begins"),
            .always("to", "the position at which it ends"),
            .always("start", "a hash of the state there, as far as the question reads it, null where it has none"),
            .always("end", "a hash of the state at the end, null where it has none"),
            .sometimes("empty", "true where the run has too few keyframes for so many parts"),
        ])

    static let partEnd = AnswerDefinition(
        "part.end", "the last line of an answer with '--part'",
        [
            .always("part", "the part's number"),
            .always("status", "the status that the part came to"),
            .sometimes(
                "absent",
                "the numbers of the operands at which nothing was in this part, or of the derived values that had no value in it"
            ),
            .sometimes("lost", "how many positions were lost in a gap"),
        ])

    static let partStart = AnswerDefinition(
        "part.start", "what a condition says of the first state of a part",
        [
            .always("condition", "the number of the condition, from 0"),
            .always("verdict", "what was found: 'good', 'bad' or 'failed'"),
            .sometimes("value", "the output that makes it bad"),
            .sometimes("state", "the state that is bad, as far as the question reads it"),
            .sometimes("error", "the value with which the query failed"),
            .sometimes("limit", "the limit that the query reached"),
            .sometimes("line", "the record that made it bad, as its line's text"),
        ])

    static let partTurn = AnswerDefinition(
        "part.turn", "a record at which the verdict of a condition turned, or could not be given",
        [
            .always("condition", "the number of the condition, from 0"),
            .always("record", "the kind of the record"),
            .always("seq", "the position"),
            .always("offset", "where the record's line begins, null where a store closed before the commit"),
            .always("complete", "whether nothing more changes the state at that position"),
            .always("before", "the last position before it that has a state"),
            .always("verdict", "what was found: 'good', 'bad' or 'failed'"),
            .sometimes("value", "the output that makes it bad, of the first such state of the part"),
            .sometimes("state", "the state that is bad, likewise, as far as the question reads it"),
            .sometimes("error", "the value with which the query failed"),
            .sometimes("limit", "the limit that the query reached"),
            .always("line", "the record, as its line's text"),
        ])

    static let partJudged = AnswerDefinition(
        "part.judged", "how many more states a condition was asked of, each like the one before",
        [
            .always("condition", "the number of the condition, from 0"),
            .always("count", "how many"),
        ])

    static let partAbsent = AnswerDefinition(
        "part.absent", "a condition that names what the run never has",
        [
            .always("condition", "the number of the condition, from 0"),
            .always("message", "what it names"),
        ])

    static let partBeginning = AnswerDefinition(
        "part.beginning", "the value at the start of a run, against which 'replay --changed' holds the first ones",
        [.always("value", "the value")])

    static let partLost = AnswerDefinition(
        "part.lost", "the positions at the end of a part that have no state",
        [
            .always("first", "the first of them"),
            .always("last", "the last of them"),
        ])

    static let partRecorded = AnswerDefinition(
        "part.recorded", "what the app recorded last of a derived value",
        [
            .always("name", "the name of the derived value"),
            .always("value", "the value"),
        ])

    static let partDamage = AnswerDefinition("part.damage", "damage that had to be jumped over", problem.members)

    static let partVerified = AnswerDefinition(
        "part.verified", "what was looked at in a part of a file",
        [
            .always("records", "how many records were looked at"),
            .always("commits", "how many of them are commits"),
            .always("sums", "how many have a sum"),
            .always("gaps", "how many are gaps"),
            .always("problems", "how many problems there are, but for damage that had to be jumped over"),
            .always("repeated", "how many lines have a name twice in one object"),
            .sometimes("name", "the first such name"),
            .sometimes("line", "the number of its line"),
            .always("ended", "whether the run ends in this part"),
        ])

    static let partName = AnswerDefinition(
        "part.name", "a name that 'stats' counts",
        [
            .always("table", "the table it is in: 'path', 'location', 'function', 'store' or 'putBack'"),
            .always("text", "the name"),
            .always("count", "how often it was met in the part"),
            .always("error", "how much too high the count may be"),
            .always("last", "the last commit that counted"),
        ])

    static let partWrote = AnswerDefinition(
        "part.wrote",
        "a value that one of the first commits of a part wrote, which may put back what the part before replaced",
        [
            .always("path", "where"),
            .always("value", "a hash of the value"),
            .always("commit", "the number of the commit in the part"),
            .always("seq", "the commit"),
        ])

    static let partEdited = AnswerDefinition(
        "part.edited", "a place beside which elements may have shifted, likewise",
        [.always("path", "where")])

    static let partReplaced = AnswerDefinition(
        "part.replaced", "a value that one of the last commits of a part replaced",
        [
            .always("age", "how many commits before the end of the part"),
            .always("path", "where"),
            .always("old", "a hash of the value"),
        ])

    static let partStats = AnswerDefinition(
        "part.stats", "the counts of 'stats' in a part",
        [
            .always("commits", "how many commits"),
            .always("changes", "how many changes they make"),
            .always("idle", "how many commits changed nothing"),
            .always("first", "the time of the first commit, null where there is none"),
            .always("last", "the latest time"),
            .always("patches", "how many patches there are of each size"),
            .always("times", "how many commits there are in each interval of time"),
            .always("kinds", "how many records there are of each kind, and their bytes"),
            .always("tables", "of each table of names, how many were counted and whether exactly"),
        ])
}
