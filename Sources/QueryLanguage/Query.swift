public import JSONCore

/// A compiled program of the query language: compiled once, evaluated at every state.
///
/// The language is jq 1.8's without what reaches outside of the state (other inputs, the environment, the clock, modules).
/// A query is immutable and may be evaluated by many threads at once. Deep recursion needs a deep stack: an evaluation that
/// reaches the end of its thread's stack ends with ``QueryLimit/callDepth``; ``QueryThread`` runs work on a large one.
public struct Query: Sendable {
    /// The text it was compiled from.
    public let text: String
    /// What the text is called in messages.
    public let name: String
    /// What it can read of a state.
    public let footprint: Footprint
    private let program: Program

    /// Compiles a program.
    ///
    /// - Parameters:
    ///   - text: the program.
    ///   - name: what the text is called in messages.
    ///   - definitions: functions that the program may call.
    ///   - variables: names, without the dollar, whose values each evaluation's context gives.
    /// - Throws: every problem found in the text.
    public init(
        _ text: String, name: String = "query", definitions: Definitions? = nil, variables: [String] = []
    ) throws(QuerySyntaxErrors) {
        let compiler = Compiler(text: text, name: name, variables: variables)
        try self.init(text: text, name: name, program: compiler.compileProgram(definitions: definitions))
    }

    init(text: String, name: String, program: Program) {
        self.text = text
        self.name = name
        self.program = program
        footprint = Footprint(of: program)
    }

    /// Evaluates the query and hands over each output in turn.
    ///
    /// - Parameters:
    ///   - input: the state.
    ///   - context: the commit's variables, and limits.
    ///   - each: takes an output; false ends the evaluation.
    /// - Throws: the run-time error that ended the evaluation, after the outputs before it.
    public func evaluate(
        _ input: JSONValue, context: QueryContext = .start, each: (JSONValue) -> Bool
    ) throws(QueryError) {
        do throws(Interruption) {
            let frame = try program.frame(context)
            _ = try program.body.run(input, frame) { value throws(Interruption) in each(value) ? .more : .stop }
        } catch {
            throw QueryError(error)
        }
    }

    /// The first output, or nil if there is none.
    ///
    /// - Throws: the run-time error that came before an output.
    public func first(of input: JSONValue, context: QueryContext = .start) throws(QueryError) -> JSONValue? {
        do throws(Interruption) {
            let frame = try program.frame(context)
            if program.body.multiplicity != .many { return try program.body.one(input, frame) }
            var result: JSONValue?
            _ = try program.body.run(input, frame) { value throws(Interruption) in
                result = value
                return .stop
            }
            return result
        } catch {
            throw QueryError(error)
        }
    }

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

/// The nodes of a compiled program.
///
/// Unchecked because nodes are classes; they are not changed once a program is compiled.
struct Program: @unchecked Sendable {
    let body: Node
    /// How many variables the outermost frame holds; the first are those that the context gives.
    let slots: Int
    let variables: [String]

    func frame(_ context: QueryContext) throws(Interruption) -> Frame {
        let frame = try Frame(Machine(context: context, limits: context.limits), parent: nil, slots: slots)
        for (slot, value) in zip(variables.indices, context.variables) { frame[slot] = value }
        return frame
    }
}
