import JSONCore

/// How often something could have been false in some runs and was not, and in how many runs it was false.
struct Trial {
    /// How often it could have been false and was not.
    private(set) var chances = 0
    /// In how many runs it could have been.
    private(set) var runs = 0
    /// In how many runs it was false.
    private(set) var refutations = 0
    private var lastRun = 0
    private var lastRefuted = 0

    /// Counts a chance, or that it was false.
    ///
    /// - Parameter run: the number of the run, from 1 on.
    mutating func record(_ isTrue: Bool, in run: Int) { isTrue ? pass(in: run) : refute(in: run) }

    mutating func pass(in run: Int) {
        chances += 1
        if lastRun != run { (lastRun, runs) = (run, runs + 1) }
    }

    mutating func refute(in run: Int) {
        if lastRefuted != run { (lastRefuted, refutations) = (run, refutations + 1) }
    }

    /// Counts the chances of another one, of the same runs.
    mutating func add(_ other: Trial) { chances += other.chances }

    /// Whether it was false in the run.
    func isRefuted(in run: Int) -> Bool { lastRefuted == run }

    /// Whether it was never false.
    var holds: Bool { refutations == 0 }

    /// Whether it could have been false often enough, in enough of the runs.
    func isSure(of count: Int, fewest: Int = Trial.fewest) -> Bool {
        holds && chances >= fewest && runs >= min(count, Self.fewestRuns)
    }

    /// What holds by chance every second time does so through eight changes in one of 256 cases.
    static let fewest = 8
    /// In so many runs something could have been false, or in all where there are fewer.
    static let fewestRuns = 5
}

/// What the values at a place were like, in bounded memory.
struct ValueSummary {
    /// So many distinct values are counted.
    static let mostValues = 16

    /// How often each value was met, and in how many runs; empty once there were more than are counted.
    private(set) var values: [JSONValue: Trial] = [:]
    private(set) var isCounted = true
    /// From which value which others followed.
    private(set) var successors: [JSONValue: [JSONValue: Trial]] = [:]
    /// Whether no number is below zero.
    private(set) var notNegative = Trial()
    /// Whether every number is above zero.
    private(set) var positive = Trial()
    /// Whether no number is less than the one before.
    private(set) var rising = Trial()
    /// Whether no number is more than the one before.
    private(set) var falling = Trial()
    /// Every value after the first of a run; of elements, every value.
    private(set) var all = Trial()

    /// Counts a value.
    ///
    /// - Parameter old: what it replaced, where that is known.
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

    /// Whether numbers only went up, or only down.
    var isMonotone: Bool { (rising.chances > 0) != (falling.chances > 0) }

    /// Whether the values are whole numbers one after another: what counts something has no end where the runs have theirs.
    var isCounter: Bool {
        let numbers = values.keys.compactMap { $0.number?.integerValue }
        guard numbers.count > 1, let least = numbers.min(), let greatest = numbers.max() else { return false }
        return least.distance(to: greatest) == numbers.count - 1
    }

    /// The fewest runs in which one of its values was met.
    var rarest: Int { values.values.map(\.runs).min() ?? 0 }

    /// Whether a value may be part of a condition: not a container, and no long text.
    private static func isShort(_ value: JSONValue) -> Bool {
        switch value {
        case .null, .bool: true
        case .number(let number): number.text.utf8.count <= 24
        case .string(let text): text.utf8.count <= 48
        case .array, .object: false
        }
    }
}
