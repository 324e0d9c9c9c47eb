internal import Synchronization

/// Names types as the code around them does: `TimelineState.Action` of `Shop.TimelineState.Action`.
package enum TypeName {
    private static let names = Mutex<[ObjectIdentifier: String]>([:])

    /// The name of a type, with all types that it is nested in, without the module.
    ///
    /// - Complexity: one lock and look-up, after the first time for a type.
    package static func name(of type: Any.Type) -> String {
        names.withLock { names in
            if let name = names[ObjectIdentifier(type)] { return name }
            let name = withoutModules(String(reflecting: type))
            names[ObjectIdentifier(type)] = name
            return name
        }
    }

    /// Removes the modules, and the contexts of private or local types, which hold an address.
    package static func withoutModules(_ text: String) -> String {
        var result = ""
        var path: [Substring] = []
        var rest = text[...]
        func flush() {
            result += (path.count > 1 ? path.dropFirst() : path[...]).joined(separator: ".")
            path = []
        }
        while let character = rest.first {
            if character == "(", let end = contextEnd(rest) {
                rest = rest[end...]
            } else if character.isLetter || character.isNumber || character == "_" {
                let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                path.append(word)
                rest = rest.dropFirst(word.count)
            } else if character == "." && !path.isEmpty {
                rest.removeFirst()
            } else {
                flush()
                result.append(character)
                rest.removeFirst()
            }
        }
        flush()
        return result
    }

    /// The index after a context like `(unknown context at $10a3f).` or `(extension in Shop):`, if the text begins with
    /// one.
    private static func contextEnd(_ text: Substring) -> Substring.Index? {
        guard text.hasPrefix("(unknown context at ") || text.hasPrefix("(extension in "),
            let close = text.firstIndex(of: ")")
        else { return nil }
        let next = text.index(after: close)
        return next < text.endIndex && (text[next] == "." || text[next] == ":") ? text.index(after: next) : next
    }
}
