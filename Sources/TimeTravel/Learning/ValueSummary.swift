import JSONCore

/// How often something could have been false in some runs and was not, and in how many runs it was false.
struct Trial {
    private(set) var chances = 0
    private(set) var runs = 0
    private(set) var refutations = 0
    private var lastRun = 0
    private var lastRefuted = 0

    mutating func record(_ isTrue: Bool, in run: Int) { isTrue ? pass(in: run) : refute(in: run) }

    mutating func pass(in run: Int) {
        chances += 1
        if lastRun != run { (lastRun, runs) = (run, runs + 1) }
    }

    mutating func refute(in run: Int) { if lastRefuted != run { (lastRefuted, refutations) = (run, refutations + 1) } }
    mutating func add(_ other: Trial) { chances += other.chances }
    func isRefuted(in run: Int) -> Bool { lastRefuted == run }
    var holds: Bool { refutations == 0 }
    func isSure(of count: Int) -> Bool { holds && chances >= Self.fewest && runs >= min(count, Self.fewestRuns) }

    /// What holds by chance every second time does so through eight changes in one of 256 cases.
    static let fewest = 8
    /// In so many runs something could have been false, or in all where there are fewer.
    static let fewestRuns = 5
}

struct ValueSummary {
    static let mostValues = 16

    /// How often each value was met, and in how many runs; empty once there were more than are counted.
    private(set) var values: [JSONValue: Trial] = [:]
    private(set) var isCounted = true
    private(set) var successors: [JSONValue: [JSONValue: Trial]] = [:]
    private(set) var notNegative = Trial()
    private(set) var positive = Trial()
    private(set) var rising = Trial()
    private(set) var falling = Trial()
    /// Every value after the first of a run; of elements, every value.
    private(set) var all = Trial()

    mutating func add(_ value: JSONValue, after old: JSONValue?, isChance: Bool, in run: Int) {
        if isChance { all.pass(in: run) }
        if case .number(let number) = value {
            notNegative.record(!(number < JSONNumber(0)), in: run)
            positive.record(JSONNumber(0) < number, in: run)
            if let before = old?.number {
                rising.record(before < number, in: run)
                falling.record(number < before, in: run)
            }
        }
        guard isCounted else { return }
        guard Self.isShort(value) else { return forgetValues() }
        values[value, default: Trial()].pass(in: run)
        if let old { successors[old, default: [:]][value, default: Trial()].pass(in: run) }
        if values.count > Self.mostValues { forgetValues() }
    }

    private mutating func forgetValues() { (isCounted, values, successors) = (false, [:], [:]) }
    var isMonotone: Bool { (rising.chances > 0) != (falling.chances > 0) }

    /// Whether the values are whole numbers one after another: what counts something has no end where the runs have theirs.
    var isCounter: Bool {
        let numbers = values.keys.compactMap { $0.number?.integerValue }
        guard numbers.count > 1, let least = numbers.min(), let greatest = numbers.max() else { return false }
        return least.distance(to: greatest) == numbers.count - 1
    }

    var rarest: Int { values.values.map(\.runs).min() ?? 0 }

    private static func isShort(_ value: JSONValue) -> Bool {
        switch value {
        case .null, .bool: true
        case .number(let number): number.text.utf8.count <= 24
        case .string(let text): text.utf8.count <= 48
        case .array, .object: false
        }
    }
}
