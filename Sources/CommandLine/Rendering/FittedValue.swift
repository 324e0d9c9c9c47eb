import Diagnostics
package import JSONCore

/// A value in little room: what does not fit is cut, with its size.
package enum FittedValue {
    /// The compact text of a value in at most `room` columns; one that is cut has its size after it.
    package static func line(_ value: JSONValue, room: Int) -> String {
        let text = ControlCharacters.escaped(FittedValue.text(value, limit: room * 4))
        guard text.utf8.count > room, DisplayWidth.of(text) > room else { return text }
        let size = " (" + Progress.size(Double(byteCount(of: value))) + ")"
        return DisplayWidth.clipped(text, to: max(4, room - size.utf8.count)) + size
    }

    /// About how many bytes the compact text of a value has: what is escaped in a string counts as it is.
    ///
    /// - Complexity: O(n) in the number of values.
    package static func byteCount(of value: JSONValue) -> Int {
        switch value {
        case .null: 4
        case .bool(let isTrue): isTrue ? 4 : 5
        case .number(let number): number.text.utf8.count
        case .string(let text): text.utf8.count + 2
        case .array(let elements): elements.reduce(max(2, elements.count + 1)) { $0 + byteCount(of: $1) }
        case .object(let object):
            object.reduce(max(2, object.count + 1)) { $0 + $1.key.utf8.count + 3 + byteCount(of: $1.value) }
        }
    }

    /// The value over several lines in at most `room` bytes, as deep and with as many members as fit.
    package static func tree(_ value: JSONValue, room: Int, hint: String) -> String {
        var best = line(value, room: AnswerFit.columns)
        for depth in 1...deepest {
            var hasGrown = false
            for members in memberCounts {
                var tree = FittedTree(depth: depth, members: members, room: room, hint: hint)
                guard let text = tree.text(of: value), text.utf8.count > best.utf8.count else { continue }
                (best, hasGrown) = (text, true)
            }
            if !hasGrown { break }
        }
        return best
    }

    /// The compact text of a value, or at least its first `limit` bytes.
    ///
    /// - Complexity: O(`limit`) plus the longest name of a member.
    package static func text(_ value: JSONValue, limit: Int) -> String {
        var text = ""
        append(value, to: &text, limit: limit)
        return text
    }

    private static func append(_ value: JSONValue, to text: inout String, limit: Int) {
        guard text.utf8.count <= limit else { return }
        switch value {
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                guard text.utf8.count <= limit else { return }
                if index > 0 { text += "," }
                append(element, to: &text, limit: limit)
            }
            text += "]"
        case .object(let object):
            text += "{"
            var isFirst = true
            for (key, element) in object {
                guard text.utf8.count <= limit else { return }
                if !isFirst { text += "," }
                isFirst = false
                text += JSONValue.string(key).text() + ":"
                append(element, to: &text, limit: limit)
            }
            text += "}"
        case .string(let long) where long.utf8.count > limit:
            // So many scalars are as many bytes at least, after which the text ends anyway.
            var front = String.UnicodeScalarView()
            front.append(contentsOf: long.unicodeScalars.prefix(limit))
            text += JSONValue.string(String(front)).text().dropLast()
        case .null, .bool, .number, .string: text += value.text()
        }
    }

    /// The compact text of a value, cut to about so many bytes with `…` where something was left out.
    package static func shortened(_ value: JSONValue, to limit: Int) -> String {
        let text = text(value, limit: limit)
        guard text.utf8.count > limit else { return text }
        return String(decoding: text.utf8.prefix(limit), as: UTF8.self) + "…"
    }

    private static let deepest = 24
    private static let memberCounts = [3, 10, 30, 100, 1_000]
}

/// One way to lay a value out: down to a depth, so many members of each container.
private struct FittedTree {
    let depth: Int
    let members: Int
    let room: Int
    /// What is typed for the members that are left out.
    let hint: String
    private var text = ""

    init(depth: Int, members: Int, room: Int, hint: String) {
        (self.depth, self.members, self.room, self.hint) = (depth, members, room, hint)
    }

    /// The text; nil where it does not fit.
    mutating func text(of value: JSONValue) -> String? {
        append(value, level: 0, prefix: "")
        return text.utf8.count <= room ? text : nil
    }

    private mutating func append(_ value: JSONValue, level: Int, prefix: String) {
        guard text.utf8.count <= room else { return }
        // A key may be as long as any value.
        let key = prefix.isEmpty ? "" : DisplayWidth.shortenedInMiddle(prefix, to: AnswerFit.columns / 2) + ": "
        text += key
        let columns = max(16, AnswerFit.columns - 2 * level - DisplayWidth.of(key) - 1)
        let isOpened = level < depth && FittedValue.byteCount(of: value) > columns
        switch value {
        case .array(let elements) where isOpened:
            appendMembers(elements.prefix(members).map { ("", $0) }, of: elements.count, "[", "]", level)
        case .object(let object) where isOpened:
            let shown = object.prefix(members).map {
                (ControlCharacters.escaped(JSONValue.string($0.key).text()), $0.value)
            }
            appendMembers(shown, of: object.count, "{", "}", level)
        case .null, .bool, .number, .string, .array, .object: text += FittedValue.line(value, room: columns)
        }
    }

    private mutating func appendMembers(
        _ shown: [(String, JSONValue)], of count: Int, _ open: String, _ close: String, _ level: Int
    ) {
        let margin = "\n" + String(repeating: "  ", count: level + 1)
        text += open
        for (index, member) in shown.enumerated() {
            text += (index == 0 ? "" : ",") + margin
            append(member.1, level: level + 1, prefix: member.0)
        }
        if shown.count < count { text += margin + "… \((count - shown.count).grouped) more: " + hint }
        text += "\n" + String(repeating: "  ", count: level) + close
    }
}

/// A value as a person reads it: JSON over several lines, two spaces a level unless another layout is wanted, coloured by kind.
package struct ValueTree {
    private let style: Style
    private let layout: JSONWriter.Style
    private let isASCII: Bool

    /// A writer of such texts.
    package init(style: Style, layout: JSONWriter.Style = .pretty(indent: 2), isASCII: Bool = false) {
        (self.style, self.layout, self.isASCII) = (style, layout, isASCII)
    }

    /// The lines of a value, the last one not ended.
    ///
    /// - Complexity: O(n) in the size of the value: what is nested deeper than ``JSONWriter/deepestLine`` is not broken.
    package func text(_ value: JSONValue) -> String {
        var text = ""
        append(value, to: &text, level: 0)
        return text
    }

    private func append(_ value: JSONValue, to text: inout String, level: Int) {
        switch value {
        case .array(let elements) where !elements.isEmpty:
            text += "["
            for (index, element) in elements.enumerated() {
                startLine(&text, level: level + 1, isFirst: index == 0)
                append(element, to: &text, level: level + 1)
            }
            endBlock("]", &text, level: level)
        case .object(let object) where !object.isEmpty:
            text += "{"
            var isFirst = true
            for (key, element) in object {
                startLine(&text, level: level + 1, isFirst: isFirst)
                isFirst = false
                text += style(.key, escaped(.string(key))) + (layout == .compact ? ":" : ": ")
                append(element, to: &text, level: level + 1)
            }
            endBlock("}", &text, level: level)
        case .string: text += style(.string, escaped(value))
        case .number: text += style(.number, escaped(value))
        case .null, .bool: text += style(.word, escaped(value))
        case .array, .object: text += escaped(value)
        }
    }

    private func startLine(_ text: inout String, level: Int, isFirst: Bool) {
        if !isFirst { text += "," }
        breakLine(&text, level: level)
    }

    private func endBlock(_ bracket: String, _ text: inout String, level: Int) {
        breakLine(&text, level: level)
        text += bracket
    }

    private func breakLine(_ text: inout String, level: Int) {
        guard level <= JSONWriter.deepestLine else { return }
        switch layout {
        case .compact, .canonical: break
        case .pretty(let indent): text += "\n" + String(repeating: " ", count: level * indent)
        case .tabbed: text += "\n" + String(repeating: "\t", count: level)
        }
    }

    private func escaped(_ value: JSONValue) -> String {
        isASCII ? QueryOutput.ascii(value.text()) : ControlCharacters.escaped(value.text())
    }
}
