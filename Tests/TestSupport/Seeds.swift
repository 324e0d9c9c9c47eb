import Foundation

/// The seeds that a property is tried with in this run, of those that its test names.
///
/// The first few of them, and one that changes from day to day, so that what is merged meets other cases in time. With
/// `STATE_INSPECT_SEEDS=40` in the environment there are forty, also where a test names fewer, and with `STATE_INSPECT_SEEDS=all`
/// there are as many as it names. `STATE_INSPECT_DAY=20784` takes the seed of another day.
///
/// - Parameter least: how many are tried at least, where a known fault is found by later ones only (`Tests/Lab/Faults`).
public func seeds<Seed: FixedWidthInteger & Sendable>(
    _ all: Range<Seed>, atLeast least: Int = 2
) -> [Seed] where Seed.Stride: SignedInteger {
    switch SeedAmount.ofRun {
    case .all: return Array(all)
    case .number(let count): return (0..<count).map { all.lowerBound + Seed($0) }
    case .few:
        let few = max(least, all.count / 8)
        guard few < all.count else { return Array(all) }
        return Array(all.prefix(few)) + [Seed(SeedAmount.today)]
    }
}

/// How many seeds the properties of this run are tried with.
public enum SeedAmount: Sendable {
    case few
    case number(Int)
    case all

    /// What the environment asks for.
    public static let ofRun: SeedAmount = {
        guard let text = ProcessInfo.processInfo.environment["STATE_INSPECT_SEEDS"] else {
            atexit { print(SeedAmount.remark) }
            return .few
        }
        if text == "all" { return .all }
        guard let count = Int(text), count > 0 else {
            fatalError("STATE_INSPECT_SEEDS is '\(text)'; it is a number of seeds, or 'all'")
        }
        return .number(count)
    }()

    /// Whether the larger random runs are made too.
    public static var isAll: Bool { if case .all = ofRun { true } else { false } }

    /// The seed of the day: larger than those that tests name.
    public static let today: Int =
        ProcessInfo.processInfo.environment["STATE_INSPECT_DAY"].flatMap { Int($0) }
        ?? Int(Date().timeIntervalSince1970 / 86_400)

    /// What a run with few seeds leaves to others, said where people look: after everything else.
    private static let remark = """
        seeds: an eighth of those that tests name, and \(today), that of today; 'STATE_INSPECT_SEEDS=all swift test' draws all, \
        as '.ci/slow large' does
        """
}

/// A small generator whose whole sequence follows from its seed, so that a failing property can be run again.
///
/// SplitMix64: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
public struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Starts the sequence of a seed.
    public init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
