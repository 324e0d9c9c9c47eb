internal import JSONCore

/// Built-ins whose arguments are filters that they run themselves.
enum ControlFunctions {
    static let signatures: [String] = [
        "empty/0", "error/0", "error/1", "select/1", "map/1", "path/1", "paths/0", "paths/1", "del/1", "pick/1",
        "getpath/1", "recurse/0", "recurse/1", "while/2", "until/2", "range/1", "range/2", "range/3",
        "first/0", "first/1", "last/0", "last/1", "nth/1", "nth/2", "limit/2", "skip/2", "isempty/1", "any/0", "any/1",
        "any/2", "all/0", "all/1", "all/2", "add/0", "add/1", "sort_by/1", "group_by/1", "unique_by/1", "min_by/1",
        "max_by/1", "walk/1", "tostream/0", "fromstream/1", "debug/0", "stderr/0", "arrays/0", "objects/0",
        "iterables/0", "booleans/0", "numbers/0", "strings/0", "nulls/0", "values/0", "scalars/0", "format/1", "_sub/3",
    ]

    /// `arrays`, `scalars` and the like: the kinds that pass.
    static let kinds: [String: ValueKinds] = [
        "arrays": .array, "objects": .object, "iterables": .iterable, "booleans": .boolean, "numbers": .number,
        "strings": .string, "nulls": .null, "values": .value, "scalars": .scalar,
    ]
}

extension Compiler {
    /// The node of a built-in of `ControlFunctions`, or nil.
    func compileControl(_ name: String, _ arguments: [Expression], _ scope: Scope?) -> Node? {
        switch arguments.count {
        case 0: compileControl(name)
        case 1: compileControl(name, arguments[0], scope)
        default: compileControl(name, arguments[0], arguments[1], arguments.count > 2 ? arguments[2] : nil, scope)
        }
    }

    private func compileControl(_ name: String) -> Node? {
        switch name {
        case "empty": EmptyNode()
        case "error": ErrorNode(IdentityNode())
        case "recurse": DescentNode()
        case "paths": PathsNode(DescentNode(), isEverywhere: true)
        case "first": IndexNode(IdentityNode(), LiteralNode(.number(JSONNumber(0))))
        case "last": IndexNode(IdentityNode(), LiteralNode(.number(JSONNumber(-1))))
        case "any": QuantifierNode(IterateNode(IdentityNode()), IdentityNode(), decisive: true)
        case "all": QuantifierNode(IterateNode(IdentityNode()), IdentityNode(), decisive: false)
        case "add": SumNode(IterateNode(IdentityNode()))
        case "tostream": StreamNode()
        case "debug": DebugNode(prefix: "[\"DEBUG:\",", suffix: "]\n", environment.messages)
        case "stderr": DebugNode(prefix: "", suffix: "", environment.messages)
        default: ControlFunctions.kinds[name].map { KindNode($0) }
        }
    }

    private func compileControl(_ name: String, _ argument: Expression, _ scope: Scope?) -> Node? {
        let iterate = IterateNode(IdentityNode())
        switch name {
        case "error": return ErrorNode(compile(argument, scope))
        case "select": return SelectNode(compile(argument, scope))
        case "map": return MapNode(compile(argument, scope))
        case "path": return PathsNode(compile(argument, scope), isEverywhere: false)
        case "paths":
            return PathsNode(PipeNode(DescentNode(), SelectNode(compile(argument, scope))), isEverywhere: true)
        case "del": return DeleteNode(compile(argument, scope))
        case "pick": return PickNode(compile(argument, scope))
        case "getpath": return GetPathNode(compile(argument, scope))
        case "recurse": return RecurseNode(compileReentrant(argument, scope))
        case "range":
            return RangeNode(
                from: LiteralNode(.number(JSONNumber(0))), upTo: compile(argument, scope),
                by: LiteralNode(.number(JSONNumber(1))))
        case "first": return EndNode(.first, of: compile(argument, scope))
        case "last": return EndNode(.last, of: compile(argument, scope))
        case "nth": return IndexNode(IdentityNode(), compile(argument, scope))
        case "isempty": return IsEmptyNode(compile(argument, scope))
        case "any": return QuantifierNode(iterate, compile(argument, scope), decisive: true)
        case "all": return QuantifierNode(iterate, compile(argument, scope), decisive: false)
        case "add": return SumNode(compile(argument, scope))
        case "walk": return WalkNode(compileReentrant(argument, scope))
        case "fromstream": return StreamedNode(compile(argument, scope))
        case "format": return NamedFormatNode(compile(argument, scope))
        default: return SortingKind(rawValue: name).map { SortingNode($0, key: compile(argument, scope)) }
        }
    }

    private func compileControl(
        _ name: String, _ first: Expression, _ second: Expression, _ third: Expression?, _ scope: Scope?
    ) -> Node? {
        if let third {
            if name == "_sub" {
                return SubstituteNode(compile(first, scope), flags: compile(second, scope), compile(third, scope))
            }
            guard name == "range" else { return nil }
            return RangeNode(
                from: compile(first, scope), upTo: compile(second, scope), by: compile(third, scope))
        }
        switch name {
        case "range":
            return RangeNode(
                from: compile(first, scope), upTo: compile(second, scope), by: LiteralNode(.number(JSONNumber(1))))
        case "limit": return CountedNode(.limit, compile(first, scope), compile(second, scope))
        case "skip": return CountedNode(.skip, compile(first, scope), compile(second, scope))
        case "nth": return CountedNode(.nth, compile(first, scope), compile(second, scope))
        case "until": return UntilNode(compileReentrant(first, scope), compileReentrant(second, scope))
        case "while": return WhileNode(compileReentrant(first, scope), compileReentrant(second, scope))
        case "any": return QuantifierNode(compile(first, scope), compile(second, scope), decisive: true)
        case "all": return QuantifierNode(compile(first, scope), compile(second, scope), decisive: false)
        default: return nil
        }
    }
}
