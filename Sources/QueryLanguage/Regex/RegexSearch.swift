internal import JSONCore
internal import Synchronization

/// A compiled expression with the flags that steer the search.
struct RegexSearch {
    let program: RegexProgram
    var isGlobal = false
    var skipsEmpty = false
    var isLongest = false
    /// The machine that compiling and searching is charged to.
    private let machine: Machine

    init(_ expression: String, flags: String, _ machine: Machine) throws(Interruption) {
        self.machine = machine
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
        program = try RegexCache.program(expression, options, flags, machine)
    }

    /// The matches, from the first on.
    func matches(in text: String) throws(Interruption) -> [RegexMatch] {
        let text = MatchedText(text)
        return try places(in: text, atMost: .max).map { RegexMatch(text: text, places: $0, program: program) }
    }

    /// Whether there is a match.
    func hasMatch(in text: String) throws(Interruption) -> Bool {
        try !places(in: MatchedText(text), atMost: 1).isEmpty
    }

    private func places(in text: MatchedText, atMost limit: Int) throws(Interruption) -> [[Int]] {
        try machine.charge(work: text.count &>> 5)
        let found =
            text.isASCII
            ? text.withBytes { places(in: $0.elements, atMost: limit) }
            : text.scalars.withBorrowedElements { places(in: $0, atMost: limit) }
        return try found.get()
    }

    /// The cost of a match: an object for itself and one for each group, or a part of a text.
    private var matchCost: Int { isGlobal ? 8 &* (2 &+ program.groupNames.count) : 0 }

    /// The cost of the texts of a match and its groups: groups may contain one part of the text many times.
    private static func textCost(of match: [Int]) -> Int {
        var cost = 0
        for start in stride(from: 0, to: match.count - 1, by: 2) {
            cost &+= JSONValue.textCost(max(0, match[start + 1] &- match[start]))
        }
        return cost
    }

    /// How many steps of a search cost a step of the evaluation, by the time that they take.
    private static let stepsPerStep = 8

    /// The places of each match and its groups.
    private func places<Unit>(
        in units: BorrowedElements<Unit>, atMost limit: Int
    ) -> Result<[[Int]], Interruption> where Unit: FixedWidthInteger & UnsignedInteger {
        var matcher = RegexMatcher(program, units, prefersLongest: isLongest)
        // No search may take more than what is left of the evaluation.
        let most = RegexLimits.steps / Self.stepsPerStep
        if machine.stepsLeft < most { matcher.stepLimit = max(0, machine.stepsLeft + 1) * Self.stepsPerStep }
        var found: [[Int]] = []
        var start = 0
        do throws(RegexLimits.OutOfSteps) {
            while start <= units.count, found.count < limit {
                let match = try matcher.search(from: start)
                do throws(Interruption) {
                    try machine.charge(work: matcher.stepsTaken / Self.stepsPerStep &+ matchCost)
                } catch {
                    return .failure(error)
                }
                guard let match else { break }
                do throws(Interruption) { try machine.charge(work: Self.textCost(of: match)) } catch {
                    return .failure(error)
                }
                let isEmpty = match[0] == match[1]
                if !(isEmpty && skipsEmpty) { found.append(match) }
                if !isGlobal && !found.isEmpty { break }
                start = isEmpty ? match[1] + 1 : match[1]
            }
        } catch {
            guard matcher.stepLimit == RegexLimits.steps else { return .failure(.limit(.steps)) }
            do throws(Interruption) { try machine.charge(work: RegexLimits.steps / Self.stepsPerStep) } catch {
                return .failure(error)
            }
            return .failure(.message("the regular expression needs too many steps on this text"))
        }
        return .success(found)
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
        /// How many instructions they have in all.
        var size = 0
        /// The expression that was used last, mostly the one that is used next.
        var latest: Entry?

        mutating func add(_ program: RegexProgram, _ key: Key) {
            size += program.instructions.count
            if programs.count >= RegexCache.limit || size > RegexCache.sizeLimit {
                programs.removeAll()
                size = program.instructions.count
            }
            programs[key] = program
        }
    }

    private static let limit = 64
    /// How many instructions the cache holds at most, beside those of the last expression: some megabytes.
    private static let sizeLimit = 100_000
    /// The steps that it costs to compile a byte of an expression, by the time that it takes.
    private static let costOfByte = 4
    private static let known = Mutex(Known())

    static func program(
        _ expression: String, _ options: RegexParser.Options, _ flags: String, _ machine: Machine
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
            try machine.charge(work: expression.utf8.count &* costOfByte)
            program = try compiled(expression, options)
            try machine.charge(work: program.instructions.count)
            known.withLock { $0.add(program, key) }
        }
        known.withLock { known in
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
            throw .message("Regex failure: \(error.message)")
        }
    }
}
