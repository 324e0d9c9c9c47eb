import CommandLine
import Interchange
import JSONCore
import JournalReading
import Platform

/// `import git FILE`: the states of a JSON file that git keeps, oldest first, one a line with its message, author and time.
struct GitHistory {
    static let options = [
        "--state",
        #". as {$text, $commit} | if $text then $text | try fromjson catch error("in commit \($commit[:12]): \(.)") else empty end"#,
        "--name", ".name", "--time", ".time", "--at", ".at", "--close", ".gone",
        "--action", "{type: .name, author, commit}",
    ]

    private let folder: String
    private var commits: [(id: String, author: String, time: String, subject: String, name: String)] = []

    /// Asks git for the commits that changed a file, also under the names that it had before.
    init(_ path: String) throws {
        let slash = path.lastIndex(of: "/")
        folder = slash.map { String(path[...$0]) } ?? "."
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        let format = "--format=%x01%H%x02%an%x02%cI%x02%s"
        let log = try output(
            ["-c", "core.quotePath=false", "log", "--follow", "--name-only", format, "--", "./" + name])
        for record in String(decoding: log ?? [], as: UTF8.self).split(separator: "\u{1}").reversed() {
            let lines = record.split(separator: "\n")
            let parts = lines.first?.split(separator: "\u{2}", omittingEmptySubsequences: false) ?? []
            guard parts.count == 4, lines.count > 1 else { continue }
            commits.append(
                (String(parts[0]), String(parts[1]), String(parts[2]), String(parts[3]), String(lines[lines.count - 1]))
            )
        }
        guard commits.isEmpty else { return }
        throw CommandFailure(
            .unreadable, code: "import.no-history", "git has no history of '\(path)'",
            notes: [log == nil ? "it lies in no repository" : "no commit has it"],
            help: log == nil
                ? FileLook(ofNoJournal: path)?.help ?? []
                : [
                    Advice.sentence(
                        ShellQuoting.line(["git", "-C", folder, "log", "--oneline", "--name-only", "--all"]),
                        "lists the files that it has")
                ])
    }

    /// Hands on each state as a line; one that is not JSON is a line that does not fit.
    func forEachLine(_ body: ([UInt8]) throws -> Void) throws {
        for commit in commits {
            let place: JSONValue = [
                "file": .string(commit.name), "line": 1, "function": .string(String(commit.id.prefix(12))),
            ]
            var facts: JSONObject = [
                "name": .string(commit.subject), "author": .string(commit.author), "time": .string(commit.time),
                "commit": .string(commit.id), "at": place,
            ]
            let content = try output(["cat-file", "blob", commit.id + ":" + commit.name])
            facts["gone"] = .bool(content == nil)
            if let content {
                let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
                let text = content.dropFirst(content.starts(with: mark) ? mark.count : 0)
                facts["text"] = .string(String(decoding: text, as: UTF8.self))
            }
            try body(Array(JSONValue.object(facts).text().utf8) + [0x0A])
        }
    }

    private func output(_ arguments: [String]) throws(CommandFailure) -> [UInt8]? {
        do throws(SystemFailure) {
            var reading: FileDescriptor?
            var writing: FileDescriptor?
            try FileDescriptor.pipe(reading: &reading, writing: &writing)
            let process = try ChildProcess.start(
                ["git", "-C", folder] + arguments, environment: .ofProcess(), input: .nothing,
                output: .descriptor(writing?.number ?? -1), error: .nothing)
            writing = nil
            var (bytes, piece) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
            while let number = reading?.number {
                var room = piece.mutableSpan
                let count = try FileDescriptor.read(from: number, into: &room)
                if count == 0 { break }
                bytes += piece[..<count]
            }
            return process.waitTogether() == .status(0) ? bytes : nil
        } catch {
            throw CommandFailure(.unreadable, code: "import.git", "'git' cannot be run: \(error.text)")
        }
    }
}
