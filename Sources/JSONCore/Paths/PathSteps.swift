/// The steps of a path in which `*` stands for one segment and `**` for any number, none too.
///
/// The text form is that of a JSON Pointer (RFC 6901); a key that is literally `*` is written `~2`, which RFC 6901 leaves free.
package struct PathSteps: Sendable, Equatable {
    /// The most steps that a path may have; it bounds the work of one comparison.
    package static let limit = 64

    package enum Step: Sendable, Hashable {
        /// The member, or element, of this name.
        case key(String)
        /// Any one member or element.
        case one
        /// Any number of them.
        case any

        package static func == (left: Step, right: Step) -> Bool {
            switch (left, right) {
            case (.key(let a), .key(let b)): UTF8Order.equal(a, b)
            case (.one, .one), (.any, .any): true
            default: false
            }
        }
    }

    package enum Fault: Error, Equatable {
        /// The text does not begin with `/`, and is not empty.
        case missingSlash
        case tooLong
        /// A `~` that is not followed by `0`, `1` or `2`.
        case badEscape
        /// With dots: a slash as well.
        case mixed
        /// With dots: a dot without a name after it.
        case emptyName
        /// With dots: an index that counts from the end, which a path does not have.
        case negativeIndex
        /// With dots: a `[` without its `]`, or without an index or a quoted name between them; a quote that is not closed.
        case badBracket
    }

    package var steps: [Step]

    package init(_ steps: [Step]) { self.steps = steps }

    package init(parsing text: String) throws(Fault) {
        guard text.utf8.first.map({ $0 == UInt8(ascii: "/") }) ?? true else { throw .missingSlash }
        let parts = text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard parts.count <= PathSteps.limit else { throw .tooLong }
        steps = []
        for part in parts {
            guard let step = PathSteps.step(Substring(part)) else { throw .badEscape }
            steps.append(step)
        }
    }

    private static func step(_ part: Substring) -> Step? {
        if part == "*" { return .one }
        if part == "**" { return .any }
        var key = ""
        var scalars = part.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            guard scalar == "~" else {
                key.unicodeScalars.append(scalar)
                continue
            }
            switch scalars.popFirst() {
            case "0": key += "~"
            case "1": key += "/"
            case "2": key += "*"
            default: return nil
            }
        }
        return .key(key)
    }
}
