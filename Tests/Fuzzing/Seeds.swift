import Foundation
import JSONCore
import QueryLanguage
import TestSupport

/// What the fuzzer starts from: the programs of jq's own tests, read in place, and the names of the built-ins.
enum Seeds {
    private static let suites = ["jq.test", "onig.test", "base64.test", "uri.test"]

    /// Writes a folder `corpus` and a file `dictionary` into a folder.
    static func write(to folder: URL) throws {
        let corpus = folder.appendingPathComponent("corpus")
        try FileManager.default.createDirectory(at: corpus, withIntermediateDirectories: true)
        var count = 0
        for suite in suites where SharedFolder.has("suites/jq/\(suite)") {
            let text = String(decoding: try SharedFolder.data("suites/jq/\(suite)"), as: UTF8.self)
            for block in text.components(separatedBy: "\n\n") {
                let lines = block.split(separator: "\n").filter { !$0.hasPrefix("#") }
                guard lines.count >= 2, lines.joined().utf8.count < 2_000 else { continue }
                count += 1
                try "\(lines[0])\n\(lines[1])".write(
                    to: corpus.appendingPathComponent("\(suite)-\(count)"), atomically: false, encoding: .utf8)
            }
        }
        try dictionary().write(to: folder.appendingPathComponent("dictionary"), atomically: true, encoding: .utf8)
        print("\(count) programs in \(corpus.path)")
    }

    private static let words = [
        "def f: ", "def f($a; b): ", "if ", " then ", " elif ", " else ", " end", "reduce ", "foreach ", " as $x ",
        " as [$a, {b: $c}] ?// $x | ", "try ", " catch ", "label $l | ", "break $l", " and ", " or ", "..", "?//",
        "//=",
        "|=", "+=", "$__loc__", "@base64", "@sh", "\\(", "(?<n>", "(?:", "[[:alpha:]]", "\\\\p{L}", "\\\\b", "{2,3}",
    ]

    private static func dictionary() throws -> String {
        let builtins = try Query("builtins[] | sub(\"/.*\"; \"\")").all(of: .null).compactMap(\.string)
        return (words + Set(builtins).sorted()).map { word in
            let escaped = word.utf8.map { byte in
                let hex = String(byte, radix: 16)
                return "\\x" + (hex.count == 1 ? "0" + hex : hex)
            }
            return "\"" + escaped.joined() + "\"\n"
        }.joined()
    }
}
