import Foundation

/// The seeds that a property is tried with in this run, of those that its test names.
///
/// The first few of them, and one that changes from day to day, so that what is merged meets other cases in time: see
/// ``CaseAmount``.
///
/// - Parameter least: how many are tried at least before a merge, where a known fault is found by later ones only
///   (`Tests/Lab/Faults`).
public func seeds<Seed: FixedWidthInteger & Sendable>(
    _ all: Range<Seed>, atLeast least: Int = 2
) -> [Seed] where Seed.Stride: SignedInteger {
    let few: Int
    switch CaseAmount.ofRun {
    case .all: return Array(all)
    case .number(let count): return (0..<count).map { all.lowerBound + Seed($0) }
    case .merge: few = max(least, all.count / 8)
    case .few: few = max(1, all.count / 32)
    }
    guard few < all.count else { return Array(all) }
    return Array(all.prefix(few)) + [Seed(CaseAmount.today)]
}

/// Those of a test's cases that this run tries: an eighth of them, other ones each day, where the run is not that before a merge.
public func sampled<Case>(_ all: [Case]) -> [Case] {
    guard case .few = CaseAmount.ofRun, all.count > 1 else { return all }
    let step = min(8, all.count)
    return stride(from: CaseAmount.today % step, to: all.count, by: step).map { all[$0] }
}

/// How many seeds and cases the tests of this run try.
///
/// `swift test` alone is a first look. With `STATE_INSPECT_SEEDS=merge` in the environment, as in `.ci/run`, there are all cases, and
/// an eighth of the seeds; with `STATE_INSPECT_SEEDS=40` there are forty seeds, also where a test names fewer, and with
/// `STATE_INSPECT_SEEDS=all` as many as it names. `STATE_INSPECT_DAY=20784` takes the seed and the cases of another day.
public enum CaseAmount: Sendable {
    case few
    case merge
    case number(Int)
    case all

    /// What the environment asks for.
    public static let ofRun: CaseAmount = {
        let text = ProcessInfo.processInfo.environment["STATE_INSPECT_SEEDS"]
        if text == nil { atexit { print(CaseAmount.remark) } }
        switch text {
        case nil: return .few
        case "merge"?: return .merge
        case "all"?: return .all
        case let text?:
            guard let count = Int(text), count > 0 else {
                fatalError("STATE_INSPECT_SEEDS is '\(text)'; it is a number of seeds, 'merge' or 'all'")
            }
            return .number(count)
        }
    }()

    /// Whether the larger random runs are made too.
    public static var isAll: Bool { if case .all = ofRun { true } else { false } }

    /// The seed of the day: larger than those that tests name.
    public static let today: Int =
        ProcessInfo.processInfo.environment["STATE_INSPECT_DAY"].flatMap { Int($0) }
        ?? Int(Date().timeIntervalSince1970 / 86_400)

    /// What such a run leaves to others, said where people look: after everything else.
    private static let remark = """
        few seeds and cases, those of day \(today): '.ci/run' tries what must hold before a merge, \
        'STATE_INSPECT_SEEDS=all swift test' every seed that tests name
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
