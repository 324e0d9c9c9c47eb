internal import JSONCore

/// Runs a regular expression over a text by backtracking, in the order of preference that Perl and Oniguruma have.
///
/// If the outcome at a place depends on the place alone (no back references, no cuts), a long search begins to
/// remember the places that failed, and takes time in the product of pattern and text at most (RE2's "bit state").
/// Otherwise a budget of steps ends searches that would take too long.
///
/// The text is bytes where it is ASCII, else scalars, so that positions are those of the language in both.
struct RegexMatcher<Unit: FixedWidthInteger & UnsignedInteger>: ~Copyable {
    private let program: RegexProgram
    private let steps: BorrowedElements<RegexStep>
    private let tables: BorrowedElements<RegexTable>
    private let text: BorrowedElements<Unit>
    var stepLimit = RegexLimits.steps
    private var stepsLeft = 0
    private var stack: [Undo] = []
    /// Places of groups, then of the beginnings of loop rounds.
    private var slots: PinnedArray<Int>
    private let groupSlots: Int
    /// A bit for each split and place that was tried; empty until a search takes long.
    private var tried: [UInt64] = []
    private var mayRemember: Bool
    private var searchStart = 0

    private struct Undo {
        /// Where to go on, or, below zero, the slot to restore, inverted.
        var target: Int
        var value: Int
        /// How far a repetition can give back: to here.
        var lowest: Int
    }

    /// The longest match so far, where that is what is looked for: `onlyLongest` goes on as if each match had failed.
    private var longest: (places: [Int], length: Int)?
    private let onlyLongest: Bool

    /// `text` must outlive the matcher; `prefersLongest` finds the longest match of the whole text, not the first.
    init(_ program: RegexProgram, _ text: BorrowedElements<Unit>, prefersLongest: Bool = false) {
        onlyLongest = prefersLongest
        self.program = program
        steps = program.steps.elements
        tables = program.tables.elements
        self.text = text
        stack.reserveCapacity(32)
        groupSlots = 2 * (program.groupNames.count + 1)
        slots = PinnedArray(repeating: -1, count: program.slotCount)
        let bits = program.splitCount.multipliedReportingOverflow(by: text.count + 1)
        mayRemember = program.canRemember && !bits.overflow && bits.partialValue <= RegexLimits.memory
    }

    /// The first match at or after a place: positions of the whole and of each group, -1 where a group did not take part.
    mutating func search(from start: Int) throws(RegexLimits.OutOfSteps) -> [Int]? {
        searchStart = start
        stepsLeft = stepLimit
        tried.removeAll()
        longest = nil
        var position = start
        let (firstTable, runTable) = (program.firstTable ?? -1, program.runTable ?? -1)
        let isAnchored = program.isAnchored
        while position <= text.count {
            if firstTable >= 0 {
                while position < text.count, !tables[firstTable].contains(UInt32(text[position])) { position += 1 }
                if position == text.count { break }
            }
            slots.fill(with: -1)
            if try run(from: 0, at: position) != nil { return Array(slots.elements.prefix(groupSlots)) }
            if isAnchored { break }
            // A run that was taken whole in vain ends at the same place from any start within it.
            if runTable >= 0 {
                while position < text.count, tables[runTable].contains(UInt32(text[position])) { position += 1 }
            }
            position += 1
        }
        return longest?.places
    }

    /// Notes a match that begins at the first slot; of two equally long ones the first stays.
    private mutating func noteMatch(endingAt end: Int) {
        if Unit.self != UInt8.self { stepsLeft -= end - slots[0] }
        let length = byteCount(slots[0], end)
        if let longest, longest.length >= length { return }
        longest = (Array(slots.elements.prefix(groupSlots)), length)
    }

    /// The bytes of UTF-8 in a part of the text: Oniguruma compares the lengths of matches by these.
    private func byteCount(_ start: Int, _ end: Int) -> Int {
        guard Unit.self != UInt8.self, start < end else { return end - start }
        return text[start..<end].reduce(0) { $0 + ($1 < 0x80 ? 1 : $1 < 0x800 ? 2 : $1 < 0x10000 ? 3 : 4) }
    }

    @inline(__always)
    private mutating func isNew(_ split: UInt32, _ position: Int) -> Bool {
        guard mayRemember, stepLimit - stepsLeft > RegexLimits.stepsBeforeMemory else { return true }
        return isNewSlowly(Int(split), position)
    }

    private mutating func isNewSlowly(_ split: Int, _ position: Int) -> Bool {
        if tried.isEmpty {
            // A search that remembers is as expensive as its memory is large.
            stepsLeft -= program.splitCount * (text.count + 1) / 64
            tried = Array(repeating: 0, count: program.splitCount * (text.count + 1) / 64 + 1)
        }
        let bit = split * (text.count + 1) + position
        let mask = UInt64(1) << UInt64(bit % 64)
        if tried[bit / 64] & mask != 0 { return false }
        tried[bit / 64] |= mask
        return true
    }

    private mutating func run(from start: Int, at place: Int) throws(RegexLimits.OutOfSteps) -> Int? {
        let floor = stack.count
        let steps = steps
        var instruction = start
        var position = place
        while true {
            stepsLeft -= 1
            if stepsLeft < 0 {
                stack.removeLast(stack.count - floor)
                throw RegexLimits.OutOfSteps()
            }
            let step = steps[instruction]
            var goesOn = true
            switch step.operation {
            case .match:
                if onlyLongest && start == 0 {
                    noteMatch(endingAt: position)
                    goesOn = false
                } else {
                    stack.removeLast(stack.count - floor)
                    return position
                }
            case .split:
                goesOn = isNew(step.number, position)
                if goesOn { stack.append(Undo(target: Int(step.b), value: position, lowest: position)) }
                instruction = Int(step.a)
            case .many:
                let lowest = position
                while position < text.count, matches(steps[instruction + 1], position) { position += 1 }
                stepsLeft -= (position - lowest) / 4
                instruction += 2
                if position > lowest && step.a == 0 {
                    stack.append(Undo(target: instruction, value: position - 1, lowest: lowest))
                }
                goesOn = isNew(step.number, position)
            case .jump: instruction = Int(step.a)
            case .save:
                set(Int(step.a), position)
                instruction += 1
            case .loopEnd: instruction = slots[Int(step.a)] == position ? instruction + 1 : Int(step.b)
            case .scalar, .anyBut, .set:
                goesOn = position < text.count && matches(step, position)
                position += 1
                instruction += 1
            case .assertion:
                goesOn = RegexNode.Assertion(rawValue: step.a).map { holds($0, position) } ?? false
                instruction += 1
            case .backreference, .atomic, .look, .lookBehind:
                if let next = try rare(step, instruction, &position) { instruction = next } else { goesOn = false }
            }
            guard goesOn else {
                guard let back = backtrack(to: floor) else { return nil }
                (instruction, position) = back
                continue
            }
        }
    }

    @inline(__always)
    private func matches(_ step: RegexStep, _ position: Int) -> Bool {
        let value = UInt32(truncatingIfNeeded: text[position])
        switch step.operation {
        case .scalar: return value == step.a || value == step.b
        case .anyBut: return value != step.a
        case .set: return tables[Int(step.a)].contains(value)
        default: return false
        }
    }

    private mutating func backtrack(to floor: Int) -> (instruction: Int, position: Int)? {
        while stack.count > floor {
            let last = stack.count - 1
            let undo = stack[last]
            if undo.target < 0 {
                slots[~undo.target] = undo.value
                stack.removeLast()
                continue
            }
            if undo.value > undo.lowest { stack[last].value -= 1 } else { stack.removeLast() }
            // Each scalar that a repetition gives back is a place of its own, to be tried once.
            if undo.target >= 2, steps[undo.target - 2].operation == .many,
                !isNew(steps[undo.target - 2].number, undo.value)
            {
                continue
            }
            return (undo.target, undo.value)
        }
        return nil
    }

    private mutating func set(_ slot: Int, _ value: Int) {
        stack.append(Undo(target: ~slot, value: slots[slot], lowest: 0))
        slots[slot] = value
    }

    var stepsTaken: Int { stepLimit - stepsLeft }

    // MARK: What is rare

    /// Does a match within the match or a back reference; the next instruction, or nil where it fails.
    private mutating func rare(
        _ step: RegexStep, _ instruction: Int, _ position: inout Int
    ) throws(RegexLimits.OutOfSteps) -> Int? {
        let (end, isNegative) = (Int(step.a), step.b == 1)
        switch step.operation {
        case .backreference:
            let (end, compared) = matchAgain(program.lists[Int(step.a)], step.b == 1, position)
            stepsLeft -= compared
            guard let end else { return nil }
            position = end
            return instruction + 1
        case .atomic:
            guard let reached = try nested(instruction, position, keepsGroups: true) else { return nil }
            position = reached
            return end
        case .look:
            let found = try nested(instruction, position, keepsGroups: !isNegative) != nil
            return found != isNegative ? end : nil
        default:
            let widths = program.lists[Int(step.number)]
            for width in widths[0]...widths[1] where width <= position {
                let start = position - width
                if try nested(instruction, start, endingAt: position, keepsGroups: !isNegative) != nil {
                    return isNegative ? nil : end
                }
            }
            return isNegative ? end : nil
        }
    }

    /// Runs the code inside of an instruction; a failure there says nothing about the places outside.
    private mutating func nested(
        _ instruction: Int, _ place: Int, endingAt wanted: Int? = nil, keepsGroups: Bool
    ) throws(RegexLimits.OutOfSteps) -> Int? {
        let remembered = mayRemember
        mayRemember = false
        defer { mayRemember = remembered }
        stepsLeft -= Self.nestingCost &+ slots.count
        let outer = Array(slots.elements)
        guard let end = try run(from: instruction + 1, at: place) else { return nil }
        let inner = Array(slots.elements)
        for slot in outer.indices { slots[slot] = outer[slot] }
        if let wanted, wanted != end { return nil }
        if keepsGroups { for slot in inner.indices where inner[slot] != outer[slot] { set(slot, inner[slot]) } }
        return end
    }

    private static var nestingCost: Int { 16 }

    /// Where what a group matched ends a second time, nil where it is not there, and how many scalars that took to see.
    private func matchAgain(_ groups: [Int], _ ignoringCase: Bool, _ position: Int) -> (end: Int?, compared: Int) {
        for group in groups.reversed() where 2 * group + 1 < groupSlots && slots[2 * group + 1] >= 0 {
            let (start, end) = (slots[2 * group], slots[2 * group + 1])
            guard start >= 0, end >= start, position + (end - start) <= text.count else { return (nil, 0) }
            for offset in 0..<(end - start) {
                let (a, b) = (scalar(start + offset), scalar(position + offset))
                let same = a == b || (ignoringCase && CaseFolding.lower(a) == CaseFolding.lower(b))
                if !same { return (nil, offset + 1) }
            }
            return (position + (end - start), end - start)
        }
        return (nil, 0)
    }

    private func scalar(_ position: Int) -> UInt32 { UInt32(truncatingIfNeeded: text[position]) }

    private func holds(_ assertion: RegexNode.Assertion, _ position: Int) -> Bool {
        let count = text.count
        switch assertion {
        case .textStart: return position == 0
        case .textEnd: return position == count
        case .textEndOrLastLine: return position == count || (position == count - 1 && text[position] == 0x0A)
        case .lineStart: return position == 0 || text[position - 1] == 0x0A
        case .lineEnd: return position == count || text[position] == 0x0A
        case .wordBoundary, .notWordBoundary:
            let before = position > 0 && ScalarClass.isWord(scalar(position - 1))
            let after = position < count && ScalarClass.isWord(scalar(position))
            return (before != after) == (assertion == .wordBoundary)
        case .searchStart: return position == searchStart
        }
    }
}

enum RegexLimits {
    static let steps = 50_000_000
    /// The steps after which a search begins to remember failed places.
    static let stepsBeforeMemory = 2_000
    /// The most bits that are spent on remembering.
    static let memory = 1 << 28

    struct OutOfSteps: Error {}
}
