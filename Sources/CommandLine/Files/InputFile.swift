import Diagnostics
import Platform

/// A file that is read piece by piece, or whole up to a limit: nothing that a command line names may fill the memory.
package final class InputFile {
    package let name: String
    package private(set) var count = 0
    private let own: FileDescriptor?
    private let number: Int32
    private let code: String
    private var piece = [UInt8](repeating: 0, count: 1 << 16)

    package init(path: String, code: String) throws(CommandFailure) {
        name = path
        self.code = code
        do throws(SystemFailure) {
            let file = try FileDescriptor.reading(path)
            number = file.number
            own = consume file
        } catch {
            throw Self.refused(path, code, error)
        }
    }

    /// Standard input, which somebody else closes.
    package init(standardInput descriptor: Int32) {
        name = "standard input"
        code = "input.unreadable"
        own = nil
        number = descriptor
    }

    /// Appends what comes next, as soon as anything does; false at the end.
    package func read(into bytes: inout [UInt8]) throws(CommandFailure) -> Bool {
        let count: Int
        do throws(SystemFailure) {
            let number = number
            count = try piece.withUnsafeMutableBufferPointer { (buffer) throws(SystemFailure) in
                try FileDescriptor.read(from: number, into: UnsafeMutableRawBufferPointer(buffer))
            }
        } catch {
            throw Self.refused(name, code, error)
        }
        bytes += piece[..<count]
        self.count += count
        return count > 0
    }

    /// Reads a file that has to fit into memory.
    package static func whole(_ path: String, limit: Int, code: String) throws(CommandFailure) -> [UInt8] {
        let file = try InputFile(path: path, code: code)
        var bytes: [UInt8] = []
        while try file.read(into: &bytes) {
            guard bytes.count <= limit else { throw tooLong("'\(path)'", code, limit: limit) }
        }
        return bytes
    }

    /// The failure of a file, or of one text in it, that has more bytes than are held at once.
    package static func tooLong(_ what: String, _ code: String, limit: Int) -> CommandFailure {
        CommandFailure(
            .unreadable,
            Diagnostic(code: code, "\(what) is longer than \(limit) bytes", notes: ["it is held in memory as a whole"]))
    }

    private static func refused(_ name: String, _ code: String, _ failure: SystemFailure) -> CommandFailure {
        CommandFailure(.unreadable, Diagnostic(code: code, "'\(name)' cannot be read: \(failure.text)"))
    }
}
