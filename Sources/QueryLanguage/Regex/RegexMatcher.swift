/// Runs a regular expression over a text by backtracking, in the order of preference that Perl and Oniguruma have.
///
/// Where the outcome at a place hangs on nothing but the place (no back references, no cuts), places that failed are
/// remembered, so a search takes time in the product of pattern and text at most (RE2's "bit state"). Elsewhere a budget
/// of steps ends what would not end.
struct RegexMatcher {
    private let program: RegexProgram
    private let text: [UInt32]
    private var stepsLeft: Int
    private var stack: [Undo] = []
    /// A bit for each split and place that was tried.
    private var tried: [UInt64] = []
    private var touched: [Int] = []
    private var remembers: Bool
    private var searchStart = 0

    /// How many steps one search may take.
    static let stepLimit = 50_000_000
    /// How many bits may be spent on remembering.
    private static let memoryLimit = 1 << 28

    /// A search took too many steps.
    struct OutOfSteps: Error {}

    private enum Undo {
        case branch(instruction: Int, position: Int)
        case restore(slot: Int, value: Int)
    }

    /// The longest match so far, where that is what is looked for: `onlyLongest` goes on as if each match had failed.
    private var longest: (slots: [Int], length: Int)?
    private let onlyLongest: Bool

    /// - Parameter prefersLongest: whether the longest match of the whole text is wanted, not the first one.
    init(_ program: RegexProgram, _ text: [UInt32], prefersLongest: Bool = false) {
        onlyLongest = prefersLongest
        self.program = program
        self.text = text
        stepsLeft = Self.stepLimit
        let bits = program.splitCount.multipliedReportingOverflow(by: text.count + 1)
        remembers = program.canRemember && !bits.overflow && bits.partialValue <= Self.memoryLimit
        if remembers { tried = Array(repeating: 0, count: bits.partialValue / 64 + 1) }
    }

    /// The first match at or after a place: positions of the whole and of each group, -1 where a group did not take part.
    mutating func search(from start: Int) throws(OutOfSteps) -> [Int]? {
        searchStart = start
        stepsLeft = Self.stepLimit
        longest = nil
        defer { forget() }
        var position = start
        while position <= text.count {
            if let first = program.firstScalar {
                while position < text.count, text[position] != first { position += 1 }
                if position == text.count { return longest?.slots }
            }
            var slots = emptySlots
            if try run(from: 0, at: position, &slots) != nil { return Array(slots.prefix(groupSlots)) }
            if program.isAnchored { return longest?.slots }
            position += 1
        }
        return longest?.slots
    }

    /// Notes a match that begins at `slots[0]`; of two equally long ones the first stays.
    private mutating func note(_ slots: [Int], end: Int) {
        let length = end - slots[0]
        if let longest, longest.length >= length { return }
        longest = (Array(slots.prefix(groupSlots)), length)
    }

    private var groupSlots: Int { 2 * (program.groupNames.count + 1) }

    /// Places of groups, then of the beginnings of loop rounds.
    private var emptySlots: [Int] { Array(repeating: -1, count: groupSlots + program.registerCount) }

    private mutating func forget() {
        for word in touched { tried[word] = 0 }
        touched.removeAll(keepingCapacity: true)
    }

    /// Whether this split was not tried at this place before.
    private mutating func isNew(_ split: Int, _ position: Int) -> Bool {
        let bit = split * (text.count + 1) + position
        let word = bit / 64
        let mask = UInt64(1) << UInt64(bit % 64)
        if tried[word] & mask != 0 { return false }
        if tried[word] == 0 { touched.append(word) }
        tried[word] |= mask
        return true
    }

    /// Runs up to a `match` instruction and tells where it ends, or nil.
    private mutating func run(from start: Int, at place: Int, _ slots: inout [Int]) throws(OutOfSteps) -> Int? {
        let floor = stack.count
        var instruction = start
        var position = place
        while true {
            stepsLeft -= 1
            if stepsLeft < 0 {
                stack.removeLast(stack.count - floor)
                throw OutOfSteps()
            }
            if case .match = program.instructions[instruction] {
                guard onlyLongest && start == 0 else {
                    stack.removeLast(stack.count - floor)
                    return position
                }
                note(slots, end: position)
                guard let (back, at) = backtrack(to: floor, &slots) else { return nil }
                (instruction, position) = (back, at)
                continue
            }
            if let next = try step(instruction, &position, &slots) {
                instruction = next
            } else {
                guard let (back, at) = backtrack(to: floor, &slots) else { return nil }
                (instruction, position) = (back, at)
            }
        }
    }

    private mutating func backtrack(to floor: Int, _ slots: inout [Int]) -> (Int, Int)? {
        while stack.count > floor, let undo = stack.popLast() {
            switch undo {
            case .restore(let slot, let value): slots[slot] = value
            case .branch(let instruction, let position): return (instruction, position)
            }
        }
        return nil
    }

    private mutating func set(_ slot: Int, _ value: Int, _ slots: inout [Int]) {
        stack.append(.restore(slot: slot, value: slots[slot]))
        slots[slot] = value
    }

    /// Does one instruction; the next one, or nil where it fails.
    private mutating func step(
        _ instruction: Int, _ position: inout Int, _ slots: inout [Int]
    ) throws(OutOfSteps) -> Int? {
        switch program.instructions[instruction] {
        case .split(let first, let second, let number):
            if remembers && !isNew(number, position) { return nil }
            stack.append(.branch(instruction: second, position: position))
            return first
        case .jump(let target): return target
        case .save(let slot): set(slot, position, &slots)
        case .loopStart(let register): set(groupSlots + register, position, &slots)
        case .loopEnd(let register, let start):
            return slots[groupSlots + register] == position ? instruction + 1 : start
        case .assertion(let assertion): return holds(assertion, position) ? instruction + 1 : nil
        case .look, .lookBehind, .atomic: return try nested(instruction, &position, &slots)
        case .backreference(let groups, let ignoringCase):
            guard let end = matchAgain(groups, ignoringCase, position, slots) else { return nil }
            position = end
        default:
            guard position < text.count, matches(program.instructions[instruction], text[position]) else { return nil }
            position += 1
        }
        return instruction + 1
    }

    private func matches(_ instruction: RegexInstruction, _ value: UInt32) -> Bool {
        switch instruction {
        case .scalar(let wanted): value == wanted
        case .scalarIgnoringCase(let lower, let upper): value == lower || value == upper
        case .any: true
        case .anyButNewline: value != 0x0A
        case .set(let index): program.sets[index].contains(value)
        case .setIgnoringCase(let index): program.sets[index].containsIgnoringCase(value)
        default: false
        }
    }

    private mutating func nested(
        _ instruction: Int, _ position: inout Int, _ slots: inout [Int]
    ) throws(OutOfSteps) -> Int? {
        var inner = slots
        let remembered = remembers
        // What fails inside says nothing of the places outside.
        remembers = false
        defer { remembers = remembered }
        switch program.instructions[instruction] {
        case .atomic(let end):
            guard let reached = try run(from: instruction + 1, at: position, &inner) else { return nil }
            adopt(inner, &slots)
            position = reached
            return end
        case .look(let end, let isNegative):
            let found = try run(from: instruction + 1, at: position, &inner) != nil
            guard found != isNegative else { return nil }
            if found { adopt(inner, &slots) }
            return end
        case .lookBehind(let end, let widths, let isNegative):
            var found = false
            for width in widths where !found && width <= position {
                inner = slots
                found = try run(from: instruction + 1, at: position - width, &inner) == position
            }
            guard found != isNegative else { return nil }
            if found { adopt(inner, &slots) }
            return end
        default: return nil
        }
    }

    private mutating func adopt(_ inner: [Int], _ slots: inout [Int]) {
        for slot in inner.indices where inner[slot] != slots[slot] { set(slot, inner[slot], &slots) }
    }

    private func matchAgain(_ groups: [Int], _ ignoringCase: Bool, _ position: Int, _ slots: [Int]) -> Int? {
        for group in groups.reversed() where 2 * group + 1 < groupSlots && slots[2 * group + 1] >= 0 {
            let (start, end) = (slots[2 * group], slots[2 * group + 1])
            guard start >= 0, end >= start, position + (end - start) <= text.count else { return nil }
            for offset in 0..<(end - start) {
                let (a, b) = (text[start + offset], text[position + offset])
                let same = a == b || (ignoringCase && CaseFolding.lower(a) == CaseFolding.lower(b))
                if !same { return nil }
            }
            return position + (end - start)
        }
        return nil
    }

    private func holds(_ assertion: RegexNode.Assertion, _ position: Int) -> Bool {
        let count = text.count
        switch assertion {
        case .textStart: return position == 0
        case .textEnd: return position == count
        case .textEndOrLastLine: return position == count || (position == count - 1 && text[position] == 0x0A)
        case .lineStart: return position == 0 || text[position - 1] == 0x0A
        case .lineEnd: return position == count || text[position] == 0x0A
        case .wordBoundary, .notWordBoundary:
            let before = position > 0 && ScalarClass.isWord(text[position - 1])
            let after = position < count && ScalarClass.isWord(text[position])
            return (before != after) == (assertion == .wordBoundary)
        case .searchStart: return position == searchStart
        }
    }
}
