internal import JSONCore
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
