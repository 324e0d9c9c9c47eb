internal import JSONCore
internal import Synchronization

/// The native part of `match`, `test`, `capture`, `split/2`.
enum RegexFunctions {
    static let functions: [NativeFunction] = [
        NativeFunction("_matches", .three(matches)),
        NativeFunction("_captured", .zero(captured)),
        NativeFunction("_pattern", .one { _, argument throws(Interruption) in try pattern(argument, false) }),
        NativeFunction("_flags", .one { _, argument throws(Interruption) in try pattern(argument, true) }),
        NativeFunction("_split", .two(split)),
    ]

    /// All matches as jq describes them, or, for `test`, whether there is one.
    @Sendable private static func matches(
        _ input: JSONValue, _ pattern: JSONValue, _ flags: JSONValue, _ test: JSONValue
    ) throws(Interruption) -> JSONValue {
        let (text, search) = try prepare(input, pattern, flags)
        if test.isTruthy { return .bool(try !search.ranges(in: text, atMost: 1).isEmpty) }
        let scalars = text.unicodeScalars.map(\.value)
        return .array(try search.ranges(in: text, atMost: .max).map { description(of: $0, in: scalars, search) })
    }

    /// The one argument of `match` and the like as a pattern and its flags: a string, or an array of them.
    @Sendable private static func pattern(_ argument: JSONValue, _ flags: Bool) throws(Interruption) -> JSONValue {
        switch argument {
        case .string: return flags ? .null : argument
        case .array(let parts) where !parts.isEmpty:
            if !flags { return parts[0] }
            return parts.count > 1 ? parts[1] : .null
        default: throw .message("\(argument.kindName) not a string or array")
        }
    }

    /// `split(re; flags)`: the parts between matches.
    @Sendable private static func split(
        _ input: JSONValue, _ pattern: JSONValue, _ flags: JSONValue
    ) throws(Interruption) -> JSONValue {
        var (text, search) = try prepare(input, pattern, flags)
        search.isGlobal = true
        let scalars = text.unicodeScalars.map(\.value)
        var parts: [JSONValue] = []
        var start = 0
        for match in try search.ranges(in: text, atMost: .max) {
            parts.append(.string(string(scalars[start..<max(start, match[0])])))
            start = match[1]
        }
        parts.append(.string(string(scalars[min(start, scalars.count)...])))
        return .array(parts)
    }

    /// The named groups of a match as an object.
    @Sendable private static func captured(_ match: JSONValue) throws(Interruption) -> JSONValue {
        var members = JSONObject()
        for capture in match.object?["captures"]?.array ?? [] {
            guard let group = capture.object, case .string(let name)? = group["name"] else { continue }
            members[name] = group["string"] ?? .null
        }
        return .object(members)
    }

    private static func prepare(
        _ input: JSONValue, _ pattern: JSONValue, _ flags: JSONValue
    ) throws(Interruption) -> (String, RegexSearch) {
        guard case .string(let text) = input else {
            throw ValueFunctions.failure(input, "cannot be matched, as it is not a string")
        }
        guard case .string(let expression) = pattern else {
            throw ValueFunctions.failure(pattern, "is not a string")
        }
        switch flags {
        case .null: return (text, try RegexSearch(expression, flags: ""))
        case .string(let letters): return (text, try RegexSearch(expression, flags: letters))
        default: throw ValueFunctions.failure(flags, "is not a string")
        }
    }

    private static func string(_ scalars: ArraySlice<UInt32>) -> String {
        var view = String.UnicodeScalarView()
        for value in scalars { view.append(Unicode.Scalar(value) ?? "\u{FFFD}") }
        return String(view)
    }

    private static func description(of match: [Int], in scalars: [UInt32], _ search: RegexSearch) -> JSONValue {
        func members(_ start: Int, _ end: Int) -> JSONObject {
            guard start >= 0, end >= start else { return ["offset": -1, "length": 0, "string": .null] }
            return [
                "offset": .number(JSONNumber(start)), "length": .number(JSONNumber(end - start)),
                "string": .string(string(scalars[start..<end])),
            ]
        }
        var result = members(match[0], match[1])
        let captures = search.program.groupNames.enumerated().map { index, name in
            var capture = members(match[2 * index + 2], match[2 * index + 3])
            capture["name"] = name.map { .string($0) } ?? .null
            return JSONValue.object(capture)
        }
        result["captures"] = .array(captures)
        return .object(result)
    }
}

/// A compiled expression with the flags that steer the search.
struct RegexSearch {
    let program: RegexProgram
    var isGlobal = false
    var skipsEmpty = false
    var isLongest = false

    init(_ expression: String, flags: String) throws(Interruption) {
        var options = RegexParser.Options()
        for flag in flags.unicodeScalars {
            switch flag {
            case "g": isGlobal = true
            case "i": options.ignoringCase = true
            case "x": options.extended = true
            // Single line: `^` and `$` are the ends of the text, as they always are in this syntax.
            case "s": break
            case "l": isLongest = true
            case "n": skipsEmpty = true
            case "p", "m": options.dotMatchesNewline = true
            default: throw .message("\(flags) is not a valid modifier string")
            }
        }
        program = try RegexCache.program(expression, options, flags)
    }

    /// The places of each match and its groups, from the first on.
    func ranges(in text: String, atMost limit: Int) throws(Interruption) -> [[Int]] {
        let scalars = text.unicodeScalars.map(\.value)
        var matcher = RegexMatcher(program, scalars, prefersLongest: isLongest)
        var found: [[Int]] = []
        var start = 0
        do throws(RegexMatcher.OutOfSteps) {
            while start <= scalars.count, found.count < limit, let match = try matcher.search(from: start) {
                let isEmpty = match[0] == match[1]
                if !(isEmpty && skipsEmpty) { found.append(match) }
                if !isGlobal && !found.isEmpty { break }
                start = isEmpty ? match[1] + 1 : match[1]
            }
        } catch {
            throw .message("the regular expression needs too many steps on this text")
        }
        return found
    }
}

/// Compiled expressions, because a query matches the same one again and again.
enum RegexCache {
    private struct Key: Hashable {
        var expression: [UInt8]
        var flags: String
    }

    private static let limit = 64
    private static let programs = Mutex<[Key: RegexProgram]>([:])

    static func program(
        _ expression: String, _ options: RegexParser.Options, _ flags: String
    ) throws(Interruption) -> RegexProgram {
        let key = Key(expression: Array(expression.utf8), flags: flags)
        if let known = programs.withLock({ $0[key] }) { return known }
        let program: RegexProgram
        do throws(RegexProblem) {
            program = try RegexCompiler.compile(expression, options)
        } catch {
            throw .message("Regex failure: \(error.message)")
        }
        programs.withLock { cache in
            if cache.count >= limit { cache.removeAll() }
            cache[key] = program
        }
        return program
    }
}
