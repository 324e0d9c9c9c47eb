import Foundation
import JSONCore
import TestSupport
import Testing

/// Every command line that a message or an answer suggests, run as it stands among files that it must leave alone.
@Suite("Suggested command lines")
struct SuggestionTests {
    @Test("each can be pasted without quotes in quotes, works, and replaces no file")
    func suggestions() async throws {
        let folder = try await SuggestionFolder()
        let (before, bytes) = (folder.files(), folder.bytes())
        var found = SuggestedLines()
        let lines = sampled(SuggestionCorpus.lines)
        for line in lines {
            let run = try await folder.shell(line)
            #expect(run.signal == nil, "\(run)")
            found.add(run.text + "\n" + run.errors, of: line)
            for help in run.errors.split(separator: "\n") where help.hasPrefix("help: ") {
                #expect(!help.contains("''") || help.contains("'\\''") || help.contains("#''#"), "\(run)")
            }
        }
        #expect(folder.files() == before, "an invocation of the corpus changed a file")
        #expect(SuggestionCorpus.lines.count >= 150)
        for (line, origins) in found.lines.sorted(by: { $0.key < $1.key }) {
            // What reads standard input is given what the invocation was given.
            let input = origins[0].firstMatch(of: /< [a-z.]+$/).map { " " + $0.output } ?? ""
            let run = try await folder.shell(line + input)
            // A program that cannot judge a state is suggested so that its own message is seen.
            let isProgram = origins[0].contains("--run") && line.contains(" | ")
            #expect(isProgram || [0, 1, 5].contains(run.status), "suggested by: \(origins[0])\n\(run)")
            for (name, status) in folder.files() where before[name] != status {
                let mayWrite =
                    line.contains(" -o") || line.contains(" --output=") || line.contains(" > ")
                    || line.contains(" --repair ")
                #expect(before[name] == nil && mayWrite, "'\(name)' was written by: \(line)")
                if before[name] == nil { folder.remove(name) }
            }
            #expect(Set(before.keys).isSubset(of: folder.files().keys), "a file is gone after: \(line)")
        }
        #expect(folder.bytes() == bytes)
        print(
            "\(lines.count) invocations suggest \(found.lines.count) command lines, all were run; "
                + "\(found.patterns.count) more have a placeholder")
        #expect(found.lines.count >= lines.count / 3)
    }
}

/// The command lines in what a program printed.
struct SuggestedLines {
    /// Those that can be run, with the invocations that suggested them.
    private(set) var lines: [String: [String]] = [:]
    /// Those in which something has to be filled in.
    private(set) var patterns: Set<String> = []

    /// The programs that a suggested line begins with.
    private static let programs = ["state-inspect ", "iconv "]

    /// Adds what stands in a text.
    mutating func add(_ text: String, of invocation: String) {
        for line in text.split(separator: "\n") {
            if line.first == "{", let value = try? JSONParser.parse(Array(line.utf8)) {
                add(value, named: nil, of: invocation)
            } else {
                add(line: line[...], of: invocation)
            }
        }
    }

    private mutating func add(_ value: JSONValue, named name: String?, of invocation: String) {
        switch value {
        case .string(let text) where name == "command" || name == "commands": add(command: text, of: invocation)
        case .string(let text) where !["name", "description", "recorder"].contains(name): add(text, of: invocation)
        case .array(let elements): for element in elements { add(element, named: name, of: invocation) }
        case .object(let members): for (name, member) in members { add(member, named: name, of: invocation) }
        default: break
        }
    }

    /// A command stands alone in its line, in quotes, or after a colon up to the end of the line.
    private mutating func add(line: Substring, of invocation: String) {
        var rest = line
        while let start = Self.programs.compactMap({ rest.range(of: $0)?.lowerBound }).min() {
            let before = line[..<start]
            let name = rest[start...].prefix { $0 != " " }
            let front = before.filter { $0 != " " }
            if before.hasSuffix("'") || before.hasSuffix("`") {
                let end = rest[start...].firstIndex(of: before.last ?? "'") ?? rest.endIndex
                add(command: String(rest[start..<end]), of: invocation)
                rest = rest[end...]
            } else if front.isEmpty || front.hasSuffix(":") || front.hasSuffix("write") {
                return add(command: String(rest[start...]), of: invocation)
            } else {
                rest = rest[start...].dropFirst(name.count)
            }
        }
    }

    private static let placeholders: Set<String> = [
        "JOURNAL", "JOURNAL…", "QUERY", "POS", "FILE", "DIR", "OUT", "TEXT", "PATH", "A..B", "COMMAND", "[OPTIONS]",
        "FORMAT", "LEFT", "RIGHT",
    ]

    private mutating func add(command: String, of invocation: String) {
        let words = command.split(separator: " ").map(String.init)
        // A screen is drawn on a terminal only.
        if words.contains(where: Self.placeholders.contains) || words.contains("--tui") {
            patterns.insert(command)
        } else {
            lines[command, default: []].append(invocation)
        }
    }
}

/// A folder full of files that a careless suggestion would replace: journals under the names that are suggested first, and
/// inputs of every sort under names that a shell would take apart.
final class SuggestionFolder {
    /// The folder; what the runs print goes to another one.
    let path: String
    private let runs = TemporaryFolder()

    /// Makes the folder.
    init() async throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("suggestions-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let made = try await shell(
            "SAMPLES='\(BuiltProducts.samples.path)'; . \(SharedFolder.testScript("suggestions.sh"))")
        guard made.status == 0 else { throw Unmade(run: made) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    private struct Unmade: Error, CustomStringConvertible {
        let run: ProgramRun
        var description: String { run.testDescription }
    }

    /// Runs lines of a shell in the folder, with the built program on `PATH`.
    func shell(_ script: String) async throws -> ProgramRun {
        try await ProgramRun.of(
            "/bin/sh", ["-c", "cd '\(path)' || exit 99\n" + script], in: runs,
            environment: ["PATH": BuiltProducts.folder.path + ":/usr/bin:/bin", "HOME": runs.path])
    }

    /// Every file, by its path below the folder, with what changes when it is written or replaced.
    func files() -> [String: String] {
        var files: [String: String] = [:]
        for case let name as String in FileManager.default.enumerator(atPath: path) ?? .init() {
            var status = stat()
            guard lstat(path + "/" + name, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { continue }
            #if canImport(Darwin)
            let time = status.st_mtimespec
            #else
            let time = status.st_mtim
            #endif
            files[name] = "\(status.st_ino) \(status.st_size) \(time.tv_sec).\(time.tv_nsec)"
        }
        return files
    }

    /// The bytes of every file.
    func bytes() -> [String: Data] {
        files().keys.reduce(into: [:]) { $0[$1] = FileManager.default.contents(atPath: path + "/" + $1) }
    }

    /// Takes a file away again.
    func remove(_ name: String) { try? FileManager.default.removeItem(atPath: path + "/" + name) }
}
