internal import JSONCore

/// The built-in functions: those that compute a value, those that steer evaluation, and those written in the language.
enum Builtins {
    /// Why some of jq's functions are not there.
    static let outsideReason = "a query answers from the state alone, the same at every replay"

    private static let native: [String: NativeFunction] = {
        let groups = [
            ValueFunctions.functions, ArrayFunctions.functions, ObjectFunctions.functions, StringFunctions.functions,
            MathFunctions.functions, PathFunctions.functions, DateFunctions.functions, RegexFunctions.functions,
        ]
        var table: [String: NativeFunction] = [:]
        for function in groups.joined() { table["\(function.name)/\(function.arity)"] = function }
        return table
    }()

    static func native(_ name: String, arity: Int) -> NativeFunction? { native["\(name)/\(arity)"] }

    /// What jq has and this language has not, by name and arity.
    static let leftOut: [String: String] = {
        let outside = [
            "input/0", "inputs/0", "input_filename/0", "input_line_number/0", "env/0", "now/0", "localtime/0",
            "strflocaltime/1", "halt/0", "halt_error/0", "halt_error/1", "get_search_list/0",
            "get_jq_origin/0", "get_prog_origin/0", "modulemeta/0",
        ]
        return Dictionary(uniqueKeysWithValues: outside.map { ($0, outsideReason) })
    }()

    /// Name and arity of everything that can be called.
    static let signatures: [(name: String, arity: Int)] = {
        let keys = Array(native.keys) + ControlFunctions.signatures + Prelude.definitions.keys
        return Set(keys).sorted().compactMap { key in
            guard let slash = key.lastIndex(of: "/"), let arity = Int(key[key.index(after: slash)...]) else {
                return nil
            }
            return (String(key[..<slash]), arity)
        }
    }()
}

extension Compiler {
    /// The node of a built-in that is not written in the language itself, or nil if there is none.
    func compileBuiltin(
        _ name: String, _ arguments: [Expression], _ range: SourceRange, _ scope: Scope?
    ) -> Node? {
        if let node = compileControl(name, arguments, scope) { return node }
        if let function = Builtins.native(name, arity: arguments.count) {
            return NativeNode(function, arguments.map { compile($0, scope) })
        }
        if let reason = Builtins.leftOut["\(name)/\(arguments.count)"] {
            return report(.leftOut(name, reason: reason), range)
        }
        return nil
    }
}
