public import JSONCore
internal import Platform

/// A file of `def`s: functions that queries may call, each without parameters also a derived value or an invariant.
public struct Definitions: Sendable {
    /// The text of the file.
    public let text: String
    /// What the file is called in messages.
    public let name: String
    let functions: [FunctionSyntax]
    private let environment: QueryEnvironment

    /// Reads a file of definitions; a body is compiled when its definition is used.
    ///
    /// - Parameter environment: the values and functions that the definitions may name.
    /// - Throws: every problem found in the text.
    public init(text: String, name: String, in environment: QueryEnvironment = .empty) throws(QuerySyntaxErrors) {
        self.text = text
        self.name = name
        self.environment = environment
        let compiler = Compiler(text: text, name: name, environment)
        functions = try compiler.parse { parser throws(SyntaxProblem) in try parser.parseDefinitionFile() }
        guard compiler.problems.isEmpty else {
            throw QuerySyntaxErrors(text: text, name: name, problems: compiler.problems)
        }
        for index in functions.indices { _ = try program(of: index) }
    }

    /// The names of the definitions without parameters, in the file's order; of a repeated name the last counts.
    public var zeroArgumentNames: [String] {
        var names: [String] = []
        for function in functions where function.parameters.isEmpty {
            names.removeAll { $0 == function.name }
            names.append(function.name)
        }
        return names
    }

    /// A definition without parameters as a query of its own, whose footprint includes the definitions that it calls;
    /// nil if there is none of that name.
    public func query(named name: String) -> Query? {
        index(of: name).flatMap { try? checked($0) }
    }

    private func index(of name: String) -> Int? {
        functions.lastIndex { $0.name == name && $0.parameters.isEmpty }
    }

    /// The definitions without parameters that a definition calls, itself or through functions with parameters, in the
    /// file's order.
    public func callees(of name: String) -> [String] {
        guard let index = index(of: name) else { return [] }
        let found = called(by: index) { !functions[$0].parameters.isEmpty }
        return zeroArgumentNames.filter { candidate in
            found.contains { functions[$0].name == candidate && functions[$0].parameters.isEmpty }
        }
    }

    /// A definition without parameters as a query to read: the definitions of this file that it calls, and its body.
    ///
    /// Nil if there is none of that name.
    public func text(of name: String) -> String? {
        guard let index = index(of: name) else { return nil }
        let helpers = called(by: index) { _ in true }.sorted().map {
            "def " + line(functions[$0], withName: true) + "; "
        }
        return helpers.joined() + line(functions[index], withName: false)
    }

    private func line(_ function: FunctionSyntax, withName: Bool) -> String {
        let bytes = Array(text.utf8)
        let start = withName ? function.nameRange.lowerBound : function.bodyRange.lowerBound
        let lines = bytes[start..<function.bodyRange.upperBound].split(separator: UInt8(ascii: "\n"))
        let isCommented = lines.count > 1 && lines.contains { $0.contains(UInt8(ascii: "#")) }
        let trimmed = lines.map { line in
            String(decoding: line.drop { $0 == 0x20 || $0 == 0x9 || $0 == 0xD }, as: UTF8.self)
        }
        return trimmed.joined(separator: isCommented ? "\n" : " ")
    }

    private func called(by index: Int, isPassed: (Int) -> Bool) -> Set<Int> {
        var found: Set<Int> = []
        var waiting = [index]
        while let caller = waiting.popLast() {
            for callee in functions[..<caller].indices where !found.contains(callee) && calls(caller, callee) {
                found.insert(callee)
                if isPassed(callee) { waiting.append(callee) }
            }
        }
        return found
    }

    /// Whether a definition calls an earlier one, which no other of the same name between them hides.
    private func calls(_ caller: Int, _ callee: Int) -> Bool {
        let (name, arity) = (functions[callee].name, functions[callee].parameters.count)
        let isHidden = functions[(callee + 1)..<caller].contains { $0.name == name && $0.parameters.count == arity }
        return !isHidden && functions[caller].body.calls(name, arity: arity)
    }

    /// The part of the state that a definition without parameters reads itself, without what the definitions that it
    /// calls read.
    ///
    /// Nothing if there is none of that name.
    public func ownPaths(of name: String) -> PathSet {
        guard let index = index(of: name) else { return .nothing }
        // Each of the other definitions is replaced by a value of which nothing is known, and which cannot be folded.
        let range = functions[index].nameRange
        let unknown = Expression(.call("error", [Expression(.literal(.null), range)]), range)
        let alone = functions.enumerated().map { place, function in
            place == index || !function.parameters.isEmpty
                ? function
                : FunctionSyntax(
                    name: function.name, parameters: [], body: unknown, nameRange: function.nameRange,
                    bodyRange: function.bodyRange)
        }
        let compiler = Compiler(text: text, name: self.name, environment)
        guard let program = try? compiler.compileDefinition(index, of: alone) else { return .everything }
        return Footprint(of: program).paths
    }

    private func checked(_ index: Int) throws(QuerySyntaxErrors) -> Query {
        let program = try program(of: index)
        return Query(text: text, name: functions[index].name, program, functions[index].body) { try? checked(index) }
    }

    private func program(of index: Int) throws(QuerySyntaxErrors) -> Program {
        try Compiler(text: text, name: name, environment).compileDefinition(index, of: functions)
    }
}

/// What programs may use beside the language itself: values by name, functions, and a function that takes the messages
/// of `debug`.
///
/// The values are constants of a program, and the footprint is computed with them.
public struct QueryEnvironment: Sendable {
    /// Takes what `debug` and `stderr` print.
    public typealias Messages = @Sendable (String) -> Void

    private(set) var values: [(name: String, value: JSONValue)] = []
    /// The files of functions that were added, in order.
    public private(set) var definitions: [Definitions]
    /// Takes what `debug` and `stderr` print; unless given, it goes to standard error as it is.
    public var messages: Messages = { FileDescriptor.writeToStandardError($0) }

    /// Whether queries are asked of the lines of a log, where `$prefix` is the text before the JSON.
    public var readsLines = false

    /// Where further inputs come from; nil where a query answers from one value alone, as questions over a run do.
    public var inputs: QueryInputs?

    /// The places of the state that a word names, so that `cart.total` is `.cart.total`; nil where no state is known.
    ///
    /// A word of several places names none, and the problem lists them. It is asked only of words that name no function.
    public var paths: (@Sendable (String) -> [JSONPointer])?
    /// The places of the state that are called nearly as a word that names nothing, for what is written instead; nil for none.
    package var nearPaths: (@Sendable (String) -> [JSONPointer])?

    /// Nothing but the language, and the functions of some files.
    public init(definitions: [Definitions] = []) { self.definitions = definitions }

    /// Nothing but the language.
    public static let empty = QueryEnvironment()

    /// Gives `$name` a value; a later one of the same name hides it.
    public mutating func name(_ name: String, _ value: JSONValue) { values.append((name, value)) }

    /// Adds the functions of a file; later ones hide earlier ones of the same name.
    public mutating func add(_ definitions: Definitions) { self.definitions.append(definitions) }

    var functions: [FunctionSyntax] { definitions.flatMap(\.functions) }
}
