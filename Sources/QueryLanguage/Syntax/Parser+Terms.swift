internal import JSONCore

extension Parser {
    mutating func parsePostfix() throws(SyntaxProblem) -> Expression {
        var term = try parseTerm()
        // A question mark right after an access is about that access only; any other one is about the whole term.
        var isAccess = false
        while true {
            let start = term.range.lowerBound
            switch token.kind {
            case .field(let name):
                let range = advance().range
                let key = try make(.literal(.string(name)), range)
                term = try make(.index(term, key: key), start..<range.upperBound)
                isAccess = true
            case .mark("."):
                advance()
                term = try parseDotSuffix(of: term)
                isAccess = true
            case .mark("["):
                term = try parseBrackets(of: term)
                isAccess = true
            case .mark("?"):
                let end = advance().range.upperBound
                sawQuestionMark = true
                term = try attempt(term, isAccess: isAccess, start..<end)
                isAccess = false
            case .mark("?//"):
                // Outside a pattern this is `?` and then `//`.
                let range = token.range
                token = Token(kind: .mark("//"), range: range.lowerBound + 1..<range.upperBound)
                term = try attempt(term, isAccess: isAccess, start..<range.lowerBound + 1)
                isAccess = false
            default: return term
            }
        }
    }

    private func attempt(_ term: Expression, isAccess: Bool, _ range: SourceRange) throws(SyntaxProblem) -> Expression {
        guard isAccess else { return try make(.attempt(term, handler: nil), range) }
        let here = try make(.identity, range.lowerBound..<range.lowerBound)
        var keys: [(name: String, value: Expression)] = []
        func constant(_ key: Expression) throws(SyntaxProblem) -> Expression {
            if case .literal = key.form { return key }
            keys.append(("*?\(keys.count)", key))
            return try make(.variable(keys[keys.count - 1].name), key.range)
        }
        let target: Expression
        let access: Expression.Construct
        switch term.form {
        case .index(let inner, let key): (target, access) = (inner, .index(here, key: try constant(key)))
        case .slice(let inner, let from, let upTo):
            let start = try from.map { key throws(SyntaxProblem) in try constant(key) }
            let end = try upTo.map { key throws(SyntaxProblem) in try constant(key) }
            (target, access) = (inner, .slice(here, from: start, upTo: end))
        case .iterate(let inner): (target, access) = (inner, .iterate(here))
        default: return try make(.attempt(term, handler: nil), range)
        }
        var result = try make(.attempt(try make(access, range), handler: nil), range)
        if case .identity = target.form {} else { result = try make(.pipe(target, result), range) }
        for (name, value) in keys.reversed() {
            result = try make(.bind(value, [.variable(name, value.range)], body: result), range)
        }
        return result
    }

    private mutating func parseDotSuffix(of target: Expression) throws(SyntaxProblem) -> Expression {
        if token.isMark("[") { return try parseBrackets(of: target) }
        if token.kind == .quote || isFormat {
            let key = try parseString()
            return try make(.index(target, key: key), target.range.lowerBound..<key.range.upperBound)
        }
        throw unexpected("a name, a string or '['")
    }

    private var isFormat: Bool {
        if case .format = token.kind { return true }
        return false
    }

    private mutating func parseBrackets(of target: Expression) throws(SyntaxProblem) -> Expression {
        let start = target.range.lowerBound
        opening("[", "]")
        if token.isMark("]") { return try make(.iterate(target), start..<closing()) }
        let key = token.isMark(":") ? nil : try parsePipe()
        guard take(":") else {
            guard let key else { throw unexpected("a filter") }
            return try make(.index(target, key: key), start..<closing())
        }
        let upTo = key != nil && token.isMark("]") ? nil : try parsePipe()
        return try make(.slice(target, from: key, upTo: upTo), start..<closing())
    }

    private mutating func parseTerm() throws(SyntaxProblem) -> Expression {
        let range = token.range
        switch token.kind {
        case .field(let name):
            advance()
            let identity = try make(.identity, range.lowerBound..<range.lowerBound + 1)
            return try make(.index(identity, key: try make(.literal(.string(name)), range)), range)
        case .mark(let mark): return try parseMarkTerm(mark, range)
        case .number(let text):
            advance()
            return try number(text, range)
        case .quote: return try parseString()
        case .format(let name):
            advance()
            guard token.kind == .quote else { return try make(.format(name), range) }
            return try parseString(format: name, from: range.lowerBound)
        case .variable(let name):
            advance()
            return name == "__loc__" ? try location(range) : try make(.variable(name), range)
        case .name("break"):
            advance()
            guard case .variable(let label) = token.kind else { return try make(.call("break", []), range) }
            return try make(.breakOut(label), range.lowerBound..<advance().range.upperBound)
        case .name("null"): return try constant(.null)
        case .name("true"): return try constant(.bool(true))
        case .name("false"): return try constant(.bool(false))
        case .name(let name): return try parseCall(name, range)
        case .keyword(let word): return try parseKeywordTerm(word)
        case .end: throw unexpected("a filter")
        }
    }

    private mutating func constant(_ value: JSONValue) throws(SyntaxProblem) -> Expression {
        try make(.literal(value), advance().range)
    }

    private mutating func parseMarkTerm(_ mark: String, _ range: SourceRange) throws(SyntaxProblem) -> Expression {
        switch mark {
        case "..":
            advance()
            return try make(.descent, range)
        case ".":
            advance()
            let identity = try make(.identity, range)
            guard token.kind == .quote || isFormat else { return identity }
            let key = try parseString()
            return try make(.index(identity, key: key), range.lowerBound..<key.range.upperBound)
        case "(": return try enclosed("(", ")")
        case "[":
            opening("[", "]")
            let inner = token.isMark("]") ? nil : try parsePipe()
            return try make(.array(inner), range.lowerBound..<closing())
        case "{": return try parseObject()
        case "/":
            guard let place = try parsePointer() else { throw unexpected("a filter") }
            return place
        default: throw unexpected("a filter")
        }
    }

    private func number(_ text: String, _ range: SourceRange) throws(SyntaxProblem) -> Expression {
        guard text.utf8.count <= SyntaxLimits.numberLength else {
            let limit = "longer than the \(SyntaxLimits.numberLength) characters that a number may have"
            throw SyntaxProblem(fact: .limit(limit), range: range)
        }
        return try make(.literal(.number(NumberText.number(lenient: text) ?? JSONNumber(0))), range)
    }

    private mutating func parseCall(_ name: String, _ range: SourceRange) throws(SyntaxProblem) -> Expression {
        advance()
        guard token.isMark("(") else { return try make(.call(name, []), range) }
        opening("(", ")")
        var arguments: [Expression] = []
        repeat { arguments.append(try parsePipe()) } while take(";")
        if token.isMark(",") { throw unexpected("';' or ')'") }
        return try make(.call(name, arguments), range.lowerBound..<closing())
    }

    /// A string with its interpolations; the present token is its opening quote or a format before it.
    mutating func parseString(format: String? = nil, from start: Int? = nil) throws(SyntaxProblem) -> Expression {
        var format = format
        let start = start ?? token.range.lowerBound
        if case .format(let name) = token.kind {
            format = name
            advance()
            guard token.kind == .quote else { throw unexpected("a string") }
        }
        let quote = token.range
        try descend()
        defer { ascend() }
        var parts: [TemplatePart<Expression>] = []
        while true {
            let (text, stop) = lexer.stringPart()
            if !text.isEmpty { parts.append(.text(text)) }
            if stop == .missing { throw SyntaxProblem(fact: .unclosedString, range: quote) }
            if stop == .quote { break }
            open.append(("\\(", ")", lexer.position - 2..<lexer.position))
            token = lexer.next()
            parts.append(.interpolation(try parsePipe()))
            guard token.isMark(")") else { throw unexpected("')'") }
            open.removeLast()
        }
        let range = start..<lexer.position
        token = lexer.next()
        if parts.isEmpty { return try make(.literal(.string("")), range) }
        if parts.count == 1, case .text(let text) = parts[0] { return try make(.literal(.string(text)), range) }
        return try make(.template(format: format, parts), range)
    }
}
