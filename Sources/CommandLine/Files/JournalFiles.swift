import Diagnostics
import JSONCore
import JournalFormat
package import JournalReading
import Platform

package enum JournalFiles {
    package static let endings = [".jsonl", ".jsonl.gz", ".jsonl.zst"]

    /// True of pipes too: the name that a shell gives a pipe leads to no path.
    static func isThere(_ path: String) -> Bool { path == "-" || (try? FileStatus(path)) != nil }

    /// Whether a name is one of standard input, which commands, answers and a journal cannot share.
    package static func isStandardInput(_ path: String) -> Bool { ["-", "/dev/stdin", "/dev/fd/0"].contains(path) }

    /// A pipe, standard input, or the name of a descriptor.
    package static func isReadOnce(_ path: String) -> Bool {
        if path == "-"
            || ["/dev/stdin", "/dev/fd/", "/proc/self/fd/"].contains(where: { UTF8Order.begins(path, with: $0) })
        {
            return true
        }
        return (try? FileStatus(path))?.kind == .other
    }

    package static func isNamedAsJournal(_ name: String) -> Bool {
        endings.contains { UTF8Order.ends(name, with: $0) }
    }

    /// The journals of a folder come by their names, a file with several names once.
    package static func named(_ paths: [String]) throws -> [String] {
        try paths.flatMap { path in
            guard path != "-", (try? FileStatus(path))?.kind == .directory else { return [path] }
            let journals = try journals(in: path)
            guard !journals.isEmpty else {
                let content = FolderLook(path)
                throw CommandFailure(
                    .unreadable,
                    code: "journal.empty-folder", "there is no '.jsonl' file in '\(path)'", notes: [content.note],
                    help: content.help)
            }
            return journals
        }
    }

    /// A flight recorder that was killed may leave a segment under two names.
    package static func distinct(_ paths: [String], standardInput: Int32 = 0) -> [String] {
        var seen: Set<FileStatus.Identity> = []
        return paths.filter { path in
            let status = try? path == "-" ? FileStatus(descriptor: standardInput) : FileStatus(path)
            return status.map { seen.insert($0.identity).inserted } ?? true
        }
    }

    /// Nil if that is not known, as for a packed journal or a pipe.
    package static func byteCount(of paths: [String]) -> Int? {
        var sum = 0
        for path in paths {
            guard !isReadOnce(path), !endings.dropFirst().contains(where: { UTF8Order.ends(path, with: $0) }) else {
                return nil
            }
            sum += (try? FileStatus(path))?.byteCount ?? 0
        }
        return sum
    }

    package static func journals(in folder: String) throws -> [String] {
        do throws(SystemFailure) {
            let names = try FileSystem.names(in: folder).filter(isNamedAsJournal)
            return distinct(names.sorted(by: UTF8Order.isLess).map { joined(folder, $0) })
        } catch {
            throw JournalError(path: folder, .system(operation: error.operation, code: error.code))
        }
    }

    /// A path that leads nowhere, to an empty file or to a folder, with the nearest that leads to a journal.
    package static func help(for error: JournalError) -> [String] {
        switch error.fact {
        case .missing, .empty:
            let slash = error.path.lastIndex(of: "/")
            let folder = slash.map { String(error.path[...$0]) } ?? ""
            let name = slash.map { String(error.path[error.path.index(after: $0)...]) } ?? error.path
            let names = (try? FileSystem.names(in: folder.isEmpty ? "." : folder)) ?? []
            if let segment = newestSegment(of: name, in: names) {
                return [
                    Advice.sentence(ShellQuoting.quoted(folder + segment), "is the newest segment of that journal")
                ]
            }
            guard case .missing = error.fact else { return [] }
            return SimilarNames.nearest(to: name, in: names).map {
                // A name that begins as an option does is written with its folder.
                "write \(ShellQuoting.inSentence(argument: (UTF8Order.begins($0, with: "-") && folder.isEmpty ? "./" : folder) + $0))"
            }
        default: return []
        }
    }

    /// The segment of a flight recorder's journal with the highest number: `run.12.jsonl` of `run.jsonl`.
    private static func newestSegment(of journal: String, in names: [String]) -> String? {
        let numbers = names.compactMap { SegmentFiles.number(ofName: $0, at: journal) }
        return numbers.max().map { SegmentFiles.name(journal, number: $0) }
    }

    package static func joined(_ folder: String, _ name: String) -> String {
        UTF8Order.ends(folder, with: "/") ? folder + name : folder + "/" + name
    }
}

struct FolderLook {
    let note: String
    let help: [String]

    private static let shownCount = 5

    init(_ folder: String) {
        let journals = (try? JournalFiles.journals(in: folder)) ?? []
        let names =
            (try? FileSystem.names(in: folder.isEmpty ? "." : folder))?.filter { !UTF8Order.begins($0, with: ".") }
            .sorted() ?? []
        guard journals.isEmpty else {
            note = "it holds " + Self.listed(journals.map { $0.split(separator: "/").last.map(String.init) ?? $0 })
            help = ["write \(ShellQuoting.inSentence(argument: journals[0]))"]
            return
        }
        note = names.isEmpty ? "it is empty" : "it holds no journal, but " + Self.listed(names)
        let files = names.map { JournalFiles.joined(folder, $0) }.filter { (try? FileStatus($0))?.kind == .regular }
        let texts = files.filter { UTF8Order.ends($0, with: ".json") }
        if texts.count > 1, let command = ImportAdvice.snapshots(texts, output: "run.jsonl") {
            help = [command]
        } else {
            let command = files.prefix(Self.shownCount).lazy.compactMap { FileLook($0)?.command }.first
            help = command.map { [$0] } ?? (names.isEmpty ? [] : ["'state-inspect FILE' says what a file looks like"])
        }
    }

    private static func listed(_ names: [String]) -> String {
        let shown = names.prefix(shownCount).map { "'\($0)'" }.joined(separator: ", ")
        return shown + (names.count > shownCount ? " and \(names.count - shownCount) more" : "")
    }
}

package enum FreeName {
    /// The name itself where it is free, or what is there is no file; otherwise the first free one of `run-2.jsonl`, `run-3.jsonl` ….
    package static func of(_ name: some StringProtocol) -> String {
        let name = String(name)
        guard isTaken(name) else { return name }
        let base = name.lastIndex(of: "/").map(name.index(after:)) ?? name.startIndex
        // What a name begins with is no ending.
        let dot = name[base...].dropFirst().lastIndex(of: ".") ?? name.endIndex
        var number = 2
        while isTaken(name[..<dot] + "-\(number)" + name[dot...]) { number += 1 }
        return name[..<dot] + "-\(number)" + name[dot...]
    }

    /// A link counts as a file, also one that leads nowhere; a device is written without taking the place of anything.
    private static func isTaken(_ name: some StringProtocol) -> Bool {
        (try? FileStatus(notFollowing: String(name))) != nil && (try? FileStatus(String(name)))?.kind != .other
    }
}
