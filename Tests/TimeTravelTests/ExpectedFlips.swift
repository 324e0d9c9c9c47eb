import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

/// What the answer must be, told from the verdicts on whole states at all positions.
struct ExpectedFlips {
    var firstBad: Int?
    var lastGood: Int?
    var lastFlip: Int?
    var flips = 0
    var badAtStart: Bool?
    var badAtEnd: Bool?

    init(_ run: RandomRun, _ condition: Condition) {
        var known: Bool?
        var unjudged: Int?
        // Positions inside a gap have no state: the one before a position is the one before in the run.
        let before = Dictionary(uniqueKeysWithValues: zip(run.positions.dropFirst(), run.positions))
        for position in run.positions {
            let verdict = condition.verdict(on: run.states[position] ?? .null, context: .start).isBad
            if position == run.range.lower.rawValue { badAtStart = verdict }
            badAtEnd = verdict
            guard let verdict else {
                unjudged = unjudged ?? position
                continue
            }
            if let known, known != verdict {
                flips += 1
                lastFlip = verdict ? position : nil
                if verdict, firstBad == nil {
                    firstBad = position
                    lastGood = unjudged.map { before[$0] ?? 0 } ?? before[position]
                }
            }
            known = verdict
            unjudged = nil
        }
    }
}
