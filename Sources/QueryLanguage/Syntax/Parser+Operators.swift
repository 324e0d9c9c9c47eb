internal import JSONCore

/// Pipes, commas and binary operators, from the loosest to the tightest.
extension Parser {
    /// `def …; pipe`, `expr as $x | pipe`, `label $x | pipe`, `comma | pipe`.
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

    /// Operands between commas.
    ///
    /// `isComplete` when the last one was a binder, whose body reaches to the end of the pipe.
    private mutating func parseComma() throws(SyntaxProblem) -> (Expression, isComplete: Bool) {
        let start = token.range.lowerBound
        var parts: [Expression] = []
        var isComplete = false
        repeat {
            if token.isKeyword("def") {
                parts.append(try parsePipe())
                isComplete = true
            } else if token.isKeyword("label") {
                parts.append(try parseLabel())
                isComplete = true
            } else {
                let operand = try parseOperators(0)
                if token.isKeyword("as") {
                    parts.append(try parseBinding(of: operand))
                    isComplete = true
                } else {
                    parts.append(operand)
                }
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

    private struct Operator {
        var level: Int
        var grouping: Grouping
        var text: String
    }

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

    private mutating func binaryOperator() -> Operator? {
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
        return Operator(level: level, grouping: grouping, text: text)
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
        switch text {
        case "//": return try make(.alternative(left, right), range)
        case "or": return try make(.or(left, right), range)
        case "and": return try make(.and(left, right), range)
        case "=": return try make(.assign(.set, left, right), range)
        case "|=": return try make(.assign(.update, left, right), range)
        case "//=": return try make(.assign(.alternative, left, right), range)
        default:
            guard let arithmetic = BinaryOperator(rawValue: String(text.dropLast())) else {
                throw unexpected("an operator")
            }
            return try make(.assign(.arithmetic(arithmetic), left, right), range)
        }
    }

    /// `-x`, `try x catch y`, or a term.
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
        if token.isKeyword("try") {
            advance()
            try descend()
            defer { ascend() }
            let body = try parseUnary()
            guard token.isKeyword("catch") else {
                return try make(.attempt(body, handler: nil), start.lowerBound..<body.range.upperBound)
            }
            advance()
            let handler = try parseUnary()
            return try make(.attempt(body, handler: handler), start.lowerBound..<handler.range.upperBound)
        }
        return try parsePostfix()
    }
}
