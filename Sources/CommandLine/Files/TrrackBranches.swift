import Diagnostics
import JSONCore
package import Interchange
import JournalFormat
import JournalReading

/// The branches of a file of trrack's graphs, and which of them become journals.
package struct TrrackBranches {
    package private(set) var bytes: [UInt8] = []
    private let path: String
    private let branches: [TrrackReader.Branch]
    private static let namedCount = 12

    package init(_ path: String, name: String, skipsBad: Bool, in context: CommandContext) throws {
        self.path = path
        let input = try context.progress.reading(size: \.byteCount) { try ByteInput(path, progress: $0) }
        var bytes: [UInt8] = []
        while try input.read(commits: 0, { bytes.append(contentsOf: $0) }) {
            guard bytes.count <= JournalImport.textLimit else {
                throw InputFile.tooLong("'\(path)'", "import.too-long", limit: JournalImport.textLimit)
            }
        }
        self.bytes = bytes
        branches = try bytes.withBytes { try TrrackReader.branches(in: $0, of: name, skipsBad: skipsBad) }
    }

    /// The branches that are wanted.
    package func chosen(_ name: String?, output: String?) throws(CommandFailure) -> [TrrackReader.Branch] {
        if let name {
            guard
                let branch = branches.first(where: { UTF8Order.equal($0.name, name) || UTF8Order.equal($0.leaf, name) })
            else {
                throw CommandFailure(
                    .notThere, code: "import.no-such-branch", "there is no branch '\(name)'", notes: [list])
            }
            return [branch]
        }
        if branches.count == 1 || output?.contains(Self.placeholder) == true { return branches }
        throw CommandFailure(
            .usage, code: "usage.branches", "'\(path)' has \(branches.count) branches", notes: [list],
            help: [
                Advice.sentence(ShellQuoting.line(Advice.words(of: (.branch, branches[0].name))), "takes one"),
                "'-o \(Self.freeName("run", of: branches))' makes a journal of each",
            ])
    }

    private static let placeholder = "%b"

    /// A name for the journals of all branches, under which there is none of any.
    static func freeName(_ stem: String, of branches: [TrrackReader.Branch]) -> String {
        var (name, number) = ("\(stem)-\(placeholder).jsonl", 1)
        while branches.contains(where: { path(name, of: $0) != FreeName.of(path(name, of: $0)) }) {
            number += 1
            name = "\(stem)-\(number)-\(placeholder).jsonl"
        }
        return name
    }

    package static func path(_ output: String, of branch: TrrackReader.Branch) -> String {
        output.split(separator: placeholder, omittingEmptySubsequences: false).joined(separator: branch.name)
    }

    private var list: String {
        let named = branches.prefix(Self.namedCount).map { "\($0.name) ('\($0.label)', \($0.length) nodes)" }
        return "they are " + named.joined(separator: ", ") + (branches.count > Self.namedCount ? ", …" : "")
    }
}
