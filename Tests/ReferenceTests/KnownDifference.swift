/// What is known to differ from the contract, until it is mended: then its entry goes.
struct KnownDifference {
    let reason: String
    let matches: (ReferenceCase, ReferenceCase.Difference) -> Bool

    static var all: [KnownDifference] {
        [
            KnownDifference(reason: "a store that closed is taken for one that never was") { pair, difference in
                difference.run.status == 4 && pair.question.store != nil
                    && difference.run.messages.contains("has no store")
            },
            KnownDifference(reason: "'copy', 'test' and a 'move' between containers are damage to a pruned pass") {
                _, difference in
                difference.run.messages.contains("cannot be applied to a part of the state")
            },
            KnownDifference(reason: "the variables at the first position of a range") {
                pair, _ in
                let query = (pair.question.query ?? "") + (pair.question.select ?? "") + (pair.question.condition ?? "")
                return pair.question.range != nil && Question.asksAboutCommits(query)
            },
            KnownDifference(reason: "'--changed --final' compares with the start") { pair, _ in
                pair.question.isChanged && pair.question.isFinal
            },
            KnownDifference(reason: "a pass misses a commit whose line has its members in another order") { pair, _ in
                (pair.question.command == .derived || pair.question.command == .history) && pair.draft.style.shuffled
            },
            KnownDifference(reason: "'history' takes a query that begins with '. ' for a path") { pair, _ in
                pair.question.command == .history && pair.question.query?.hasPrefix(". ") == true
            },
            KnownDifference(reason: "'replay --reverse' takes back an 'add' over a member as if it had not been there")
            {
                pair, _ in
                pair.question.command == .replay && pair.question.isReverse
                    && pair.draft.events.contains {
                        if case .commit(let commit) = $0 {
                            commit.operations.contains { $0.op == "add" }
                        } else {
                            false
                        }
                    }
            },
            KnownDifference(reason: "'$old' behind a gap, of which the contract says nothing") { pair, _ in
                let query = (pair.question.query ?? "") + (pair.question.select ?? "") + (pair.question.condition ?? "")
                return query.contains("$old")
                    && pair.draft.events.contains { if case .gap = $0 { true } else { false } }
            },
            KnownDifference(reason: "a store that closes with the first commit is still seen by a definition") {
                pair, _ in
                pair.question.command == .derived
                    && pair.draft.events.contains { if case .close = $0 { true } else { false } }
            },
            KnownDifference(reason: "'info' lists no store that closed without a commit, where there are totals") {
                pair, difference in
                pair.question.command == .info && difference.fault.contains("the stores")
            },
            KnownDifference(reason: "commits that change nothing by changes that come to nothing are not counted") {
                pair, difference in
                pair.question.command == .stats && difference.fault.contains("'idle'")
            },
            KnownDifference(reason: "'redact' and operations that move or copy a value to its path") { pair, _ in
                pair.question.command == .redact
                    && pair.draft.events.contains {
                        if case .commit(let commit) = $0 {
                            commit.operations.contains { $0.op == "move" || $0.op == "copy" }
                        } else {
                            false
                        }
                    }
            },
            KnownDifference(reason: "'verify' says nothing of a journal that is whole") { pair, difference in
                pair.question.command == .verify && difference.fault == "not one line"
            },
            KnownDifference(
                reason:
                    "a path with '**', an element added at '-', the source of a 'copy', a numeral as a key of an object"
            ) { pair, _ in
                pair.question.filterPath != nil
            },
        ]
    }

    /// The known difference that this is, nil where it is a new one.
    static func of(_ pair: ReferenceCase, _ difference: ReferenceCase.Difference) -> KnownDifference? {
        all.first { $0.matches(pair, difference) }
    }
}
