import Diagnostics
import JSONCore
import Platform

/// Finds source files below a folder by the names that a compiler gives them in `#fileID`: `Module/File.swift`.
///
/// The base names of a module's files are distinct, so a file of that name somewhere below a folder of the module's name is
/// the one. The folder is read once, when the first file is looked for.
final class SourceRoot {
    /// How many files are looked at, and how deep; a folder with more is not taken for a source folder.
    static let fileLimit = 500_000
    static let depthLimit = 64

    /// The folder, as it was typed.
    let folder: String

    /// Receives warnings about missing files; nil if the caller reports them.
    private let messages: MessageWriter?
    private var found: [[UInt8]: String?] = [:]
    /// Paths below the folder, by base name.
    private lazy var files = readFiles()

    /// The folder that was typed; nil without one.
    ///
    /// - Throws: `UsageError` if it is not a folder.
    init?(_ typed: TypedArguments, _ messages: MessageWriter) throws(UsageError) {
        guard let folder = typed.value(.sourceRoot) else { return nil }
        do throws(SystemFailure) { _ = try FileSystem.names(in: folder.isEmpty ? "." : folder) } catch {
            throw .value(.sourceRoot, folder, expected: "a folder that can be read")
        }
        self.folder = folder
        self.messages = messages
    }

    /// Creates a folder whose missing files the caller reports.
    init(folder: String) {
        self.folder = folder
        messages = nil
    }

    /// The path of a file below the folder; nil if there is none, which is reported.
    func path(of file: String) -> String? {
        let key = Array(file.utf8)
        if let known = found[key] { return known }
        let path = search(file)
        found[key] = .some(path)
        return path
    }

    /// The path of a file with the folder before it, as it is named from where we are; the name as it is where it is not there.
    func shown(_ file: String) -> String {
        guard let path = path(of: file) else { return file }
        var parts = folder.split(separator: "/", omittingEmptySubsequences: true).filter { $0 != "." }
        parts += path.split(separator: "/")
        return (folder.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }

    /// The folder as an absolute URI that ends in a slash.
    var uri: String {
        let path = SarifText.uri(FileSystem.resolved(folder.isEmpty ? "." : folder) ?? folder)
        return "file://" + path + (path.hasSuffix("/") ? "" : "/")
    }

    private func search(_ file: String) -> String? {
        let parts = file.split(separator: "/")
        guard let base = parts.last, let module = parts.first, parts.count > 1 else { return reportMissing(file) }
        let named = files[Array(base.utf8)] ?? []
        // A recorder that names whole paths below the folder is taken at its word.
        if named.contains(where: { UTF8Order.equal($0, file) }) { return file }
        let rootName = folder.split(separator: "/").last.map(String.init) ?? ""
        let candidates = named.filter { path in
            ([rootName[...]] + path.split(separator: "/").dropLast()).contains {
                UTF8Order.equal(String($0), String(module))
            }
        }
        guard let first = candidates.first else { return reportMissing(file) }
        if candidates.count > 1 { report(file, candidates) }
        return first
    }

    private func reportMissing(_ file: String) -> String? {
        messages?.reportOnce(
            Diagnostic(
                .warning, code: "source.missing", "there is no '\(file)' below '\(folder)'",
                notes: ["it is named as the journal has it"]))
        return nil
    }

    private func report(_ file: String, _ candidates: [String]) {
        let listed = candidates.prefix(5).map { "'\($0)'" }.joined(separator: ", ")
        messages?.reportOnce(
            Diagnostic(
                .warning, code: "source.ambiguous",
                "'\(file)' may be any of \(candidates.count) files below '\(folder)'",
                notes: [listed + (candidates.count > 5 ? ", …" : "") + "; the first is named"],
                help: ["'--source-root' with a folder further down leaves only one"]))
    }

    // MARK: The folder

    /// One name in a folder.
    private struct Entry {
        let name: String
        /// Nil for a file.
        let folder: FileStatus.Identity?
    }

    /// The files below the folder, those nearest to it first; what is hidden is passed over, and no folder is read twice.
    private func readFiles() -> [[UInt8]: [String]] {
        var files: [[UInt8]: [String]] = [:]
        var folders = [(path: "", depth: 0)]
        var seen: Set<FileStatus.Identity> = []
        var next = 0
        var count = 0
        while next < folders.count, count < Self.fileLimit {
            let (path, depth) = folders[next]
            next += 1
            for entry in entries(of: path) {
                count += 1
                let below = path.isEmpty ? entry.name : path + "/" + entry.name
                if let folder = entry.folder {
                    if depth < Self.depthLimit, seen.insert(folder).inserted { folders.append((below, depth + 1)) }
                } else {
                    files[Array(entry.name.utf8), default: []].append(below)
                }
            }
        }
        return files
    }

    /// What lies in a folder, by name, without what is hidden.
    private func entries(of path: String) -> [Entry] {
        let whole = (folder.isEmpty ? "." : folder) + (path.isEmpty ? "" : "/" + path)
        var entries: [Entry] = []
        for name in (try? FileSystem.names(in: whole)) ?? [] where !name.hasPrefix(".") {
            guard let status = try? FileStatus(whole + "/" + name), status.kind != .other else { continue }
            entries.append(Entry(name: name, folder: status.kind == .directory ? status.identity : nil))
        }
        return entries.sorted { UTF8Order.isLess($0.name, $1.name) }
    }
}
