import Diagnostics

/// Spans of text, each with its role: what is interpolated may come from a journal, so it is escaped; cutting and
/// breaking work on spans too, so a command to paste stays whole.
package struct StoryLine: Hashable, Sendable, ExpressibleByStringInterpolation {
    package struct Span: Hashable, Sendable {
        package fileprivate(set) var text: String
        package let role: Style.Role
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var line = StoryLine()

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ text: String) { line.append(text, .plain) }

        package mutating func appendInterpolation(_ text: some CustomStringConvertible, _ role: Style.Role = .plain) {
            line.append(ControlCharacters.escaped(text.description), role)
        }

        package mutating func appendInterpolation(_ part: StoryLine) { line += part }
    }

    package private(set) var spans: [Span] = []

    package init() {}

    package init(stringLiteral text: String) { append(text, .plain) }

    package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.line }

    /// The first of so many columns, which text of other lines stands below.
    package init(margin columns: Int) { append(String(repeating: " ", count: max(0, columns)), .plain) }

    private mutating func append(_ text: String, _ role: Style.Role) {
        if text.isEmpty { return }
        if spans.last?.role != role { spans.append(Span(text: "", role: role)) }
        spans[spans.count - 1].text += text
    }

    package static func += (line: inout StoryLine, part: StoryLine) {
        for span in part.spans { line.append(span.text, span.role) }
    }

    package static func + (left: StoryLine, right: StoryLine) -> StoryLine {
        var line = left
        line += right
        return line
    }

    package var text: String { spans.map(\.text).joined() }
    package var isEmpty: Bool { spans.isEmpty }
    package var columns: Int { spans.reduce(0) { $0 + DisplayWidth.of($1.text) } }

    package func text(_ style: Style) -> String { spans.map { style($0.role, $0.text) }.joined() }

    /// Which place in an answer the line has; an answer that has to fit keeps its end.
    var place: AnswerFit.LinePlace {
        guard spans.contains(where: { $0.role == .command }) else { return .row }
        return spans[0].role == .plain ? .command : .firstCommand
    }

    package func all(_ role: Style.Role) -> StoryLine {
        var line = StoryLine()
        line.append(text, role)
        return line
    }

    // MARK: Room

    package func padded(to width: Int) -> StoryLine { self + StoryLine(margin: width - columns) }

    package var trimmed: StoryLine {
        var line = self
        while let last = line.spans.last, last.text.last == " " {
            line.spans[line.spans.count - 1].text.removeLast()
            if last.text.utf8.count == 1 { line.spans.removeLast() }
        }
        return line
    }

    /// Cut with `…` where something was left out; nil leaves the line as it is.
    package func clipped(to width: Int?) -> StoryLine {
        guard let width, place == .row, columns > width else { return self }
        var cut = StoryLine()
        var room = max(0, width - 1)
        for span in spans {
            let part = DisplayWidth.prefix(span.text, columns: room)
            cut.append(part, span.role)
            guard part.utf8.count == span.text.utf8.count else { break }
            room -= DisplayWidth.of(part)
        }
        return cut + "…"
    }

    func cut(to width: Int) -> StoryLine {
        guard place == .row, columns > width else { return self }
        let size = " (" + Progress.size(Double(text.utf8.count)) + ")"
        return clipped(to: width - size.utf8.count) + "\(size)"
    }

    /// Where the line is wider: half of a command would run and answer something else.
    func withoutCommand(wider width: Int, hint: String) -> StoryLine {
        guard columns > width, place != .row else { return self }
        var line = StoryLine()
        for span in spans where span.role != .command { line.append(span.text, span.role) }
        return line + "\("(a command of \(Progress.size(Double(text.utf8.count))): \(hint))", .command)"
    }

    /// Further lines begin in the column of the text after the line's label.
    ///
    /// A word that is wider than the screen is broken at its edge; a command is left whole, so that it can be pasted:
    /// the terminal breaks it itself.
    func wrapped(to width: Int?) -> [StoryLine] {
        guard let width, width > 0, place == .row, columns > width else { return [self] }
        let margin = margin(in: width)
        var (lines, line, used) = ([StoryLine](), StoryLine(), 0)
        func end() {
            lines.append(line)
            (line, used) = (StoryLine(margin: margin), margin)
        }
        typealias Cell = (scalar: Unicode.Scalar, role: Style.Role)
        func add(_ cells: ArraySlice<Cell>) {
            for cell in cells {
                let columns = DisplayWidth.of(cell.scalar)
                if used + columns > width { end() }
                line.append(String(cell.scalar), cell.role)
                used += columns
            }
        }
        var rest = spans.flatMap { span in span.text.unicodeScalars.map { Cell($0, span.role) } }[...]
        while !rest.isEmpty {
            let spaces = rest.prefix { $0.scalar == " " }
            let word = rest.dropFirst(spaces.count).prefix { $0.scalar != " " }
            rest = rest.dropFirst(spaces.count + word.count)
            if word.isEmpty { break }
            let wanted = spaces.count + word.reduce(0) { $0 + DisplayWidth.of($1.scalar) }
            if used + wanted > width, used > margin { end() } else { add(spaces) }
            add(word)
        }
        return lines + [line]
    }

    /// Below the text after a label, else a little to the right of the first line's margin.
    private func margin(in width: Int) -> Int {
        let text = text
        let front = text.prefix { $0 == " " }.count
        var (column, spaces) = (0, 0)
        for character in text.prefix(width / 3) {
            if character != " ", spaces > 1, column > front { return column }
            spaces = character == " " ? spaces + 1 : 0
            column += 1
        }
        return min(front + 2, width / 3)
    }
}

extension Sequence<StoryLine> {
    package func joined(_ separator: StoryLine) -> StoryLine {
        var (line, isFirst) = (StoryLine(), true)
        for part in self {
            if !isFirst { line += separator }
            line += part
            isFirst = false
        }
        return line
    }
}

extension [[StoryLine]] {
    /// - Parameter right: the columns whose cells stand at the right, as numbers do.
    package func aligned(right: ClosedRange<Int>? = nil) -> [StoryLine] {
        var widths = [Int](repeating: 0, count: map(\.count).max() ?? 0)
        for row in self {
            for (column, cell) in row.enumerated() { widths[column] = Swift.max(widths[column], cell.columns) }
        }
        return map { row in
            row.enumerated().map { column, cell in
                right?.contains(column) ?? false
                    ? StoryLine(margin: widths[column] - cell.columns) + cell
                    : column == row.count - 1 ? cell : cell.padded(to: widths[column])
            }.joined("  ")
        }
    }
}

extension CommandContext {
    /// How many lines of an answer that has to fit one line may become.
    private static let mostFitted = 3

    /// What is wider than the screen goes on below.
    package func write(_ line: StoryLine) throws(OutputError) {
        var line = line
        if let fit = output.fit {
            line = line.withoutCommand(wider: AnswerFit.columns, hint: fit.hint)
                .cut(to: Self.mostFitted * AnswerFit.columns)
        }
        for part in line.wrapped(to: terminal.width) { try output.writeLine(part.text(style), at: part.place) }
    }

    package func write(_ lines: [StoryLine]) throws(OutputError) {
        for line in lines { try write(line) }
    }

    /// What is wider than the screen is cut.
    package func writeRow(_ line: StoryLine) throws(OutputError) {
        try output.writeLine(line.clipped(to: terminal.width).text(style))
    }

    package func write(_ answer: @autoclosure () throws -> [UInt8], or line: @autoclosure () throws -> StoryLine) throws
    {
        switch format {
        case .json: try output.writeLine(try answer())
        case .human: try write(try line())
        }
    }
}
