import TestSupport

/// Texts that are JSON, nearly JSON, or nothing like it.
struct MalformedText {
    /// No exponents: jq writes those anew.
    private static let tokens = [
        "{", "}", "[", "]", ",", ":", "\"a\"", "\"b c\"", "1", "-2.5", "true", "false", "null", "nan", "NaN", "x", "'",
        "'a'",
        "tru", "nul", "\"", "\\", "\n", " ", "\t", "-", ".5", "01", "é", "\"é", "\\u00e9", "\"\\u12", "\"\\x\"",
        "Infinity",
        "\"a\\n\"", "t", "f", "n", "+1", "0x10", "\"a", "{\"a\":1}", "[1,2]", "{\"a\":", "[1,", "\"\\ud83d\"",
        "\"\\ud83d\\ude00\"", "\"\\udc00\"", "-inf", "snan",
    ]
    private static let wholes = [
        #"{"a":[1,{"b":"x y"}],"c":null}"#, #"[1, "two", [true]]"#, "{\n  \"k\": \"v\",\n  \"n\": -1.5\n}",
    ]

    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// The next text: a row of tokens, or a whole one with a few tokens added or taken away.
    mutating func next() -> String {
        if Int.random(in: 0..<10, using: &random) < 7 {
            let tokens = (0..<Int.random(in: 1...7, using: &random)).map { _ in token() }
            return tokens.joined(separator: Bool.random(using: &random) ? "" : " ")
        }
        var text = Array(Self.wholes.randomElement(using: &random) ?? "")
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            let place = Int.random(in: 0..<text.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1: text.remove(at: place)
            case 2, 3: text.insert(contentsOf: token(), at: place)
            default: text.removeSubrange((place + 1)...)
            }
        }
        return String(text)
    }

    private mutating func token() -> String { Self.tokens.randomElement(using: &random) ?? "" }
}
