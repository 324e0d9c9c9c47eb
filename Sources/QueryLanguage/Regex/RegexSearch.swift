internal import JSONCore
internal import Synchronization

struct RegexSearch {
    let program: RegexProgram
    var isGlobal = false
    var skipsEmpty = false
    var isLongest = false
    private let machine: Machine

    init(_ expression: String, flags: String, _ machine: Machine) throws(Interruption) {
        self.machine = machine
        var options = RegexParser.Syntax()
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

    func matches(in text: String) throws(Interruption) -> [RegexMatch] {
        let text = MatchedText(text)
        return try places(in: text, atMost: .max).map { RegexMatch(text: text, places: $0, program: program) }
    }

    func hasMatch(in text: String) throws(Interruption) -> Bool {
        try !places(in: MatchedText(text), atMost: 1).isEmpty
    }

    @inline(__always)
    private func places(in text: MatchedText, atMost limit: Int) throws(Interruption) -> [[Int]] {
        try machine.charge(work: text.count &>> 5)
        if text.isASCII {
            return try text.withBytes { bytes throws(Interruption) in try places(in: bytes.elements, atMost: limit) }
        }
        return try text.scalars.withBorrowedElements { scalars throws(Interruption) in
            try places(in: scalars, atMost: limit)
        }
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

    private func places<Unit>(
        in units: BorrowedElements<Unit>, atMost limit: Int
    ) throws(Interruption) -> [[Int]] where Unit: FixedWidthInteger & UnsignedInteger {
        var matcher = RegexMatcher(program, units, prefersLongest: isLongest)
        // No search may take more than what is left of the evaluation.
        let most = RegexLimits.steps / Self.stepsPerStep
        if machine.stepsLeft < most { matcher.stepLimit = max(0, machine.stepsLeft + 1) * Self.stepsPerStep }
        var found: [[Int]] = []
        var start = 0
        while start <= units.count, found.count < limit {
            let match: [Int]?
            do throws(RegexLimits.OutOfSteps) { match = try matcher.search(from: start) } catch {
                guard matcher.stepLimit == RegexLimits.steps else { throw .limit(.steps) }
                try machine.charge(work: most)
                throw .message("the regular expression needs too many steps on this text")
            }
            try machine.charge(work: matcher.stepsTaken / Self.stepsPerStep &+ matchCost)
            guard let match else { break }
            try machine.charge(work: Self.textCost(of: match))
            let isEmpty = match[0] == match[1]
            if !(isEmpty && skipsEmpty) { found.append(match) }
            if !isGlobal && !found.isEmpty { break }
            start = isEmpty ? match[1] + 1 : match[1]
        }
        return found
    }
}

/// Compiled expressions, because a query matches the same one again and again.
private struct RegexCache {
    private var programs: [[UInt8]: RegexProgram] = [:]
    private var size = 0
    private var latest: (expression: String, flags: String, program: RegexProgram)?

    private static let limit = 64
    /// How many instructions the cache holds at most, beside those of the last expression: some megabytes.
    private static let sizeLimit = 100_000
    /// The steps that it costs to compile a byte of an expression, by the time that it takes.
    private static let costOfByte = 4
    private static let known = Mutex(RegexCache())

    static func program(
        _ expression: String, _ options: RegexParser.Syntax, _ flags: String, _ machine: Machine
    ) throws(Interruption) -> RegexProgram {
        let latest = known.withLock { known -> RegexProgram? in
            guard let latest = known.latest, UTF8Order.equal(latest.expression, expression),
                UTF8Order.equal(latest.flags, flags)
            else { return nil }
            return latest.program
        }
        if let latest { return latest }
        // Flags are letters, so the blank ends them.
        let key = Array("\(flags) \(expression)".utf8)
        let program: RegexProgram
        if let found = known.withLock({ $0.programs[key] }) {
            program = found
        } else {
            try machine.charge(work: expression.utf8.count &* costOfByte)
            do throws(RegexProblem) { program = try RegexCompiler.compile(expression, options) } catch {
                throw .message("Regex failure: \(error.message)")
            }
            try machine.charge(work: program.steps.count)
            known.withLock { $0.add(program, key) }
        }
        known.withLock { $0.latest = (expression, flags, program) }
        return program
    }

    private mutating func add(_ program: RegexProgram, _ key: [UInt8]) {
        size += program.steps.count
        if programs.count >= Self.limit || size > Self.sizeLimit {
            programs.removeAll()
            size = program.steps.count
        }
        programs[key] = program
    }
}

/// A text that was searched, with positions in scalars.
struct MatchedText {
    private let text: String
    /// Empty if the text is ASCII: then bytes are scalars.
    let scalars: [UInt32]
    let isASCII: Bool
    let count: Int

    init(_ text: String) {
        isASCII = text.withBytes { utf8 in
            var all: UInt8 = 0
            for byte in utf8 { all |= byte }
            return all < 0x80
        }
        scalars = isASCII ? [] : text.unicodeScalars.map(\.value)
        count = isASCII ? text.utf8.count : scalars.count
        self.text = text
    }

    func part(_ start: Int, _ end: Int) -> String {
        if isASCII { return withBytes { String(decoding: $0.extracting(start..<end), as: UTF8.self) } }
        var view = String.UnicodeScalarView()
        for value in scalars[start..<end] { view.append(Unicode.Scalar(value) ?? "\u{FFFD}") }
        return String(view)
    }

    @inline(__always)
    func withBytes<Value, Failure: Error>(_ body: (ByteView) throws(Failure) -> Value) throws(Failure) -> Value {
        try text.withBytes(body)
    }
}

struct RegexMatch {
    let text: MatchedText
    let places: [Int]
    let program: RegexProgram
    var names: [String?] { program.groupNames }

    func string(_ group: Int) -> JSONValue {
        let (start, end) = (places[2 * group], places[2 * group + 1])
        return start >= 0 && end >= start ? .string(text.part(start, end)) : .null
    }

    var namedGroups: JSONValue {
        if program.areNamesDistinct,
            let members = JSONObject(distinctKeys: program.namedKeys, value: { string($0 + 1) })
        {
            return .object(members)
        }
        var members = JSONObject()
        for (index, name) in names.enumerated() { if let name { members[name] = string(index + 1) } }
        return .object(members)
    }
}
