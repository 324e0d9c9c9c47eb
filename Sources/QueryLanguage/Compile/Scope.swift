internal import JSONCore

/// The names that are visible at a place in a program, innermost first.
final class Scope {
    enum Binding {
        /// A variable, or the number of a label (whose name begins with a star).
        case variable(String, level: Int, slot: Int)
        case constant(String, JSONValue)
        /// A function with the scope that its body sees, itself included.
        case function(FunctionSyntax, level: Int)
        case compiled(FunctionSyntax, Function, level: Int)
        /// A parameter of an expanded function: the argument as written, in the scope of the call.
        case argument(String, Expression, Scope)
        case parameter(String, level: Int, index: Int)
    }

    let parent: Scope?
    let binding: Binding
    let isForeign: Bool

    init(_ parent: Scope?, _ binding: Binding, isForeign: Bool = false) {
        self.parent = parent
        self.binding = binding
        self.isForeign = isForeign
    }
}

extension Scope.Binding {
    fileprivate var variable: String? {
        switch self {
        case .variable(let name, _, _), .constant(let name, _): name
        default: nil
        }
    }

    fileprivate var callable: (name: String, arity: Int)? {
        switch self {
        case .function(let function, _), .compiled(let function, _, _): (function.name, function.parameters.count)
        case .argument(let parameter, _, _), .parameter(let parameter, _, _): (parameter, 0)
        case .variable, .constant: nil
        }
    }
}

extension Scope? {
    private var outwards: some Sequence<Scope> {
        sequence(state: self) { scope in
            defer { scope = scope?.parent }
            return scope
        }
    }

    func variable(_ name: String) -> Scope.Binding? { outwards.first { $0.binding.variable == name }?.binding }

    func callable(_ name: String, arity: Int) -> Scope? {
        outwards.first { scope in scope.binding.callable.map { $0.arity == arity && $0.name == name } ?? false }
    }

    var callables: [(name: String, arity: Int)] { outwards.compactMap(\.binding.callable) }

    /// Labels are not among them.
    var variables: [String] { outwards.compactMap(\.binding.variable).filter { !$0.hasPrefix("*") } }
}

/// The slots of one frame, handed out while its code is compiled.
final class Layout {
    let level: Int
    private(set) var count = 0

    init(level: Int) { self.level = level }

    func newSlot() -> Int {
        count += 1
        return count - 1
    }
}
