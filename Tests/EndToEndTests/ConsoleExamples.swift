import Foundation
import TestSupport

/// The examples of a document: commands after `$ `, and what they print, in blocks of their own.
struct ConsoleExamples {
    /// How a document marks such a block.
    enum Form {
        case markdown, manual

        fileprivate var start: String { self == .markdown ? "```console" : ".Bd -literal" }
        fileprivate var end: String { self == .markdown ? "```" : ".Ed" }

        /// A line as it stands in the document: a backslash and a dot or a quote at its start mean something to `man`.
        fileprivate func escaped(_ line: Substring) -> String {
            guard self == .manual else { return String(line) }
            let text = line.replacing("\\", with: "\\e")
            return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : String(text)
        }

        fileprivate func plain(_ line: Substring) -> Substring {
            guard self == .manual else { return line }
            return (line.hasPrefix("\\&") ? line.dropFirst(2) : line).replacing("\\e", with: "\\")
        }
    }

    /// A command and what a terminal shows after it.
    struct Example: Sendable {
        let command: String
        let printed: String
    }

    /// A run of text that is kept as it is, or the examples of one block.
    private enum Part {
        case text(String)
        case examples([Example])
    }

    private let form: Form
    private var parts: [Part] = []

    /// Reads the examples of a document.
    init(_ document: String, _ form: Form = .markdown) {
        self.form = form
        var text: [Substring] = []
        var block: [Substring]?
        for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
            if let lines = block, line == form.end {
                parts.append(.examples(Self.examples(in: lines)))
                (block, text) = (nil, [line])
            } else if block != nil {
                block?.append(form.plain(line))
            } else {
                text.append(line)
                guard line == form.start else { continue }
                parts.append(.text(text.joined(separator: "\n")))
                block = []
            }
        }
        parts.append(.text(text.joined(separator: "\n")))
    }

    /// Every example, in order.
    var all: [Example] {
        parts.flatMap { part in if case .examples(let examples) = part { examples } else { [] as [Example] } }
    }

    /// The document, its examples answered anew.
    func document(answer: (Example) async throws -> String) async throws -> String {
        var texts: [String] = []
        for part in parts {
            switch part {
            case .text(let text): texts.append(text)
            case .examples(let examples):
                var block: [String] = []
                for example in examples {
                    block.append("$ " + example.command)
                    let printed = try await answer(example)
                    if !printed.isEmpty { block.append(printed) }
                }
                let lines = block.joined(separator: "\n").split(separator: "\n", omittingEmptySubsequences: false)
                texts.append(lines.map(form.escaped).joined(separator: "\n"))
            }
        }
        return texts.joined(separator: "\n")
    }

    private static func examples(in lines: [Substring]) -> [Example] {
        var examples: [Example] = []
        var command: Substring?
        var printed: [Substring] = []
        func finish() {
            guard let command else { return }
            examples.append(Example(command: String(command), printed: printed.joined(separator: "\n")))
        }
        for line in lines {
            if line.hasPrefix("$ ") {
                finish()
                (command, printed) = (line.dropFirst(2), [])
            } else {
                printed.append(line)
            }
        }
        finish()
        return examples
    }
}

/// Runs command lines as a person at the root of the checkout would, and tells what the terminal shows.
struct ExampleShell {
    let folder = TemporaryFolder()
    private let programs = TemporaryFolder()

    /// A shell in a folder where `samples` is that of the checkout, and `state-inspect` the built one.
    init() throws {
        try folder.copySamples()
        let program = programs.write(Self.wrapper, to: "state-inspect")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    }

    /// What a command line prints on both outputs, and its status.
    func run(_ command: String) async throws -> (printed: String, status: Int32?) {
        let line = command.replacingOccurrences(of: "swift run state-inspect", with: "state-inspect")
        let path = programs.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
        let run = try await ProgramRun.of(
            "/bin/sh", ["-c", "exec 2>&1\n" + line], in: folder,
            environment: ["PATH": path, "BUILT": BuiltProducts.stateInspect])
        return (run.text.hasSuffix("\n") ? String(run.text.dropLast()) : run.text, run.status)
    }

    /// Answers are for people where standard output would be the terminal, and JSON where it is a pipe, as in real life.
    private static let wrapper = """
        #!/bin/sh
        case "$1" in
            query|completions|help|-*|'') exec "$BUILT" "$@" ;;
        esac
        [ -p /dev/stdout ] && exec "$BUILT" "$@"
        command=$1
        shift
        exec "$BUILT" "$command" --format human "$@"

        """
}
