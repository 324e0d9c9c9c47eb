internal import JSONCore

/// A built-in that becomes a node where it is called; one that computes one value is a `NativeFunction`.
struct Builtin: Sendable {
    let name: String
    let arity: Int
    let node: @Sendable (Call) -> Node

    init(_ name: String, _ arity: Int, _ node: @escaping @Sendable (Call) -> Node) {
        self.name = name
        self.arity = arity
        self.node = node
    }

    init(_ function: NativeFunction) {
        self.init(function.name, function.arity) { call in
            NativeNode(function, call.arguments.indices.map { call[$0] })
        }
    }

    var signature: String { "\(name)/\(arity)" }

    struct Call {
        let compiler: Compiler
        let arguments: [Expression]
        let scope: Scope?

        subscript(index: Int) -> Node { compiler.compile(arguments[index], scope) }

        func reentrant(_ index: Int) -> Node { compiler.compileReentrant(arguments[index], scope) }
    }
}

enum Builtins {
    static let outsideReason = "a query answers from the state alone, the same at every replay"
    static let inputsReason = "it belongs to the command 'query': over a run, " + outsideReason

    static var nodes: [Builtin] { ControlFunctions.builtins + native }

    private static let native: [Builtin] = {
        let groups = [
            ValueFunctions.functions, ArrayFunctions.functions, ObjectFunctions.functions, StringFunctions.functions,
            MathFunctions.functions, DateFunctions.functions, RegexFunctions.functions,
        ]
        return groups.joined().map { Builtin($0) }
    }()

    /// Nil for a built-in of the prelude; a search from the front: comparing some two hundred short names costs less
    /// than building a table for one query's few calls.
    static func node(_ name: String, arity: Int) -> Builtin? {
        ControlFunctions.builtins.first { $0.arity == arity && $0.name == name }
            ?? native.first { $0.arity == arity && $0.name == name }
    }

    static let leftOut: [String: String] = {
        let outside = [
            "input_line_number/0", "env/0", "now/0", "localtime/0",
            "strflocaltime/1", "halt/0", "halt_error/0", "halt_error/1", "get_search_list/0",
            "get_jq_origin/0", "get_prog_origin/0", "modulemeta/0",
        ]
        return Dictionary(
            uniqueKeysWithValues: outside.map { ($0, outsideReason) }
                + InputFunctions.signatures.map { ($0, inputsReason) })
    }()

    static let signatures: [(name: String, arity: Int)] = {
        let keys = nodes.map(\.signature) + Prelude.definitions.keys
        return Set(keys).sorted().compactMap { key in
            guard let slash = key.lastIndex(of: "/"), let arity = Int(key[key.index(after: slash)...]) else {
                return nil
            }
            return (String(key[..<slash]), arity)
        }
    }()
}

extension Compiler {
    func compileBuiltin(_ name: String, _ arguments: [Expression], _ range: SourceRange, _ scope: Scope?) -> Node? {
        if let builtin = Builtins.node(name, arity: arguments.count) {
            return builtin.node(Builtin.Call(compiler: self, arguments: arguments, scope: scope))
        }
        if let inputs = environment.inputs, let node = InputFunctions.node(name, arity: arguments.count, inputs) {
            return node
        }
        return Builtins.leftOut["\(name)/\(arguments.count)"].map { report(.leftOut(name, reason: $0), range) }
    }
}
