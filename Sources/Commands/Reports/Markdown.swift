import Diagnostics
import JSONCore

/// Texts of an untrusted journal in GitHub's Markdown: none makes markup, a link, or a second line.
///
/// Source: GitHub Flavored Markdown 0.29, sections 6.1 (escapes), 6.3 (code spans), 4.10 (tables).
enum Markdown {
    /// A text as code: between more backticks than stand together in it.
    static func code(_ text: String) -> String {
        let shown = ControlCharacters.escaped(text)
        guard !shown.isEmpty else { return "" }
        var longest = 0
        var run = 0
        for byte in shown.utf8 {
            run = byte == UInt8(ascii: "`") ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: longest + 1)
        let margin = longest > 0 || UTF8Order.begins(shown, with: " ") || UTF8Order.ends(shown, with: " ") ? " " : ""
        return fence + margin + shown + margin + fence
    }

    /// A code span for a cell of a table, which would end at a bar.
    static func cell(_ text: String) -> String {
        code(text).unicodeScalars.map { $0 == "|" ? "\\|" : String($0) }.joined()
    }

    /// A text among others, each scalar as itself: a sign is markup also where a combining mark follows it.
    static func text(_ text: String) -> String {
        ControlCharacters.escaped(text).unicodeScalars.reduce(into: "") { result, scalar in
            if "\\`*_{}[]<>#|~&:!".unicodeScalars.contains(scalar) { result.append("\\") }
            result.unicodeScalars.append(scalar)
        }
    }

    static func table(_ head: [String], _ rows: [[String]]) -> [String] {
        ([head, head.map { _ in "---" }] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
    }

    static func commands(_ commands: [String]) -> [String] {
        let shown = commands.map(ControlCharacters.escaped)
        let fence = shown.contains { $0.utf8.contains("```".utf8) } ? "~~~~~~~~" : "```"
        return shown.isEmpty ? [] : ["", fence + "sh"] + shown + [fence]
    }
}
