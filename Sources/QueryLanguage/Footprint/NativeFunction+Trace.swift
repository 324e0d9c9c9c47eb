internal import JSONCore

extension NativeFunction {
    /// Those whose result hangs on no more than the input's kind, and on a scalar itself.
    private static let readsKind: Set<String> = [
        "not", "type", "infinite", "nan", "have_decnum", "have_literal_numbers", "builtins", "isnan", "isinfinite",
        "isnormal",
    ]

    /// Those that give a scalar, if anything.
    private static let givesScalar: Set<String> = [
        "not", "type", "infinite", "nan", "have_decnum", "have_literal_numbers", "isnan", "isinfinite", "isnormal",
        "length",
        "has", "tostring", "tojson", "tonumber", "toboolean", "utf8bytelength", "ascii_downcase", "ascii_upcase",
        "trim",
        "ltrim", "rtrim", "ltrimstr", "rtrimstr", "trimstr", "startswith", "endswith", "join", "implode", "contains",
        "floor", "ceil", "round", "sqrt", "mktime", "strftime",
    ]

    /// What a call reads and what its result is made of.
    func trace(_ input: Abstract, _ arguments: [Abstract], _ tracer: Tracer) -> Abstract {
        if name == "has" { return traceHas(input, arguments, tracer) }
        for argument in arguments.reversed() { tracer.consume(argument) }
        switch name {
        case "length":
            tracer.outline(input)
            // A constant or built value is known, and a scalar was touched.
            return .scalar
        case "keys", "keys_unsorted":
            tracer.outline(input)
            return .array(of: .scalar)
        case "to_entries":
            return .array(of: .object([("key", .scalar), ("value", tracer.parts(of: input))], rest: nil))
        case "from_entries": return traceFromEntries(input, tracer)
        case "reverse": return .array(of: tracer.parts(of: input))
        case "toarray": return input.joined(with: .array(of: input))
        default: break
        }
        if Self.readsKind.contains(name) { tracer.touch(input) } else { tracer.consume(input) }
        return Self.givesScalar.contains(name) ? .scalar : .derived
    }

    /// `has("a")` asks for that member only, any other key for all of their names.
    private func traceHas(_ input: Abstract, _ arguments: [Abstract], _ tracer: Tracer) -> Abstract {
        if case .string(let key)?? = arguments.first?.constant {
            tracer.touch(tracer.member(key, of: input, at: nil))
        } else {
            arguments.forEach(tracer.consume)
            tracer.outline(input)
        }
        return .scalar
    }

    private func traceFromEntries(_ input: Abstract, _ tracer: Tracer) -> Abstract {
        let entries = tracer.parts(of: input)
        for name in ["key", "Key", "name", "Name"] { tracer.consume(tracer.member(name, of: entries, at: nil)) }
        let values = ["value", "Value"].map { tracer.member($0, of: entries, at: nil) }
        for value in values { tracer.touch(value) }
        return .object([], rest: values[0].joined(with: values[1]))
    }
}
