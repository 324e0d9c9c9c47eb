internal import JSONCore
internal import Synchronization

/// A compiled expression with the flags that steer the search.
struct RegexSearch {
    let program: RegexProgram
    var isGlobal = false
    var skipsEmpty = false

    init(_ expression: String, flags: String) throws(Interruption) {
        var options = RegexParser.Options()
        for flag in flags.unicodeScalars {
            switch flag {
            case "g": isGlobal = true
            case "i": options.ignoringCase = true
            case "x": options.extended = true
            // Single line: `^` and `$` are the ends of the text, as they always are in this syntax. Longest: the leftmost
            // match stays the preferred one, as jq's own flag leaves it.
            case "s", "l": break
            case "n": skipsEmpty = true
            case "p": options.dotMatchesNewline = true
            default: throw .message("\(flags) is not a valid modifier string")
            }
        }
        program = try RegexCache.program(expression, options, flags)
    }

    /// The matches, from the first on.
    func matches(in text: String) throws(Interruption) -> [RegexMatch] {
        let text = MatchedText(text)
        return try places(in: text, atMost: .max).map { RegexMatch(text: text, places: $0, names: program.groupNames) }
    }

    /// Whether there is a match.
    func hasMatch(in text: String) throws(Interruption) -> Bool {
        try !places(in: MatchedText(text), atMost: 1).isEmpty
    }

    private func places(in text: MatchedText, atMost limit: Int) throws(Interruption) -> [[Int]] {
        let found: [[Int]]?
        if text.isASCII {
            found = text.withBytes { places(in: $0, atMost: limit) }
        } else {
            found = text.scalars.withUnsafeBufferPointer { places(in: $0, atMost: limit) }
        }
        guard let found else { throw .message("the regular expression needs too many steps on this text") }
        return found
    }

    /// The places of each match and its groups; nil where that takes too many steps.
    private func places<Unit>(in units: UnsafeBufferPointer<Unit>, atMost limit: Int) -> [[Int]]?
    where Unit: FixedWidthInteger & UnsignedInteger {
        var matcher = RegexMatcher(program, units)
        var found: [[Int]] = []
        var start = 0
        do throws(RegexLimits.OutOfSteps) {
            while start <= units.count, found.count < limit, let match = try matcher.search(from: start) {
                let isEmpty = match[0] == match[1]
                if !(isEmpty && skipsEmpty) { found.append(match) }
                if !isGlobal && !found.isEmpty { break }
                start = isEmpty ? match[1] + 1 : match[1]
            }
        } catch {
            return nil
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

    private struct Entry {
        let expression: String
        let flags: String
        let program: RegexProgram
    }

    private struct Known {
        var programs: [Key: RegexProgram] = [:]
        /// The one that was asked for last, mostly the one that is asked for next.
        var latest: Entry?
    }

    private static let limit = 64
    private static let known = Mutex(Known())

    static func program(
        _ expression: String, _ options: RegexParser.Options, _ flags: String
    ) throws(Interruption) -> RegexProgram {
        let latest = known.withLock { known -> RegexProgram? in
            guard let latest = known.latest, UTF8Order.equal(latest.expression, expression),
                UTF8Order.equal(latest.flags, flags)
            else { return nil }
            return latest.program
        }
        if let latest { return latest }
        let key = Key(expression: Array(expression.utf8), flags: flags)
        let program: RegexProgram
        if let found = known.withLock({ $0.programs[key] }) {
            program = found
        } else {
            program = try compiled(expression, options)
        }
        known.withLock { known in
            if known.programs.count >= limit { known.programs.removeAll() }
            known.programs[key] = program
            known.latest = Entry(expression: expression, flags: flags, program: program)
        }
        return program
    }

    private static func compiled(
        _ expression: String, _ options: RegexParser.Options
    ) throws(Interruption) -> RegexProgram {
        do throws(RegexProblem) {
            return try RegexCompiler.compile(expression, options)
        } catch {
            throw .message("\(expression) (at offset 0) is not a valid regex: \(error.message)")
        }
    }
}
