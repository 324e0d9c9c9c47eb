/// The examples of a document: each block marked `console` holds commands after `$ `, and what they print.
struct ConsoleExamples {
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

    private var parts: [Part] = []

    /// Reads the examples of a document in Markdown.
    init(markdown: String) {
        var text: [Substring] = []
        var block: [Substring]?
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            if let lines = block, line == "```" {
                parts.append(.examples(Self.examples(in: lines)))
                (block, text) = (nil, [line])
            } else if block != nil {
                block?.append(line)
            } else {
                text.append(line)
                guard line == "```console" else { continue }
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
    func markdown(answer: (Example) async throws -> String) async throws -> String {
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
                texts.append(block.joined(separator: "\n"))
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
