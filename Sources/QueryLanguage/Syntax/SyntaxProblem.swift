/// One thing that is wrong with a program's text, as facts.
struct SyntaxProblem: Error, Equatable {
    enum Fact: Equatable {
        case unexpected(String, expected: String)
        case unclosed(String, opened: SourceRange, closer: String)
        case mismatched(opener: String, opened: SourceRange, closer: String, found: String)
        case unclosedString
        case unknownCharacter(String)
        case unknownEscape(String)
        case singleQuotes
        case foreignOperator(String, help: String)
        case assignmentInCondition
        case undefinedFunction(name: String, arity: Int, otherArities: [Int], similar: [String])
        /// `.foo-bar`, which subtracts `bar` from `.foo`.
        case hyphenatedMember(String, function: String)
        /// `.items.map(…)`.
        case methodCall(String)
        /// `a ? b : c`.
        case ternary
        /// `.a not`: the function stands where an operator is expected.
        case missingPipe(String)
        case undefinedVariable(String, similar: [String])
        case undefinedLabel(String)
        case leftOut(String, reason: String)
        case unknownFormat(String, similar: [String])
        case objectKey(kind: String, text: String)
        case objectKeyNeedsParentheses
        case programInDefinitions
        case limit(String)
    }

    var fact: Fact
    var range: SourceRange
}
