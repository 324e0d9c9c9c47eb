import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

struct LearnCommand: Command {
    static let definition = CommandDefinition(
        name: .learn, summary: "what held all along good runs, as invariants",
        synopsis: ["JOURNAL... [-o FILE] [OPTIONS]"],
        operands: [.repeated("JOURNAL", .file)],
        options: [.learnOutput, .define],
        details: [
            """
            Looks for what held at every position of the runs and is not likely to have held by chance, and writes it as \
            definitions in the query language, the most telling first: a file that 'check --invariants' takes. The comment \
            before each says how often it could have been false and was not, and in how many of the runs. What other \
            definitions imply is left out.
            """,
            """
            What is learned of good runs says what a bad one breaks. It is likely, not sure: a run that does something \
            rare may break one and be right. What held in all runs but one is no invariant, and neither is what is of its \
            kind and has not more support; so it takes runs to be sure. Of 20 runs, one of fifty good ones at most breaks \
            something; of five it may be three. Learn from more runs, and delete what is not meant.
            """,
            """
            '--define' names a value that is made of the state: what holds of it is learned as of a member, and written with \
            its query in the place of its name.
            """,
            """
            A run that is damaged, or is of another app than the first, is reported and left out. Where nothing is \
            learned the status is 1.
            """,
        ],
        examples: [
            .init(
                line: "state-inspect learn samples/checkout-good.jsonl", purpose: "what holds in a good run"),
            .init(
                line: "state-inspect learn samples/checkout-good.jsonl samples/checkout-flipping.jsonl --json",
                purpose: "what holds in two runs, an object for each"),
            .init(
                line: "state-inspect learn samples/checkout-good.jsonl --define 'posts=.feed.entries | length'",
                purpose: "of a value that is made of the state, too"),
        ],
        answers: [learned.definition, learning.definition])

    private let paths: [String]
    private let derived: [DerivedMembers.Definition]
    private let output: String?

    init(_ typed: TypedArguments) throws {
        paths = try JournalFiles.named(typed.operands)
        derived = try DerivedDefinitions(typed, StoreScope(typed)).members
        output = JournalOutput.path(typed)
    }

    var isPaged: Bool { output == nil }

    func run(in context: CommandContext) throws -> ExitStatus {
        var runs = LearnedRuns(context, deriving: derived)
        let paths = JournalFiles.distinct(paths, standardInput: context.input)
        for path in paths { try runs.survey(path) }
        let found = try runs.learn()
        let lines = Self.lines(found, runs)
        if let output {
            let file = try JournalOutput(output, of: paths, option: .learnOutput, context)
            try file.append(Array((lines.joined(separator: "\n") + "\n").utf8))
            try file.finish()
        }
        switch context.format {
        case .json:
            for invariant in found { try context.writeJSON(Self.learned(invariant), nil) }
            try context.writeJSON(
                Self.learning((runs.count, runs.leftOut, runs.commits, found.count)), nil)
        case .human where output == nil && !found.isEmpty:
            // In a file it has to be a program still, so it is escaped for eyes alone.
            let isSeen = context.terminal.isTerminal
            try context.write(lines.map { isSeen ? "\($0)" : StoryLine(stringLiteral: $0) })
        case .human: break
        }
        // Where the definitions went to a file, standard output has nothing and that says nothing.
        let source = runs.source
        context.searched = found.isEmpty ? { "sure enough in \(source)" } : nil
        note(found, runs, context)
        return runs.worst.or(found.isEmpty ? .negative : .done)
    }

    private func note(_ found: [LearnedInvariant], _ runs: borrowing LearnedRuns, _ context: CommandContext) {
        let source = runs.source
        for name in runs.missingValues where runs.count > 0 {
            context.messages.note(
                """
                the query of '\(name)' has no output in any state, or fails, or gives null: nothing is learned of it; \
                'state-inspect replay JOURNAL --select QUERY' shows what it gives
                """)
        }
        if found.isEmpty {
            if runs.count > 0 {
                context.messages.note("nothing is sure enough in \(source); more runs of the same app say more")
            }
            return
        }
        context.messages.note("\(found.count.counted("invariant")) from \(source)")
        if runs.isIncomplete {
            context.messages.note(
                "there are more than \(Learner.placeLimit) places in the states; what is beyond was not looked at")
        }
    }
}

extension Option {
    static let learnOutput = Option(
        "output", short: "o", argument: "FILE", completion: .file,
        "write the definitions to this file, not to standard output",
        details: "FILE is replaced when all is written, and may not be a journal that is read.")
}

struct LearnedRuns: ~Copyable {
    private let context: CommandContext
    private var learner: Learner
    private var journals: [Journal] = []
    private var app: String??
    private(set) var leftOut = 0
    private(set) var worst = ExitStatus.done

    init(_ context: CommandContext, deriving definitions: [DerivedMembers.Definition] = []) {
        self.context = context
        learner = Learner(deriving: definitions)
    }

    var count: Int { journals.count }

    mutating func survey(_ path: String) throws {
        do {
            let journal = try JournalInput.random(path, in: context).journal
            let own = try journal.header().app
            if let app, app.map({ ByteName($0) }) != own.map({ ByteName($0) }) {
                leftOut += 1
                return context.messages.report(Self.otherApp(path, own, app))
            }
            try learner.survey(journal)
            app = .some(own)
            journals.append(journal)
        } catch let error as JournalError {
            leftOut += 1
            worst = worst.or(.unreadable)
            for var diagnostic in ExitStatus.diagnostics(of: error, in: .learn) {
                diagnostic.notes.append("the run is left out")
                context.messages.report(diagnostic)
            }
        }
    }

    private static func otherApp(_ path: String, _ own: String?, _ app: String?) -> Diagnostic {
        func text(_ name: String?) -> String { name.map { "'\($0)'" } ?? "an app that is not named" }
        return Diagnostic(
            .warning, code: "learn.other-app", "'\(path)' is left out: it is of \(text(own)), not of \(text(app))",
            notes: ["what holds in one app says nothing of another"])
    }

    mutating func learn() throws -> [LearnedInvariant] {
        for journal in journals { try learner.add(journal) }
        return learner.invariants()
    }

    /// As `245 commits of 4 runs`.
    var source: String { "\(learner.commits.counted("commit")) of \(count.counted("run"))" }
    var commits: Int { learner.commits }
    var isIncomplete: Bool { learner.isIncomplete }
    var missingValues: [String] { learner.missingValues }
}

extension LearnCommand {
    private static func lines(_ found: [LearnedInvariant], _ runs: borrowing LearnedRuns) -> [String] {
        var lines = ["# Learned from \(runs.source): likely, not sure."]
        for invariant in found {
            let support = "\(invariant.samples.counted("time")) in \(invariant.runs) of \(runs.count.counted("run"))"
            lines += ["", "# could have been false \(support)", "def \(invariant.name): \(invariant.condition);"]
        }
        return lines
    }

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
