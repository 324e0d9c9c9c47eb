import JSONCore

/// What runs in the page: plain JavaScript in parts of one topic each, put together in this order.
///
/// No framework, no build step, no global but those of the parts. Whatever a journal holds reaches the screen through
/// `textContent` alone.
enum PageScript {
    /// The whole script.
    static let text =
        "\n\"use strict\";\n"
        + tight(
            [
                texts, values, chunks, cursor, search, blame, origin, elements, timeline, list, tree, sides,
                commit, story, controls, page,
            ].joined(separator: "\n"), [" => ", " === ", " !== ", " && ", " || "])

    /// A text without the spaces and line ends that only people need, around these signs and brackets; no string has them.
    static func tight(_ text: String, _ signs: [String]) -> String {
        var text = compact(text)
        for sign in signs { text = text.replacing(sign, with: sign.filter { $0 != " " }) }
        for end in ["{", ",", "("] { text = text.replacing(end + "\n", with: end) }
        for start in ["}", ")"] { text = text.replacing("\n" + start, with: start) }
        return text
    }

    /// Lines without comments and indentation: every page carries them.
    private static func compact(_ text: String) -> String {
        text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !UTF8Order.begins($0, with: "//") }.joined(
            separator: "\n")
    }
}
