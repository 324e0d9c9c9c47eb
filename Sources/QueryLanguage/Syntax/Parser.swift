internal import JSONCore

/// Reads a program into a syntax tree by recursive descent, with precedence climbing for the operators.
///
/// A mistake with one likely meaning (`&&`, `===`, single quotes) is noted and read as what was meant, so that the
/// rest of the program is checked too; any other problem ends the reading.
struct Parser {
    var lexer: Lexer
    var token: Token
    /// Problems that did not end the reading.
    var problems: [SyntaxProblem] = []
    /// The brackets and words (`if`, `reduce`) that are open here, innermost last.
    var open: [(opener: String, closer: String, range: SourceRange)] = []
    /// The token before this one.
    var previous: Token?
    /// Whether a `?` was read, which may have been meant as half of an operator.
    var sawQuestionMark = false
    /// How deep the calls of this parser are nested.
    var nesting = 0
    let lines: LineTable

    init(_ text: String) {
        lexer = Lexer(text)
        lines = LineTable(text)
        token = lexer.next()
    }

    /// A whole program: definitions, then a filter.
    mutating func parseProgram() throws(SyntaxProblem) -> Expression {
        try rejectModules()
        let functions = try parseDefinitionList()
        if token.kind == .end { throw SyntaxProblem(fact: .noProgram, range: token.range) }
        let program = try parsePipe()
        try expectEnd()
        return try wrap(functions, around: program)
    }

    /// A file of definitions and nothing else.
    mutating func parseDefinitionFile() throws(SyntaxProblem) -> [FunctionSyntax] {
        try rejectModules()
        let functions = try parseDefinitionList()
        guard token.kind == .end else {
            throw SyntaxProblem(fact: .programInDefinitions, range: token.range)
        }
        return functions
    }

    private mutating func parseDefinitionList() throws(SyntaxProblem) -> [FunctionSyntax] {
        var functions: [FunctionSyntax] = []
        while token.isKeyword("def") { functions.append(try parseFunction()) }
        return functions
    }

    private mutating func rejectModules() throws(SyntaxProblem) {
        guard case .keyword(let word) = token.kind, ["import", "include", "module"].contains(word) else { return }
        throw SyntaxProblem(
            fact: .leftOut(word, reason: "definitions come from files, given by an option"), range: token.range)
    }

    private func wrap(_ functions: [FunctionSyntax], around body: Expression) throws(SyntaxProblem) -> Expression {
        var result = body
        for function in functions.reversed() {
            result = try make(.define(function, body: result), function.nameRange.lowerBound..<body.range.upperBound)
        }
        return result
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

    mutating func expectKeyword(_ word: String) throws(SyntaxProblem) {
        guard token.isKeyword(word) else { throw unexpected("'\(word)'") }
        advance()
    }

    private mutating func expectEnd() throws(SyntaxProblem) {
        guard token.kind != .end else { return }
        throw unexpected("an operator or the end of the query")
    }

    /// Opens a bracket or a word that must be closed.
    mutating func opening(_ opener: String, _ closer: String) {
        open.append((opener, closer, token.range))
        advance()
    }

    /// Closes the innermost bracket.
    mutating func closing() throws(SyntaxProblem) {
        guard let innermost = open.last else { return }
        let matches = token.isMark(innermost.closer) || token.isKeyword(innermost.closer)
        guard matches else { throw unexpected("'\(innermost.closer)'") }
        open.removeLast()
        advance()
    }

    /// The problem with the present token: an unclosed bracket, the wrong closing one, or not what was expected.
    func unexpected(_ expected: String) -> SyntaxProblem {
        if let innermost = open.last {
            if token.kind == .end {
                let fact = SyntaxProblem.Fact.unclosed(
                    innermost.opener, opened: innermost.range, closer: innermost.closer)
                return SyntaxProblem(fact: fact, range: token.range)
            }
            if case .mark(let mark) = token.kind, [")", "]", "}"].contains(mark), mark != innermost.closer {
                let fact = SyntaxProblem.Fact.mismatched(
                    opener: innermost.opener, opened: innermost.range, closer: innermost.closer, found: mark)
                return SyntaxProblem(fact: fact, range: token.range)
            }
        }
        return SyntaxProblem(fact: habit ?? .unexpected(token.description, expected: expected), range: token.range)
    }

    /// The likely meaning of the present token for a user who thinks in another language.
    private var habit: SyntaxProblem.Fact? {
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

    func make(_ form: Expression.Form, _ range: SourceRange) throws(SyntaxProblem) -> Expression {
        let node = Expression(form, range)
        guard node.depth <= SyntaxLimits.depth else {
            throw SyntaxProblem(fact: .limit("nested more than \(SyntaxLimits.depth) levels deep"), range: range)
        }
        return node
    }

    /// Enters one level of nesting of the parser itself.
    mutating func descend() throws(SyntaxProblem) {
        nesting += 1
        guard nesting > SyntaxLimits.depth || !StackRoom.hasRoom else { return }
        throw SyntaxProblem(
            fact: .limit("nested more than \(SyntaxLimits.depth) levels deep"), range: token.range)
    }

    mutating func ascend() { nesting -= 1 }
}

/// Turns offsets into line numbers, for `$__loc__`.
struct LineTable {
    private var starts: [Int] = [0]

    init(_ text: String) {
        for (offset, byte) in text.utf8.enumerated() where byte == 0x0A { starts.append(offset + 1) }
    }

    /// The line of an offset, from 1.
    func line(at offset: Int) -> Int {
        var low = 0
        var high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
