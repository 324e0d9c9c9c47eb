import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

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

    /// Takes a run in, or reports why it is left out.
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
