import CommandLine
import Diagnostics
import JSONCore
import Platform
import TimeTravel

/// The files of an app as its journal names them, as an editor opens them, and as text where they are not there.
final class DapSources {
    private let roots: [SourceRoot]
    private var found: [ByteName: String?] = [:]
    /// Files without one on disk, by their number less one.
    private var made: [String] = []

    /// No text that is made has more lines.
    private static let lineLimit = 50_000
    /// No longer file is read, in bytes.
    private static let byteLimit = 16 << 20

    /// Looks below some folders; below the present one where none is given.
    init(_ folders: [String]) { roots = (folders.isEmpty ? ["."] : folders).map { SourceRoot(folder: $0) } }

    /// The path of a file, as the system names it; nil where it is not there.
    func path(of file: String) -> String? {
        if let known = found[ByteName(file)] { return known }
        let path = roots.lazy.compactMap { root in
            root.path(of: file).flatMap { _ in FileSystem.resolved(root.shown(file)) }
        }.first
        found[ByteName(file)] = .some(path)
        return path
    }

    /// A file as the editor names it.
    func source(_ file: String) -> DapSource {
        let name = ControlCharacters.escaped(file.split(separator: "/").last.map(String.init) ?? file)
        if let path = path(of: file) { return DapSource(name: name, path: path) }
        let index = made.firstIndex { UTF8Order.equal($0, file) } ?? made.count
        if index == made.count { made.append(file) }
        return DapSource(name: name, path: file, reference: index + 1)
    }

    /// The file that an editor means, as the journal names it; nil where none of `files` is it.
    func file(_ source: DapArguments, among files: [String]) throws(DapError) -> String? {
        if let number = try source.integer("sourceReference"), number > 0 {
            guard made.indices.contains(number - 1) else { throw DapError("there is no source \(number)") }
            return made[number - 1]
        }
        let name = try source.string("name")
        guard let path = try source.string("path") ?? name else { return nil }
        if files.contains(where: { UTF8Order.equal($0, path) }) { return path }
        let whole = FileSystem.resolved(path) ?? path
        if let file = files.first(where: { self.path(of: $0).map { UTF8Order.equal($0, whole) } ?? false }) {
            return file
        }
        // A file that lies elsewhere.
        return files.first { SourceRoot.isFile(whole, named: $0) }
    }

    /// The text of a file, or what the journal knows of it.
    ///
    /// - Parameter lines: the lines of the file that committed.
    func text(of file: String, _ lines: [SourceLines.Line]) throws -> String {
        if let path = path(of: file) {
            let bytes = try InputFile.whole(path, limit: DapSources.byteLimit, code: "dap.no-source")
            return String(decoding: bytes, as: UTF8.self)
        }
        var texts: [String] = []
        for line in lines.sorted(by: { $0.line < $1.line }) where line.line <= DapSources.lineLimit {
            while texts.count < line.line - 1 { texts.append("") }
            let count = line.commits == 1 ? "1 commit" : "\(line.commits) commits"
            texts.append("// \(ControlCharacters.escaped(line.function))  \(count), the last is \(line.last)")
        }
        return texts.map { $0 + "\n" }.joined()
    }
}
