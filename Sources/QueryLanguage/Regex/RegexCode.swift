/// The instructions of a regular expression as plain integers, for the loop that runs them: it counts no references,
/// and looks most scalars up in a table of bits.
struct RegexCode: Sendable {
    /// What an instruction does; `a` and `b` are its numbers.
    enum Kind: UInt8, Sendable {
        /// Is the scalar `a`, or `b`.
        case scalar
        case any
        case anyButNewline
        /// Is in the set of table `a`.
        case set
        /// Goes on at `a`, and at `b` if that fails.
        case split
        /// Takes what the next instruction matches; where `a` is 1, none of it is ever to be given back.
        case many
        case jump
        /// Notes the place in slot `a`.
        case save
        /// Notes the place in register `a`.
        case loopStart
        /// Goes on where register `a` is this place, else at `b`.
        case loopEnd
        case match
        /// The rare instructions: the matcher runs the `RegexInstruction` itself.
        case other
    }

    struct Step: Sendable {
        var kind: Kind
        var a: UInt32 = 0
        var b: UInt32 = 0
        /// The split's number.
        var number: UInt32 = 0
    }

    /// The scalars of a set, with a bit for each of ASCII.
    struct Table: Sendable {
        let low: UInt64
        let high: UInt64
        let set: ScalarSet
        let ignoresCase: Bool

        init(_ set: ScalarSet, ignoresCase: Bool) {
            self.set = set
            self.ignoresCase = ignoresCase
            var bits: (UInt64, UInt64) = (0, 0)
            for value in UInt32(0)..<128 where Self.slowly(value, set, ignoresCase) {
                if value < 64 { bits.0 |= 1 << UInt64(value) } else { bits.1 |= 1 << UInt64(value - 64) }
            }
            (low, high) = bits
        }

        private static func slowly(_ value: UInt32, _ set: ScalarSet, _ ignoresCase: Bool) -> Bool {
            ignoresCase ? set.containsIgnoringCase(value) : set.contains(value)
        }

        @inline(__always)
        func contains(_ value: UInt32) -> Bool {
            if value < 64 { return low >> UInt64(value) & 1 == 1 }
            if value < 128 { return high >> UInt64(value - 64) & 1 == 1 }
            return Self.slowly(value, set, ignoresCase)
        }
    }

    private(set) var steps: [Step] = []
    private(set) var tables: [Table] = []
    /// The table of the scalars that a match may begin with; nil if that is unknown, or a match may be empty.
    private(set) var firstTable: Int?
    /// The table of the scalars of which a match begins with a possessive run of one or more; nil if it begins
    /// otherwise.
    private(set) var runTable: Int?

    init(_ instructions: [RegexInstruction], _ sets: [ScalarSet]) {
        for instruction in instructions { steps.append(step(instruction, sets)) }
        for place in steps.indices where steps[place].kind == .many && givesNothingBack(place) { steps[place].a = 1 }
        var found = ScalarSet()
        var seen: Set<Int> = []
        if collectFirst(0, &found, &seen) {
            tables.append(Table(found, ignoresCase: false))
            firstTable = tables.count - 1
        }
        runTable = runAtStart
    }

    private mutating func step(_ instruction: RegexInstruction, _ sets: [ScalarSet]) -> Step {
        switch instruction {
        case .scalar(let value): return Step(kind: .scalar, a: value, b: value)
        case .scalarIgnoringCase(let lower, let upper): return Step(kind: .scalar, a: lower, b: upper)
        case .any: return Step(kind: .any)
        case .anyButNewline: return Step(kind: .anyButNewline)
        case .set(let index): return table(sets[index], ignoresCase: false)
        case .setIgnoringCase(let index): return table(sets[index], ignoresCase: true)
        case .split(let first, let second, let number):
            return Step(kind: .split, a: UInt32(first), b: UInt32(second), number: UInt32(number))
        case .many(let number): return Step(kind: .many, number: UInt32(number))
        case .jump(let target): return Step(kind: .jump, a: UInt32(target))
        case .save(let slot): return Step(kind: .save, a: UInt32(slot))
        case .loopStart(let register): return Step(kind: .loopStart, a: UInt32(register))
        case .loopEnd(let register, let start): return Step(kind: .loopEnd, a: UInt32(register), b: UInt32(start))
        case .match: return Step(kind: .match)
        case .assertion, .look, .lookBehind, .atomic, .backreference: return Step(kind: .other)
        }
    }

    /// `x+` is `x` and then as many more as there are.
    private var runAtStart: Int? {
        guard let start = steps.firstIndex(where: { $0.kind != .save }), start + 2 < steps.count,
            steps[start].kind == .set, steps[start + 1].kind == .many, steps[start + 1].a == 1,
            steps[start + 2].kind == .set
        else { return nil }
        let (one, more) = (tables[Int(steps[start].a)], tables[Int(steps[start + 2].a)])
        return one.ignoresCase == more.ignoresCase && one.set.isSame(as: more.set) ? Int(steps[start].a) : nil
    }

    private mutating func table(_ set: ScalarSet, ignoresCase: Bool) -> Step {
        tables.append(Table(set, ignoresCase: ignoresCase))
        return Step(kind: .set, a: UInt32(tables.count - 1))
    }

    /// Whether a repetition is followed by a scalar that it does not take, so that giving one back cannot help, or by
    /// the end of the expression.
    private func givesNothingBack(_ place: Int) -> Bool {
        var next = place + 2
        while steps[next].kind == .save { next += 1 }
        switch steps[next].kind {
        case .match: return true
        case .scalar: return !takes(steps[place + 1], steps[next].a) && !takes(steps[place + 1], steps[next].b)
        default: return false
        }
    }

    private func takes(_ step: Step, _ value: UInt32) -> Bool {
        switch step.kind {
        case .scalar: value == step.a || value == step.b
        case .anyButNewline: value != 0x0A
        case .set: tables[Int(step.a)].contains(value)
        default: true
        }
    }

    /// Adds what may come first from an instruction on; false where anything may.
    private func collectFirst(_ place: Int, _ found: inout ScalarSet, _ seen: inout Set<Int>) -> Bool {
        guard seen.insert(place).inserted else { return true }
        guard seen.count < 200 else { return false }
        let step = steps[place]
        switch step.kind {
        case .scalar: found.ranges += [step.a...step.a, step.b...step.b]
        case .set:
            let table = tables[Int(step.a)]
            guard !table.ignoresCase, !table.set.isNegated else { return false }
            found.ranges += table.set.ranges
            found.classes += table.set.classes
        case .save, .loopStart: return collectFirst(place + 1, &found, &seen)
        case .jump: return collectFirst(Int(step.a), &found, &seen)
        case .split: return collectFirst(Int(step.a), &found, &seen) && collectFirst(Int(step.b), &found, &seen)
        case .many: return collectFirst(place + 1, &found, &seen) && collectFirst(place + 2, &found, &seen)
        case .any, .anyButNewline, .loopEnd, .match, .other: return false
        }
        return true
    }
}
