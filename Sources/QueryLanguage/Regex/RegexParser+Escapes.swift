import JSONCore

extension RegexParser {
    private static let controls: [Unicode.Scalar: UInt32] = [
        "t": 0x09, "n": 0x0A, "r": 0x0D, "f": 0x0C, "v": 0x0B, "a": 0x07, "e": 0x1B,
    ]

    private static let classes: [Unicode.Scalar: ScalarClass] = [
        "d": .digit, "D": .digit.negated, "w": .word, "W": .word.negated, "s": .space, "S": .space.negated,
        "h": .hexDigit, "H": .hexDigit.negated,
    ]

    private static let assertions: [Unicode.Scalar: RegexNode.Assertion] = [
        "A": .textStart, "Z": .textEndOrLastLine, "z": .textEnd, "b": .wordBoundary, "B": .notWordBoundary,
        "G": .searchStart,
    ]

    mutating func escape() throws(RegexProblem) -> RegexNode {
        guard let scalar = next() else { throw RegexProblem("end pattern at escape") }
        if let assertion = Self.assertions[scalar] { return .assertion(assertion) }
        if let found = Self.classes[scalar] { return .set(ScalarSet(classes: [found]), ignoringCase: false) }
        switch scalar {
        case "K": return .keep
        case "R": return Self.lineBreak
        case "p", "P": return .set(ScalarSet(classes: [try property(isNegated: scalar == "P")]), ignoringCase: false)
        case "k": return try namedReference()
        case "g": return .call(index: try calledGroup())
        case "X": return Self.grapheme
        case "N": return .any(matchesNewline: false)
        case "O": return .any(matchesNewline: true)
        case "y", "Y": throw RegexProblem("text segment boundaries (\\y, \\Y) are left out")
        case "Q": return quoted()
        case "1"..."9": return try numberedReference(Int(scalar.value - 0x30))
        default: return .scalar(try escapedScalar(scalar), ignoringCase: options.ignoringCase)
        }
    }

    private static let lineBreak = RegexNode.alternatives([
        .sequence([.scalar(0x0D, ignoringCase: false), .scalar(0x0A, ignoringCase: false)]),
        .set(ScalarSet(ranges: [0x0A...0x0D, 0x85...0x85, 0x2028...0x2029]), ignoringCase: false),
    ])

    /// `\X`: a character as people see it, about as in Unicode's Annex 29: a line end, a flag, or a scalar with the marks
    /// and joined scalars after it.
    private static let grapheme: RegexNode = {
        let marks = ScalarSet(
            ranges: [0xFE00...0xFE0F, 0x1F3FB...0x1F3FF, 0xE0020...0xE007F],
            classes: [.marks])
        let flag = RegexNode.set(ScalarSet(ranges: [0x1F1E6...0x1F1FF]), ignoringCase: false)
        let tail = RegexNode.repeated(.set(marks, ignoringCase: false), minimum: 0, maximum: nil, kind: .greedy)
        let joined = RegexNode.sequence([.scalar(0x200D, ignoringCase: false), .any(matchesNewline: true), tail])
        let cluster = RegexNode.sequence([
            .any(matchesNewline: true), tail, .repeated(joined, minimum: 0, maximum: nil, kind: .greedy),
        ])
        let lineEnd = RegexNode.sequence([.scalar(0x0D, ignoringCase: false), .scalar(0x0A, ignoringCase: false)])
        return .atomic(.alternatives([lineEnd, .sequence([flag, flag]), cluster]))
    }()

    /// The group of `\g<name>` or `\g<1>`, which may also stand further on.
    private mutating func calledGroup() throws(RegexProblem) -> Int {
        guard take("<") || take("'") else { throw RegexProblem("invalid group name <>") }
        let text = name(upToAnyOf: [">", "'"])
        if let number = Int(text) {
            guard number > 0, number <= 1_000 else { throw RegexProblem("recursive calls of groups are left out") }
            return number
        }
        guard let known = groupNames.firstIndex(where: { $0.map { UTF8Order.equal($0, text) } ?? false }) else {
            throw RegexProblem("undefined name <\(text)> call")
        }
        return known + 1
    }

    private mutating func name(upToAnyOf marks: [Unicode.Scalar]) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = next(), !marks.contains(scalar) { text.append(scalar) }
        return String(text)
    }

    /// A scalar that an escape stands for: `\n`, `\x41`, `\x{1F600}`, `\u0041`, `\012`, `\cA`, or the character itself.
    private mutating func escapedScalar(_ scalar: Unicode.Scalar) throws(RegexProblem) -> UInt32 {
        if let control = Self.controls[scalar] { return control }
        switch scalar {
        case "x":
            if take("{") {
                let digits = try name(upTo: "}")
                guard let value = UInt32(digits, radix: 16), value <= 0x10FFFF else {
                    throw RegexProblem("invalid code point value")
                }
                return value
            }
            return digits(radix: 16, atMost: 2) ?? 0
        case "u": return digits(radix: 16, atMost: 4) ?? scalar.value
        case "0": return digits(radix: 8, atMost: 2) ?? 0
        case "c":
            guard let letter = next() else { throw RegexProblem("end pattern at control") }
            return letter.value & 0x1F
        default: return scalar.value
        }
    }

    private mutating func digits(radix: UInt32, atMost count: Int) -> UInt32? {
        var value: UInt32?
        for _ in 0..<count {
            guard let next = peek(), next.isASCII, let digit = UInt8(ascii: next).hexDigitValue, digit < radix else {
                break
            }
            value = (value ?? 0) * radix + UInt32(digit)
            _ = self.next()
        }
        return value
    }

    private mutating func property(isNegated: Bool) throws(RegexProblem) -> ScalarClass {
        var text = ""
        if take("{") {
            text = try name(upTo: "}")
        } else {
            guard let scalar = next() else { throw RegexProblem("end pattern at escape") }
            text.unicodeScalars.append(scalar)
        }
        let isInverted = text.hasPrefix("^")
        if isInverted { text.removeFirst() }
        guard let found = ScalarClass.named(text) else {
            throw RegexProblem("invalid character property name {\(text)}")
        }
        return isNegated != isInverted ? found.negated : found
    }

    private mutating func namedReference() throws(RegexProblem) -> RegexNode {
        guard take("<") || take("'") || take("{") else { throw RegexProblem("invalid backref number/name") }
        let text = name(upToAnyOf: [">", "'", "}"])
        if let number = Int(text) { return try numberedReference(number) }
        return .backreference(try groups(named: text), ignoringCase: options.ignoringCase)
    }

    private mutating func numberedReference(_ first: Int) throws(RegexProblem) -> RegexNode {
        var number = first
        while let digit = peek()?.value, digit >= 0x30, digit <= 0x39,
            number * 10 + Int(digit - 0x30) <= groupNames.count
        {
            number = number * 10 + Int(digit - 0x30)
            _ = next()
        }
        guard number >= 1, number <= 1_000 else { throw RegexProblem("invalid backref number/name") }
        return .backreference([number], ignoringCase: options.ignoringCase)
    }

    private mutating func quoted() -> RegexNode {
        var parts: [RegexNode] = []
        while peek() != nil, !take(text: "\\E") {
            if let scalar = next() { parts.append(.scalar(scalar.value, ignoringCase: options.ignoringCase)) }
        }
        return .sequence(parts)
    }

    // MARK: Classes

    mutating func characterClass() throws(RegexProblem) -> ScalarSet {
        var set = ScalarSet()
        set.isNegated = take("^")
        var isFirst = true
        while let scalar = next() {
            if scalar == "]" && !isFirst { return set }
            isFirst = false
            if scalar == "[" && peek() == ":", let named = try posixClass() {
                set.classes.append(named)
            } else if scalar == "\\", let found = try classEscape() {
                set.classes.append(found)
            } else {
                try addRange(from: scalar, to: &set)
            }
        }
        throw RegexProblem("premature end of char-class")
    }

    private mutating func posixClass() throws(RegexProblem) -> ScalarClass? {
        for (name, found) in ScalarClass.posix {
            if take(text: ":\(name):]") { return found }
            if take(text: ":^\(name):]") { return found.negated }
        }
        return nil
    }

    private mutating func classEscape() throws(RegexProblem) -> ScalarClass? {
        guard let scalar = peek(), Self.isClass(scalar) else { return nil }
        _ = next()
        if let found = Self.classes[scalar] { return found }
        return try property(isNegated: scalar == "P")
    }

    private static func isClass(_ escaped: Unicode.Scalar) -> Bool {
        classes[escaped] != nil || escaped == "p" || escaped == "P"
    }

    /// A scalar or a range; `first` was read, its backslash if it is one.
    private mutating func addRange(from first: Unicode.Scalar, to set: inout ScalarSet) throws(RegexProblem) {
        let low = try classScalar(first)
        var high = low
        let isClass = peek(1) == "\\" && peek(2).map(Self.isClass) ?? false
        if peek() == "-", let after = peek(1), after != "]", !isClass {
            _ = next()
            guard let last = next() else { throw RegexProblem("premature end of char-class") }
            high = try classScalar(last)
            guard low <= high else { throw RegexProblem("empty range in char class") }
        }
        set.ranges.append(low...high)
    }

    private mutating func classScalar(_ scalar: Unicode.Scalar) throws(RegexProblem) -> UInt32 {
        guard scalar == "\\" else { return scalar.value }
        guard let escaped = next() else { throw RegexProblem("end pattern at escape") }
        return escaped == "b" ? 0x08 : try escapedScalar(escaped)
    }
}
