internal import JSONCore

extension Compiler {
    func compile(_ syntax: Expression, _ scope: Scope?) -> Node {
        guard StackRoom.hasRoom else { return report(.limit("nested too deeply"), syntax.range) }
        let before = nodeCount
        let node = form(of: syntax, scope)
        nodeCount += 1
        node.stepCost = (nodeCount - before + 3) / 4
        return node
    }

    private func form(of syntax: Expression, _ scope: Scope?) -> Node {
        switch syntax.form {
        case .identity: return IdentityNode()
        case .descent: return DescentNode()
        case .literal(let value): return LiteralNode(value)
        case .location(let line):
            return LiteralNode(.object(["file": "<top-level>", "line": .number(JSONNumber(line))]))
        case .template(let format, let parts): return compileTemplate(format, parts, syntax.range, scope)
        case .format(let name):
            guard let format = StringFormat(rawValue: name) else { return unknownFormat(name, syntax.range) }
            return FormatNode(format)
        case .index(let target, let key): return compileIndex(target, key, syntax.range, scope)
        case .slice(let target, let from, let upTo):
            return SliceNode(
                compile(target, scope), from: from.map { compile($0, scope) } ?? LiteralNode(.null),
                upTo: upTo.map { compile($0, scope) } ?? LiteralNode(.null))
        case .iterate(let target): return IterateNode(compile(target, scope))
        case .attempt(let body, let handler):
            return AttemptNode(compile(body, scope), handler: handler.map { compile($0, scope) })
        case .array(let contents): return compileArray(contents, scope)
        case .object(let entries):
            return ObjectNode(entries.map { (key: compile($0.key, scope), value: compile($0.value, scope)) })
        case .negate(let operand): return compileNegation(operand, scope)
        case .binary(.subtract, let left, let right) where hyphenated(left, right, scope) != nil:
            return report(hyphenated(left, right, scope) ?? .ternary, right.range)
        case .binary(let op, let left, let right): return compileBinary(op, compile(left, scope), compile(right, scope))
        case .and(let a, let b): return LogicNode(compile(a, scope), compile(b, scope), decisive: false)
        case .or(let a, let b): return LogicNode(compile(a, scope), compile(b, scope), decisive: true)
        case .alternative(let a, let b): return AlternativeNode(compile(a, scope), compile(b, scope))
        case .pipe(let left, let right):
            let first = compile(left, scope)
            let second = compile(right, scope)
            return (second as? CallNode).map { PipedCallNode(first, $0) } ?? PipeNode(first, second)
        case .comma(let parts): return CommaNode(parts.map { compile($0, scope) })
        case .assign(let op, let target, let value): return compileAssignment(op, compile(target, scope), value, scope)
        case .call(let name, let arguments): return compileCall(name, arguments, syntax.range, scope)
        case .variable(let name): return compileVariable(name, syntax.range, scope)
        default: return compileBinder(syntax, scope)
        }
    }

    private func hyphenated(_ left: Expression, _ right: Expression, _ scope: Scope?) -> SyntaxProblem.Mistake? {
        guard case .index(_, let key) = left.form, case .literal(.string(let name)) = key.form,
            case .call(let function, let arguments) = right.form, arguments.isEmpty,
            left.range.upperBound + 1 == right.range.lowerBound, scope.callable(function, arity: 0) == nil,
            !Builtins.signatures.contains(where: { $0.name == function })
        else { return nil }
        return .hyphenatedMember("\(name)-\(function)", function: function)
    }

    private func compileIndex(_ target: Expression, _ key: Expression, _ range: SourceRange, _ scope: Scope?) -> Node {
        if case .literal(.string(let name)) = key.form {
            return MemberNode(compile(target, scope), name, at: isForeign ? nil : key.range)
        }
        let keyNode = compile(key, scope)
        if case .string(let name)? = (keyNode as? LiteralNode)?.value {
            return MemberNode(compile(target, scope), name, at: nil)
        }
        return IndexNode(compile(target, scope), keyNode)
    }

    private func compileArray(_ contents: Expression?, _ scope: Scope?) -> Node {
        guard let contents else { return LiteralNode(.array([])) }
        if case .comma(let parts) = contents.form {
            let literals = parts.compactMap { part -> JSONValue? in
                if case .literal(let value) = part.form { return value }
                return nil
            }
            if literals.count == parts.count { return LiteralNode(.array(literals)) }
        }
        if case .literal(let value) = contents.form { return LiteralNode(.array([value])) }
        let node = compile(contents, scope)
        if let pipe = node as? PipeNode, let source = pipe.left as? IterateNode, source.operand is IdentityNode {
            return MapNode(pipe.right)
        }
        return ArrayNode(node)
    }

    private func compileNegation(_ operand: Expression, _ scope: Scope?) -> Node {
        if case .literal(let value) = operand.form, let result = try? Arithmetic.negate(value) {
            return LiteralNode(result)
        }
        return NegateNode(compile(operand, scope))
    }

    private func compileBinary(_ op: BinaryOperator, _ left: Node, _ right: Node) -> Node {
        if op == .add, let input = left as? IdentityNode, let object = right as? ObjectNode, object.entries.count == 1 {
            return MemberAdditionNode(input, object)
        }
        let node: Node
        switch op {
        case .add, .subtract, .multiply, .divide, .remainder: node = ArithmeticNode(op, left, right)
        default: node = ComparisonNode(op, left, right)
        }
        guard let a = left as? LiteralNode, let b = right as? LiteralNode, a.value.isScalar, b.value.isScalar else {
            return node
        }
        // Constants are folded; an operation that fails, or whose result is large, is left for the run.
        let small = QueryLimits(steps: 1, size: 64)
        if node is ComparisonNode {
            return (try? ComparisonNode.holds(op, a.value, b.value, Machine(isIdle: true))).map {
                LiteralNode(.bool($0))
            } ?? node
        }
        return (try? Arithmetic.apply(op, a.value, b.value, small)).map { LiteralNode($0) } ?? node
    }

    private func compileAssignment(
        _ op: AssignmentOperator, _ target: Node, _ value: Expression, _ scope: Scope?
    ) -> Node {
        switch op {
        case .set: SetNode(target, compile(value, scope))
        case .update: UpdateNode(target, compile(value, scope))
        case .arithmetic(let op): OperateNode(op, target, compile(value, scope))
        case .alternative: OperateNode(nil, target, compile(value, scope))
        }
    }

    private func compileTemplate(
        _ format: String?, _ parts: [TemplatePart<Expression>], _ range: SourceRange, _ scope: Scope?
    ) -> Node {
        guard let format = StringFormat(rawValue: format ?? "@text") else { return unknownFormat(format ?? "", range) }
        let compiled = parts.map { part -> TemplatePart<Node> in
            switch part {
            case .text(let text): .text(text)
            case .interpolation(let syntax): .interpolation(compile(syntax, scope))
            }
        }
        return TemplateNode(compiled, format: format)
    }

    private func unknownFormat(_ name: String, _ range: SourceRange) -> Node {
        let known = StringFormat.allCases.map(\.rawValue)
        let end = range.lowerBound + name.utf8.count
        return report(.unknownFormat(name, similar: Suggestions.names(near: name, in: known)), range.lowerBound..<end)
    }

    private func compileVariable(_ name: String, _ range: SourceRange, _ scope: Scope?) -> Node {
        switch scope.variable(name) {
        case .variable(_, let level, let slot)?: return VariableNode(hops: layout.level - level, slot: slot)
        case .constant(_, let value)?: return LiteralNode(value)
        default: break
        }
        let variables = ContextVariable.allCases.filter { $0 != .prefix || environment.readsLines }
        if let variable = variables.first(where: { $0.rawValue == name }) { return ContextNode(variable) }
        if name == "ENV" { return report(.leftOut("$ENV", reason: Builtins.outsideReason), range) }
        let known = scope.variables + variables.map(\.rawValue)
        return report(.undefinedVariable(name, similar: Suggestions.names(near: name, in: known)), range)
    }

    // MARK: What binds names

    private func compileBinder(_ syntax: Expression, _ scope: Scope?) -> Node {
        switch syntax.form {
        case .conditional(let branches, let otherwise):
            var node = otherwise.map { compile($0, scope) } ?? IdentityNode()
            for branch in branches.reversed() {
                node = ConditionalNode(
                    compile(branch.condition, scope), then: compile(branch.then, scope), otherwise: node)
            }
            return node
        case .define(let function, let body):
            return compile(body, Scope(scope, .function(function, level: layout.level)))
        case .bind(let source, let patterns, let body): return compileBind(source, patterns, body, scope)
        case .reduce(let source, let patterns, let start, let update):
            let (pattern, inner) = compilePatterns(patterns, scope)
            return ReduceNode(
                compile(source, scope), pattern, start: compile(start, scope), update: compile(update, inner))
        case .foreach(let source, let patterns, let start, let update, let extract):
            let (pattern, inner) = compilePatterns(patterns, scope)
            return ForeachNode(
                compile(source, scope), pattern, start: compile(start, scope), update: compile(update, inner),
                extract: extract.map { compile($0, inner) } ?? IdentityNode())
        case .label(let name, let body):
            let slot = layout.newSlot()
            let inner = Scope(scope, .variable("*" + name, level: layout.level, slot: slot))
            return LabelNode(slot: slot, compile(body, inner))
        case .breakOut(let name):
            guard case .variable(_, let level, let slot)? = scope.variable("*" + name) else {
                return report(.undefinedLabel(name), syntax.range)
            }
            return BreakNode(hops: layout.level - level, slot: slot)
        default: return EmptyNode()
        }
    }

    private func compileBind(_ source: Expression, _ patterns: [Pattern], _ body: Expression, _ scope: Scope?) -> Node {
        let sourceNode = compile(source, scope)
        if let literal = sourceNode as? LiteralNode, patterns.count == 1, case .variable(let name, _) = patterns[0] {
            return compile(body, Scope(scope, .constant(name, literal.value)))
        }
        let (pattern, inner) = compilePatterns(patterns, scope)
        return BindNode(sourceNode, pattern, compile(body, inner))
    }

    private func compilePatterns(
        _ patterns: [Pattern], _ scope: Scope?
    ) -> (pattern: CompiledPattern, scope: Scope?) {
        var slots: [String: Int] = [:]
        var inner = scope
        for name in patterns.flatMap(\.names) where slots[name] == nil {
            let slot = layout.newSlot()
            slots[name] = slot
            inner = Scope(inner, .variable(name, level: layout.level, slot: slot))
        }
        let compiled = patterns.map { compilePattern($0, slots, scope) }
        return (compiled.count == 1 ? compiled[0] : .alternatives(compiled, slots: slots.values.sorted()), inner)
    }

    private func compilePattern(_ pattern: Pattern, _ slots: [String: Int], _ scope: Scope?) -> CompiledPattern {
        switch pattern {
        case .variable(let name, _): return .variable(slot: slots[name] ?? 0)
        case .array(let elements): return .array(elements.map { compilePattern($0, slots, scope) })
        case .object(let entries):
            return .object(
                entries.map { entry in
                    CompiledPattern.KeyedPattern(
                        key: compile(entry.key, scope), slot: entry.variable.flatMap { slots[$0] },
                        value: entry.value.map { compilePattern($0, slots, scope) })
                })
        }
    }
}
