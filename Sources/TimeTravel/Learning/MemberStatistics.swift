import JSONCore

/// What the values of one member were like: counts of them, in bounded memory.
struct MemberStatistics {
    /// So many distinct values are counted; of more only their bounds are known.
    static let valueLimit = 32
    /// Of so many it is known which followed which.
    static let transitionLimit = 8

    /// How many values there were.
    private(set) var samples = 0
    /// How many of them changed one that was there before.
    private(set) var changes = 0
    /// How often each value was met; empty once there were more than are counted.
    private(set) var values: [JSONValue: Int] = [:]
    /// Whether all of them are counted.
    private(set) var isCounted = true
    /// How many numbers were equal to the least and to the greatest.
    private(set) var least: (value: JSONNumber, count: Int)?
    private(set) var greatest: (value: JSONNumber, count: Int)?
    private(set) var isWhole = true
    /// The greatest number that divides all differences of whole numbers.
    private(set) var step = 0
    private var origin: Int?

    /// From which value others followed, and how often.
    private(set) var transitions: [JSONValue: [JSONValue: Int]] = [:]
    private(set) var increases = 0
    private(set) var decreases = 0

    /// Counts a value.
    mutating func add(_ value: JSONValue) {
        samples += 1
        if case .number(let number) = value { add(number) }
        guard isCounted, Self.isShort(value) else {
            isCounted = false
            return
        }
        values[value, default: 0] += 1
        if values.count > Self.valueLimit { forgetValues() }
    }

    /// Counts that a value followed another.
    mutating func add(_ value: JSONValue, after old: JSONValue) {
        changes += 1
        if case .number(let new) = value, case .number(let before) = old {
            if before < new { increases += 1 } else { decreases += 1 }
        }
        guard isCounted, values.count <= Self.transitionLimit else {
            transitions = [:]
            return
        }
        transitions[old, default: [:]][value, default: 0] += 1
    }

    private mutating func forgetValues() {
        isCounted = false
        values = [:]
        transitions = [:]
    }

    private mutating func add(_ number: JSONNumber) {
        if let known = least {
            if number < known.value { least = (number, 1) } else if number == known.value { least?.count += 1 }
        } else {
            least = (number, 1)
        }
        if let known = greatest {
            if known.value < number { greatest = (number, 1) } else if number == known.value { greatest?.count += 1 }
        } else {
            greatest = (number, 1)
        }
        guard let whole = number.integerValue, abs(whole.clamped) < 1 << 53 else {
            isWhole = false
            return
        }
        let first = origin ?? whole
        origin = first
        step = Self.divisor(step, abs(whole - first))
    }

    private static func divisor(_ a: Int, _ b: Int) -> Int {
        var (a, b) = (a, b)
        while b != 0 { (a, b) = (b, a % b) }
        return a
    }

    /// Whether a value may stand in a condition: not a container, and no long text.
    private static func isShort(_ value: JSONValue) -> Bool {
        switch value {
        case .null, .bool: true
        case .number(let number): number.text.utf8.count <= 24
        case .string(let text): text.utf8.count <= 48
        case .array, .object: false
        }
    }
}

extension Int {
    /// The number, or the nearest whose magnitude can be said.
    fileprivate var clamped: Int { self == .min ? .max : self }
}
