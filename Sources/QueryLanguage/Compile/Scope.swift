internal import JSONCore

/// The names that are visible at a place in a program, innermost first.
final class Scope {
    enum Binding {
        /// A variable, or the number of a label (whose name begins with a star).
        case variable(String, level: Int, slot: Int)
        /// A variable whose value is written in the program.
        case constant(String, JSONValue)
        /// A function with the scope that its body sees, itself included.
        case function(FunctionSyntax, level: Int)
        /// A recursive function that has been compiled or is being compiled.
        case compiled(FunctionSyntax, Function, level: Int)
        /// A parameter of an expanded function: the argument as written, in the scope of the call.
        case argument(String, Expression, Scope)
        /// A parameter of a compiled function.
        case parameter(String, level: Int, index: Int)
    }

    let parent: Scope?
    let binding: Binding
    /// Whether the place is in another text than the one that is compiled.
    let isForeign: Bool

    init(_ parent: Scope?, _ binding: Binding, isForeign: Bool = false) {
        self.parent = parent
        self.binding = binding
        self.isForeign = isForeign
    }
}

extension Scope? {
    /// What a variable or label refers to: a binding of either kind, or nil.
    func variable(_ name: String) -> Scope.Binding? {
        var scope = self
        while let present = scope {
            switch present.binding {
            case .variable(name, _, _), .constant(name, _): return present.binding
            default: scope = present.parent
            }
        }
        return nil
    }

    /// What a name with so many arguments refers to, with the scope it was found in.
    func callable(_ name: String, arity: Int) -> Scope? {
        var scope = self
        while let present = scope {
            switch present.binding {
            case .function(let function, _), .compiled(let function, _, _):
                if function.parameters.count == arity && function.name == name { return present }
            case .argument(let parameter, _, _), .parameter(let parameter, _, _):
                if arity == 0 && parameter == name { return present }
            case .variable, .constant: break
            }
            scope = present.parent
        }
        return nil
    }

    /// Every name that could be called here, with its arity.
    var callables: [(name: String, arity: Int)] {
        var found: [(name: String, arity: Int)] = []
        var scope = self
        while let present = scope {
            switch present.binding {
            case .function(let function, _), .compiled(let function, _, _):
                found.append((function.name, function.parameters.count))
            case .argument(let parameter, _, _), .parameter(let parameter, _, _): found.append((parameter, 0))
            case .variable, .constant: break
            }
            scope = present.parent
        }
        return found
    }

    /// Every variable that is visible here; labels are not among them.
    var variables: [String] {
        var found: [String] = []
        var scope = self
        while let present = scope {
            switch present.binding {
            case .variable(let name, _, _), .constant(let name, _): if !name.hasPrefix("*") { found.append(name) }
            default: break
            }
            scope = present.parent
        }
        return found
    }
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
