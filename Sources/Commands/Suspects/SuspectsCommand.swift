import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

struct SuspectsCommand: Command {
    static let definition = CommandDefinition(
        name: .suspects, summary: "which lines are to blame for a bad run",
        synopsis: ["BAD... --bad QUERY [--good GOOD...] [OPTIONS]", "BAD... [--invariants FILE] [--good GOOD...]"],
        operands: [.repeated("BAD", .file)],
        options: [.bad, .goodRuns, .invariant, .invariants, .suspectsMaxCount, .sourceRoot] + .queryValues,
        details: [
            """
            Says where to look first, where there is a bad run and no idea. The symptom is the commit at which '--bad' became true, \
            or an invariant false, to stay; without either, the first mark of level error, and beside good runs nothing \
            but that the run is bad.
            """,
            """
            Of three runs or more it counts what each place in the source did (that it committed, which paths it wrote, what \
            caused it, which values it wrote) in bad runs up to their symptom, and in good ones. The score is Ochiai's coefficient: \
            1 is met in every bad run and in no good one. Of one run it names the place whose commit turned it bad, those of its causes, \
            then those before. Where one place alone writes what the question reads, it only reports what others did: \
            what was done before it reported the run as bad is compared with what was done before it reported it as good.
            """,
            """
            All of it is said as 'perhaps': among three it has the guilty line in two of three bugs of twenty bad and twenty \
            good runs, and in one of three of one run alone. Where you know what is bad, begin with 'bisect'. Where nothing stands out, \
            or more than three places are equally suspicious, that is said, and the status is 1.
            """,
        ],
        examples: [
            .init(
                line: "state-inspect suspects samples/checkout.jsonl --bad '.cart.total < 0' "
                    + "--good samples/checkout-good.jsonl",
                purpose: "which lines the bad run executed and a good one did not"),
            .init(
                line: "state-inspect suspects samples/checkout.jsonl --invariants samples/invariants.jq "
                    + "--good samples/checkout-good.jsonl",
                purpose: "the same, where several rules say what is bad"),
        ],
        answers: [Suspect.answer.definition, Suspect.summary.definition])

    private let bad: [String]
    private let good: [String]
    private let questions: [SuspectRuns.AskedCondition]
    private let limit: Int?
    private let report: ReportFormat?
    private let arguments: TypedArguments

    init(_ typed: TypedArguments) throws {
        let (bad, good) = (try JournalFiles.named(typed.operands), try JournalFiles.named(typed.all(.goodRuns)))
        if let both = bad.first(where: { path in good.contains { UTF8Order.equal($0, path) } }) {
            throw UsageError.value(.goodRuns, both, expected: "a good run: it is named as a bad one too")
        }
        (self.bad, self.good) = (bad, good)
        questions = try Self.questions(typed)
        limit = try typed.number(.maxCount, atLeast: 0)
        report = try ReportFormat.chosen(by: typed)
        arguments = typed
    }

    private static func questions(_ typed: TypedArguments) throws -> [SuspectRuns.AskedCondition] {
        let invariants = [Option.invariant, .invariants].filter(typed.has)
        guard let text = typed.value(.bad) else {
            return invariants.isEmpty
                ? []
                : try InvariantDefinitions(typed).invariants.map { invariant in
                    SuspectRuns.AskedCondition(
                        symptom: Symptom.Question(invariant), condition: ScopedQuery(condition: invariant.query),
                        isBad: false)
                }
        }
        if let other = invariants.first { throw UsageError.exclusive([.bad, other]) }
        let query = try BisectReport.AskedQuery(typed, .bad, StoreScope(typed)).query
        return [
            .init(symptom: Symptom.Question(bad: query.whole, named: text), condition: query, isBad: true)
        ]
    }

    var isPaged: Bool { true }

    func run(in context: CommandContext) throws -> ExitStatus {
        let root = try SourceRoot(arguments, context.messages)
        var runs = SuspectRuns(questions, hasGood: !good.isEmpty, context)
        for path in bad { try runs.addBad(path) }
        for path in good { try runs.addGood(path) }
        let found = runs.suspects()
        let count = bad.count + good.count
        context.searched = { "to suspect in " + count.counted("run") }
        try write(found, runs, root, context)
        runs.noteOutcome(found)
        return runs.status(of: found)
    }

    /// So many are printed unless '-n' says otherwise: a rank below them is no better than chance.
    private static let most = (human: 3, json: 10)

    private func write(
        _ found: Suspects, _ runs: SuspectRuns, _ root: SourceRoot?, _ context: CommandContext
    ) throws {
        let limit = limit ?? (context.format == .human ? Self.most.human : Self.most.json)
        let shown = found.abstention == nil ? Array(found.ranking.prefix(limit)) : []
        if report?.isDocument != true {
            switch context.format {
            case .json:
                for suspect in shown {
                    try context.writeJSON(
                        Suspect.answer((suspect, runs.record(of: suspect), found, runs)), nil)
                }
                try context.writeJSON(Suspect.summary((found, runs.bad.count, runs.goodCount)), nil)
            case .human:
                try context.write(try story(shown, found, runs).map { $0.clipped(to: context.terminal.width) })
            }
        }
        let rule = FindingRule(
            id: "suspect", summary: "commits here are suspected of a symptom", description: runs.question)
        try context.writeReport(rule, root, runs.status(of: found)) { try runs.findings(shown, found) }
    }

    private func story(_ shown: [Suspect], _ found: Suspects, _ runs: SuspectRuns) throws -> [StoryLine] {
        guard let first = runs.bad.first else { return [] }
        let place = first.symptom.place.map { "   " + $0.text } ?? ""
        let more = runs.bad.count > 1 ? ", and \((runs.bad.count - 1).counted("bad run")) more" : ""
        var lines: [StoryLine] = [
            "symptom  \(first.symptom.text) at \(first.symptom.position) of \(first.path)\(place)\(more)"
        ]
        for suspect in shown {
            let title = try runs.record(of: suspect).title.map { " " + $0 } ?? ""
            let score = (suspect.isTied ? "tied, " : "") + "score \(suspect.scoreText)"
            lines += [
                "", "\("suspect \(suspect.rank)", .heading)  \(suspect.place.text, .commit)   perhaps, \(score)",
                "  \(suspect.text(found))",
                "  commit \(suspect.first.commit) of \(runs.bad[suspect.first.run].path)\(title)",
            ]
        }
        let rest = found.ranking.count - shown.count
        if !shown.isEmpty, rest > 0 { lines += ["", "  \(rest.counted("place")) more rank below"] }
        return lines + Advice.lookFurther(commands(shown, runs))
    }

    private func commands(_ shown: [Suspect], _ runs: SuspectRuns) -> [String] {
        var commands = shown.prefix(3).compactMap { suspect -> String? in
            let advice = Advice(runs.bad[suspect.first.run].path)
            return advice.isPossible ? advice.command(.show, ["\(suspect.first.commit)"]) : nil
        }
        if let suspect = shown.first, suspect.place.line > 0 {
            let advice = Advice(runs.bad[suspect.first.run].path)
            let source = "\(suspect.place.file):\(suspect.place.line)"
            if advice.isPossible { commands.append(advice.command(.log, [], [(.patch, nil), (.source, source)])) }
        }
        return commands
    }

    /// Nil where that cannot be asked so.
    static func line(_ bad: [String], good: [String], _ typed: TypedArguments) -> String? {
        var options: [Advice.TypedOption] = []
        for option in [Option.invariant, .invariants] {
            for text in typed.all(option) { options.append((option, text)) }
        }
        let files = bad + good
        guard !options.isEmpty, !bad.isEmpty, typed.named.isEmpty, !otherQuestions.contains(where: typed.has),
            !files.contains("-"), !good.contains(where: { UTF8Order.begins($0, with: "-") })
        else { return nil }
        for file in typed.all(.definitions) { options.append((.definitions, file)) }
        let runs = good.isEmpty ? [] : [Option.goodRuns.typed] + good
        return Advice.line(.suspects, bad, options.flatMap(Advice.words) + runs)
    }

    /// Options that make the question one that 'suspects' cannot be asked.
    private static let otherQuestions: [Option] = [.store, .path, .from, .to, .range, .skip, .recover]
}

extension Option {
    static let goodRuns = Option(
        "good", argument: "GOOD...", completion: .file, isRepeatable: true, takesSeveral: true,
        "runs of the same program in which the symptom does not show",
        details: "Takes every file up to the next option. Of a folder, its journals are taken.")
    static let suspectsMaxCount = Option(
        "max-count", short: "n", argument: "K", "so many suspects; 3 unless given, in JSON 10")
}

extension Symptom {
    fileprivate var text: String {
        switch kind {
        case .condition(let text): "'\(text)'"
        case .mark(let text): "the mark '\(text)'"
        case .run: "the run is bad"
        }
    }
}
