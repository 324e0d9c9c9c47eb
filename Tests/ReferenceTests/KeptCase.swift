import Testing

/// A journal and a question of which the command's answer was wrong once.
struct KeptCase: CustomTestStringConvertible {
    /// What was the matter.
    let fault: String
    let draft: Draft
    let question: Question
    var rephrasing: Rephrasing?

    var testDescription: String { fault }

    private init(
        _ fault: String, _ command: Question.Command, _ events: [Draft.Event], style: WritingStyle = .own,
        as rephrasing: Rephrasing? = nil, _ fill: (inout Question) -> Void = { _ in }
    ) {
        self.fault = fault
        draft = Draft(events: events, style: style)
        var question = Question(command: command)
        fill(&question)
        (self.question, self.rephrasing) = (question, rephrasing)
    }

    private static let user = Draft.Event.store("user", [:])

    static let all: [KeptCase] = [
        KeptCase(
            "a store that nobody reads, and has a member called 'store', took a commit's change away", .check,
            [
                .store("cart", ["total": 1]), .commit("cart", .replace("/total", -1)),
                .store("user", ["store": "Berlin"]), .commit("cart", .replace("/total", 2)),
            ]
        ) { $0.query = ".cart.total >= 0" },
        KeptCase(
            "a store that closed before the end was none", .replay,
            [.store("feed", [1]), user, .commit("feed"), .close("feed"), .commit("user")]
        ) { $0.store = "feed" },
        KeptCase(
            "a store that opens behind the range was none", .stats,
            [user, .commit("user"), .store("feed", [1]), .commit("feed")]
        ) {
            $0.store = "feed"
            $0.range = Question.Range(to: .start)
        },
        KeptCase(
            "the variables were null at the first position of a range", .bisect,
            [user, .commit("user"), .commit("user")]
        ) {
            $0.range = Question.Range(from: .end)
            $0.query = "$at.line? == 10"
        },
        KeptCase(
            "'$old' was null at the first position of a range", .history,
            [user, .commit("user", .add("/a", 1)), .commit("user", .add("/b", 1)), .commit("user")]
        ) {
            $0.range = Question.Range(from: .number(1))
            $0.query = ".user != $old.user"
        },
        KeptCase(
            "a query that begins with '. ' was a path", .history,
            [user, .commit("user", .add("/a", 1)), .commit("user")]
        ) { $0.query = ". != $old" },
        KeptCase(
            "'copy' was damage to a pruned pass", .replay,
            [.store("user", ["a": [1], "b": 2]), .commit("user", .copy("/b", to: "/a/0")), .commit("user")]
        ) { $0.select = ".user.a | length" },
        KeptCase(
            "'copy' was damage to a minimizer", .minimize,
            [.store("user", ["a": [1], "b": 2]), .commit("user", .copy("/b", to: "/a/0")), .commit("user")]
        ) { $0.query = "(.user.a | length) > 1" },
        KeptCase(
            "a change above a path with '**' did not touch it", .log,
            [.store("user", ["x": ["y": 1]]), .commit("user", .replace("", ["x": ["y": 2]]))]
        ) { $0.filterPath = PlainPattern([.key(PlainKey("user")), .key(PlainKey("x")), .any]) },
        KeptCase(
            "'--changed --final' gave the state at the start", .replay,
            [user, .commit("user", .add("/a", 1)), .commit("user")]
        ) {
            $0.isChanged = true
            $0.isFinal = true
        },
        KeptCase(
            "an 'add' over a member was undone as if it had not been there", .replay,
            [
                .store("user", ["a": ["c": [:]]]), .commit("user"), .commit("user", .add("/a", [:])), .commit("user"),
            ]
        ) { $0.isReverse = true },
        KeptCase(
            "a failure was not told backwards", .replay,
            [.store("user", ["c": [1]]), .commit("user", .replace("", []))], as: .reversed
        ) {
            $0.select = #".user["c"]"#
            $0.isChanged = true
        },
        KeptCase(
            "an element that was left out was an addition of null", .diff,
            [.store("cart", []), .commit("cart", .add("/0", 5))]
        ) {
            $0.positions = [.start, .end]
            $0.ignoredPath = PlainPattern([.key(PlainKey("cart")), .key(PlainKey("0"))])
        },
        KeptCase(
            "'$old' had no state where a gap ends", .state,
            [user, .commit("user"), .gap(lost: 4, states: [("user", [:])])]
        ) { $0.select = ".user != $old.user" },
        KeptCase(
            "a store that opened in a gap was not listed", .info,
            [user, .commit("user"), .gap(lost: 1, states: [("user", [:]), ("feed", [])]), .end]),
        KeptCase(
            "a store without a commit was not listed", .info,
            [user, .store("feed", []), .commit("user"), .close("feed"), .commit("user"), .end]),
        KeptCase(
            "a value that moved to the path was left in clear", .redact,
            [
                .store("feed", [["a": "secret"], ["b": "other"]]),
                .commit("feed", .move("/0/a", to: "/1")), .commit("feed", .replace("/0", 1)),
            ]
        ) { $0.path = PlainPattern([.key(PlainKey("feed")), .key(PlainKey("1"))]) },
        KeptCase(
            "a value that was copied to the path was left in clear", .redact,
            [.store("feed", [[5, 6]]), .commit("feed", .copy("/0", to: "/1"))]
        ) { $0.path = PlainPattern(["feed", "1", "0"].map { .key(PlainKey($0)) }) },
        KeptCase(
            "a move to its own place was a change", .stats,
            [.store("user", ["a": 1]), .commit("user", .move("/a", to: "/a"))]),
        KeptCase(
            "a commit whose line is in another form was not counted", .derived,
            [user, .commit("user", .add("/a", 1)), .store("cart", [])],
            style: WritingStyle(shuffled: true, seed: 3)
        ) {
            $0.query = "((.cart = 1) | .user)"
            $0.isSummary = true
        },
        KeptCase(
            "a store that closed twice at a position was closed twice by its slice", .slice,
            [
                .gap(lost: 2, states: [("user", [:])]), .close("user"), .store("user", 3), .close("user"),
            ]
        ) { $0.range = Question.Range(from: .end) },
        KeptCase(
            "a place to which a value is only moved was none", .history,
            [.store("user", ["a": ["b": 1]]), .commit("user", .move("/a", to: "/c")), .commit("user")]
        ) {
            $0.query = ".user"
            $0.filterPath = PlainPattern(["user", "c", "b"].map { .key(PlainKey($0)) })
        },
    ]
}

extension Draft.Event {
    /// A commit of one operation, or of none.
    static func commit(_ store: String, _ operations: Draft.Operation...) -> Draft.Event {
        .commit(Draft.Commit(store: store, operations: operations, place: 0))
    }
}

extension Draft.Operation {
    private static func path(_ text: String) -> [PlainKey] { PlainPointer.segments(text) ?? [] }

    static func add(_ path: String, _ value: PlainJSON) -> Self { Self(op: "add", path: Self.path(path), value: value) }
    static func replace(_ path: String, _ value: PlainJSON) -> Self {
        Self(op: "replace", path: Self.path(path), value: value)
    }
    static func copy(_ from: String, to path: String) -> Self {
        Self(op: "copy", path: Self.path(path), from: Self.path(from))
    }
    static func move(_ from: String, to path: String) -> Self {
        Self(op: "move", path: Self.path(path), from: Self.path(from))
    }
}

/// What is known to differ from the contract, until it is mended: then its entry goes.
struct KnownDifference: Sendable {
    let reason: String
    let matches: @Sendable (ReferenceCase, ReferenceCase.Difference) -> Bool

    static let all: [KnownDifference] = [
        KnownDifference(reason: "'blame --reverse' does not report commits of a store whose record is missing") {
            pair, _ in
            pair.question.command == .blame && pair.question.isReverse && !pair.draft.damages.isEmpty
        },
        KnownDifference(
            reason: "a commit directly before damage is counted as lost where the keyframe behind that has its number"
        ) {
            pair, difference in
            pair.question.command == .replay && pair.question.recovers && pair.draft.damages.first?.kind == .garbage
                && difference.fault.hasPrefix("the status is 5")
        },
        KnownDifference(
            reason: """
                'blame --ignore' names the move of a leaf out of a container that the ignored commit replaced by one of \
                another kind, and not who wrote the leaf
                """
        ) { pair, difference in
            guard pair.question.command == .blame, let ignored = pair.question.ignore.first else { return false }
            let patch = pair.journal.whole.commits[ignored]?.patch ?? []
            return difference.fault.hasPrefix("'seq' of line")
                && patch.compactMap(\.object).contains { operation in
                    switch (operation["old"], operation["value"]) {
                    case (.object?, .array?), (.array?, .object?), (nil, .array?), (nil, .object?): true
                    default: false
                    }
                }
        },
        KnownDifference(reason: "'show' has only the marks that stand behind their commit") { pair, difference in
            pair.question.command == .show && pair.draft.damages.first?.kind == .swap
                && difference.fault.hasPrefix("'marks' of line")
        },
    ]

    /// The known difference that this is, nil where it is a new one.
    static func of(_ pair: ReferenceCase, _ difference: ReferenceCase.Difference) -> KnownDifference? {
        all.first { $0.matches(pair, difference) }
    }
}
