import JSONCore

struct RegexProblem: Error {
    let message: String

    init(_ message: String) { self.message = message }
}

/// Reads Oniguruma's regular expressions in the Perl syntax with named groups, which is what jq uses.
struct RegexParser {
    struct Syntax {
        var ignoringCase = false
        var extended = false
        var dotMatchesNewline = false
        var lineAnchors = false
    }

    private let pattern: [Unicode.Scalar]
    private var position = 0
    var options: Syntax
    private(set) var groupNames: [String?] = []
    private(set) var groups: [RegexNode] = []
    private var nesting = 0

    static let nestingLimit = 250
    static let countLimit = 100_000

    init(_ text: String, options: Syntax) {
        pattern = Array(text.unicodeScalars)
        self.options = options
    }

    mutating func parse() throws(RegexProblem) -> RegexNode {
        let node = try alternatives()
        guard position == pattern.count else { throw RegexProblem("unmatched close parenthesis") }
        return node
    }

    // MARK: Scalars

    func peek(_ offset: Int = 0) -> Unicode.Scalar? {
        let index = position + offset
        return index < pattern.count ? pattern[index] : nil
    }

    mutating func next() -> Unicode.Scalar? {
        guard position < pattern.count else { return nil }
        position += 1
        return pattern[position - 1]
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek() == character else { return false }
        position += 1
        return true
    }

    mutating func take(text: String) -> Bool {
        guard pattern[position...].starts(with: text.unicodeScalars) else { return false }
        position += text.unicodeScalars.count
        return true
    }

    mutating func name(upTo close: Unicode.Scalar) throws(RegexProblem) -> String {
        var name = String.UnicodeScalarView()
        while let scalar = next() {
            if scalar == close { return String(name) }
            name.append(scalar)
        }
        throw RegexProblem("end pattern in group")
    }

    // MARK: Structure

    mutating func alternatives() throws(RegexProblem) -> RegexNode {
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= Self.nestingLimit else { throw RegexProblem("too deep nest level") }
        let outer = options
        defer { options = outer }
        var branches = [try sequence()]
        while take("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .alternatives(branches)
    }

    private mutating func sequence() throws(RegexProblem) -> RegexNode {
        var parts: [RegexNode] = []
        while let next = peek(), next != "|", next != ")" {
            if options.extended && skipSpace() { continue }
            guard let atom = try atom() else { continue }
            parts.append(try quantified(atom))
        }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func skipSpace() -> Bool {
        let start = position
        while let next = peek(), next == " " || ("\t"..."\r").contains(next) { position += 1 }
        if take("#") { while let next = next(), next != "\n" {} }
        return position > start
    }

    private mutating func quantified(_ atom: RegexNode) throws(RegexProblem) -> RegexNode {
        var node = atom
        while true {
            if options.extended { _ = skipSpace() }
            var bounds: (Int, Int?)? = take("*") ? (0, nil) : take("+") ? (1, nil) : take("?") ? (0, 1) : nil
            if bounds == nil { bounds = try interval() }
            guard let bounds else { return node }
            let kind: RegexNode.Repetition = take("?") ? .lazy : (take("+") ? .possessive : .greedy)
            node = .repeated(node, minimum: bounds.0, maximum: bounds.1, kind: kind)
        }
    }

    private mutating func interval() throws(RegexProblem) -> (Int, Int?)? {
        let start = position
        guard take("{") else { return nil }
        let low = number()
        let high = take(",") ? number() : low
        guard take("}"), let low else {
            position = start
            return nil
        }
        guard max(low, high ?? 0) <= Self.countLimit else {
            throw RegexProblem("too big number is specified as repeat count")
        }
        if let high, low > high { return (high, low) }
        return (low, high)
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let digit = peek()?.value, digit >= 0x30, digit <= 0x39 {
            value = min((value ?? 0) * 10 + Int(digit - 0x30), Self.countLimit + 1)
            position += 1
        }
        return value
    }

    private mutating func atom() throws(RegexProblem) -> RegexNode? {
        guard let scalar = next() else { return nil }
        switch scalar {
        case "(": return try parenthesis()
        case "[": return .set(try characterClass(), ignoringCase: options.ignoringCase)
        case ".": return .any(matchesNewline: options.dotMatchesNewline)
        case "^": return .assertion(options.lineAnchors ? .lineStart : .textStart)
        case "$": return .assertion(options.lineAnchors ? .lineEnd : .textEndOrLastLine)
        case "\\": return try escape()
        case "*", "+", "?": throw RegexProblem("target of repeat operator is not specified")
        default: return .scalar(scalar.value, ignoringCase: options.ignoringCase)
        }
    }

    // MARK: Groups

    private mutating func parenthesis() throws(RegexProblem) -> RegexNode? {
        guard take("?") else { return try capture(named: nil) }
        if take("#") {
            _ = try name(upTo: ")")
            return nil
        }
        if take(":") { return try inner() }
        if take("=") { return .look(try inner(), isAhead: true, isNegative: false) }
        if take("!") { return .look(try inner(), isAhead: true, isNegative: true) }
        if take(">") { return .atomic(try inner()) }
        if take(text: "<=") { return try lookBehind(isNegative: false) }
        if take(text: "<!") { return try lookBehind(isNegative: true) }
        if take("<") { return try capture(named: try name(upTo: ">")) }
        if take("'") { return try capture(named: try name(upTo: "'")) }
        return try optionGroup()
    }

    private mutating func inner() throws(RegexProblem) -> RegexNode {
        let node = try alternatives()
        guard take(")") else { throw RegexProblem("end pattern with unmatched parenthesis") }
        return node
    }

    private mutating func capture(named name: String?) throws(RegexProblem) -> RegexNode {
        if name?.isEmpty == true { throw RegexProblem("group name is empty") }
        groupNames.append(name)
        groups.append(.empty)
        let index = groupNames.count
        let node = try inner()
        groups[index - 1] = node
        return .group(node, index: index)
    }

    private mutating func lookBehind(isNegative: Bool) throws(RegexProblem) -> RegexNode {
        let node = try inner()
        guard node.width.maximum != nil else { throw RegexProblem("invalid pattern in look-behind") }
        return .look(node, isAhead: false, isNegative: isNegative)
    }

    private mutating func optionGroup() throws(RegexProblem) -> RegexNode? {
        let outer = options
        var isOn = true
        while let letter = next() {
            switch letter {
            case "-": isOn = false
            case "i": options.ignoringCase = isOn
            case "x": options.extended = isOn
            case "s": options.dotMatchesNewline = isOn
            case "m": options.lineAnchors = isOn
            case "~": throw RegexProblem("absent operators (?~…) are left out")
            case "(": throw RegexProblem("conditions (?(…)…) are left out")
            case "{": throw RegexProblem("callouts (?{…}) are left out")
            case ")": return nil
            case ":":
                let node = try inner()
                options = outer
                return node
            default: throw RegexProblem("undefined group option")
            }
        }
        throw RegexProblem("end pattern in group")
    }

    func groups(named name: String) throws(RegexProblem) -> [Int] {
        let found = (1...max(1, groupNames.count)).filter { index in
            index <= groupNames.count && groupNames[index - 1].map { UTF8Order.equal($0, name) } ?? false
        }
        guard !found.isEmpty else { throw RegexProblem("undefined name <\(name)> reference") }
        return found
    }
}
