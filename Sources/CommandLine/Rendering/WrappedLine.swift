import JSONCore

/// A line for people, broken at its spaces to what a screen has.
///
/// Further lines begin in the column of the text after the line's label. A word that is wider than the screen is broken
/// at the edge of the screen. A command is left whole, so that it can be pasted: the terminal breaks it itself.
struct WrappedLine {
    /// How many lines of an answer that has to fit one line may become.
    static let mostFitted = 3

    private let width: Int
    private let margin: Int
    private(set) var lines: [String] = []
    private var line = ""
    private var used = 0
    /// What the colour is that the next text has; empty for none.
    private var color = ""

    /// The lines of a coloured line on a screen of `width` columns; nil leaves it as it is.
    static func lines(_ text: String, width: Int?) -> [String] {
        guard let width, width > 0, DisplayWidth.of(text) > width else { return [text] }
        let margin = Self.margin(of: text, width)
        if isCommand(text) { return [text] }
        var wrapped = WrappedLine(width: width, margin: margin)
        wrapped.take(text)
        return wrapped.lines
    }

    /// Whether a line is a command that an answer suggests.
    static func isCommand(_ text: String) -> Bool {
        let words = plain(text).drop { $0 == " " }
        return UTF8Order.begins(words, with: "state-inspect ") || UTF8Order.begins(words, with: Advice.label)
    }

    private init(width: Int, margin: Int) {
        self.width = width
        self.margin = margin
    }

    private mutating func take(_ text: String) {
        var spaces = 0
        var isFirst = true
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            // An empty part is one more space.
            if !isFirst { spaces += 1 }
            isFirst = false
            guard !word.isEmpty else { continue }
            let columns = DisplayWidth.of(String(word))
            if used + spaces + columns > width, used > margin {
                end()
            } else {
                add(String(repeating: " ", count: spaces))
            }
            spaces = 0
            add(word)
        }
        lines.append(line)
    }

    /// Adds text, and goes on below where the screen ends.
    private mutating func add(_ text: some StringProtocol) {
        var sequence = ""
        for scalar in text.unicodeScalars {
            if !sequence.isEmpty || scalar == "\u{1B}" {
                sequence.unicodeScalars.append(scalar)
                guard scalar == "m" else { continue }
                line += sequence
                color = sequence == "\u{1B}[0m" ? "" : color + sequence
                sequence = ""
                continue
            }
            let columns = DisplayWidth.of(scalar)
            if used + columns > width { end() }
            line.unicodeScalars.append(scalar)
            used += columns
        }
    }

    private mutating func end() {
        lines.append(line + (color.isEmpty ? "" : "\u{1B}[0m"))
        line = String(repeating: " ", count: margin) + color
        used = margin
    }

    /// Where the second line begins: below the text after a label, else a little to the right of the first line's
    /// margin.
    private static func margin(of text: String, _ width: Int) -> Int {
        let text = plain(text)
        let front = text.prefix { $0 == " " }.count
        var (column, spaces) = (0, 0)
        for character in text.prefix(width / 3) {
            if character != " ", spaces > 1, column > front { return column }
            spaces = character == " " ? spaces + 1 : 0
            column += 1
        }
        return min(front + 2, width / 3)
    }

    private static func plain(_ text: String) -> String {
        var result = ""
        var isColor = false
        for scalar in text.unicodeScalars {
            if scalar == "\u{1B}" { isColor = true }
            if !isColor { result.unicodeScalars.append(scalar) }
            if isColor { isColor = scalar != "m" }
        }
        return result
    }
}

extension CommandContext {
    /// Writes a line for people; what is wider than their screen goes on below.
    package func writeText(_ line: String) throws(OutputError) {
        // Where room is short a line has no more than a few below it.
        let line =
            output.fit == nil || WrappedLine.isCommand(line)
            ? line : DisplayWidth.cut(line, to: WrappedLine.mostFitted * AnswerFit.columns)
        for part in WrappedLine.lines(line, width: terminal.width) { try output.writeLine(part) }
    }
}
