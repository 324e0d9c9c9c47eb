public import Diagnostics
public import JSONCore

/// A compiled program of the query language: compiled once, evaluated at every state.
///
/// The language is jq 1.8's without what reaches outside of the state (the environment, the clock, modules; other inputs, unless
/// the ``QueryEnvironment`` has some).
/// A query is immutable and may be evaluated by many threads at once. Deep recursion needs a deep stack: an evaluation that
/// reaches the end of its thread's stack ends with ``QueryLimit/callDepth``; Platform's `LargeStack` runs work on a large one.
public struct Query: Sendable {
    /// One reference, so that passing a query on at each state costs one retain.
    private let compiled: Compiled

    private final class Compiled: Sendable {
        let text: String
        let name: String
        let footprint: Footprint
        let form: QueryForm
        let orderedTexts: [OrderedText]
        let comparisons: Comparisons
        let program: Program
        /// What is known of the outputs, where they are the same at every state.
        let constant: ConstantOutputs?
        let recompile: @Sendable () -> Query?

        init(
            text: String, name: String, _ program: Program, _ syntax: Expression, _ environment: QueryEnvironment,
            recompile: @escaping @Sendable () -> Query?
        ) {
            self.text = text
            self.name = name
            self.program = program
            self.recompile = recompile
            footprint = Footprint(of: program)
            form = QueryForm(of: syntax, footprint)
            comparisons = Comparisons(syntax)
            let isSilent = !footprint.printsMessages && environment.inputs == nil
            constant = form == .constant && isSilent ? ConstantOutputs() : nil
            let numeric = environment.values.filter { value in
                if case .string(let text) = value.value { (try? JSONParser.parse(text))?.number != nil } else { false }
            }.map(\.name)
            orderedTexts = numeric.isEmpty ? [] : syntax.orderedVariables.filter { numeric.contains($0.name) }
        }
    }

    /// The text it was compiled from.
    public var text: String { compiled.text }
    /// What the text is called in messages.
    public var name: String { compiled.name }
    /// The part of a state that it can read.
    public var footprint: Footprint { compiled.footprint }
    /// Whether the outputs depend on the state, as far as the text shows.
    public var form: QueryForm { compiled.form }
    /// Comparisons by order of a value that is a string but reads like a number, which is most likely a mistake: every string
    /// is greater than every number.
    public var orderedTexts: [OrderedText] { compiled.orderedTexts }

    /// Every comparison of which the text shows what is compared.
    package var comparisons: [Comparison] { compiled.comparisons.all }
    /// Whether the text shows that a path of the state, or something below it, may not be there.
    ///
    /// It compares it with null, has an alternative for it, or excuses it by '?'. In the path `*` stands for every element or member.
    package func mayLack(_ path: [String]) -> Bool { compiled.comparisons.mayLack(path) }
    /// Whether the text shows that of a path, or of something above it.
    package func mayLackAbove(_ path: [String]) -> Bool { compiled.comparisons.mayLackAbove(path) }
    /// Whether the text shows that it gives a part of the state, or what is computed of it, and answers no question.
    package var givesValue: Bool { compiled.comparisons.givesValue }

    /// A value of the environment in a comparison.
    public struct OrderedText: Sendable, Equatable {
        /// The name of the value.
        public let name: String
        /// Where it stands, in UTF-8 bytes of the text.
        public let range: Range<Int>
    }

    /// Compiles a program.
    ///
    /// - Parameters:
    ///   - text: the program.
    ///   - name: what the text is called in messages.
    ///   - environment: the values and functions that the program may name.
    ///   - member: the member of the input, and of `$old`, that the program is asked of; nil for the input itself.
    /// - Throws: every problem found in the text.
    public init(
        _ text: String, name: String = "query", in environment: QueryEnvironment = .empty, below member: String? = nil
    ) throws(QuerySyntaxErrors) {
        let compiler = Compiler(text: text, name: name, environment)
        let (program, syntax) = try compiler.compileProgram(below: member)
        self.init(text: text, name: name, program, syntax, environment) {
            try? Query(text, name: name, in: environment, below: member)
        }
    }

    init(
        text: String, name: String, _ program: Program, _ syntax: Expression,
        _ environment: QueryEnvironment = .empty, recompile: @escaping @Sendable () -> Query?
    ) { compiled = Compiled(text: text, name: name, program, syntax, environment, recompile: recompile) }

    /// A copy of the query for another thread: sharing one between threads makes them contend for its reference counts, which
    /// costs more than the evaluation.
    ///
    /// - Complexity: that of compiling its text.
    package func recompiled() -> Query {
        guard let copy = compiled.recompile() else { return self }
        copy.compiled.program.share(compiled.program.stopped)
        return copy
    }

    /// Whether limits stopped it, or copies of it, so often that it is not asked any more.
    package var isStopped: Bool { compiled.program.stopped.areSpent(.standard) }

    /// Lets a query be asked again that limits stopped.
    package func askAgain() { compiled.program.stopped.reset() }

    /// Evaluates the query and hands over each output in turn.
    ///
    /// - Parameters:
    ///   - input: the state.
    ///   - context: the commit's variables, and limits.
    ///   - each: takes an output; false ends the evaluation.
    /// - Throws: the run-time error that ended the evaluation, after the outputs before it.
    public func evaluate(_ input: JSONValue, context: QueryContext, each: (JSONValue) -> Bool) throws(QueryError) {
        try evaluate(input, context: context, memo: nil, each: each)
    }

    /// Evaluates the query with what a memo keeps from the previous evaluation; without one it evaluates everything.
    ///
    /// - Parameter each: false ends the evaluation.
    /// - Throws: the run-time error that ended the evaluation, after the outputs before it.
    package func evaluate(
        _ input: JSONValue, context: QueryContext, memo: QueryMemo?, each: (JSONValue) -> Bool
    ) throws(QueryError) {
        try outputs(input, context, memo, givesOut: true, each)
    }

    /// - Parameter givesOut: whether the outputs are charged as ones that the caller writes.
    private func run(
        _ input: JSONValue, _ context: QueryContext, _ memo: QueryMemo?, givesOut: Bool, _ each: (JSONValue) -> Bool
    ) throws(QueryError) {
        do throws(Interruption) {
            let program = compiled.program
            if let memo, let value = try program.remembered(input, context, memo, givesOut: givesOut) {
                _ = each(value)
            } else if let outcome = program.plainOutcome(of: input) {
                if let value = try outcome.get() { _ = each(value) }
            } else {
                try program.withFrame(context) { frame throws(Interruption) in
                    _ = try program.body.each(input, frame) { value throws(Interruption) in
                        if givesOut { try frame.machine.charge(output: value) }
                        return each(value) ? .more : .stop
                    }
                }
            }
        } catch {
            throw QueryError(error)
        }
    }

    /// Hands over the outputs, which of a constant program are evaluated once.
    private func outputs(
        _ input: JSONValue, _ context: QueryContext, _ memo: QueryMemo?, givesOut: Bool, _ each: (JSONValue) -> Bool
    ) throws(QueryError) {
        guard let constant = compiled.constant else {
            return try run(input, context, memo, givesOut: givesOut, each)
        }
        try constant.forEach(each) { each throws(QueryError) in
            try run(input, context, nil, givesOut: givesOut, each)
        }
    }

    /// Evaluates the query as at the start of a journal.
    ///
    /// - Throws: the run-time error that ended the evaluation, after the outputs before it.
    public func evaluate(_ input: JSONValue, each: (JSONValue) -> Bool) throws(QueryError) {
        try evaluate(input, context: Self.start, each: each)
    }

    /// The first output, or nil if there is none.
    ///
    /// - Throws: the run-time error that came before an output.
    public func first(of input: JSONValue, context: QueryContext) throws(QueryError) -> JSONValue? {
        try first(of: input, context: context, memo: nil)
    }

    /// - Throws: the run-time error that came before an output.
    package func first(of input: JSONValue, context: QueryContext, memo: QueryMemo?) throws(QueryError) -> JSONValue? {
        var first: JSONValue?
        try outputs(input, context, memo, givesOut: false) {
            first = $0
            return false
        }
        return first
    }

    /// The first output as at the start of a journal, or nil if there is none.
    ///
    /// - Throws: the run-time error that came before an output.
    public func first(of input: JSONValue) throws(QueryError) -> JSONValue? {
        try first(of: input, context: Self.start)
    }

    /// Whether any output is true, if that follows from what a memo keeps; nil if the query has to be evaluated.
    package func isAnyTrue(of input: JSONValue, context: QueryContext, memo: QueryMemo) -> Bool? {
        let value = (try? compiled.program.truth(input, context, memo)) ?? nil
        guard case .bool(let isTrue) = value else { return nil }
        return isTrue
    }

    /// Nil for a query that reads more than its input or takes steps, and where it fails; false if there is no output.
    ///
    /// - Complexity: that of its nodes: no machine is prepared, and no closure called.
    package func plainTruth(of input: JSONValue) -> Bool? { compiled.program.plainTruth(of: input) }

    var foldCount: Int { compiled.program.foldCount }

    /// A constant, because a default argument would be copied for each call.
    private static let start = QueryContext()

    /// All outputs.
    ///
    /// - Throws: the run-time error that ended the evaluation.
    public func all(of input: JSONValue, context: QueryContext = .start) throws(QueryError) -> [JSONValue] {
        var results: [JSONValue] = []
        try evaluate(input, context: context) { value in
            results.append(value)
            return true
        }
        return results
    }
}

/// What a query can read of the commit: the values of `$old $seq $store $at $name $time`, and of a line that is imported
/// `$prefix`.
public struct QueryContext: Sendable {
    /// The previous state; null at the start.
    public var old: JSONValue
    /// The commit's number; 0 at the start.
    public var seq: Int
    /// The name of the store that was changed.
    public var store: JSONValue
    /// The source location of the commit, as the journal has it.
    public var at: JSONValue
    /// The commit's name.
    public var name: JSONValue
    /// The commit's time, RFC 3339.
    public var time: JSONValue
    /// The text before the JSON of a line of a log, of which only queries know that are asked of lines.
    public var prefix: JSONValue
    /// The limits of an evaluation.
    public var limits: QueryLimits

    /// The context of a commit; without arguments that of the start.
    public init(
        old: JSONValue = .null, seq: Int = 0, store: JSONValue = .null, at: JSONValue = .null, name: JSONValue = .null,
        time: JSONValue = .null, prefix: JSONValue = .null, limits: QueryLimits = .standard
    ) {
        self.old = old
        self.seq = seq
        self.store = store
        self.at = at
        self.name = name
        self.time = time
        self.prefix = prefix
        self.limits = limits
    }

    /// The context at the start of a journal.
    public static let start = QueryContext()

    subscript(variable: ContextVariable) -> JSONValue {
        switch variable {
        case .old: old
        case .seq: .number(JSONNumber(seq))
        case .store: store
        case .at: at
        case .name: name
        case .time: time
        case .prefix: prefix
        }
    }
}

enum ContextVariable: String, CaseIterable {
    case old
    case seq
    case store
    case at
    case name
    case time
    case prefix
}

/// Where `input`, `inputs` and `input_filename` take their values from, which only a query on plain JSON has.
public struct QueryInputs: Sendable {
    /// What comes next.
    public enum Next: Sendable {
        case value(JSONValue)
        /// There is no more.
        case end
        /// What comes next cannot be read, which ends the evaluation: ``QueryError/unreadInput``.
        case unreadable
    }

    let next: @Sendable () -> Next
    let name: @Sendable () -> String?

    /// Inputs of a reader.
    ///
    /// - Parameters:
    ///   - next: takes the next value.
    ///   - name: what the file of the last value is called; nil before the first.
    public init(next: @escaping @Sendable () -> Next, name: @escaping @Sendable () -> String?) {
        self.next = next
        self.name = name
    }
}

/// Why an evaluation ended without all of its outputs.
public enum QueryError: Error, Sendable, Equatable {
    /// A run-time error, with the value that `catch` would have got: mostly a message.
    case failure(JSONValue)
    /// A limit was reached.
    case limit(QueryLimit)
    /// `input` could not read what comes next; its reader knows why.
    case unreadInput

    init(_ interruption: Interruption) {
        switch interruption {
        case .failure(let value): self = .failure(value)
        case .broken: self = .failure(.string("break"))
        case .limit(let limit): self = .limit(limit)
        case .unreadInput: self = .unreadInput
        }
    }

    /// The message as jq prints it, without its prefix; a very long one is cut off.
    public var message: String {
        switch self {
        case .failure(.string(let text)): ValueText.beginning(of: text)
        case .failure(let value): "(not a string): \(ValueText.beginning(of: value))"
        case .limit(let limit): limit.message
        case .unreadInput: "the next input cannot be read"
        }
    }
}

/// A limit of evaluation.
///
/// Each is a named constant in `QueryLimits`, so that no query can hang or exhaust its process.
public enum QueryLimit: Sendable, Equatable {
    /// More steps than `QueryLimits.steps`.
    case steps
    /// Calls nested deeper than the thread's stack carries.
    case callDepth
    /// A value nested deeper than `QueryLimits.depth` allows.
    case valueDepth
    /// An array or a string larger than `QueryLimits.size`.
    case size
    /// Limits stopped it so often that it is not asked any more: `QueryLimits.stoppedEvaluations`.
    case evaluations
}

extension QueryLimit {
    fileprivate static let help =
        "make the query do less work per state; where limits stop it again and again, it is not asked at the rest"

    /// What was reached, as a message.
    public var message: String {
        switch self {
        case .steps: "the query took more steps than an evaluation may"
        case .callDepth: "the query called itself more deeply than the stack allows"
        case .valueDepth: "the query built a value that is nested too deeply"
        case .size: "the query built a value that is too large"
        case .evaluations: "the query was stopped by its limits at the states before, so it was not asked here"
        }
    }
}

extension QueryError: DiagnosticConvertible {
    /// The error as a problem without a place: the caller knows the query and the commit.
    public var diagnostic: Diagnostic {
        switch self {
        case .failure, .unreadInput: Diagnostic(code: "query.failed", message)
        case .limit: Diagnostic(code: "query.limit", message, help: [QueryLimit.help])
        }
    }
}
