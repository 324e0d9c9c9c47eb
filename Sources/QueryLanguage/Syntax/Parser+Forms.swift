internal import JSONCore

extension Parser {
    mutating func parseKeywordTerm(_ word: String) throws(SyntaxProblem) -> Expression {
        switch word {
        case "if": return try parseConditional()
        case "reduce", "foreach": return try parseFold(word)
        case "label", "def": throw unexpected("a filter ('\(word)' needs parentheses here)")
        default: throw unexpected("a filter")
        }
    }

    private mutating func parseConditional() throws(SyntaxProblem) -> Expression {
        let start = token.range.lowerBound
        opening("if", "end")
        var branches: [(condition: Expression, then: Expression)] = []
        repeat {
            let condition = try parsePipe()
            if token.isMark("=") { throw SyntaxProblem(fact: .assignmentInCondition, range: token.range) }
            try expectKeyword("then")
            branches.append((condition, try parsePipe()))
        } while takeKeyword("elif")
        let otherwise = takeKeyword("else") ? try parsePipe() : nil
        return try make(.conditional(branches, otherwise: otherwise), start..<closing())
    }

    private mutating func parseFold(_ word: String) throws(SyntaxProblem) -> Expression {
        let start = advance().range.lowerBound
        let source = try parseOperators(0)
        try expectKeyword("as")
        let patterns = try parsePatterns()
        guard token.isMark("(") else { throw unexpected("'(' and the start value") }
        opening("(", ")")
        let initial = try parsePipe()
        try expect(";")
        let update = try parsePipe()
        if word == "reduce" {
            return try make(.reduce(source, patterns, start: initial, update: update), start..<closing())
        }
        let extract = take(";") ? try parsePipe() : nil
        return try make(.foreach(source, patterns, start: initial, update: update, extract: extract), start..<closing())
    }

    mutating func parseFunction() throws(SyntaxProblem) -> FunctionSyntax {
        advance()
        if case .keyword(let word) = token.kind { throw reserved(word) }
        guard case .name(let name) = token.kind else { throw unexpected("a function name") }
        let nameRange = advance().range
        var parameters: [FunctionSyntax.Parameter] = []
        if token.isMark("(") {
            opening("(", ")")
            repeat { parameters.append(try parseParameter()) } while take(";")
            if token.isMark(",") { throw unexpected("';' or ')'") }
            try closing()
        }
        try expect(":", "':' and the body of '\(name)'")
        let start = token.range.lowerBound
        let body = try parsePipe()
        let end = token.range.lowerBound
        try expect(";", "';' at the end of the definition of '\(name)'")
        return FunctionSyntax(
            name: name, parameters: parameters, body: body, nameRange: nameRange, bodyRange: start..<end)
    }

    private mutating func reserved(_ word: String) -> SyntaxProblem {
        let range = advance().range
        let body = take(":") ? try? parsePipe() : nil
        return SyntaxProblem(fact: .reservedName(word, body: token.isMark(";") ? body?.range : nil), range: range)
    }

    private mutating func parseParameter() throws(SyntaxProblem) -> FunctionSyntax.Parameter {
        defer { advance() }
        switch token.kind {
        case .name(let name), .keyword(let name): return FunctionSyntax.Parameter(name: name, isValue: false)
        case .variable(let name): return FunctionSyntax.Parameter(name: name, isValue: true)
        default: throw unexpected("a parameter name")
        }
    }

    // MARK: Patterns

    mutating func parsePatterns() throws(SyntaxProblem) -> [Pattern] {
        var patterns = [try parsePattern()]
        while take("?//") { patterns.append(try parsePattern()) }
        return patterns
    }

    mutating func parsePattern() throws(SyntaxProblem) -> Pattern {
        try descend()
        defer { ascend() }
        switch token.kind {
        case .variable(let name): return .variable(name, advance().range)
        case .mark("["):
            opening("[", "]")
            var elements: [Pattern] = []
            repeat { elements.append(try parsePattern()) } while take(",")
            try closing()
            return .array(elements)
        case .mark("{"):
            opening("{", "}")
            var entries: [ObjectPatternEntry] = []
            repeat { entries.append(try parsePatternEntry()) } while take(",")
            try closing()
            return .object(entries)
        default: throw unexpected("a variable as '$x', '[' or '{'")
        }
    }

    private mutating func parsePatternEntry() throws(SyntaxProblem) -> ObjectPatternEntry {
        if case .variable(let name) = token.kind {
            let range = advance().range
            let key = try make(.literal(.string(name)), range)
            let value = take(":") ? try parsePattern() : nil
            return ObjectPatternEntry(key: key, variable: name, value: value)
        }
        guard let key = try parseKey() else { throw unexpected("a variable, a name, a string or '('") }
        try expect(":")
        return ObjectPatternEntry(key: key, variable: nil, value: try parsePattern())
    }

    private mutating func parseKey() throws(SyntaxProblem) -> Expression? {
        let range = token.range
        switch token.kind {
        case .name(let name), .keyword(let name):
            advance()
            return try make(.literal(.string(name)), range)
        case .quote, .format: return try parseString()
        case .mark("("):
            let key = try enclosed("(", ")")
            guard case .literal(let value) = key.form, value.string == nil else { return key }
            let fact = SyntaxProblem.Mistake.objectKey(kind: value.kindName, text: ValueText.truncated(value))
            throw SyntaxProblem(fact: fact, range: key.range)
        default: return nil
        }
    }

    // MARK: Objects

    mutating func parseObject() throws(SyntaxProblem) -> Expression {
        let start = token.range.lowerBound
        opening("{", "}")
        var entries: [ObjectEntry] = []
        while !token.isMark("}") {
            entries.append(try parseEntry())
            // A comma may stand before the closing brace, and nowhere else before a closing bracket.
            guard take(",") else { break }
        }
        return try make(.object(entries), start..<closing())
    }

    private mutating func parseEntry() throws(SyntaxProblem) -> ObjectEntry {
        let range = token.range
        if case .variable(let name) = token.kind { return try parseVariableEntry(name) }
        if case .number(let text) = token.kind {
            advance()
            throw SyntaxProblem(
                fact: isOperator ? .objectKeyNeedsParentheses : .objectKey(kind: "number", text: text), range: range)
        }
        let isParenthesized = token.isMark("(")
        guard let key = try parseKey() else { throw unexpected("a member") }
        if take(":") { return ObjectEntry(key: key, value: try parseEntryValue()) }
        if isParenthesized { throw unexpected("':' and a value") }
        let identity = try make(.identity, range)
        return ObjectEntry(key: key, value: try make(.index(identity, key: key), range))
    }

    private var isOperator: Bool { ["+", "-", "*", "/", "%"].contains { token.isMark($0) } }

    private mutating func parseVariableEntry(_ name: String) throws(SyntaxProblem) -> ObjectEntry {
        let range = advance().range
        let isLocation = name == "__loc__"
        let variable = isLocation ? try location(range) : try make(.variable(name), range)
        if !isLocation && take(":") { return ObjectEntry(key: variable, value: try parseEntryValue()) }
        return ObjectEntry(key: try make(.literal(.string(name)), range), value: variable)
    }

    private mutating func parseEntryValue() throws(SyntaxProblem) -> Expression {
        try descend()
        defer { ascend() }
        let value = try parseOperators(0)
        guard take("|") else { return value }
        let rest = try parseEntryValue()
        return try make(.pipe(value, rest), value.range.lowerBound..<rest.range.upperBound)
    }
}
