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

    /// What a query's text was compiled to.
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
        /// Compiles the text again.
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
    ) {
        compiled = Compiled(text: text, name: name, program, syntax, environment, recompile: recompile)
    }

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
    public func evaluate(
        _ input: JSONValue, context: QueryContext, each: (JSONValue) -> Bool
    ) throws(QueryError) {
        try evaluate(input, context: context, memo: nil, each: each)
    }

    /// Evaluates the query with what a memo keeps from the previous evaluation.
    ///
    /// - Parameters:
    ///   - input: the state.
    ///   - context: the commit's variables, and limits.
    ///   - memo: nil to evaluate everything.
    ///   - each: takes an output; false ends the evaluation.
    /// - Throws: the run-time error that ended the evaluation, after the outputs before it.
    package func evaluate(
        _ input: JSONValue, context: QueryContext, memo: QueryMemo?, each: (JSONValue) -> Bool
    ) throws(QueryError) {
        guard let constant = compiled.constant else { return try run(input, context, memo, each) }
        try constant.forEach(each) { each throws(QueryError) in try run(input, context, nil, each) }
    }

    private func run(
        _ input: JSONValue, _ context: QueryContext, _ memo: QueryMemo?, _ each: (JSONValue) -> Bool
    ) throws(QueryError) {
        do throws(Interruption) {
            let program = compiled.program
            if let memo, let value = try program.remembered(input, context, memo, givesOut: true) {
                _ = each(value)
                return
            }
            if let outcome = program.plainOutcome(of: input) {
                if let value = try outcome.get() { _ = each(value) }
                return
            }
            try program.withFrame(context) { frame throws(Interruption) in
                _ = try program.body.each(input, frame) { value throws(Interruption) in
                    try frame.machine.charge(output: value)
                    return each(value) ? .more : .stop
                }
            }
        } catch {
            throw QueryError(error)
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

    /// The first output, or nil if there is none, with what a memo keeps from the previous evaluation.
    ///
    /// - Throws: the run-time error that came before an output.
    package func first(
        of input: JSONValue, context: QueryContext, memo: QueryMemo?
    ) throws(QueryError) -> JSONValue? {
        guard let constant = compiled.constant else { return try runFirst(input, context, memo) }
        var first: JSONValue?
        try constant.forEach {
            first = $0
            return false
        } run: { each throws(QueryError) in
            if let output = try runFirst(input, context, nil) { _ = each(output) }
        }
        return first
    }

    private func runFirst(
        _ input: JSONValue, _ context: QueryContext, _ memo: QueryMemo?
    ) throws(QueryError) -> JSONValue? {
        do throws(Interruption) {
            let program = compiled.program
            if let memo, let value = try program.remembered(input, context, memo, givesOut: false) { return value }
            if let outcome = program.plainOutcome(of: input) { return try outcome.get() }
            return try program.withFrame(context) { frame throws(Interruption) in try program.first(of: input, frame) }
        } catch {
            throw QueryError(error)
        }
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

    /// Whether the output is true, of a query that reads nothing but its input and takes no steps, false if it has none; nil for
    /// any other query, and where it fails.
    ///
    /// - Complexity: that of its nodes: no machine is prepared, and no closure called.
    package func plainTruth(of input: JSONValue) -> Bool? { compiled.program.plainTruth(of: input) }

    /// The number of folds over the elements of an array, whose results a memo can keep.
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
