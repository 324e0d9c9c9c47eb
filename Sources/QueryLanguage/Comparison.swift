package import JSONCore
internal import Synchronization

/// The form of a program, as far as it shows whether the program asks anything of a state.
public enum QueryForm: Sendable, Equatable {
    /// It reads neither the state nor the commit: its outputs are the same everywhere.
    case constant
    /// Its last step is an assignment, which gives the whole input, edited.
    ///
    /// The ranges of the target and of the value are UTF-8 offsets into the text; `isPlain` is true of `=`, and false of `|=`
    /// and the like.
    case assignment(target: Range<Int>, value: Range<Int>, isPlain: Bool)
    /// Any other.
    case question

    init(of syntax: Expression, _ footprint: Footprint) {
        if case .assign(let op, let target, let value) = syntax.lastStep.form {
            var isPlain = false
            if case .set = op { isPlain = true }
            self = .assignment(target: target.range, value: value.range, isPlain: isPlain)
        } else {
            let asksNothing = footprint.paths.isEmpty && !footprint.usesOld && !footprint.usesCommit
            self = asksNothing ? .constant : .question
        }
    }
}

extension Expression {
    /// The variables that are compared by order with something that is not a string.
    var orderedVariables: [Query.OrderedText] {
        var found: [Query.OrderedText] = []
        if case .binary(let op, let left, let right) = form,
            [.less, .lessOrEqual, .greater, .greaterOrEqual].contains(op)
        {
            for (side, other) in [(left, right), (right, left)] {
                guard case .variable(let name) = side.form, !other.isText else { continue }
                found.append(Query.OrderedText(name: name, range: side.range))
            }
        }
        form.forEachChild { found += $0.orderedVariables }
        return found
    }

    private var isText: Bool {
        switch form {
        case .literal(.string), .template, .format: true
        default: false
        }
    }

    /// The part that computes the outputs: what follows the last pipe, definition or binding.
    fileprivate var lastStep: Expression {
        switch form {
        case .pipe(_, let right): right.lastStep
        case .define(_, let body), .bind(_, _, let body), .label(_, let body): body.lastStep
        default: self
        }
    }
}

/// What is known of the outputs of a query that gives the same ones at every state, so that it is evaluated once.
final class ConstantOutputs: Sendable {
    private struct Known {
        var outputs: [JSONValue] = []
        /// How the evaluation ended after them; nil where the caller wanted no more.
        var end: Result<Void, QueryError>?
    }

    private let known = Mutex<Known?>(nil)
    /// A query that has given more outputs is evaluated at every state.
    private static let most = 16

    /// Hands over each output in turn, as far as it is known without an evaluation.
    func forEach(
        _ each: (JSONValue) -> Bool, run: @escaping ((JSONValue) -> Bool) throws(QueryError) -> Void
    ) throws(QueryError) {
        let before = known.withLock { $0 }
        for output in before?.outputs ?? [] where !each(output) { return }
        if let end = before?.end { return try end.get() }
        var (now, count, isStopped) = (Known(), 0, false)
        let end = Result { () throws(QueryError) in
            try run { output in
                count += 1
                if count <= Self.most { now.outputs.append(output) }
                if count > before?.outputs.count ?? 0, !each(output) { isStopped = true }
                return !isStopped
            }
        }
        if !isStopped { now.end = end }
        if count <= Self.most { known.withLock { [now] in $0 = now } }
        try end.get()
    }
}

/// A comparison in a query, as far as its text shows what is compared: what a mistaken condition is known by.
package struct Comparison: Sendable {
    package enum Side: Sendable {
        /// What is at a path of the state, `*` standing for every element or member.
        case path([String])
        case value(JSONValue)
    }

    /// Whether it is by order, not for being equal.
    package let isOrder: Bool
    package let left: Side
    package let right: Side
    /// Where it stands, and its sides, in UTF-8 bytes of the text.
    package let range: Range<Int>
    package let leftRange: Range<Int>
    package let rightRange: Range<Int>

    package var paths: [[String]] {
        [left, right].compactMap { side in if case .path(let path) = side { path } else { nil } }
    }
}

struct Comparisons: Sendable {
    private(set) var all: [Comparison] = []
    /// Paths that are compared with null, have an alternative, or are looked up in a way that answers for what is not
    /// there; one that begins with ``anywhere`` is known from there on only.
    private var guarded: [[String]] = []
    /// Whether the last step gives a part of the state, or a number made of it, and no answer to a question.
    private(set) var givesValue = false

    init(_ syntax: Expression) {
        visit(syntax, [])
        givesValue = Self.givesValue(syntax)
    }

    /// Stands for a place that the text does not show: that of a variable, or of a function's input; a member that is
    /// called so excuses more than was meant.
    private static let anywhere = ["**"]

    func mayLack(_ path: [String]) -> Bool {
        guarded.contains { guarded in Self.tails(of: path, for: guarded) { Self.begins($1, with: $0) } }
    }

    func mayLackAbove(_ path: [String]) -> Bool {
        guarded.contains { guarded in Self.tails(of: path, for: guarded) { Self.begins($0, with: $1) } }
    }

    /// Whether a path, or where it is not known where the guarded one begins, an end of the path, meets the guarded one.
    private static func tails(
        of path: [String], for guarded: [String], meets: (ArraySlice<String>, ArraySlice<String>) -> Bool
    ) -> Bool {
        guard guarded.first == anywhere[0] else { return meets(path[...], guarded[...]) }
        return path.indices.contains { meets(path[$0...], guarded.dropFirst()) }
    }

    private static func begins(_ path: ArraySlice<String>, with start: ArraySlice<String>) -> Bool {
        start.count <= path.count && zip(path, start).allSatisfy { UTF8Order.equal($0, $1) }
    }

    private mutating func guardPath(_ path: [String]) {
        if !path.isEmpty, path != Self.anywhere { guarded.append(path) }
    }

    /// - Parameter base: the path of the input.
    private mutating func visit(_ expression: Expression, _ base: [String]) {
        switch expression.form {
        case .binary(let op, let left, let right):
            if let isOrder = op.isOrder { note(expression, isOrder, left, right, base) }
            visit(left, base)
            visit(right, base)
        case .pipe(let left, let right):
            visit(left, base)
            visit(right, Self.path(left, base))
        case .alternative(let left, let right):
            guardPath(Self.path(left, base))
            visit(left, base)
            visit(right, base)
        case .attempt(let body, let handler):
            guardPath(Self.path(body, base))
            visit(body, base)
            if let handler { visit(handler, Self.anywhere) }
        case .call(let name, let arguments): visit(name, arguments, base)
        case .bind(let source, _, let body):
            visit(source, base)
            visit(body, base)
        case .define(let function, let body):
            visit(function.body, Self.anywhere)
            visit(body, base)
        case .reduce, .foreach, .assign: expression.form.forEachChild { visit($0, Self.anywhere) }
        default: expression.form.forEachChild { visit($0, base) }
        }
    }

    private mutating func visit(_ name: String, _ arguments: [Expression], _ base: [String]) {
        switch (name, arguments.count) {
        case ("values", 0), ("nulls", 0), ("type", 0), ("numbers", 0), ("strings", 0), ("scalars", 0): guardPath(base)
        case ("has", 1): if case .literal(.string(let key)) = arguments[0].form { guardPath(base + [key]) }
        case ("map", 1), ("any", 1), ("all", 1), ("map_values", 1), ("min_by", 1), ("max_by", 1), ("sort_by", 1),
            ("group_by", 1), ("unique_by", 1):
            visit(arguments[0], base + ["*"])
        case ("any", 2), ("all", 2):
            visit(arguments[0], base)
            visit(arguments[1], Self.path(arguments[0], base))
        case ("select", 1), ("first", 1), ("last", 1), ("isempty", 1), ("add", 1), ("not", 0), ("limit", 2):
            for argument in arguments { visit(argument, base) }
        default: for argument in arguments { visit(argument, Self.anywhere) }
        }
    }

    private mutating func note(
        _ comparison: Expression, _ isOrder: Bool, _ left: Expression, _ right: Expression, _ base: [String]
    ) {
        if left.isNull { guardPath(Self.path(right, base)) }
        if right.isNull { guardPath(Self.path(left, base)) }
        guard !left.isNull, !right.isNull, let first = Self.side(left, base), let second = Self.side(right, base) else {
            return
        }
        all.append(
            Comparison(
                isOrder: isOrder, left: first, right: second, range: comparison.range, leftRange: left.range,
                rightRange: right.range))
    }

    private static func side(_ expression: Expression, _ base: [String]) -> Comparison.Side? {
        if case .literal(let value) = expression.form { return .value(value) }
        if case .negate(let inner) = expression.form, case .literal(.number) = inner.form { return .value(.number(-1)) }
        let path = path(expression, base)
        return path.first == anywhere[0] ? nil : .path(path)
    }

    private static func path(_ expression: Expression, _ base: [String]) -> [String] {
        switch expression.form {
        case .identity: return base
        case .index(let target, let key):
            let above = path(target, base)
            switch key.form {
            case .literal(.string(let name)): return above + [name]
            case .literal(.number): return above + ["*"]
            default: return anywhere
            }
        case .iterate(let target): return path(target, base) + ["*"]
        case .pipe(let left, let right): return path(right, path(left, base))
        case .attempt(let body, nil): return path(body, base)
        case .call("select", _), .call("values", _): return base
        case .call("first", let arguments), .call("last", let arguments):
            return arguments.isEmpty ? base + ["*"] : path(arguments[0], base)
        default: return anywhere
        }
    }

    private static func givesValue(_ expression: Expression) -> Bool {
        switch expression.form {
        case .index, .iterate, .slice, .negate, .array, .object, .template: true
        case .binary(let op, _, _): op.isOrder == nil
        case .pipe(let left, let right):
            // What 'select' lets through is an answer.
            !left.selects && givesValue(right)
        case .bind(_, _, let body), .define(_, let body): givesValue(body)
        case .call(let name, _): ["length", "add", "keys", "min", "max", "tostring", "type", "floor"].contains(name)
        default: false
        }
    }
}

extension Expression {
    fileprivate var isNull: Bool { if case .literal(.null) = form { true } else { false } }

    fileprivate var selects: Bool {
        switch form {
        case .call(let name, _): return ["select", "first", "last", "limit", "values"].contains(name)
        case .pipe(let left, let right): return left.selects || right.selects
        default: return false
        }
    }
}

extension BinaryOperator {
    fileprivate var isOrder: Bool? {
        switch self {
        case .equal, .notEqual: false
        case .less, .lessOrEqual, .greater, .greaterOrEqual: true
        case .add, .subtract, .multiply, .divide, .remainder: nil
        }
    }
}
