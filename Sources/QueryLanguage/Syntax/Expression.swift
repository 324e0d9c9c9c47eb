internal import JSONCore

/// A class, so that operators around a subtree share it instead of copying it.
final class Expression: Sendable {
    let form: Construct
    let range: SourceRange
    /// Whether something inside introduces a variable or a label: a closure over it then needs a frame of its own.
    let binds: Bool
    /// The height of the subtree, bounded by `SyntaxLimits.depth`.
    let depth: Int

    init(_ form: Construct, _ range: SourceRange) {
        self.form = form
        self.range = range
        var binds = form.introducesNames
        var depth = 0
        form.forEachChild { child in
            binds = binds || child.binds
            depth = max(depth, child.depth)
        }
        self.binds = binds
        self.depth = depth + 1
    }

    indirect enum Construct: Sendable {
        case identity
        case descent
        case literal(JSONValue)
        /// A string with interpolations, under a format such as `@base64`.
        case template(format: String?, [TemplatePart<Expression>])
        case format(String)
        case index(Expression, key: Expression)
        case slice(Expression, from: Expression?, upTo: Expression?)
        case iterate(Expression)
        case attempt(Expression, handler: Expression?)
        case array(Expression?)
        case object([ObjectEntry])
        case negate(Expression)
        case binary(BinaryOperator, Expression, Expression)
        case and(Expression, Expression)
        case or(Expression, Expression)
        case alternative(Expression, Expression)
        case pipe(Expression, Expression)
        case comma([Expression])
        case assign(AssignmentOperator, Expression, Expression)
        case conditional([(condition: Expression, then: Expression)], otherwise: Expression?)
        case reduce(Expression, [Pattern], start: Expression, update: Expression)
        case foreach(Expression, [Pattern], start: Expression, update: Expression, extract: Expression?)
        case bind(Expression, [Pattern], body: Expression)
        case define(FunctionSyntax, body: Expression)
        case label(String, Expression)
        case breakOut(String)
        case variable(String)
        case call(String, [Expression])
        case location(line: Int)
    }
}

enum TemplatePart<Content> {
    case text(String)
    case interpolation(Content)
}

extension TemplatePart: Sendable where Content: Sendable {}

/// One `key: value` of an object construction; without a value, the key names both.
struct ObjectEntry {
    var key: Expression
    var value: Expression
}

final class FunctionSyntax: Sendable {
    struct Parameter {
        var name: String
        /// Written with a dollar: evaluated once and bound as a variable too.
        var isValue: Bool
    }

    let name: String
    let parameters: [Parameter]
    let body: Expression
    let nameRange: SourceRange
    /// Where the text of the body is, up to the semicolon.
    let bodyRange: SourceRange
    /// Whether its body calls a function of its own name and arity: most likely itself.
    let isRecursive: Bool
    /// Whether parameters that are values are used as values only: the body of `def f($a)` may call `a` too.
    let passesValues: Bool

    init(name: String, parameters: [Parameter], body: Expression, nameRange: SourceRange, bodyRange: SourceRange) {
        self.name = name
        self.parameters = parameters
        self.body = body
        self.nameRange = nameRange
        self.bodyRange = bodyRange
        isRecursive = body.calls(name, arity: parameters.count)
        passesValues = !parameters.contains { $0.isValue && body.calls($0.name, arity: 0) }
    }
}

/// The left side of `as`.
indirect enum Pattern: Sendable {
    case variable(String, SourceRange)
    case array([Pattern])
    case object([ObjectPatternEntry])
}

struct ObjectPatternEntry: Sendable {
    var key: Expression
    var variable: String?
    var value: Pattern?
}

enum BinaryOperator: String {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
}

enum AssignmentOperator {
    case set
    case update
    case arithmetic(BinaryOperator)
    case alternative
}

extension Expression.Construct {
    var introducesNames: Bool {
        switch self {
        case .bind, .reduce, .foreach, .label: true
        default: false
        }
    }

    func forEachChild(_ visit: (Expression) -> Void) {
        switch self {
        case .identity, .descent, .literal, .format, .breakOut, .variable, .location: break
        case .template(_, let parts): for case .interpolation(let child) in parts { visit(child) }
        case .index(let a, let b), .binary(_, let a, let b), .and(let a, let b), .or(let a, let b),
            .alternative(let a, let b), .pipe(let a, let b), .assign(_, let a, let b):
            visit(a)
            visit(b)
        case .slice(let target, let from, let upTo): for child in [target, from, upTo] { child.map(visit) }
        case .iterate(let child), .negate(let child), .label(_, let child): visit(child)
        case .attempt(let body, let handler):
            visit(body)
            handler.map(visit)
        case .array(let child): child.map(visit)
        case .object(let entries):
            for entry in entries {
                visit(entry.key)
                visit(entry.value)
            }
        case .comma(let children), .call(_, let children): children.forEach(visit)
        case .conditional(let branches, let otherwise):
            for branch in branches {
                visit(branch.condition)
                visit(branch.then)
            }
            otherwise.map(visit)
        default: forEachBinderChild(visit)
        }
    }

    private func forEachBinderChild(_ visit: (Expression) -> Void) {
        switch self {
        case .reduce(let source, let patterns, let start, let update):
            for pattern in patterns { pattern.forEachKey(visit) }
            for child in [source, start, update] { visit(child) }
        case .foreach(let source, let patterns, let start, let update, let extract):
            for pattern in patterns { pattern.forEachKey(visit) }
            for child in [source, start, update, extract] { child.map(visit) }
        case .bind(let source, let patterns, let body):
            for pattern in patterns { pattern.forEachKey(visit) }
            visit(source)
            visit(body)
        case .define(let function, let body):
            visit(function.body)
            visit(body)
        default: break
        }
    }
}

extension Pattern {
    func forEachKey(_ visit: (Expression) -> Void) {
        switch self {
        case .variable: break
        case .array(let elements): for element in elements { element.forEachKey(visit) }
        case .object(let entries):
            for entry in entries {
                visit(entry.key)
                entry.value?.forEachKey(visit)
            }
        }
    }

    var names: [String] {
        switch self {
        case .variable(let name, _): [name]
        case .array(let elements): elements.flatMap(\.names)
        case .object(let entries): entries.flatMap { ($0.variable.map { [$0] } ?? []) + ($0.value?.names ?? []) }
        }
    }
}
