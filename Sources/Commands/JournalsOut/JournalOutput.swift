package import CommandLine
import Diagnostics
import JournalFormat
import Platform
package import TimeTravel

/// Standard output, or a file that takes its place when all of it is written.
package final class JournalOutput {
    private let path: String?
    private let file: ReplacedFile?
    private let context: CommandContext

    package static func path(_ typed: TypedArguments) -> String? {
        typed.value(.output).flatMap { isStandardOutput($0) ? nil : $0 }
    }

    static func isStandardOutput(_ path: String) -> Bool { ["-", "/dev/stdout", "/dev/fd/1"].contains(path) }

    package init(
        _ path: String?, of inputs: [String], option: Option = .output, _ context: CommandContext
    ) throws(CommandFailure) {
        (self.path, self.context) = (path, context)
        guard let path else {
            file = nil
            // Outside a terminal a journal is written unescaped: the sums in it are those of its bytes.
            context.output.protection = context.terminal.isTerminal ? .screen : .none
            return
        }
        for input in inputs where FileSystem.isSame(path, input, standardInput: context.input) {
            throw CommandFailure(
                .usage, code: "usage.same-file", "'\(path)' is the journal itself",
                help: ["give '--\(option.name)' the name of another file"])
        }
        do throws(SystemFailure) { file = try ReplacedFile(path) } catch { throw Self.cannot(path, error) }
    }

    package var sink: LineSink {
        LineSink {
            try self.append($0)
        } beforeWaiting: {
            if self.file == nil { try self.context.output.flush() }
        }
    }

    package func append(_ lines: [UInt8]) throws {
        guard let file, let path else { return try context.output.write(lines) }
        do throws(SystemFailure) { try file.append(lines) } catch { throw Self.cannot(path, error) }
    }

    /// Puts the file in its place, also where more is added to it; without this it goes away.
    package func finish() throws(CommandFailure) {
        guard let file, let path else { return }
        do throws(SystemFailure) { try file.replace() } catch { throw Self.cannot(path, error) }
    }

    private static func cannot(_ path: String, _ error: SystemFailure) -> CommandFailure {
        CommandFailure(
            .unreadable, code: "output.file", "'\(path)' cannot be written: \(error.text)")
    }
}
