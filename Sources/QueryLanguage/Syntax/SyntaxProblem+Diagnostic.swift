internal import Diagnostics

extension SyntaxProblem {
    func diagnostic(text: String, name: String) -> Diagnostic {
        let words = fact.words
        var marks = [SourceExcerpt.Mark(range, words.label)]
        if let (opened, label) = fact.openedMark { marks = [SourceExcerpt.Mark(opened, label)] + marks }
        return Diagnostic(
            code: words.code, words.message,
            place: .source(SourceExcerpt(name: name, text: text, marks: marks)), notes: words.notes,
            help: dotted(in: text)?.map { "write '\($0)'" } ?? words.help)
    }

    /// A word that is not a function may be a path, `cart.total`, if the state has places of its name, or a dot and
    /// another word follow.
    private func dotted(in text: String) -> [String]? {
        guard case .undefinedFunction(let word, 0, let arities, _, let places) = fact,
            range.upperBound <= text.utf8.count
        else { return nil }
        let rest = Array(text.utf8.dropFirst(range.upperBound)).prefix { byte in
            byte.isNameStart || byte.isDigit
                || [UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "]")].contains(byte)
        }
        let isFollowed = rest.count > 1 && rest[0] == UInt8(ascii: ".") && rest[1].isNameStart
        guard !places.isEmpty || isFollowed && arities.isEmpty else { return nil }
        return (places.isEmpty ? ["." + word] : places).map { $0 + String(decoding: rest, as: UTF8.self) }
    }
}

private struct Words {
    let code: String
    let message: String
    let label: String?
    let notes: [String]
    let help: [String]

    init(_ code: String, _ message: String, label: String? = nil, notes: [String] = [], help: String...) {
        self.init(code, message, label: label, notes: notes, help: help)
    }

    init(_ code: String, _ message: String, label: String? = nil, notes: [String] = [], help: [String]) {
        self.code = "query." + code
        self.message = message
        self.label = label
        self.notes = notes
        self.help = help
    }
}

extension SyntaxProblem.Mistake {
    fileprivate var openedMark: (range: SourceRange, label: String)? {
        switch self {
        case .unclosed(_, let opened, _), .mismatched(_, let opened, _, _): (opened, "opened here")
        default: nil
        }
    }

    fileprivate var words: Words {
        switch self {
        case .unexpected(let found, let expected):
            // In other languages an element stands after a dot: 'cart.items.0'.
            Words(
                "unexpected", "did not expect \(found) here",
                help: found.wholeMatch(of: /'\.(\d+)'/).map { "write '[\($0.1)]'" } ?? "expected \(expected)")
        case .unclosed(let opener, _, let closer):
            Words(
                "unclosed", "this '\(opener)' is never closed", label: "the query ends here",
                help: "add '\(closer)' at the end")
        case .mismatched(let opener, _, let closer, let found):
            Words(
                "mismatched", "this '\(opener)' is closed by '\(found)'", label: "should be '\(closer)'",
                help: "write '\(closer)' here, or close '\(found)'s own bracket first")
        case .unclosedString:
            Words(
                "unclosed-string", "this string is never closed", label: "opened here",
                help: "add '\"' where the string ends")
        case .singleQuotes:
            Words(
                "single-quotes", "strings are written in double quotes",
                help: "write \"text\"; in a shell, put the whole query in single quotes")
        case .foreignOperator(let mark, let help):
            Words("foreign-operator", "there is no operator '\(mark)'", help: help)
        case .assignmentInCondition:
            Words("assignment", "'=' assigns and cannot stand here", help: "write '==' to compare")
        case .undefinedFunction, .undefinedVariable, .undefinedLabel, .reservedName, .leftOut, .unknownFormat: nameWords
        case .hyphenatedMember(let name, let function):
            Words(
                "undefined-function", "there is no function '\(function)/0'",
                help: "write '.[\"\(name)\"]' for a member with a hyphen in its name")
        case .methodCall(let name):
            Words(
                "method-call", "a member cannot be called",
                help: "write '… | \(name)(…)' to call the function '\(name)'")
        case .missingPipe(let name): Words("unexpected", "did not expect '\(name)' here", help: "write '… | \(name)'")
        case .ternary: Words("foreign-operator", "there is no operator '? :'", help: "write 'if … then … else … end'")
        default: textWords
        }
    }

    private var nameWords: Words {
        switch self {
        case .undefinedFunction(let name, let arity, let arities, let similar, _):
            if arities.isEmpty {
                return Words(
                    "undefined-function", "there is no function '\(name)/\(arity)'",
                    help: similar.map { "write '\($0)'" })
            }
            let counts = arities.map(String.init).joined(separator: " or ")
            return Words(
                "wrong-arity", "'\(name)' takes \(counts) argument\(counts == "1" ? "" : "s"), not \(arity)",
                help: arity > 1 ? [] : ["arguments are separated by ';'"])
        case .undefinedVariable(let name, let similar):
            return Words(
                "undefined-variable", "there is no variable '$\(name)'", help: similar.map { "write '$\($0)'" })
        case .undefinedLabel(let name):
            return Words(
                "undefined-label", "there is no label '$\(name)' around this",
                help: "write 'label $\(name) | …' around what it leaves")
        case .reservedName(let name, _):
            return Words(
                "reserved-name", "'\(name)' is a word of the language and can name no definition",
                notes: ["jq refuses it, too"])
        case .leftOut(let name, let reason):
            let place = InputFunctions.signatures.contains(name + "/0") ? "questions over a run" : "the language"
            return Words("left-out", "'\(name)' is left out of \(place)", notes: [reason])
        case .unknownFormat(let name, let similar):
            return Words("unknown-format", "there is no format '\(name)'", help: similar.map { "write '\($0)'" })
        default: return textWords
        }
    }

    private var textWords: Words {
        switch self {
        case .unknownCharacter(let text): Words("character", "'\(text)' means nothing here")
        case .unknownEscape(let text):
            Words(
                "escape", "'\(text)' is no escape",
                help: #"the escapes are \" \\ \/ \b \f \n \r \t \uXXXX and \( )"#)
        case .objectKey(let kind, let text):
            Words("object-key", "a \(kind) (\(text)) cannot be an object's key", help: "write it as a string")
        case .objectKeyNeedsParentheses:
            Words("object-key", "a computed key needs parentheses", help: "write '{(…): …}'")
        case .programInDefinitions:
            Words(
                "not-a-definition", "a file of definitions holds nothing but definitions",
                help: "write 'def name: …;'")
        case .noProgram:
            Words(
                "empty", "the query is empty",
                help: "write a question on the state, such as '.cart.total < 0', or '.' for all of it")
        case .limit(let what): Words("limit", "the query is \(what)")
        default: Words("syntax", "the query does not parse")
        }
    }
}

enum Suggestions {
    /// What other languages call functions of this one.
    private static let synonyms: [String: String] = [
        "len": "length", "size": "length", "count": "length", "filter": "select", "where": "select", "each": "map",
        "forEach": "map", "toString": "tostring", "str": "tostring", "parseInt": "tonumber", "int": "tonumber",
        "lower": "ascii_downcase", "upper": "ascii_upcase", "lowercase": "ascii_downcase", "uppercase": "ascii_upcase",
        "toLowerCase": "ascii_downcase", "toUpperCase": "ascii_upcase", "sum": "add", "concat": "add", "uniq": "unique",
        "distinct": "unique", "sortBy": "sort_by", "groupBy": "group_by", "includes": "contains", "replace": "gsub",
        "exists": "has", "print": "debug", "typeof": "type", "some": "any", "every": "all",
        "entries": "to_entries", "find": "first", "raise": "error", "throw": "error",
    ]

    static func names(near name: String, in known: [String]) -> [String] {
        if let synonym = synonyms[name] { return [synonym] }
        return SimilarNames.nearest(to: name, in: Set(known.filter { !$0.hasPrefix("_") }))
    }
}
