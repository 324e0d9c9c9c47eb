package import JSONCore

/// Writes a JSON Pointer as the query language names that path.
package enum JQPath {
    /// The path as a query: `/cart/items/0/the name` is `.cart.items[0]."the name"`.
    ///
    /// - Parameter value: the value into which the path leads; it distinguishes an element's index from a member's
    ///   name.
    package static func text(of pointer: JSONPointer, in value: JSONValue) -> String {
        guard !pointer.segments.isEmpty else { return "." }
        var text = ""
        var value: JSONValue? = value
        for segment in pointer.segments {
            defer { value = value.flatMap { JSONPointer([segment]).value(in: $0) } }
            if case .array? = value, let index = JSONPointer.arrayIndex(segment) {
                text += (text.isEmpty ? "." : "") + "[\(index)]"
            } else {
                text += member(segment)
            }
        }
        return text
    }

    /// One member of an object: `.name`, or `."the name"`.
    package static func member(_ key: String) -> String {
        "." + (isIdentifier(key) ? key : JSONValue.string(key).text())
    }

    private static func isIdentifier(_ key: String) -> Bool {
        guard let first = key.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
        return key.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
            default: false
            }
        }
    }
}
