import CommandLine
import Diagnostics
import JSONCore
import Platform

/// A journal is named by the folder as it was given, a slash, and the way below it.
///
/// What a name leads to is looked up with each call, so a folder may change while the server runs.
struct JournalFolders: Sendable {
    /// The folders as they were given, without slashes at their ends.
    private let names: [String]

    /// How deep and how many files are looked for.
    private static let depthLimit = 16
    private static let countLimit = 10_000

    /// - Throws: `CommandFailure` where a folder is not there, `UsageError` where one is something else.
    init(_ paths: [String]) throws {
        names = try paths.map { path in
            guard try Self.kind(of: path) == .directory else {
                throw UsageError.operand("DIR", path, expected: "a folder")
            }
            var name = path
            while name.count > 1, UTF8Order.ends(name, with: "/") { name.removeLast() }
            return name
        }
    }

    private static func kind(of path: String) throws(CommandFailure) -> FileStatus.Kind {
        do throws(SystemFailure) { return try FileStatus(path).kind } catch {
            let problem =
                error.code == Errno.noSuchFileOrDirectory
                ? "there is no folder '\(path)'" : "the folder '\(path)' cannot be read: \(error.text)"
            throw CommandFailure(.unreadable, Diagnostic(code: "mcp.folder", problem))
        }
    }

    enum Refusal: Error, Equatable {
        /// It is not below a folder, or a link leads out.
        case outside(String)
        /// There is no such file; with the nearest that there is.
        case missing(String, near: String?)
        case several(String, [String])
    }

    /// - Parameter name: a path as ``journals`` lists it, or what of its end, or of its path from the root on, only it
    ///   has.
    /// - Throws: `Refusal`, with nothing about what is outside.
    func path(of name: String) throws(Refusal) -> String {
        let folder = folder(of: name)
        let isFolder = names.contains { UTF8Order.equal($0, name) }
        let below = folder.map {
            name.utf8.dropFirst(UTF8Order.ends($0, with: "/") ? $0.utf8.count : $0.utf8.count + 1)
        }
        let whole = Substring(name).utf8
        let rest = below ?? (whole.first == UInt8(ascii: "/") ? whole.dropFirst() : whole)
        let isPlain = Self.segments(of: rest).allSatisfy {
            !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8)
        }
        guard !name.utf8.contains(0), isFolder || isPlain else { throw .outside(name) }
        if let folder, let real = FileSystem.resolved(name), let root = FileSystem.resolved(folder) {
            guard FileSystem.isBelow(real, root) else { throw .outside(name) }
            if (try? FileStatus(real))?.kind == .regular { return name }
        }
        let called = called(name)
        if called.count == 1 { return called[0] }
        if called.count > 1 { throw .several(name, called) }
        let isInside = folder != nil || isFolder || !UTF8Order.begins(name, with: "/")
        throw isInside ? .missing(name, near: nearest(to: name)) : .outside(name)
    }

    /// Journals count with or without the ending that they have.
    private func called(_ name: String) -> [String] {
        let all = journals
        for ending in [""] + JournalFiles.endings {
            // An absolute name has all of a path; the empty name before its first slash is that of the root.
            let wanted = Self.segments(of: Substring(name + ending).utf8)
            let found = all.filter { journal in
                Self.wholePaths(of: journal).contains { path in
                    let segments = Self.segments(of: Substring(path).utf8).filter { !$0.elementsEqual(".".utf8) }
                    return segments.suffix(wanted.count).elementsEqual(wanted) { $0.elementsEqual($1) }
                }
            }
            if !found.isEmpty { return JournalFiles.distinct(found) }
        }
        return []
    }

    /// A journal's paths from the root on: by the folder as it was given, and by where that leads.
    private static func wholePaths(of journal: String) -> [String] {
        let path = FileSystem.absolute(journal)
        let name = segments(of: Substring(path).utf8).last.map { String(Substring($0)) } ?? ""
        let folder = FileSystem.resolved(String(path.utf8.dropLast(name.utf8.count)) ?? "")
        return [path, folder.map { JournalFiles.joined($0, name) } ?? path]
    }

    /// The names in a path, by bytes: a slash before a combining mark is another character than a slash.
    private static func segments(of path: Substring.UTF8View) -> [Substring.UTF8View] {
        path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    }

    /// The longest of several folders that a name begins with.
    private func folder(of name: String) -> String? {
        names.filter { Array(name.utf8).starts(with: (UTF8Order.ends($0, with: "/") ? $0 : $0 + "/").utf8) }
            .max { $0.utf8.count < $1.utf8.count }
    }

    private func nearest(to name: String) -> String? {
        let all = journals
        func last(_ path: String) -> String {
            path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
        }
        let names = all.map(last)
        if let near = SimilarNames.nearest(to: last(name), in: names).first {
            return names.firstIndex { UTF8Order.equal($0, near) }.map { all[$0] }
        }
        return all.count == 1 ? all[0] : nil
    }

    var journals: [String] {
        var found: [String] = []
        for folder in names {
            guard let root = FileSystem.resolved(folder) else { continue }
            var waiting = [(folder, 0)]
            while let (path, depth) = waiting.popLast(), found.count < Self.countLimit {
                for name in ((try? FileSystem.names(in: path)) ?? []).sorted(by: UTF8Order.isLess) {
                    let inner = UTF8Order.ends(path, with: "/") ? path + name : path + "/" + name
                    guard let real = FileSystem.resolved(inner), FileSystem.isBelow(real, root) else { continue }
                    switch (try? FileStatus(inner))?.kind {
                    case .directory? where depth < Self.depthLimit && !UTF8Order.begins(name, with: "."):
                        // A link to a folder could lead round and round.
                        if (try? FileStatus(notFollowing: inner))?.kind == .directory {
                            waiting.append((inner, depth + 1))
                        }
                    case .regular? where JournalFiles.isNamedAsJournal(name): found.append(inner)
                    default: break
                    }
                }
            }
        }
        return found.sorted(by: UTF8Order.isLess)
    }
}
