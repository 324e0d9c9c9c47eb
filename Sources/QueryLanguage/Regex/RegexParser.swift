import JSONCore

/// Why a regular expression cannot be used.
struct RegexProblem: Error, Equatable {
    var message: String
}

/// Reads Oniguruma's regular expressions in the Perl syntax with named groups, which is what jq uses.
struct RegexParser {
    struct Options {
        var ignoringCase = false
        var extended = false
        var dotMatchesNewline = false
        /// `^` and `$` at every line, not only at the ends of the text.
        var lineAnchors = false
    }

    private let pattern: [UInt32]
    private var position = 0
    var options: Options
    /// The name of each group, from 1; nil for one without.
    private(set) var groupNames: [String?] = []
    /// The expression of each group, from 1.
    private(set) var groups: [RegexNode] = []
    private var nesting = 0

    static let nestingLimit = 250
    static let countLimit = 100_000

    init(_ text: String, options: Options) {
        pattern = text.unicodeScalars.map(\.value)
        self.options = options
    }

    mutating func parse() throws(RegexProblem) -> RegexNode {
        let node = try alternatives()
        guard position == pattern.count else { throw RegexProblem(message: "unmatched close parenthesis") }
        return node
    }

    // MARK: Scalars

    func peek(_ offset: Int = 0) -> UInt32? {
        let index = position + offset
        return index < pattern.count ? pattern[index] : nil
    }

    mutating func next() -> UInt32? {
        guard position < pattern.count else { return nil }
        position += 1
        return pattern[position - 1]
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek() == character.value else { return false }
        position += 1
        return true
    }

    mutating func take(text: String) -> Bool {
        let wanted = text.unicodeScalars.map(\.value)
        guard pattern[position...].starts(with: wanted) else { return false }
        position += wanted.count
        return true
    }

    /// Reads up to a closing mark, which is consumed.
    mutating func name(upTo close: Unicode.Scalar) throws(RegexProblem) -> String {
        var scalars = String.UnicodeScalarView()
        while let value = next() {
            if value == close.value { return String(scalars) }
            if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
        }
        throw RegexProblem(message: "end pattern in group")
    }

    // MARK: Structure

    mutating func alternatives() throws(RegexProblem) -> RegexNode {
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= Self.nestingLimit else { throw RegexProblem(message: "too deep nest level") }
        let outer = options
        defer { options = outer }
        var branches = [try sequence()]
        while take("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .alternatives(branches)
    }

    private mutating func sequence() throws(RegexProblem) -> RegexNode {
        var parts: [RegexNode] = []
        while let value = peek(), value != Unicode.Scalar("|").value, value != Unicode.Scalar(")").value {
            if options.extended && skipSpace() { continue }
            guard let atom = try atom() else { continue }
            parts.append(try quantified(atom))
        }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    /// White space and comments, which count for nothing in extended patterns.
    private mutating func skipSpace() -> Bool {
        let start = position
        while let value = peek(), [0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D].contains(value) { position += 1 }
        if take("#") { while let value = next(), value != 0x0A {} }
        return position > start
    }

    private mutating func quantified(_ atom: RegexNode) throws(RegexProblem) -> RegexNode {
        var node = atom
        while true {
            if options.extended { _ = skipSpace() }
            let bounds: (Int, Int?)
            if take("*") {
                bounds = (0, nil)
            } else if take("+") {
                bounds = (1, nil)
            } else if take("?") {
                bounds = (0, 1)
            } else if let interval = try interval() {
                bounds = interval
            } else {
                return node
            }
            let kind: RegexNode.Repetition = take("?") ? .lazy : (take("+") ? .possessive : .greedy)
            node = .repeated(node, minimum: bounds.0, maximum: bounds.1, kind: kind)
        }
    }

    /// `{2}`, `{2,}`, `{2,5}`; anything else in braces is literal.
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
            throw RegexProblem(message: "too big number is specified as repeat count")
        }
        if let high, low > high { return (high, low) }
        return (low, high)
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let digit = peek(), digit >= 0x30, digit <= 0x39 {
            value = min((value ?? 0) * 10 + Int(digit - 0x30), Self.countLimit + 1)
            position += 1
        }
        return value
    }

    /// One atom, or nil where something was read that stands for none (options, comments).
    private mutating func atom() throws(RegexProblem) -> RegexNode? {
        guard let value = next(), let scalar = Unicode.Scalar(value) else { return nil }
        switch scalar {
        case "(": return try parenthesis()
        case "[": return .set(try characterClass(), ignoringCase: options.ignoringCase)
        case ".": return .any(matchesNewline: options.dotMatchesNewline)
        case "^": return .assertion(options.lineAnchors ? .lineStart : .textStart)
        case "$": return .assertion(options.lineAnchors ? .lineEnd : .textEndOrLastLine)
        case "\\": return try escape()
        case "*", "+", "?": throw RegexProblem(message: "target of repeat operator is not specified")
        default: return .scalar(value, ignoringCase: options.ignoringCase)
        }
    }

    // MARK: Groups

    private mutating func parenthesis() throws(RegexProblem) -> RegexNode? {
        guard take("?") else { return try capture(named: nil) }
        if take("#") {
            _ = try name(upTo: ")")
            return nil
        }
        if take(":") { return try closed(try alternatives()) }
        if take("=") { return .look(try closed(try alternatives()), isAhead: true, isNegative: false) }
        if take("!") { return .look(try closed(try alternatives()), isAhead: true, isNegative: true) }
        if take(">") { return .atomic(try closed(try alternatives())) }
        if take(text: "<=") { return try lookBehind(isNegative: false) }
        if take(text: "<!") { return try lookBehind(isNegative: true) }
        if take("<") { return try capture(named: try groupName(upTo: ">")) }
        if take("'") { return try capture(named: try groupName(upTo: "'")) }
        return try optionGroup()
    }

    private mutating func groupName(upTo close: Unicode.Scalar) throws(RegexProblem) -> String {
        let name = try name(upTo: close)
        guard !name.isEmpty else { throw RegexProblem(message: "group name is empty") }
        return name
    }

    private mutating func closed(_ node: RegexNode) throws(RegexProblem) -> RegexNode {
        guard take(")") else { throw RegexProblem(message: "end pattern with unmatched parenthesis") }
        return node
    }

    private mutating func capture(named name: String?) throws(RegexProblem) -> RegexNode {
        groupNames.append(name)
        groups.append(.empty)
        let index = groupNames.count
        let node = try closed(try alternatives())
        groups[index - 1] = node
        return .group(node, index: index)
    }

    private mutating func lookBehind(isNegative: Bool) throws(RegexProblem) -> RegexNode {
        let node = try closed(try alternatives())
        guard node.width.maximum != nil else { throw RegexProblem(message: "invalid pattern in look-behind") }
        return .look(node, isAhead: false, isNegative: isNegative)
    }

    /// `(?i)` for the rest of the group, `(?i:…)` for its own.
    private mutating func optionGroup() throws(RegexProblem) -> RegexNode? {
        let outer = options
        var isOn = true
        while let value = next(), let scalar = Unicode.Scalar(value) {
            switch scalar {
            case "-": isOn = false
            case "i": options.ignoringCase = isOn
            case "x": options.extended = isOn
            case "s": options.dotMatchesNewline = isOn
            case "m": options.lineAnchors = isOn
            case "~": throw RegexProblem(message: "absent operators (?~…) are left out")
            case "(": throw RegexProblem(message: "conditions (?(…)…) are left out")
            case "{": throw RegexProblem(message: "callouts (?{…}) are left out")
            case ")": return nil
            case ":":
                let node = try closed(try alternatives())
                options = outer
                return node
            default: throw RegexProblem(message: "undefined group option")
            }
        }
        throw RegexProblem(message: "end pattern in group")
    }

    /// The indices of the groups of a name.
    func groups(named name: String) throws(RegexProblem) -> [Int] {
        let found = groupNames.indices.filter { groupNames[$0].map { UTF8Order.equal($0, name) } ?? false }.map {
            $0 + 1
        }
        guard !found.isEmpty else { throw RegexProblem(message: "undefined name <\(name)> reference") }
        return found
    }
}
