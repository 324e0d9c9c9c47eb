import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import Platform
import TimeTravel

/// `diff J A B`: what differs between two positions; `diff LEFT RIGHT`: where two runs part.
struct DiffCommand: Command {
    static let definition = CommandDefinition(
        name: .diff, summary: "what differs between two positions, or where two runs part",
        synopsis: [
            "JOURNAL POS POS [OPTIONS]", "JOURNAL A..B [OPTIONS]", "JOURNAL POS [OPTIONS]", "LEFT RIGHT [OPTIONS]",
            "A.json B.json [OPTIONS]",
        ],
        operands: [.required("JOURNAL", .file), .required("POS or JOURNAL", .file), .optional("POS", .position)],
        options: [.store, .stat, .nameOnly, .ignore, .final, .cite],
        details: [
            """
            Prints the changes that lead from the first position to the second, in either direction; with one position, \
            those that its commit made. A file that is called as a position is written './118'.
            """,
            """
            Of two journals it finds the first divergence. The commits of each store are held against those of \
            the store of that name in the other run, in their order, by source location and changes: another \
            interleaving of the stores, another clock and other causes are no divergence. What differs is that \
            store's state after it in the left run and in the right one; the other stores that part are named.
            """,
            """
            Of two files of one JSON value each it prints the changes that lead from the first to the second.
            """,
        ],
        examples: [
            .init(line: "state-inspect diff samples/checkout.jsonl start end", purpose: "everything that changed"),
            .init(
                line: "state-inspect diff samples/checkout-good.jsonl samples/checkout.jsonl",
                purpose: "where the good and the bad run part"),
        ],
        answers: [diff.definition, divergence.definition, equal.definition])

    private let question: Compared
    private let scope: StoreScope
    private let ignored: [PathPattern]
    private let detail: Detail

    private enum Compared {
        case positions(journal: String, from: PositionText, to: PositionText)
        case commit(journal: String, PositionText)
        case runs(RunDiff)
    }

    private enum Detail {
        case changes, names, counts
    }

    init(_ typed: TypedArguments) throws {
        scope = try StoreScope(typed)
        ignored = try scope.patterns(typed, .ignore)
        if typed.has(.nameOnly), typed.has(.stat) { throw UsageError.exclusive([.nameOnly, .stat]) }
        detail = typed.has(.nameOnly) ? .names : typed.has(.stat) ? .counts : .changes
        if typed.operands.count == 2, Self.onePosition(typed) == nil {
            question = .runs(
                RunDiff(
                    left: typed.operands[0], right: typed.operands[1], scope: scope, ignored: ignored,
                    isFinal: typed.has(.final)))
            return
        }
        if typed.has(.final) {
            throw UsageError.value(.final, "", expected: "given with two journals, not with positions of one")
        }
        if let one = Self.onePosition(typed) {
            question = one
        } else {
            // Not after '??': there Swift 6.3 compiles the error of the second position to a crash.
            question = .positions(
                journal: typed.operands[0], from: try PositionText(parsing: typed.operands[1]),
                to: try PositionText(parsing: typed.operands[2]))
        }
    }

    /// `diff J A..B` and `diff J POS`; nil for two journals, or two positions.
    private static func onePosition(_ typed: TypedArguments) -> Compared? {
        guard typed.operands.count == 2 else { return nil }
        let (journal, text) = (typed.operands[0], typed.operands[1])
        if let range = try? RangeText(parsing: text) {
            return .positions(journal: journal, from: range.from ?? .start, to: range.to ?? .end)
        }
        return (try? PositionText(parsing: text)).map { .commit(journal: journal, $0) }
    }

    var isPaged: Bool { true }

    func run(in context: CommandContext) throws -> ExitStatus {
        switch question {
        case .positions(let journal, let from, let to):
            let input = try JournalInput.random(journal, in: context)
            return try compare(input.journal, try input.position(from), try input.position(to), context)
        case .commit(let journal, let position):
            let input = try JournalInput.random(journal, in: context)
            let commit = try input.position(position)
            _ = try input.journal.record(of: commit)
            return try compare(input.journal, commit.previous, commit, context)
        case .runs(let runs):
            if let texts = try PlainTexts(runs.left, runs.right) { return try compare(texts, context) }
            return try compare(runs, context)
        }
    }

    private func compare(
        _ journal: Journal, _ from: CommitNumber, _ to: CommitNumber, _ context: CommandContext
    ) throws -> ExitStatus {
        try scope.checkStore(in: journal, near: to)
        let difference = JSONPatch.difference(from: try state(journal, from), to: try state(journal, to))
        let patch = PathMatcher(ignored.map(\.steps)).leavingOut(difference, below: scope.store.map { [$0] } ?? [])
        let changes = StateChange.all(in: patch)
        let citation = try context.cite(to, of: journal)
        switch context.format {
        case .json:
            let ends = (JSONValue.number(from.rawValue), JSONValue.number(to.rawValue))
            try context.writeJSON(Self.diff((ends.0, ends.1, shown(patch, changes))), citation)
        default: try write(changes, context)
        }
        return (patch.operations.isEmpty ? .done : ExitStatus.negative).or(
            warn(ofLostBetween: from, to, journal, context))
    }

    private func compare(_ texts: PlainTexts, _ context: CommandContext) throws -> ExitStatus {
        let values = [texts.left, texts.right].map { value in
            scope.part(of: ignored.reduce(value) { $1.removing(from: $0) })
        }
        let patch = JSONPatch.difference(from: values[0], to: values[1])
        let changes = StateChange.all(in: patch)
        switch context.format {
        case .json:
            let (left, right) = (JSONValue.string(texts.names.left), JSONValue.string(texts.names.right))
            try context.writeJSON(Self.diff((left, right, shown(patch, changes))), nil)
        default: try write(changes, context)
        }
        return patch.operations.isEmpty ? .done : .negative
    }

    /// - Complexity: a scan of the bytes between the positions.
    private func warn(
        ofLostBetween from: CommitNumber, _ to: CommitNumber, _ journal: Journal, _ context: CommandContext
    ) -> ExitStatus {
        guard let range = PositionRange(min(from, to), max(from, to)) else { return .done }
        let lost = Unanswered(gapsOf: journal, in: range)
        guard
            let warning = lost.lostCommitsWarning(
                in: journal.path, "what they changed and changed back is not known")
        else { return .done }
        context.messages.report(warning)
        return .inconclusive
    }

    private func state(_ journal: Journal, _ position: CommitNumber) throws -> JSONValue {
        var state = try journal.state(at: position, pruning: scope.paths).value
        for pattern in ignored { state = pattern.removing(from: state) }
        return scope.part(of: state)
    }

    private func compare(_ runs: RunDiff, _ context: CommandContext) throws -> ExitStatus {
        let found = try runs.divergence(in: context)
        let changes = runs.changes(found)
        let citation = try (found.left ?? found.right).flatMap { record in
            try context.citations?.cite(record.seq.rawValue, of: found.left == nil ? runs.right : runs.left)
        }
        switch context.format {
        case .json:
            let common = runs.isFinal ? nil : found.common
            let patch = found.patch.mapped(runs.scope.shown)
            try context.writeJSON(
                found.isEqual
                    ? Self.equal((common, found.gap?.first))
                    : Self.divergence(
                        (
                            common, found, found.left.map { try Record($0) }, found.right.map { try Record($0) },
                            shown(patch, changes)
                        )), citation)
        default: try report(found, runs, changes, context)
        }
        return runs.status(of: found, context)
    }

    private func report(
        _ found: Divergence, _ runs: RunDiff, _ changes: [StateChange], _ context: CommandContext
    ) throws {
        guard detail == .changes else { return try write(changes, context) }
        try context.write(runs.story(found, changes, context))
    }

    private func shown(_ patch: JSONPatch, _ changes: [StateChange]) -> Difference {
        switch detail {
        case .changes: .init(patch: patch.json)
        case .names: .init(paths: paths(of: changes))
        case .counts: .init(stat: ChangeCounts(changes).json)
        }
    }

    struct Difference {
        var patch: JSONValue?
        var paths: [String]?
        var stat: JSONValue?
    }

    /// Each once: a patch may write one several times.
    private func paths(of changes: [StateChange]) -> [String] {
        var seen: Set<[UInt8]> = []
        return changes.map(\.path.text).filter { seen.insert(Array($0.utf8)).inserted }
    }

    private func write(_ changes: [StateChange], _ context: CommandContext) throws {
        switch detail {
        case .changes:
            for line in CommitStory(context).lines(changes, indent: 0) { try context.writeRow(line) }
        case .names: try context.write(paths(of: changes).map { "\($0)" })
        case .counts: try context.write("\(ChangeCounts(changes).sentence)")
        }
    }
}

extension DiffCommand {
    /// The members of a difference, one of which is there.
    private static func members<Row>(
        _ patch: String, _ difference: @escaping @Sendable (Row) -> Difference
    ) -> [AnswerKind<Row>.Field] {
        [
            .sometimes("patch", patch) { difference($0).patch },
            .sometimes("paths", "with --name-only: the paths that differ") { difference($0).paths },
            .sometimes("stat", "with --stat: an object that counts the changes by their kind") { difference($0).stat },
        ]
    }

    static let diff = AnswerKind<(from: JSONValue, to: JSONValue, difference: Difference)>(
        "diff", "what differs between two positions of one journal, or between two JSON texts",
        [
            .always("from", "the first position; of two JSON texts the first file", \.from),
            .always("to", "the second position; of two JSON texts the second file", \.to),
        ] + members("the changes, as a JSON Patch (RFC 6902)", \.difference))

    static let divergence = AnswerKind<
        (common: Int?, found: Divergence, left: Record?, right: Record?, difference: Difference)
    >(
        "divergence", "where two runs part", parting + differing + others)

    private typealias DivergenceField = AnswerKind<
        (common: Int?, found: Divergence, left: Record?, right: Record?, difference: Difference)
    >.Field

    private static let parting: [DivergenceField] = [
        .always("common", "how many commits they have in common, null with --final", \.common),
        .always("left", "the record at which the left run parts, null where it has none", \.left),
        .always("right", "the same of the right run", \.right),
    ]

    private static let differing: [DivergenceField] = members(
        "what differs, as a JSON Patch (RFC 6902) from the left state to the right one", \.difference)

    private static let others: [DivergenceField] = [
        .sometimes(
            "others",
            "the other stores that part: an object with store, and the numbers of the records at which it does, left and right"
        ) { $0.found.others.isEmpty ? nil : $0.found.others.map(json) }
    ]

    private static func json(_ other: Divergence.Parting) -> JSONValue {
        func number(_ record: OwnedRecord?) -> JSONValue { record.map { .number($0.seq.rawValue) } ?? .null }
        return .members([
            "store": .string(other.store), "left": number(other.left), "right": number(other.right),
        ])
    }

    static let equal = AnswerKind<(common: Int?, lostFrom: CommitNumber?)>(
        "equal", "two runs, or their last states, do not differ",
        [
            .always("common", "how many commits they have in common, null with --final", \.common),
            .sometimes("lostFrom", "the first lost commit, from which on they cannot be compared", \.lostFrom),
        ])
}

/// Files of one JSON value each are compared as two states are.
struct PlainTexts {
    let names: (left: String, right: String)
    let left: JSONValue
    let right: JSONValue

    /// No longer file is held in memory.
    private static let limit = 1 << 28

    /// Nil where a file is a journal, or anything else than one JSON value.
    init?(_ left: String, _ right: String) throws {
        guard let first = Self.value(left), let second = Self.value(right) else { return nil }
        (names, self.left, self.right) = ((left, right), first, second)
    }

    private static func value(_ path: String) -> JSONValue? {
        guard !JournalFiles.isReadOnce(path), let file = try? InputFile(path: path, code: "diff.text") else {
            return nil
        }
        var bytes: [UInt8] = []
        var isLooked = false
        while let goesOn = try? file.read(into: &bytes), goesOn {
            guard bytes.count <= limit else { return nil }
            // The first line of a journal says so; a packed one begins with no JSON.
            if !isLooked, isJournal(bytes) { return nil }
            isLooked = true
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return (try? JSONParser.parse(Array(bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0))))?.ascending()
    }

    private static func isJournal(_ bytes: [UInt8]) -> Bool {
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        guard line.count < bytes.count, case .object(let members)? = try? JSONParser.parse(Array(line)) else {
            return false
        }
        return members["kind"] == .string("journal")
    }
}
