import JournalFormat
import JournalReading

/// Where a run begins whose first line may be wrong about that.
enum RunStart {
    private static let asked = 64

    /// What the first line says, by `after` or by `seq`, as long as the first records go on from it; else what most of them
    /// go on from, unless commits before them may be lost.
    static func find(in journal: Journal) -> CommitNumber {
        let stated = try? journal.headerRecord.withLine { (line) throws(JournalError) in try line.statedStart() }
        let claims = [stated, journal.start].compactMap(\.self)
        let votes = votes(in: journal)
        if let best = claims.max(by: { votes[$0, default: 0] < votes[$1, default: 0] }), votes[best] != nil {
            return best
        }
        let most = votes.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        if let most, claims.allSatisfy({ most < $0 }) { return most }
        return stated ?? journal.start
    }

    private static func votes(in journal: Journal) -> [CommitNumber: Int] {
        var votes: [CommitNumber: Int] = [:]
        guard journal.isSeekable else { return votes }
        var reader = journal.records(recover: true, checksSums: false)
        var commits = 0
        for _ in 0..<asked {
            do throws(JournalError) {
                guard let line = try reader.nextOfAnyNumber() else { break }
                if line.kind == .gap { break }
                if line.kind == .commit { commits += 1 }
                if line.kind == .journal || line.seq.rawValue < commits { continue }
                if case .wrong = LineSum.check(line.bytes) { continue }
                votes[CommitNumber(line.seq.rawValue - commits), default: 0] += 1
            } catch { continue }
        }
        return votes
    }
}
