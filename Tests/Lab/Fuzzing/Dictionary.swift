import JSONCore
import QueryLanguage

extension Seeds {
    private static let queryWords = [
        "def f: ", "def f($a; b): ", "if ", " then ", " elif ", " else ", " end", "reduce ", "foreach ", " as $x ",
        " as [$a, {b: $c}] ?// $x | ", "try ", " catch ", "label $l | ", "break $l", " and ", " or ", "..", "?//",
        "//=",
        "|=", "+=", "$__loc__", "@base64", "@sh", "\\(", "(?<n>", "(?:", "[[:alpha:]]", "\\\\p{L}", "\\\\b", "{2,3}",
    ]

    private static let patternWords = [
        "(?<n>", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?i)", "\\k<n>", "[[:alpha:]]", "[^a-z&&b]", "\\p{L}",
        "\\b",
        "\\B", "\\A", "\\z", "\\G", "\\R", "\\X", "\\K", "{2,3}", "{,3}", "*?", "++", "|", "\\x{1F600}", "\\1",
    ]

    private static let journalWords = [
        #""seq":"#, #""kind":"#, #""journal""#, #""store""#, #""commit""#, #""derived""#, #""outcome""#, #""abort""#,
        #""mark""#,
        #""keyframe""#, #""gap""#, #""close""#, #""end""#, #""patch":"#, #""op":"replace""#, #""op":"move""#,
        #""op":"copy""#,
        #""op":"test""#, #""path":"/"#, #""from":"/"#, #""value":"#, #""old":"#, #""states":"#, #""totals":"#,
        #""first":"#,
        #""lost":"#, #""cause":"#, #""after":"#, #""version":"#, #""state":"#, #""commits":"#, #""open":"#, #""time":"#,
        "9223372036854775807", "9007199254740992", "-1", "1e400", "\\u0000", "~0", "~1", "}\n", #"{"seq":0,"#,
        "\\ud800",
    ]

    /// A dictionary in libFuzzer's form: the words of a target, their bytes as escapes.
    static func dictionary(of target: FuzzTarget) throws -> String {
        let words: [String] =
            switch target {
            case .query: queryWords + (try builtins())
            case .pattern: patternWords
            case .debug:
                queryWords + ["start\n", "step ", "reverse-", "watch ", "break ", "catch ", "goto ", "skip ", " if "]
            case .arguments: ["--", "\n", "..", "end-", "mark:", "--format", "--range\n", "--at\n"]
            default: journalWords
            }
        return words.map { word in
            let escaped = word.utf8.map { byte in
                let hex = String(byte, radix: 16)
                return "\\x" + (hex.count == 1 ? "0" + hex : hex)
            }
            return "\"" + escaped.joined() + "\"\n"
        }.joined()
    }

    private static func builtins() throws -> [String] {
        let names = try Query("builtins[] | sub(\"/.*\"; \"\")").all(of: .null).compactMap(\.string)
        return Set(names).sorted()
    }
}
