import JSONCore
import Diagnostics
import Platform

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
