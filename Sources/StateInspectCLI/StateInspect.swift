import AgentServer
package import CommandLine
import Commands
import Debugger
import ReportPage

/// The command `state-inspect` with all of its commands.
public enum StateInspect {
    /// Every command, from the modules that have them.
    package static let commands: [any Command.Type] =
        CommandList.all + [DebugCommand.self, DapCommand.self, ReportCommand.self, AgentServerCommand.self]

    /// Runs with this process's arguments, streams and environment, and ends the process.
    public static func main() -> Never { Program.main(commands, Array(Swift.CommandLine.arguments.dropFirst())) }
}
