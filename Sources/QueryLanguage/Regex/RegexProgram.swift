internal import JSONCore

/// One instruction of a compiled regular expression.
enum RegexInstruction: Sendable {
    case scalar(UInt32)
    case scalarIgnoringCase(lower: UInt32, upper: UInt32)
    case any
    case anyButNewline
    case set(Int)
    case setIgnoringCase(Int)
    /// Tries the first place, and the second if that fails. The number counts the program's splits.
    case split(Int, Int, number: Int)
    /// Matches the next instruction, of one scalar, as often as it can, then goes on after it; gives back one at a time.
    case many(number: Int)
    case jump(Int)
    case save(Int)
    case assertion(RegexNode.Assertion)
    /// Notes where a round of a loop begins.
    case loopStart(register: Int)
    /// Leaves the loop where the round matched nothing, else goes back.
    case loopEnd(register: Int, start: Int)
    /// Matches the code up to `end` at this place, or not; goes on at `end`.
    case look(end: Int, isNegative: Bool)
    /// Matches the code up to `end` so that the match ends here, beginning so many scalars before; goes on at `end`.
    case lookBehind(end: Int, widths: ClosedRange<Int>, isNegative: Bool)
    case atomic(end: Int)
    case backreference([Int], ignoringCase: Bool)
    case match
}

/// A regular expression, ready to be run.
///
/// Immutable.
final class RegexProgram: Sendable {
    let instructions: [RegexInstruction]
    let sets: [ScalarSet]
    let groupNames: [String?]
    let splitCount: Int
    let registerCount: Int
    /// Whether a place that failed once always fails: true without back references and cuts, where what was matched
    /// before does not matter.
    let canRemember: Bool
    /// A scalar that every match begins with, if there is one.
    let firstScalar: UInt32?
    let isAnchored: Bool
    /// The names of those groups that have one.
    let namedKeys: [String]
    /// Whether all have one, and no two the same.
    let areNamesDistinct: Bool
    /// The instructions and sets as the matcher reads them.
    let code: RegexCode
    /// The instructions and sets in their places for as long as the program lives, so that the matcher counts no
    /// reference.
    let steps: PinnedArray<RegexCode.Step>
    let tables: PinnedArray<RegexCode.Table>
    /// Which of the tables every match begins with, and with a run of which; nil where it begins otherwise.
    let firstTable: Int?
    let runTable: Int?

    init(
        instructions: [RegexInstruction], sets: [ScalarSet], groupNames: [String?], splitCount: Int,
        registerCount: Int, canRemember: Bool
    ) {
        self.instructions = instructions
        self.sets = sets
        self.groupNames = groupNames
        self.splitCount = splitCount
        self.registerCount = registerCount
        self.canRemember = canRemember
        let code = RegexCode(instructions, sets)
        self.code = code
        steps = PinnedArray(code.steps)
        tables = PinnedArray(code.tables)
        firstTable = code.firstTable
        runTable = canRemember ? code.runTable : nil
        namedKeys = groupNames.compactMap { $0 }
        areNamesDistinct =
            namedKeys.count == groupNames.count && Set(namedKeys.map { Array($0.utf8) }).count == namedKeys.count
        let first = instructions.first { instruction in
            if case .save = instruction { return false }
            return true
        }
        switch first {
        case .scalar(let value)?: (firstScalar, isAnchored) = (value, false)
        case .assertion(.textStart)?: (firstScalar, isAnchored) = (nil, true)
        default: (firstScalar, isAnchored) = (nil, false)
        }
    }

}

/// Turns the tree of a regular expression into instructions.
struct RegexCompiler {
    private var instructions: [RegexInstruction] = []
    private var sets: [ScalarSet] = []
    private var splitCount = 0
    private var registerCount = 0
    private var canRemember = true
    /// The expression of each group, from 1, for the calls of groups.
    private var groups: [RegexNode] = []
    private var called: Set<Int> = []

    /// How many instructions counted repetitions may expand to.
    static let sizeLimit = 50_000

    /// Compiles a pattern with jq's flags already turned into options.
    static func compile(_ text: String, _ options: RegexParser.Options) throws(RegexProblem) -> RegexProgram {
        var parser = RegexParser(text, options: options)
        let tree = try parser.parse()
        var compiler = RegexCompiler()
        compiler.groups = parser.groups
        compiler.emit(.save(0))
        try compiler.add(tree)
        compiler.emit(.save(1))
        compiler.emit(.match)
        return RegexProgram(
            instructions: compiler.instructions, sets: compiler.sets, groupNames: parser.groupNames,
            splitCount: compiler.splitCount, registerCount: compiler.registerCount,
            canRemember: compiler.canRemember)
    }

    private mutating func emit(_ instruction: RegexInstruction) { instructions.append(instruction) }

    private mutating func emitSplit() -> (place: Int, number: Int) {
        emit(.split(0, 0, number: splitCount))
        splitCount += 1
        return (instructions.count - 1, splitCount - 1)
    }

    private var here: Int { instructions.count }

    private mutating func add(_ node: RegexNode) throws(RegexProblem) {
        guard instructions.count <= Self.sizeLimit else { throw RegexProblem(message: "too long pattern") }
        switch node {
        case .empty: break
        case .scalar(let value, let ignoringCase): addScalar(value, ignoringCase)
        case .any(let matchesNewline): emit(matchesNewline ? .any : .anyButNewline)
        case .set(let set, let ignoringCase):
            sets.append(set)
            emit(ignoringCase ? .setIgnoringCase(sets.count - 1) : .set(sets.count - 1))
        case .sequence(let parts): for part in parts { try add(part) }
        case .alternatives(let branches): try addAlternatives(branches[...])
        case .group(let inner, let index):
            let isOuter = called.insert(index).inserted
            emit(.save(2 * index))
            try add(inner)
            if isOuter { called.remove(index) }
            emit(.save(2 * index + 1))
        case .repeated(let inner, let minimum, let maximum, let kind):
            try addRepetition(inner, minimum, maximum, kind)
        case .assertion(let assertion): emit(.assertion(assertion))
        case .keep: emit(.save(0))
        case .call(let index): try addCall(of: index)
        case .atomic(let inner):
            canRemember = false
            try addNested(inner) { .atomic(end: $0) }
        case .look(let inner, let isAhead, let isNegative): try addLook(inner, isAhead, isNegative)
        case .backreference(let groups, let ignoringCase):
            canRemember = false
            emit(.backreference(groups, ignoringCase: ignoringCase))
        }
    }

    /// Expands a call of a group to the group's own code; a group that calls itself is refused, since its expansion
    /// would not end.
    private mutating func addCall(of index: Int) throws(RegexProblem) {
        guard groups.indices.contains(index - 1) else { throw RegexProblem(message: "undefined group reference") }
        guard called.insert(index).inserted else {
            throw RegexProblem(message: "recursive calls of groups are left out")
        }
        try add(.group(groups[index - 1], index: index))
        called.remove(index)
    }

    private mutating func addScalar(_ value: UInt32, _ ignoringCase: Bool) {
        let (lower, upper) = (CaseFolding.lower(value), CaseFolding.upper(value))
        if ignoringCase && lower != upper {
            emit(.scalarIgnoringCase(lower: lower, upper: upper))
        } else {
            emit(.scalar(value))
        }
    }

    private mutating func addAlternatives(_ branches: ArraySlice<RegexNode>) throws(RegexProblem) {
        var jumps: [Int] = []
        for branch in branches.dropLast() {
            let (split, number) = emitSplit()
            try add(branch)
            jumps.append(here)
            emit(.jump(0))
            instructions[split] = .split(split + 1, here, number: number)
        }
        if let last = branches.last { try add(last) }
        for jump in jumps { instructions[jump] = .jump(here) }
    }

    /// A match inside of the match: its instructions, then `match`.
    private mutating func addNested(
        _ node: RegexNode, _ make: (Int) -> RegexInstruction
    ) throws(RegexProblem) {
        let place = here
        emit(.match)
        try add(node)
        emit(.match)
        instructions[place] = make(here)
    }

    private mutating func addLook(
        _ node: RegexNode, _ isAhead: Bool, _ isNegative: Bool
    ) throws(RegexProblem) {
        if isAhead { return try addNested(node) { .look(end: $0, isNegative: isNegative) } }
        let width = node.width
        guard let maximum = width.maximum, maximum <= Self.sizeLimit else {
            throw RegexProblem(message: "invalid pattern in look-behind")
        }
        try addNested(node) {
            .lookBehind(end: $0, widths: width.minimum...max(width.minimum, maximum), isNegative: isNegative)
        }
    }

    private mutating func addRepetition(
        _ node: RegexNode, _ minimum: Int, _ maximum: Int?, _ kind: RegexNode.Repetition
    ) throws(RegexProblem) {
        if kind == .possessive {
            canRemember = false
            let inner = RegexNode.repeated(node, minimum: minimum, maximum: maximum, kind: .greedy)
            return try addNested(inner) { .atomic(end: $0) }
        }
        for _ in 0..<minimum { try add(node) }
        guard let maximum else { return try addLoop(node, isLazy: kind == .lazy) }
        var splits: [(place: Int, number: Int)] = []
        for _ in minimum..<max(minimum, maximum) {
            splits.append(emitSplit())
            try add(node)
        }
        for split in splits { setSplit(split, inside: split.place + 1, outside: here, isLazy: kind == .lazy) }
    }

    private mutating func addLoop(_ node: RegexNode, isLazy: Bool) throws(RegexProblem) {
        if !isLazy && node.isSingle {
            emit(.many(number: splitCount))
            splitCount += 1
            return try add(node)
        }
        let start = here
        let split = emitSplit()
        let mayBeEmpty = node.width.minimum == 0
        let register = registerCount
        if mayBeEmpty {
            registerCount += 1
            emit(.loopStart(register: register))
        }
        try add(node)
        emit(mayBeEmpty ? .loopEnd(register: register, start: start) : .jump(start))
        setSplit(split, inside: start + 1, outside: here, isLazy: isLazy)
    }

    private mutating func setSplit(_ split: (place: Int, number: Int), inside: Int, outside: Int, isLazy: Bool) {
        instructions[split.place] =
            isLazy
            ? .split(outside, inside, number: split.number) : .split(inside, outside, number: split.number)
    }
}
