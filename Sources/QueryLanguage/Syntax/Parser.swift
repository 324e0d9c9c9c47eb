internal import JSONCore

/// By recursive descent, with precedence climbing for the operators.
///
/// A mistake with one likely meaning (`&&`, `===`, single quotes) is noted and read as what was meant; any other
/// problem ends the reading.
struct Parser {
    var lexer: Lexer
    var token: Token
    var problems: [SyntaxProblem] = []
    /// The brackets and words (`if`, `reduce`) that are open here, innermost last.
    var open: [(opener: String, closer: String, range: SourceRange)] = []
    var previous: Token?
    /// Whether a `?` was read, which may have been meant as half of an operator.
    var sawQuestionMark = false
    var nesting = 0
    private var counted = (offset: 0, line: 1)

    init(_ text: String) {
        lexer = Lexer(text)
        token = lexer.next()
    }

    mutating func parseProgram() throws(SyntaxProblem) -> Expression {
        let functions = try parseDefinitions()
        if token.kind == .end { throw SyntaxProblem(fact: .noProgram, range: token.range) }
        let program = try parsePipe()
        guard token.kind == .end else { throw unexpected("an operator or the end of the query") }
        var result = program
        for function in functions.reversed() {
            let range = function.nameRange.lowerBound..<program.range.upperBound
            result = try make(.define(function, body: result), range)
        }
        return result
    }

    mutating func parseDefinitionFile() throws(SyntaxProblem) -> [FunctionSyntax] {
        let functions = try parseDefinitions()
        guard token.kind == .end else { throw SyntaxProblem(fact: .programInDefinitions, range: token.range) }
        return functions
    }

    private mutating func parseDefinitions() throws(SyntaxProblem) -> [FunctionSyntax] {
        try rejectModules()
        var functions: [FunctionSyntax] = []
        while token.isKeyword("def") { functions.append(try parseFunction()) }
        return functions
    }

    private mutating func rejectModules() throws(SyntaxProblem) {
        guard case .keyword(let word) = token.kind, ["import", "include", "module"].contains(word) else { return }
        throw SyntaxProblem(
            fact: .leftOut(word, reason: "definitions come from files, given by an option"), range: token.range)
    }

    // MARK: Tokens

    @discardableResult
    mutating func advance() -> Token {
        let current = token
        previous = current
        token = lexer.next()
        return current
    }

    mutating func take(_ mark: String) -> Bool {
        guard token.isMark(mark) else { return false }
        advance()
        return true
    }

    mutating func expect(_ mark: String, _ context: String? = nil) throws(SyntaxProblem) {
        guard !take(mark) else { return }
        throw unexpected(context ?? "'\(mark)'")
    }

    mutating func takeKeyword(_ word: String) -> Bool {
        guard token.isKeyword(word) else { return false }
        advance()
        return true
    }

    mutating func expectKeyword(_ word: String) throws(SyntaxProblem) {
        guard takeKeyword(word) else { throw unexpected("'\(word)'") }
    }

    mutating func opening(_ opener: String, _ closer: String) {
        open.append((opener, closer, token.range))
        advance()
    }

    /// - Returns: where it ends.
    @discardableResult
    mutating func closing() throws(SyntaxProblem) -> Int {
        guard let innermost = open.last else { return token.range.lowerBound }
        let matches = token.isMark(innermost.closer) || token.isKeyword(innermost.closer)
        guard matches else { throw unexpected("'\(innermost.closer)'") }
        open.removeLast()
        return advance().range.upperBound
    }

    mutating func enclosed(_ opener: String, _ closer: String) throws(SyntaxProblem) -> Expression {
        opening(opener, closer)
        let inner = try parsePipe()
        try closing()
        return inner
    }

    func unexpected(_ expected: String) -> SyntaxProblem {
        var fact = habit ?? .unexpected(token.description, expected: expected)
        if let innermost = open.last {
            if token.kind == .end {
                fact = .unclosed(innermost.opener, opened: innermost.range, closer: innermost.closer)
            } else if case .mark(let mark) = token.kind, [")", "]", "}"].contains(mark), mark != innermost.closer {
                fact = .mismatched(
                    opener: innermost.opener, opened: innermost.range, closer: innermost.closer, found: mark)
            }
        }
        return SyntaxProblem(fact: fact, range: token.range)
    }

    private var habit: SyntaxProblem.Mistake? {
        switch token.kind {
        case .mark("="): return .assignmentInCondition
        case .mark("("):
            if case .field(let name)? = previous?.kind { return .methodCall(name) }
            return nil
        case .mark(":"): return sawQuestionMark && open.isEmpty ? .ternary : nil
        case .name(let name):
            let isKnown = Builtins.signatures.contains { $0.name == name && $0.arity == 0 }
            return isKnown && previous?.endsTerm == true ? .missingPipe(name) : nil
        default: return nil
        }
    }

    // MARK: Nodes

    /// `$__loc__`, with its line, from 1; lines are counted on from the one before.
    mutating func location(_ range: SourceRange) throws(SyntaxProblem) -> Expression {
        while counted.offset < range.lowerBound {
            if lexer.byte(at: counted.offset) == 0x0A { counted.line += 1 }
            counted.offset += 1
        }
        return try make(.location(line: counted.line), range)
    }

    func make(_ form: Expression.Construct, _ range: SourceRange) throws(SyntaxProblem) -> Expression {
        let node = Expression(form, range)
        guard node.depth <= SyntaxLimits.depth else { throw Self.tooDeep(range) }
        return node
    }

    mutating func descend() throws(SyntaxProblem) {
        nesting += 1
        if nesting > SyntaxLimits.depth || !StackRoom.hasRoom { throw Self.tooDeep(token.range) }
    }

    private static func tooDeep(_ range: SourceRange) -> SyntaxProblem {
        SyntaxProblem(fact: .limit("nested more than \(SyntaxLimits.depth) levels deep"), range: range)
    }

    mutating func ascend() { nesting -= 1 }
}
