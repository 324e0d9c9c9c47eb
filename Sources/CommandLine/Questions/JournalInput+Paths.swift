import Diagnostics
package import JournalFormat
import JournalReading

extension JournalInput {
    /// What a command says that was asked about a path at which nothing is.
    package func nothing(
        at pattern: PathPattern, _ position: CommitNumber, _ command: CommandName, _ advice: Advice, _ scope: StoreScope
    ) throws -> CommandFailure {
        let state = try journal.state(at: position).value
        return CommandFailure(
            .notThere,
            Diagnostic(
                code: "\(command.rawValue).no-such-path",
                "nothing is at '\(scope.text(of: pattern))' after commit \(position.rawValue)",
                notes: NearestPath.notes(for: pattern, in: state, scope),
                help: NearestPath.help(for: pattern, in: state, scope)
                    + advice.help(.state, [], [(.at, "\(position.rawValue)")], to: "shows what is there")))
    }
}
