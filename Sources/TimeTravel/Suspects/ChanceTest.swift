/// Asks how often other trials would have as sure a suspect, had they been the ones that failed.
///
/// Where there are many signs, any few trials have some in common that no other has. So as many trials as failed are drawn from all
/// of them, again and again, and the surest place of each drawing is held against that of the trials that failed: a permutation test
/// (Good, "Permutation, Parametric and Bootstrap Tests of Hypotheses", 2005). The drawings are the same each time.
struct ChanceTest {
    /// So many drawings are made at most; of one trial that failed, each of the others is drawn once.
    private static let most = 99

    /// The signs of each trial by their numbers, the trials that failed first.
    private let trials: [[Int]]
    /// How many of the trials failed.
    private let failed: Int
    /// Of each sign, the number of the sign that a commit was made at its place.
    private var own: [Int]
    /// In how many trials each sign was met, of all that there are.
    private var totals: [Double]

    /// A test of trials that failed among some that passed.
    ///
    /// - Parameter passing: in how many trials that passed each sign was met, all of them counted.
    init(_ failing: [Set<SuspectElement>], _ sample: [Set<SuspectElement>], passing: [SuspectElement: Int]) {
        let failing = failing.prefix(RunTrials.sampleSize)
        var numbers: [SuspectElement: Int] = [:]
        for trial in failing + sample {
            for sign in trial {
                for sign in [sign, sign.ofPlace] where numbers[sign] == nil { numbers[sign] = numbers.count }
            }
        }
        own = [Int](repeating: 0, count: numbers.count)
        totals = [Double](repeating: 0, count: numbers.count)
        for (sign, number) in numbers {
            own[number] = numbers[sign.ofPlace] ?? number
            totals[number] = Double(passing[sign] ?? 0)
        }
        failed = failing.count
        trials = (failing + sample).map { trial in trial.compactMap { numbers[$0] } }
        for trial in trials.prefix(failed) { for sign in trial { totals[sign] += 1 } }
    }

    /// In how many drawings a place has at least this score, and of how many that are not the trials that failed.
    ///
    /// - Complexity: the signs of as many trials as failed, for each drawing.
    func drawings(reaching score: Double) -> Suspect.Share {
        guard failed > 1 else {
            let others = trials.indices.dropFirst(failed)
            return Suspect.Share(with: others.count { best([$0]) >= score - 1e-9 }, of: others.count)
        }
        var random = SplitMix64(state: UInt64(trials.count))
        var (reached, drawn) = (0, 0)
        for _ in 0..<Self.most {
            var order = Array(trials.indices)
            for index in 0..<failed { order.swapAt(index, index + random.next(below: order.count - index)) }
            let chosen = order.prefix(failed)
            if chosen.allSatisfy({ $0 < failed }) { continue }
            drawn += 1
            if best(chosen) >= score - 1e-9 { reached += 1 }
        }
        return Suspect.Share(with: reached, of: drawn)
    }

    /// The highest score of a place, had these trials failed.
    private func best(_ chosen: some Collection<Int>) -> Double {
        var counts = [Double](repeating: 0, count: totals.count)
        for trial in chosen { for sign in trials[trial] { counts[sign] += 1 } }
        func ochiai(_ sign: Int) -> Double { counts[sign] / (Double(failed) * totals[sign]).squareRoot() }
        var best = 0.0
        for sign in counts.indices where counts[sign] > 0 { best = max(best, (ochiai(sign) + ochiai(own[sign])) / 2) }
        return best
    }
}

extension SuspectElement {
    /// That a commit was made at its place.
    var ofPlace: SuspectElement { SuspectElement(place: place, sign: .made) }
}

/// Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
private struct SplitMix64 {
    var state: UInt64

    mutating func next(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((bits ^ (bits >> 31)) % UInt64(bound))
    }
}
