import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// The runs that are learned from, and what became of each.
struct LearnedRuns: ~Copyable {
    private let context: CommandContext
    private var learner: Learner
    private var journals: [Journal] = []
    private var app: String??
    /// How many were left out.
    private(set) var leftOut = 0
    private(set) var worst = ExitStatus.done

    /// No runs yet.
    ///
    /// - Parameter definitions: values that are made of the state, to learn about too.
    init(_ context: CommandContext, deriving definitions: [DerivedMembers.Definition] = []) {
        self.context = context
        learner = Learner(deriving: definitions)
    }

    /// How many runs are learned from.
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

    /// Learns from the runs that were taken in.
    mutating func learn() throws -> [LearnedInvariant] {
        for journal in journals { try learner.add(journal) }
        return learner.invariants()
    }

    /// As `245 commits of 4 runs`.
    var source: String { "\(learner.commits.counted("commit")) of \(count.counted("run"))" }
    var commits: Int { learner.commits }
    /// Whether there were more places than are looked at.
    var isIncomplete: Bool { learner.isIncomplete }
    /// The derived values that no state of the runs has.
    var missingValues: [String] { learner.missingValues }
}
