import Diagnostics
package import JSONCore

package enum FittedValue {
    /// A text that is cut has its size after it.
    package static func line(_ value: JSONValue, room: Int) -> String {
        let text = ControlCharacters.escaped(FittedValue.text(value, limit: room * 4))
        guard text.utf8.count > room, DisplayWidth.of(text) > room else { return text }
        let size = " (" + Progress.size(Double(byteCount(of: value))) + ")"
        return DisplayWidth.clipped(text, to: max(4, room - size.utf8.count)) + size
    }

    package static func clipped(_ value: JSONValue, to room: Int) -> String {
        DisplayWidth.clipped(ControlCharacters.escaped(text(value, limit: room * 4)), to: room)
    }

    /// About, since what is escaped in a string counts as it is; O(n) in the number of values.
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

    /// The tree is as deep and has as many members as fit in `room` bytes.
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

    /// It has at least the first `limit` bytes; O(`limit`) plus the longest name of a member.
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

    /// `…` stands where something was left out.
    package static func shortened(_ value: JSONValue, to limit: Int) -> String {
        let text = text(value, limit: limit)
        return text.utf8.count > limit ? text.prefix(bytes: limit) + "…" : text
    }

    private static let deepest = 24
    private static let memberCounts = [3, 10, 30, 100, 1_000]
}

extension String {
    /// Scalars stay whole.
    package func prefix(bytes limit: Int) -> String {
        var end = utf8.index(startIndex, offsetBy: limit, limitedBy: endIndex) ?? endIndex
        while end > startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
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

/// Two spaces a level unless another layout is wanted, the parts in their roles.
package struct ValueTree {
    private let layout: JSONWriter.Style
    private let isASCII: Bool
    /// How much of a string, an array and an object is written; then how many more there are.
    private let limit: Int

    package init(layout: JSONWriter.Style = .pretty(indent: 2), isASCII: Bool = false, limit: Int? = nil) {
        (self.layout, self.isASCII, self.limit) = (layout, isASCII, limit ?? .max)
    }

    /// The last line is not ended; what is nested deeper than ``JSONWriter/deepestLine`` is not broken.
    package func text(_ value: JSONValue, _ style: Style) -> String {
        var text = ""
        append(value, level: 0) { text += $0 == "\n" ? $0 : style($1, $0) }
        return text
    }

    package func lines(_ value: JSONValue) -> [StoryLine] {
        var lines: [StoryLine] = [""]
        append(value, level: 0) { if $0 == "\n" { lines.append("") } else { lines[lines.count - 1] += "\($0, $1)" } }
        return lines
    }

    package func cuts(_ value: JSONValue) -> Bool {
        guard limit < .max else { return false }
        return switch value {
        case .string(let text): text.unicodeScalars.count > limit
        case .array(let elements): elements.count > limit || elements.contains(where: cuts)
        case .object(let object): object.count > limit || object.contains { cuts($0.value) }
        case .null, .bool, .number: false
        }
    }

    private func rest(of count: Int) -> String { "… \(count - limit) more" }

    /// A line feed is a part of its own.
    private func append(_ value: JSONValue, level: Int, _ add: (String, Style.Role) -> Void) {
        switch value {
        case .array(let elements) where !elements.isEmpty:
            add("[", .plain)
            for (index, element) in elements.prefix(limit).enumerated() {
                if index > 0 { add(",", .plain) }
                breakLine(level + 1, add)
                append(element, level: level + 1, add)
            }
            if elements.count > limit {
                add(",", .plain)
                breakLine(level + 1, add)
                add(escaped(.string(rest(of: elements.count))), .string)
            }
            breakLine(level, add)
            add("]", .plain)
        case .object(let object) where !object.isEmpty:
            add("{", .plain)
            var isFirst = true
            func begin(_ key: String) {
                if !isFirst { add(",", .plain) }
                isFirst = false
                breakLine(level + 1, add)
                add(escaped(.string(key)), .key)
                add(layout == .compact ? ":" : ": ", .plain)
            }
            for (key, element) in object.prefix(limit) {
                begin(key)
                append(element, level: level + 1, add)
            }
            if object.count > limit {
                begin("…")
                add(escaped(.string(rest(of: object.count))), .string)
            }
            breakLine(level, add)
            add("}", .plain)
        case .string(let text) where cuts(value):
            let front = String(text.unicodeScalars.prefix(limit))
            add(escaped(.string(front + rest(of: text.unicodeScalars.count))), .string)
        case .string: add(escaped(value), .string)
        case .number: add(escaped(value), .number)
        case .null, .bool: add(escaped(value), .word)
        case .array, .object: add(escaped(value), .plain)
        }
    }

    private func breakLine(_ level: Int, _ add: (String, Style.Role) -> Void) {
        guard level <= JSONWriter.deepestLine else { return }
        let margin: String
        switch layout {
        case .compact, .canonical: return
        case .pretty(let indent): margin = String(repeating: " ", count: level * indent)
        case .tabbed: margin = String(repeating: "\t", count: level)
        }
        add("\n", .plain)
        add(margin, .plain)
    }

    private func escaped(_ value: JSONValue) -> String {
        isASCII ? QueryOutput.ascii(value.text()) : ControlCharacters.escaped(value.text())
    }
}
