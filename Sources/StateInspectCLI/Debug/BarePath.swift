import JSONCore

/// A path as people type it who do not know jq: `cart.total`, where a query says `.cart.total`.
enum BarePath {
    /// The first word of a text that is not a query's, though the state has a member of its name at the top, with what follows.
    ///
    /// - Returns: the text to write for it.
    static func correction(in text: String, _ state: JSONValue) -> String? {
        guard case .object(let members) = state else { return nil }
        var before: Character = " "
        var rest = text[...]
        var isQuoted = false
        while let first = rest.first {
            if first == "\"", before != "\\" { isQuoted.toggle() }
            let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            guard !word.isEmpty else {
                before = first
                rest = rest.dropFirst()
                continue
            }
            let after = rest.dropFirst(word.count)
            if !isQuoted, !".$@".contains(before), after.first != "(", after.first != ":",
                members.keys.contains(where: { UTF8Order.equal($0, String(word)) })
            {
                return "." + word + after.prefix { $0.isLetter || $0.isNumber || "._[]".contains($0) }
            }
            before = word.last ?? " "
            rest = after
        }
        return nil
    }

    /// The pattern that a text is which names a member at the top of the state first, without a dot before it; nil for others.
    static func pattern(_ text: String, _ state: JSONValue) -> PathPattern? {
        guard case .object(let members) = state, let first = text.first, !"./".contains(first),
            !text.contains(where: { $0.isWhitespace || "+|=<>".contains($0) }),
            let pattern = try? PathPattern(parsing: text, operand: "PATH"),
            case .key(let store)? = pattern.steps.steps.first,
            members.keys.contains(where: { UTF8Order.equal($0, store) })
        else { return nil }
        return pattern
    }

    /// The query that gives what is at a path, whose steps are names or indexes as the state has them.
    static func query(of path: JSONPointer, in state: JSONValue) -> String {
        var (text, value) = (".", Optional(state))
        for segment in path.segments {
            if case .array(let elements)? = value, let index = Int(segment) {
                text += "[\(index)]"
                value = elements.indices.contains(index) ? elements[index] : nil
            } else {
                text += "[" + JSONValue.string(segment).text() + "]"
                if case .object(let object)? = value { value = object[segment] } else { value = nil }
            }
        }
        return text
    }
}
