internal import JSONCore

/// One instruction of a regular expression as plain integers: the loop that runs it counts no references.
struct RegexStep: Sendable {
    enum Opcode: UInt8, Sendable {
        /// Is the scalar `a`, or `b`.
        case scalar
        /// Is any scalar but `a`.
        case anyBut
        /// Is in table `a`.
        case set
        /// Goes on at `a`, and at `b` if that fails.
        case split
        /// Takes what the next instruction matches, as often as it can; where `a` is 1, none of it is ever to be given back.
        case many
        case jump
        /// Notes the place in slot `a`: the end of a group, or the beginning of a round of a loop.
        case save
        /// Leaves the loop where the round that began at the place in slot `a` matched nothing, else goes back to `b`.
        case loopEnd
        case match
        /// Is at the place that the assertion of number `a` asks for.
        case assertion
        /// Is what the groups of list `a` matched; `b` is 1 where case is ignored.
        case backreference
        /// Matches the code up to `a` here, and goes on after it, without ever giving back what that took.
        case atomic
        /// Matches the code up to `a` here, or not, where `b` is 1; goes on at `a` from the same place.
        case look
        /// Matches it so that it ends here, having begun as many scalars before as the range in list `number` says.
        case lookBehind
    }

    var operation: Opcode
    var a: UInt32 = 0
    var b: UInt32 = 0
    var number: UInt32 = 0
}

/// The scalars of a set, with a bit for each of ASCII.
struct RegexTable: Sendable {
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

final class RegexProgram: Sendable {
    /// Steps stay in their places for as long as the program lives, so that the matcher counts no reference.
    let steps: PinnedArray<RegexStep>
    let tables: PinnedArray<RegexTable>
    /// The groups of each back reference, and the least and the greatest width of each look behind.
    let lists: [[Int]]
    let groupNames: [String?]
    let splitCount: Int
    /// How many places the matcher keeps: those of groups, then those where rounds of loops begin.
    let slotCount: Int
    /// Whether a place that failed once always fails: true without back references and cuts.
    let canRemember: Bool
    let isAnchored: Bool
    let namedKeys: [String]
    let areNamesDistinct: Bool
    /// The table of the scalars that a match may begin with; nil if that is unknown, or a match may be empty.
    let firstTable: Int?
    /// The table of the scalars of which a match begins with a possessive run of one or more; nil if it begins otherwise.
    let runTable: Int?

    init(_ code: RegexCompiler, groupNames: [String?]) {
        var code = code
        for place in code.steps.indices where code.steps[place].operation == .many && code.givesNothingBack(place) {
            code.steps[place].a = 1
        }
        firstTable = code.addFirstTable()
        runTable = code.canRemember ? code.runAtStart : nil
        steps = PinnedArray(code.steps)
        tables = PinnedArray(code.tables)
        lists = code.lists
        self.groupNames = groupNames
        splitCount = code.splitCount
        slotCount = code.slotCount
        canRemember = code.canRemember
        namedKeys = groupNames.compactMap { $0 }
        areNamesDistinct =
            namedKeys.count == groupNames.count && Set(namedKeys.map { Array($0.utf8) }).count == namedKeys.count
        let first = code.steps.first { $0.operation != .save }
        isAnchored = first.map { $0.operation == .assertion && $0.a == RegexNode.Assertion.textStart.rawValue } ?? false
    }
}

struct RegexCompiler {
    fileprivate(set) var steps: [RegexStep] = []
    private(set) var tables: [RegexTable] = []
    private(set) var lists: [[Int]] = []
    private(set) var splitCount = 0
    private(set) var slotCount: Int
    private(set) var canRemember = true
    private let groups: [RegexNode]
    private var called: Set<Int> = []

    static let sizeLimit = 50_000

    static func compile(_ text: String, _ options: RegexParser.Syntax) throws(RegexProblem) -> RegexProgram {
        var parser = RegexParser(text, options: options)
        let tree = try parser.parse()
        var compiler = RegexCompiler(parser.groups)
        compiler.emit(.save, 0)
        try compiler.add(tree)
        compiler.emit(.save, 1)
        compiler.emit(.match)
        return RegexProgram(compiler, groupNames: parser.groupNames)
    }

    private init(_ groups: [RegexNode]) {
        self.groups = groups
        slotCount = 2 * (groups.count + 1)
    }

    private var here: Int { steps.count }

    private mutating func emit(_ operation: RegexStep.Opcode, _ a: Int = 0, _ b: Int = 0, number: Int = 0) {
        steps.append(RegexStep(operation: operation, a: UInt32(a), b: UInt32(b), number: UInt32(number)))
    }

    private mutating func emit(_ set: ScalarSet, ignoringCase: Bool) {
        tables.append(RegexTable(set, ignoresCase: ignoringCase))
        emit(.set, tables.count - 1)
    }

    @discardableResult
    private mutating func emitSplit(_ operation: RegexStep.Opcode = .split) -> Int {
        emit(operation, number: splitCount)
        splitCount += 1
        return here - 1
    }

    private mutating func setSplit(_ place: Int, inside: Int, isLazy: Bool) {
        (steps[place].a, steps[place].b) = isLazy ? (UInt32(here), UInt32(inside)) : (UInt32(inside), UInt32(here))
    }

    private mutating func add(_ node: RegexNode) throws(RegexProblem) {
        guard steps.count <= Self.sizeLimit else { throw RegexProblem("too long pattern") }
        switch node {
        case .empty: break
        case .scalar(let value, let ignoringCase):
            let (lower, upper) = ignoringCase ? (CaseFolding.lower(value), CaseFolding.upper(value)) : (value, value)
            lower == upper ? emit(.scalar, Int(value), Int(value)) : emit(.scalar, Int(lower), Int(upper))
        case .any(let matchesNewline): emit(.anyBut, matchesNewline ? Int(UInt32.max) : 0x0A)
        case .set(let set, let ignoringCase): emit(set, ignoringCase: ignoringCase)
        case .sequence(let parts): for part in parts { try add(part) }
        case .alternatives(let branches): try addAlternatives(branches[...])
        case .group(let inner, let index):
            let isOuter = called.insert(index).inserted
            emit(.save, 2 * index)
            try add(inner)
            if isOuter { called.remove(index) }
            emit(.save, 2 * index + 1)
        case .repeated(let inner, let minimum, let maximum, let kind): try addRepetition(inner, minimum, maximum, kind)
        case .assertion(let assertion): emit(.assertion, Int(assertion.rawValue))
        case .keep: emit(.save, 0)
        case .call(let index): try addCall(of: index)
        case .atomic(let inner): try addAtomic(inner)
        case .look(let inner, true, let isNegative): try addNested(inner, .look, isNegative ? 1 : 0)
        case .look(let inner, false, let isNegative):
            let width = inner.width
            guard let maximum = width.maximum, maximum <= Self.sizeLimit else {
                throw RegexProblem("invalid pattern in look-behind")
            }
            lists.append([width.minimum, max(width.minimum, maximum)])
            try addNested(inner, .lookBehind, isNegative ? 1 : 0, number: lists.count - 1)
        case .backreference(let groups, let ignoringCase):
            canRemember = false
            lists.append(groups)
            emit(.backreference, lists.count - 1, ignoringCase ? 1 : 0)
        }
    }

    /// A group that calls itself is refused, since its expansion would not end.
    private mutating func addCall(of index: Int) throws(RegexProblem) {
        guard groups.indices.contains(index - 1) else { throw RegexProblem("undefined group reference") }
        guard called.insert(index).inserted else { throw RegexProblem("recursive calls of groups are left out") }
        try add(.group(groups[index - 1], index: index))
        called.remove(index)
    }

    private mutating func addAlternatives(_ branches: ArraySlice<RegexNode>) throws(RegexProblem) {
        var jumps: [Int] = []
        for branch in branches.dropLast() {
            let split = emitSplit()
            try add(branch)
            jumps.append(here)
            emit(.jump)
            setSplit(split, inside: split + 1, isLazy: false)
        }
        if let last = branches.last { try add(last) }
        for jump in jumps { steps[jump].a = UInt32(here) }
    }

    private mutating func addAtomic(_ node: RegexNode) throws(RegexProblem) {
        canRemember = false
        try addNested(node, .atomic)
    }

    private mutating func addNested(
        _ node: RegexNode, _ operation: RegexStep.Opcode, _ b: Int = 0, number: Int = 0
    ) throws(RegexProblem) {
        let place = here
        emit(operation, 0, b, number: number)
        try add(node)
        emit(.match)
        steps[place].a = UInt32(here)
    }

    private mutating func addRepetition(
        _ node: RegexNode, _ minimum: Int, _ maximum: Int?, _ kind: RegexNode.Repetition
    ) throws(RegexProblem) {
        if kind == .possessive {
            return try addAtomic(.repeated(node, minimum: minimum, maximum: maximum, kind: .greedy))
        }
        for _ in 0..<minimum { try add(node) }
        guard let maximum else { return try addLoop(node, isLazy: kind == .lazy) }
        var splits: [Int] = []
        for _ in minimum..<max(minimum, maximum) {
            splits.append(emitSplit())
            try add(node)
        }
        for split in splits { setSplit(split, inside: split + 1, isLazy: kind == .lazy) }
    }

    private mutating func addLoop(_ node: RegexNode, isLazy: Bool) throws(RegexProblem) {
        if !isLazy && node.isSingle {
            emitSplit(.many)
            return try add(node)
        }
        let start = emitSplit()
        if node.width.minimum == 0 {
            let slot = slotCount
            slotCount += 1
            emit(.save, slot)
            try add(node)
            emit(.loopEnd, slot, start)
        } else {
            try add(node)
            emit(.jump, start)
        }
        setSplit(start, inside: start + 1, isLazy: isLazy)
    }

    // MARK: What the search can know

    fileprivate var runAtStart: Int? {
        guard let start = steps.firstIndex(where: { $0.operation != .save }), start + 2 < steps.count,
            steps[start].operation == .set, steps[start + 1].operation == .many, steps[start + 1].a == 1,
            steps[start + 2].operation == .set
        else { return nil }
        let (one, more) = (tables[Int(steps[start].a)], tables[Int(steps[start + 2].a)])
        return one.ignoresCase == more.ignoresCase && one.set == more.set ? Int(steps[start].a) : nil
    }

    /// Whether a repetition is followed by a scalar that it does not take, so that giving one back cannot help, or by
    /// the end of the expression.
    fileprivate func givesNothingBack(_ place: Int) -> Bool {
        var next = place + 2
        while steps[next].operation == .save { next += 1 }
        switch steps[next].operation {
        case .match: return true
        case .scalar: return !takes(steps[place + 1], steps[next].a) && !takes(steps[place + 1], steps[next].b)
        default: return false
        }
    }

    private func takes(_ step: RegexStep, _ value: UInt32) -> Bool {
        switch step.operation {
        case .scalar: value == step.a || value == step.b
        case .set: tables[Int(step.a)].contains(value)
        default: value != step.a
        }
    }

    fileprivate mutating func addFirstTable() -> Int? {
        var found = ScalarSet()
        var seen: Set<Int> = []
        guard collectFirst(0, &found, &seen) else { return nil }
        tables.append(RegexTable(found, ignoresCase: false))
        return tables.count - 1
    }

    private func collectFirst(_ place: Int, _ found: inout ScalarSet, _ seen: inout Set<Int>) -> Bool {
        guard seen.insert(place).inserted else { return true }
        guard seen.count < 200 else { return false }
        let step = steps[place]
        switch step.operation {
        case .scalar: found.ranges += [step.a...step.a, step.b...step.b]
        case .set:
            let table = tables[Int(step.a)]
            guard !table.ignoresCase, !table.set.isNegated else { return false }
            found.ranges += table.set.ranges
            found.classes += table.set.classes
        case .save: return collectFirst(place + 1, &found, &seen)
        case .jump: return collectFirst(Int(step.a), &found, &seen)
        case .split: return collectFirst(Int(step.a), &found, &seen) && collectFirst(Int(step.b), &found, &seen)
        case .many: return collectFirst(place + 1, &found, &seen) && collectFirst(place + 2, &found, &seen)
        default: return false
        }
        return true
    }
}
