package import CommandLine
import Diagnostics
import Platform

/// `mcp DIR…`: serves the Model Context Protocol on standard input and output.
package struct AgentServerCommand: Command {
    package static let definition = CommandDefinition(
        name: .mcp, summary: "answer a language model's tools about journals", synopsis: ["DIR..."],
        operands: [.repeated("DIR", .file)],
        details: [
            """
            Serves the Model Context Protocol on standard input and output, a message a line: the revisions from \
            2024-11-05 to 2025-11-25 and that of 2026-07-28. Its tools 'info', 'find', 'state', 'diff', 'bisect', 'origin', \
            'why' and 'check' answer as the commands do, with '--cite', and only read.
            """,
            """
            They answer about the journals below the folders and nothing else: a name with '..' is refused, and so is a \
            link that leads out.
            """,
        ],
        examples: [.init(line: "state-inspect mcp samples", purpose: "tools about the journals of a folder")],
        isAnswer: false)

    private let folders: JournalFolders

    package init(_ typed: TypedArguments) throws { folders = try JournalFolders(typed.operands) }

    package func run(in context: CommandContext) throws -> ExitStatus {
        context.output.protection = .none
        let server = AgentServerLoop(folders, context)
        let input = InputFile(standardInput: context.input)
        var lines = MessageLines()
        var bytes: [UInt8] = []
        while try input.read(into: &bytes) {
            for line in lines.take(bytes) { try server.take(line) }
            bytes = []
        }
        if let last = lines.finish() { try server.take(last) }
        return try server.finish()
    }
}
