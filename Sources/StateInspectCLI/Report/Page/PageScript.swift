import JSONCore

/// What runs in the page: plain JavaScript in parts of one topic each, put together in this order.
///
/// No framework, no build step, no global but those of the parts. Whatever a journal holds reaches the screen through
/// `textContent` alone.
enum PageScript {
    /// The whole script.
    static let text =
        "\n\"use strict\";\n"
        + compact(
            [
                texts, values, chunks, cursor, search, blame, origin, elements, timeline, list, tree, sides,
                commit, story, controls, page,
            ].joined(separator: "\n"))

    /// Lines without comments and indentation: every page carries them.
    static func compact(_ text: String) -> String {
        text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !UTF8Order.begins($0, with: "//") }.joined(
            separator: "\n")
    }
}
