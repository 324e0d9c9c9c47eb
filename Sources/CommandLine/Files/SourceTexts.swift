import Diagnostics
import Platform
import JSONCore

/// Lines of the app's source files, for a person who looks at a commit.
package final class SourceTexts {
    private let folder: String?
    private lazy var root = SourceRoot(folder: folder ?? ".")
    private var files = NameTable<[String]>()

    private static let byteLimit = 16 << 20

    /// Files below a folder; below the present one where none is given.
    package init(folder: String?) { self.folder = folder }

    /// Some lines of a file, as far as it has them.
    package func lines(of file: String, _ range: Range<Int>) throws(CommandFailure) -> [String] {
        let lines = try all(of: file)
        let first = min(max(0, range.lowerBound - 1), lines.count)
        return Array(lines[first..<min(max(first, range.upperBound - 1), lines.count)])
    }

    private func all(of file: String) throws(CommandFailure) -> [String] {
        if let known = files[file] { return known }
        guard root.path(of: file) != nil else {
            throw CommandFailure(
                .notThere,
                Diagnostic(
                    code: "debug.no-source", "there is no '\(file)' below '\(folder ?? ".")'",
                    help: ["'debug --source-root DIR' says where the sources are"]))
        }
        let path = root.shown(file)
        guard let status = try? FileStatus(path), status.kind == .regular else {
            throw CommandFailure(.unreadable, Diagnostic(code: "debug.no-source", "'\(path)' is no file"))
        }
        let bytes = try InputFile.whole(path, limit: SourceTexts.byteLimit, code: "debug.no-source")
        // By bytes: a carriage return and the line feed after it are one character.
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
        }
        if lines.last?.isEmpty == true { lines.removeLast() }
        files[file] = lines
        return lines
    }
}
