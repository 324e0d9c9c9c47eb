extension PathSteps {
    /// Reads a path as a person types it: a pointer with wildcards (``init(parsing:)``), one without its first slash, or one
    /// as the query language writes paths.
    ///
    /// `/cart/items/0`, `cart/items/0`, `cart.items[0]` and `.cart.items[0]` are one path, and so are `''` and `.`.
    /// With dots, `[]` is `*`, and a name in double quotes stands for itself: `.cart."a.b"`, `.cart["*"]`. Without a
    /// first sign, the first one in the text decides which spelling it is.
    package init(typed text: String) throws(Fault) {
        let scalars = Array(text.unicodeScalars)
        guard let first = scalars.first, text != "." else {
            self.init([])
            return
        }
        switch first == "/" || first == "." ? first : scalars.first(where: { "/.[\"".unicodeScalars.contains($0) }) {
        case "/"?, nil: try self.init(parsing: first == "/" ? text : "/" + text)
        default:
            var reader = DottedPathReader(scalars: first == "." || first == "[" ? scalars : ["."] + scalars)
            try self.init(reader.steps())
        }
    }

    /// The text form, which reads back as this path.
    package var text: String {
        var text = ""
        for step in steps {
            switch step {
            case .one: text += "/*"
            case .any: text += "/**"
            case .key("*"): text += "/~2"
            case .key("**"): text += "/~2~2"
            case .key(let key):
                text += "/"
                JSONPointer.appendEscaped(key, to: &text)
            }
        }
        return text
    }
}

private struct DottedPathReader {
    let scalars: [Unicode.Scalar]
    var place = 0

    mutating func steps() throws(PathSteps.Fault) -> [PathSteps.Step] {
        var steps: [PathSteps.Step] = []
        while place < scalars.count {
            guard steps.count < PathSteps.limit else { throw .tooLong }
            if take("[") {
                steps.append(try bracket())
                continue
            }
            guard take(".") else { throw scalars[place] == "/" ? .mixed : .badBracket }
            if take("[") { steps.append(try bracket()) } else { steps.append(try name()) }
        }
        return steps
    }

    private mutating func name() throws(PathSteps.Fault) -> PathSteps.Step {
        if let text = try quoted() { return .key(text) }
        let text = take { !".[]\"/".unicodeScalars.contains($0) }
        guard !text.isEmpty else { throw place < scalars.count && scalars[place] == "/" ? .mixed : .emptyName }
        return Self.step(text)
    }

    private mutating func bracket() throws(PathSteps.Fault) -> PathSteps.Step {
        let step: PathSteps.Step
        if let text = try quoted() {
            step = .key(text)
        } else {
            let text = take { $0 != "]" }
            switch text {
            case "": step = .one
            case "*", "**": step = Self.step(text)
            default:
                if text.hasPrefix("-") { throw .negativeIndex }
                guard JSONPointer.arrayIndex(text) != nil else { throw .badBracket }
                step = .key(text)
            }
        }
        guard take("]") else { throw .badBracket }
        return step
    }

    private static func step(_ text: String) -> PathSteps.Step { text == "*" ? .one : text == "**" ? .any : .key(text) }

    /// A JSON string, nil where none begins here.
    private mutating func quoted() throws(PathSteps.Fault) -> String? {
        guard place < scalars.count, scalars[place] == "\"" else { return nil }
        var end = place + 1
        while end < scalars.count, scalars[end] != "\"" { end += scalars[end] == "\\" ? 2 : 1 }
        guard end < scalars.count else { throw .badBracket }
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars[place...end])
        guard case .string(let string)? = try? JSONParser.parse(text) else { throw .badBracket }
        place = end + 1
        return string
    }

    private mutating func take(while holds: (Unicode.Scalar) -> Bool) -> String {
        let rest = scalars[place...].prefix(while: holds)
        place = rest.endIndex
        var text = ""
        text.unicodeScalars.append(contentsOf: rest)
        return text
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard place < scalars.count, scalars[place] == scalar else { return false }
        place += 1
        return true
    }
}
