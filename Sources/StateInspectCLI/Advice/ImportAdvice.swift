import Diagnostics
import Interchange
import Platform
import JSONCore

/// The commands that an answer suggests about a file that is not a journal, each as it can be pasted.
struct ImportAdvice {
    private let file: String

    /// Suggestions about a file, as it was typed.
    init(_ file: String) { self.file = file }

    /// A command that imports the file; standard input is read where no file is named.
    func command(_ format: ImportFormat, _ typed: [String] = []) -> String {
        let words = ["state-inspect", CommandName.import.rawValue, format.rawValue]
        guard !isStandardInput else { return ShellQuoting.line(words + typed) }
        return ShellQuoting.line(words + (UTF8Order.begins(file, with: "-") ? typed + operand : operand + typed))
    }

    /// The file as an operand: one that begins with a hyphen needs '--' before it.
    private var operand: [String] { UTF8Order.begins(file, with: "-") ? ["--", file] : [file] }

    /// A command that makes a first guess at the file.
    var suggestion: String { command(.jsonl, [Option.suggest.typed]) }

    /// What to type for a file of this look, in one sentence; nil where nothing is known.
    func sentence(for likeness: ImportFormat.Likeness) -> String? {
        switch likeness {
        case .format(let format): "'\(file)' looks like '\(format.rawValue)': '\(command(format))'"
        case .journal: "'\(file)' is a journal already: '\(Advice(file).command(.info))'"
        case .rrweb: nil
        }
    }

    /// The help lines for what does not fit.
    func help(for fault: ImportFault) -> [String] {
        switch fault {
        case .otherFormat(_, .format(let format)?): ["write '\(command(format))'"]
        case .otherFormat(_, .journal?): ["every command reads it as it is"]
        case .otherFormat(let format, _) where format == .jsonl: []
        case .otherFormat: ["'\(suggestion)' looks at any JSON lines"]
        case .encoding(let name) where !isStandardInput:
            ["'\(ShellQuoting.line(["iconv", "-f", name, "-t", "UTF-8"] + operand))' writes it so"]
        case .item(_, let fault): help(for: fault)
        default: []
        }
    }

    /// An import calls standard input 'stdin', which only a file of that name says otherwise.
    private var isStandardInput: Bool { file == "-" || file == "stdin" && FileSystem.resolved(file) == nil }
}
