internal import JSONCore

/// Turns a syntax tree into nodes: names become slots, functions that do not call themselves are expanded in place, and
/// constants are folded.
///
/// Expansion lets the analysis see through functions and saves frames; past `expansionLimit` functions are compiled
/// once and called.
final class Compiler {
    let text: String
    let name: String
    let environment: QueryEnvironment
    var problems: [SyntaxProblem] = []
    var layout = Layout(level: 0)
    private let functions = FunctionTable()
    /// The keys are the scopes that define them, which are kept alive so that no other object gets their identity.
    private var compiled: [ObjectIdentifier: (Function, Scope)] = [:]
    private var layouts: [ObjectIdentifier: Layout] = [:]
    private var expansions = 0
    /// The nodes of an expanded function count at each call.
    var nodeCount = 0
    private var preludeCache: [String: Scope] = [:]
    /// Whether the code that is being compiled is not from `text` but from a built-in, or a file of definitions.
    private(set) var isForeign = false
    private var foreign: Set<ObjectIdentifier> = []

    private static let expansionLimit = 2_000

    init(text: String, name: String, _ environment: QueryEnvironment) {
        self.text = text
        self.name = name
        self.environment = environment
    }

    // MARK: Programs

    func compileProgram(below member: String? = nil) throws(QuerySyntaxErrors) -> (Program, Expression) {
        var syntax = namingPlaces(in: try parse { parser throws(SyntaxProblem) in try parser.parseProgram() })
        if let member { syntax = syntax.below(member) }
        return (try finish(compile(syntax, globalScope())), syntax)
    }

    func compileDefinition(_ index: Int, of functions: [FunctionSyntax]) throws(QuerySyntaxErrors) -> Program {
        var scope = globalScope()
        for function in functions[...index] { scope = Scope(scope, .function(function, level: 0)) }
        let function = functions[index]
        // Identities take the place of parameters, so that a body is checked even if nothing calls it.
        let arguments = function.parameters.map { _ in Expression(.identity, function.nameRange) }
        return try finish(compileCall(function.name, arguments, function.nameRange, scope))
    }

    func parse<Tree>(_ read: (inout Parser) throws(SyntaxProblem) -> Tree) throws(QuerySyntaxErrors) -> Tree {
        guard text.utf8.count <= SyntaxLimits.length else {
            let limit = SyntaxProblem(fact: .limit("longer than \(SyntaxLimits.length) bytes"), range: 0..<0)
            throw QuerySyntaxErrors(text: text, name: name, problems: [limit])
        }
        var parser = Parser(text)
        do throws(SyntaxProblem) {
            let tree = try read(&parser)
            problems = parser.problems + parser.lexer.problems
            return tree
        } catch {
            throw QuerySyntaxErrors(text: text, name: name, problems: parser.problems + parser.lexer.problems + [error])
        }
    }

    private func globalScope() -> Scope? {
        var scope: Scope?
        for (name, value) in environment.values { scope = Scope(scope, .constant(name, value)) }
        for function in environment.functions {
            foreign.insert(ObjectIdentifier(function))
            scope = Scope(scope, .function(function, level: 0))
        }
        return scope
    }

    private func finish(_ body: Node) throws(QuerySyntaxErrors) -> Program {
        guard problems.isEmpty else { throw QuerySyntaxErrors(text: text, name: name, problems: problems) }
        inferCardinalities(of: body)
        return Program(body: body, slots: layout.count, functions: functions)
    }

    /// A recursive function begins with the least cardinality and is raised to that of its body; there are three, so
    /// there are at most two rounds for each function.
    ///
    /// Then calls in tail position are marked.
    private func inferCardinalities(of body: Node) {
        var isChanged = true
        while isChanged {
            isChanged = false
            for function in functions.all {
                function.body.inferCardinality()
                if function.body.cardinality > function.cardinality {
                    function.cardinality = function.body.cardinality
                    isChanged = true
                }
            }
        }
        body.inferCardinality()
        for function in functions.all { function.body.markTail() }
    }

    func report(_ fact: SyntaxProblem.Mistake, _ range: SourceRange) -> Node {
        if problems.count < SyntaxLimits.problems { problems.append(SyntaxProblem(fact: fact, range: range)) }
        return EmptyNode()
    }

    // MARK: Frames

    func compileScoped(_ syntax: Expression, _ scope: Scope?) -> (node: Node, slots: Int) {
        guard bindsAnything(syntax) else { return (compile(syntax, scope), 0) }
        let outer = layout
        layout = Layout(level: outer.level + 1)
        defer { layout = outer }
        let node = compile(syntax, scope)
        // Variables were counted outwards from the new frame, so it is needed even if nothing was bound after all.
        return (node, max(1, layout.count))
    }

    func compileReentrant(_ syntax: Expression, _ scope: Scope?) -> Node {
        let (node, slots) = compileScoped(syntax, scope)
        return slots == 0 ? node : ScopeNode(slots: slots, node)
    }

    /// Calls may expand to something that binds.
    private func bindsAnything(_ syntax: Expression) -> Bool {
        if syntax.binds { return true }
        var result = false
        if case .call = syntax.form { result = true }
        syntax.form.forEachChild { result = result || bindsAnything($0) }
        return result
    }

    // MARK: Functions

    func compileCall(_ name: String, _ arguments: [Expression], _ range: SourceRange, _ scope: Scope?) -> Node {
        if let found = scope.callable(name, arity: arguments.count) {
            return compileCall(of: found, arguments, range, scope)
        }
        if let node = compileBuiltin(name, arguments, range, scope) { return node }
        if let found = prelude(name, arity: arguments.count) { return compileCall(of: found, arguments, range, scope) }
        return report(undefined(name, arguments.count, scope), range)
    }

    private func compileCall(
        of found: Scope, _ arguments: [Expression], _ range: SourceRange, _ scope: Scope?
    ) -> Node {
        switch found.binding {
        case .argument(_, let syntax, let argumentScope):
            return reading(foreign: argumentScope.isForeign) { compile(syntax, argumentScope.parent) }
        case .parameter(_, let level, let index): return ClosureCallNode(hops: layout.level - level, index: index)
        case .compiled(let syntax, let function, let level):
            return call(function, syntax, level: level, arguments, scope)
        case .function(let syntax, let level):
            if syntax.isRecursive || expansions >= Self.expansionLimit {
                let function = compileFunction(syntax, found, level: level)
                return call(function, syntax, level: level, arguments, scope)
            }
            return expand(syntax, found, arguments, scope)
        case .variable, .constant: return EmptyNode()
        }
    }

    private func expand(
        _ function: FunctionSyntax, _ definition: Scope, _ arguments: [Expression], _ scope: Scope?
    ) -> Node {
        expansions += 1
        var scopes: [Scope] = []
        for (parameter, argument) in zip(function.parameters, arguments) {
            // The argument sees the names of the call's scope, also if that is empty: the marker makes it a scope.
            let here = Scope(scope, .variable("*here", level: 0, slot: 0), isForeign: isForeign)
            scopes.append(Scope(scopes.last ?? definition, .argument(parameter.name, argument, here)))
        }
        return reading(foreign: isForeign || foreign.contains(ObjectIdentifier(function))) {
            bindValueParameters(of: function, scopes, in: definition)
        }
    }

    /// Compiles code of the program's own text, or of another one, whose ranges mean nothing to the user.
    private func reading<Result>(foreign isForeign: Bool, _ compile: () -> Result) -> Result {
        let outer = self.isForeign
        self.isForeign = isForeign
        defer { self.isForeign = outer }
        return compile()
    }

    /// `def f($a): …` is `def f(a): a as $a | …`; each parameter begins one of the scopes, so that of two with one name
    /// each value is its own argument's.
    private func bindValueParameters(of function: FunctionSyntax, _ scopes: [Scope], in definition: Scope?) -> Node {
        var inner = scopes.last ?? definition
        var bindings: [(slot: Int, source: Node)] = []
        for (parameter, scope) in zip(function.parameters, scopes) where parameter.isValue {
            let source = compileCall(parameter.name, [], function.nameRange, scope)
            if let literal = source as? LiteralNode {
                inner = Scope(inner, .constant(parameter.name, literal.value))
                continue
            }
            let slot = layout.newSlot()
            bindings.append((slot, source))
            inner = Scope(inner, .variable(parameter.name, level: layout.level, slot: slot))
        }
        var node = compile(function.body, inner)
        for (slot, source) in bindings.reversed() { node = BindNode(source, .variable(slot: slot), node) }
        return node
    }

    private func compileFunction(_ syntax: FunctionSyntax, _ definition: Scope, level: Int) -> Function {
        if let (function, _) = compiled[ObjectIdentifier(definition)] { return function }
        let function = Function()
        functions.all.append(function)
        compiled[ObjectIdentifier(definition)] = (function, definition)
        let outer = layout
        layout = Layout(level: level + 1)
        layouts[ObjectIdentifier(function)] = layout
        defer { layout = outer }
        reading(foreign: isForeign || foreign.contains(ObjectIdentifier(syntax))) {
            compileBody(of: syntax, function, definition, level)
        }
        function.slots = layout.count
        return function
    }

    private func compileBody(of syntax: FunctionSyntax, _ function: Function, _ definition: Scope, _ level: Int) {
        var scope: Scope? = Scope(definition, .compiled(syntax, function, level: level))
        if syntax.passesValues {
            var filters = 0
            for parameter in syntax.parameters {
                if parameter.isValue {
                    scope = Scope(scope, .variable(parameter.name, level: layout.level, slot: layout.newSlot()))
                } else {
                    scope = Scope(scope, .parameter(parameter.name, level: layout.level, index: filters))
                    filters += 1
                }
            }
            function.body = compile(syntax.body, scope)
        } else {
            var scopes: [Scope] = []
            for (index, parameter) in syntax.parameters.enumerated() {
                scope = Scope(scope, .parameter(parameter.name, level: layout.level, index: index))
                if let scope { scopes.append(scope) }
            }
            function.body = bindValueParameters(of: syntax, scopes, in: scope)
        }
    }

    private func call(
        _ function: Function, _ syntax: FunctionSyntax, level: Int, _ arguments: [Expression], _ scope: Scope?
    ) -> Node {
        var values: [Node] = []
        var filters: [CallNode.Argument] = []
        for (parameter, argument) in zip(syntax.parameters, arguments) {
            if parameter.isValue && syntax.passesValues {
                values.append(compile(argument, scope))
            } else {
                filters.append(compileFilter(argument, scope))
            }
        }
        return CallNode(
            function, hops: layout.level - level, values: values, filters: filters,
            isOwn: layout === layouts[ObjectIdentifier(function)])
    }

    private func compileFilter(_ argument: Expression, _ scope: Scope?) -> CallNode.Argument {
        if case .call(let name, let none) = argument.form, none.isEmpty,
            case .parameter(_, let level, let index)? = scope.callable(name, arity: 0)?.binding
        {
            return .parameter(hops: layout.level - level, index: index)
        }
        let (node, slots) = compileScoped(argument, scope)
        return .closure(node, slots: slots)
    }

    // MARK: Built-ins in the language itself

    private func prelude(_ name: String, arity: Int) -> Scope? {
        let signature = "\(name)/\(arity)"
        if let cached = preludeCache[signature] { return cached }
        guard let source = Prelude.definitions[signature] else { return nil }
        var parser = Parser(source)
        guard let function = try? parser.parseDefinitionFile().first else { return nil }
        foreign.insert(ObjectIdentifier(function))
        let scope = Scope(nil, .function(function, level: 0))
        preludeCache[signature] = scope
        return scope
    }

    private func undefined(_ name: String, _ arity: Int, _ scope: Scope?) -> SyntaxProblem.Mistake {
        let known = scope.callables + Builtins.signatures
        let arities = Set(known.filter { $0.name == name }.map(\.arity)).sorted()
        var places: [JSONPointer] = []
        if arity == 0, !isForeign {
            places = environment.paths?(name) ?? []
            if places.isEmpty, arities.isEmpty { places = environment.nearPaths?(name) ?? [] }
        }
        return .undefinedFunction(
            name: name, arity: arity, otherArities: arities,
            similar: arities.isEmpty ? Suggestions.names(near: name, in: known.map(\.name)) : [],
            places: places.map { JQPath.text(of: $0, in: .null) })
    }
}

extension Expression {
    func calls(_ name: String, arity: Int) -> Bool {
        if case .call(name, let arguments) = form, arguments.count == arity { return true }
        var result = false
        form.forEachChild { result = result || $0.calls(name, arity: arity) }
        return result
    }
}
