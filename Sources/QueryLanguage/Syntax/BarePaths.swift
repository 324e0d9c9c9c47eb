package import JSONCore

/// Paths as people write them who do not know jq: `/cart/total`, and `cart.total` without the first dot. Neither is
/// ever a program of jq's, so one that is valid without them keeps its meaning.
extension Parser {
    /// `/cart/items/0`: a JSON Pointer in the place of a term; nil where none begins at the present slash.
    ///
    /// An index is an element of an array and a member of anything else; `*` is every element or member.
    mutating func parsePointer() throws(SyntaxProblem) -> Expression? {
        let start = token.range.lowerBound
        let segments = lexer.pointer(from: start)
        guard !segments.isEmpty else { return nil }
        var place = try make(.identity, start..<start)
        for (segment, end) in segments { place = try step(place, segment, start..<end) }
        token = Token(kind: .mark("."), range: start..<lexer.position)
        advance()
        return place
    }

    private func step(
        _ place: Expression, _ segment: String, _ range: SourceRange
    ) throws(SyntaxProblem) -> Expression {
        if segment == "*" { return try make(.attempt(try make(.iterate(place), range), handler: nil), range) }
        guard let steps = try? PathSteps(parsing: "/" + segment), case .key(let name)? = steps.steps.first else {
            throw unexpected("a path in which '~' is written '~0'")
        }
        let member = try make(.literal(.string(name)), range)
        guard let index = JSONPointer.arrayIndex(name) else { return try make(.index(place, key: member), range) }
        let here = try make(.identity, range)
        let isArray = try make(
            .binary(.equal, try make(.call("type", []), range), try make(.literal(.string("array")), range)), range)
        let number = try make(.literal(.number(JSONNumber(index))), range)
        let choice = try make(
            .conditional(
                [(isArray, try make(.index(here, key: number), range))],
                otherwise: try make(.index(here, key: member), range)), range)
        return try make(.pipe(place, choice), range)
    }
}

extension Lexer {
    /// The segments of the pointer at a place, each with its end, and goes there; none, and stays, where there is no pointer.
    mutating func pointer(from start: Int) -> [(text: String, end: Int)] {
        var (segments, place): ([(String, Int)], Int) = ([], start)
        while place < count, byte(at: place) == UInt8(ascii: "/") {
            var end = place + 1
            if end < count, byte(at: end) == UInt8(ascii: "*") {
                end += 1
                guard end == count || !byte(at: end).isPointerText else { break }
            } else {
                while end < count, byte(at: end).isPointerText { end += 1 }
            }
            guard end > place + 1 else { break }
            segments.append((text(in: place + 1..<end), end))
            place = end
        }
        if !segments.isEmpty { move(to: place) }
        return segments
    }
}

extension UInt8 {
    /// Whether it may stand in a segment of a pointer that is part of a program; other names are written `.["a name"]`.
    fileprivate var isPointerText: Bool { isNameStart || isDigit || self >= 0x80 || "~-.@$".utf8.contains(self) }
}

extension Expression {
    /// Replaces words that name a place of the whole state; `place` gives nil for a function.
    ///
    /// Only where the input is the state itself: after a pipe, and in the argument of a function, `.` is something
    /// else.
    func naming(_ place: (String, SourceRange) -> Expression?) -> Expression {
        func named(_ child: Expression) -> Expression { child.naming(place) }
        let form: Construct
        switch self.form {
        case .call(let word, let arguments): return arguments.isEmpty ? place(word, range) ?? self : self
        case .index(let target, let key): form = .index(named(target), key: named(key))
        case .slice(let target, let from, let upTo):
            form = .slice(named(target), from: from.map(named), upTo: upTo.map(named))
        case .iterate(let target): form = .iterate(named(target))
        case .attempt(let body, let handler): form = .attempt(named(body), handler: handler)
        case .array(let content): form = .array(content.map(named))
        case .object(let entries): form = .object(entries.map { ObjectEntry(key: $0.key, value: named($0.value)) })
        case .negate(let body): form = .negate(named(body))
        case .binary(let sign, let left, let right): form = .binary(sign, named(left), named(right))
        case .and(let left, let right): form = .and(named(left), named(right))
        case .or(let left, let right): form = .or(named(left), named(right))
        case .alternative(let left, let right): form = .alternative(named(left), named(right))
        case .pipe(let left, let right): form = .pipe(named(left), right)
        case .comma(let children): form = .comma(children.map(named))
        case .conditional(let branches, let otherwise):
            form = .conditional(branches.map { (named($0.condition), named($0.then)) }, otherwise: otherwise.map(named))
        case .bind(let source, let patterns, let body): form = .bind(named(source), patterns, body: named(body))
        case .define(let function, let body):
            form = .define(
                function,
                body: body.naming { $0 == function.name && function.parameters.isEmpty ? nil : place($0, $1) })
        default: return self
        }
        return Expression(form, range)
    }
}

extension Expression {
    /// The program as it is asked of a member of the input, and of the same member of `$old`.
    func below(_ member: String) -> Expression {
        let start = 0..<0
        func part(of whole: Construct) -> Expression {
            Expression(.index(Expression(whole, start), key: Expression(.literal(.string(member)), start)), start)
        }
        let program = Expression(.pipe(part(of: .identity), self), range)
        // Bound only where it is read: the state before costs a second one.
        guard mentions("old") else { return program }
        return Expression(.bind(part(of: .variable("old")), [.variable("old", start)], body: program), range)
    }

    private func mentions(_ variable: String) -> Bool {
        if case .variable(variable) = form { return true }
        var found = false
        form.forEachChild { found = found || $0.mentions(variable) }
        return found
    }
}

extension Compiler {
    func namingPlaces(in syntax: Expression) -> Expression {
        guard let paths = environment.paths else { return syntax }
        return syntax.naming { [environment] word, range in
            let isFunction =
                Builtins.signatures.contains { $0.name == word && $0.arity == 0 }
                || environment.functions.contains { $0.name == word && $0.parameters.isEmpty }
            guard !isFunction, let path = paths(word).first, paths(word).count == 1 else { return nil }
            let here = Expression(.identity, range.lowerBound..<range.lowerBound)
            return path.segments.reduce(here) {
                Expression(.index($0, key: Expression(.literal(.string($1)), range)), range)
            }
        }
    }
}

package enum JQPath {
    /// `/cart/items/0/the name` is `.cart.items[0]."the name"`; `value` distinguishes an element's index from a name.
    package static func text(of pointer: JSONPointer, in value: JSONValue) -> String {
        guard !pointer.segments.isEmpty else { return "." }
        var text = ""
        var value: JSONValue? = value
        for segment in pointer.segments {
            defer { value = value.flatMap { JSONPointer([segment]).value(in: $0) } }
            if case .array? = value, let index = JSONPointer.arrayIndex(segment) {
                text += (text.isEmpty ? "." : "") + "[\(index)]"
            } else {
                text += member(segment)
            }
        }
        return text
    }

    /// One member of an object: `.name`, or `."the name"`.
    package static func member(_ key: String) -> String {
        "." + (isIdentifier(key) ? key : JSONValue.string(key).text())
    }

    private static func isIdentifier(_ key: String) -> Bool {
        guard let first = key.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
        return key.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
            default: false
            }
        }
    }
}
