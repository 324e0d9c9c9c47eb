import Diagnostics
import Platform

/// The folders whose journals a server answers about, and nothing else.
///
/// A journal is named by the folder as it was given, a slash, and the way below it. What a name leads to is looked up with each
/// call, so a folder may change while the server runs.
struct JournalFolders: Sendable {
    /// The folders as they were given, without slashes at their ends.
    private let names: [String]

    /// How deep and how many files are looked for.
    private static let depthLimit = 16
    private static let countLimit = 10_000

    init(_ paths: [String]) throws {
        names = try paths.map { path in
            guard (try? FileStatus(path))?.kind == .directory else {
                throw UsageError.operand("DIR", path, expected: "a folder")
            }
            var name = path
            while name.count > 1, name.hasSuffix("/") { name.removeLast() }
            return name
        }
    }

    /// Why a journal is not given out.
    enum Refusal: Error, Equatable {
        /// It is not below a folder, or a link leads out.
        case outside(String)
        /// There is no such file; with the nearest that there is.
        case missing(String, near: String?)
    }

    /// The path of a journal; the name is as ``journals`` lists it.
    ///
    /// - Throws: `Refusal`, with nothing about what is outside.
    func path(of name: String) throws(Refusal) -> String {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !name.utf8.contains(0), let folder = folder(of: name) else {
            throw names.contains(name) ? .missing(name, near: nearest(to: name)) : .outside(name)
        }
        let below = name.dropFirst(folder.hasSuffix("/") ? folder.count : folder.count + 1)
        let isPlain =
            !below.isEmpty
            && below.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
                !$0.isEmpty && $0 != "." && $0 != ".."
            }
        guard isPlain, !parts.isEmpty else { throw .outside(name) }
        guard let real = FileSystem.resolved(name), let root = FileSystem.resolved(folder) else {
            throw .missing(name, near: nearest(to: name))
        }
        guard FileSystem.isBelow(real, root) else { throw .outside(name) }
        guard (try? FileStatus(real))?.kind == .regular else { throw .missing(name, near: nearest(to: name)) }
        return name
    }

    /// The folder that a name begins with, the longest of several.
    private func folder(of name: String) -> String? {
        names.filter { Array(name.utf8).starts(with: ($0.hasSuffix("/") ? $0 : $0 + "/").utf8) }
            .max { $0.utf8.count < $1.utf8.count }
    }

    private func nearest(to name: String) -> String? {
        let all = journals
        let last = name.split(separator: "/").last.map(String.init) ?? name
        let names = all.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
        if let near = SimilarNames.nearest(to: last, in: names).first {
            return names.firstIndex(of: near).map { all[$0] }
        }
        return all.count == 1 ? all[0] : nil
    }

    /// Every journal, by name.
    var journals: [String] {
        var found: [String] = []
        for folder in names {
            guard let root = FileSystem.resolved(folder) else { continue }
            var waiting = [(folder, 0)]
            while let (path, depth) = waiting.popLast(), found.count < Self.countLimit {
                for name in ((try? FileSystem.names(in: path)) ?? []).sorted() {
                    let inner = path.hasSuffix("/") ? path + name : path + "/" + name
                    guard let real = FileSystem.resolved(inner), FileSystem.isBelow(real, root) else { continue }
                    switch (try? FileStatus(inner))?.kind {
                    case .directory? where depth < Self.depthLimit && !name.hasPrefix("."):
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
        return found.sorted()
    }
}
