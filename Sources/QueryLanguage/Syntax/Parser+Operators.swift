internal import JSONCore

extension Parser {
    mutating func parsePipe() throws(SyntaxProblem) -> Expression {
        try descend()
        defer { ascend() }
        let start = token.range.lowerBound
        if token.isKeyword("def") {
            let function = try parseFunction()
            let body = try parsePipe()
            return try make(.define(function, body: body), start..<body.range.upperBound)
        }
        let (left, isComplete) = try parseComma()
        guard !isComplete, take("|") else { return left }
        let right = try parsePipe()
        return try make(.pipe(left, right), start..<right.range.upperBound)
    }

    /// `isComplete` when the last one was a binder, whose body reaches to the end of the pipe.
    private mutating func parseComma() throws(SyntaxProblem) -> (Expression, isComplete: Bool) {
        let start = token.range.lowerBound
        var parts: [Expression] = []
        var isComplete = false
        repeat {
            isComplete = true
            if token.isKeyword("def") {
                parts.append(try parsePipe())
            } else if token.isKeyword("label") {
                parts.append(try parseLabel())
            } else {
                let operand = try parseOperators(0)
                isComplete = token.isKeyword("as")
                parts.append(isComplete ? try parseBinding(of: operand) : operand)
            }
        } while !isComplete && take(",")
        if parts.count == 1 { return (parts[0], isComplete) }
        return (try make(.comma(parts), start..<parts[parts.count - 1].range.upperBound), isComplete)
    }

    private mutating func parseLabel() throws(SyntaxProblem) -> Expression {
        let start = advance().range.lowerBound
        guard case .variable(let name) = token.kind else { throw unexpected("a label as '$out'") }
        advance()
        try expect("|")
        let body = try parsePipe()
        return try make(.label(name, body), start..<body.range.upperBound)
    }

    private mutating func parseBinding(of source: Expression) throws(SyntaxProblem) -> Expression {
        advance()
        let patterns = try parsePatterns()
        try expect("|", "'|' after the variable")
        let body = try parsePipe()
        return try make(.bind(source, patterns, body: body), source.range.lowerBound..<body.range.upperBound)
    }

    // MARK: Binary operators

    private enum Grouping { case left, right, none }
    private typealias Sign = (text: String, level: Int, grouping: Grouping)

    private static let levels: [String: (level: Int, grouping: Grouping)] = {
        var table: [String: (level: Int, grouping: Grouping)] = [
            "//": (1, .right), "or": (3, .left), "and": (4, .left),
        ]
        for text in ["=", "|=", "+=", "-=", "*=", "/=", "%=", "//="] { table[text] = (2, .none) }
        for text in ["==", "!=", "<", "<=", ">", ">="] { table[text] = (5, .none) }
        for text in ["+", "-"] { table[text] = (6, .left) }
        for text in ["*", "/", "%"] { table[text] = (7, .left) }
        return table
    }()

    /// Operators of other languages, and what they are called here.
    private static let foreign: [String: (meant: String, help: String)] = [
        "&&": ("and", "write 'and'"), "||": ("or", "write 'or'"), "===": ("==", "write '=='"),
        "!==": ("!=", "write '!='"), "&": ("and", "write 'and'"), "<>": ("!=", "write '!='"), ":=": ("=", "write '='"),
        "**": ("*", "write 'pow(a; b)'"),
    ]

    private mutating func binaryOperator() -> Sign? {
        let text: String
        switch token.kind {
        case .mark(let mark):
            if let (meant, help) = Self.foreign[mark] {
                problems.append(SyntaxProblem(fact: .foreignOperator(mark, help: help), range: token.range))
                text = meant
            } else {
                text = mark
            }
        case .keyword(let word): text = word
        default: return nil
        }
        guard let (level, grouping) = Self.levels[text] else { return nil }
        return (text, level, grouping)
    }

    mutating func parseOperators(_ minimum: Int) throws(SyntaxProblem) -> Expression {
        try descend()
        defer { ascend() }
        var left = try parseUnary()
        var lastUngrouped: Int?
        while let found = binaryOperator(), found.level >= minimum {
            if lastUngrouped == found.level {
                throw unexpected("parentheses, because '\(found.text)' cannot be chained")
            }
            advance()
            let right = try parseOperators(found.grouping == .right ? found.level : found.level + 1)
            left = try combine(found.text, left, right)
            lastUngrouped = found.grouping == .none ? found.level : nil
        }
        return left
    }

    private func combine(_ text: String, _ left: Expression, _ right: Expression) throws(SyntaxProblem) -> Expression {
        let range = left.range.lowerBound..<right.range.upperBound
        if let binary = BinaryOperator(rawValue: text) { return try make(.binary(binary, left, right), range) }
        let form: Expression.Construct
        switch text {
        case "//": form = .alternative(left, right)
        case "or": form = .or(left, right)
        case "and": form = .and(left, right)
        case "=": form = .assign(.set, left, right)
        case "|=": form = .assign(.update, left, right)
        case "//=": form = .assign(.alternative, left, right)
        default:
            guard let arithmetic = BinaryOperator(rawValue: String(text.dropLast())) else {
                throw unexpected("an operator")
            }
            form = .assign(.arithmetic(arithmetic), left, right)
        }
        return try make(form, range)
    }

    mutating func parseUnary() throws(SyntaxProblem) -> Expression {
        let start = token.range
        if take("-") {
            try descend()
            defer { ascend() }
            let operand = try parseUnary()
            return try make(.negate(operand), start.lowerBound..<operand.range.upperBound)
        }
        if token.isMark("!") {
            problems.append(SyntaxProblem(fact: .foreignOperator("!", help: "write '… | not'"), range: start))
            advance()
            return try parseUnary()
        }
        if takeKeyword("try") {
            try descend()
            defer { ascend() }
            let body = try parseUnary()
            let handler = takeKeyword("catch") ? try parseUnary() : nil
            let end = (handler ?? body).range.upperBound
            return try make(.attempt(body, handler: handler), start.lowerBound..<end)
        }
        return try parsePostfix()
    }
}
