import Diagnostics
import Platform
import JSONCore

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
            while name.count > 1, UTF8Order.ends(name, with: "/") { name.removeLast() }
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
        guard !name.utf8.contains(0), let folder = folder(of: name) else {
            throw names.contains(where: { UTF8Order.equal($0, name) })
                ? .missing(name, near: nearest(to: name)) : .outside(name)
        }
        let length = folder.utf8.count
        let below = name.utf8.dropFirst(UTF8Order.ends(folder, with: "/") ? length : length + 1)
        // By bytes: a slash before a combining mark is another character than a slash.
        let isPlain = below.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
            !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8)
        }
        guard isPlain else { throw .outside(name) }
        guard let real = FileSystem.resolved(name), let root = FileSystem.resolved(folder) else {
            throw .missing(name, near: nearest(to: name))
        }
        guard FileSystem.isBelow(real, root) else { throw .outside(name) }
        guard (try? FileStatus(real))?.kind == .regular else { throw .missing(name, near: nearest(to: name)) }
        return name
    }

    /// The folder that a name begins with, the longest of several.
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

    /// Every journal, by name.
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
