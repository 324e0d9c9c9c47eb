import JSONCore
import JournalFormat
package import JournalReading
import Platform

/// A part of a file that is verified apart from the others: from a keyframe to the next one at which it is cut.
///
/// The part before it holds the keyframe against its own replay, and what comes after a keyframe depends on that alone: so the problems
/// of the parts are those of the whole.
package struct VerificationPart: Sendable {
    /// The line of the keyframe before it; nil for the first part.
    let keyframe: ByteOffset?
    /// Where it ends, after the keyframe that the next part begins with; nil for the last part.
    let end: ByteOffset?
    /// The positions of the keyframes at which it begins and ends.
    package let range: PositionRange

    /// What is known of a part.
    package struct Findings {
        /// What was looked at.
        package fileprivate(set) var summary = Verification.Summary()
        /// The first problems of its lines, in their order.
        package fileprivate(set) var problems: [VerificationProblem] = []
        /// Damage that had to be jumped over, and an unfinished end.
        package fileprivate(set) var damages: [VerificationProblem] = []
    }

    /// The parts between cuts.
    static func all(_ journal: Journal, _ cuts: [JournalCut]) -> [VerificationPart] {
        let last = max((try? journal.lastCommit) ?? journal.start, cuts.last?.position ?? journal.start)
        let positions = [journal.start] + cuts.map(\.position) + [last]
        let (keyframes, ends) = ([nil] + cuts.map(\.record), cuts.map(\.end) + [nil])
        return keyframes.indices.compactMap { index in
            PositionRange(positions[index], positions[index + 1]).map {
                VerificationPart(keyframe: keyframes[index], end: ends[index], range: $0)
            }
        }
    }

    /// Cuts a file into at most so many parts of about the same length; fewer where it has not enough keyframes that say what was
    /// counted.
    package static func all(of journal: Journal, count: Int) throws(JournalError) -> [VerificationPart] {
        guard count > 1, let bytes = journal.byteCount else { return all(journal, []) }
        let cuts = (try? journal.cuts(to: ByteOffset(bytes), about: (bytes + count - 1) / count)) ?? []
        return all(
            journal,
            cuts.filter { cut in
                var reader = journal.records(from: cut.record, to: cut.end)
                return (try? reader.next()?.totals()) != nil
            })
    }

    /// Verifies the part; it is read once more where there is something to report, with the numbers of its lines.
    ///
    /// - Parameter limit: how many problems are kept; the others are counted.
    package func verify(_ journal: Journal, limit: Int) throws(JournalError) -> Findings {
        var reader = journal.records(from: keyframe ?? .zero, to: end, recover: true, checksSums: false)
        let found = try verify(journal, &reader, limit: limit)
        guard found.summary.problems > 0 || found.summary.linesWithRepeatedNames > 0, let keyframe else { return found }
        var numbered = try journal.numberedRecords(from: keyframe, to: end)
        return try verify(journal, &numbered, limit: limit)
    }

    private func verify(
        _ journal: Journal, _ reader: inout RecordReader, limit: Int
    ) throws(JournalError) -> Findings {
        var (problems, damages): ([VerificationProblem], [VerificationProblem]) = ([], [])
        var isAtEnd = false
        var verification = Verification(journal) { problem in
            if isAtEnd {
                damages.append(problem)
            } else if problems.count < limit {
                problems.append(problem)
            }
        }
        if let keyframe {
            let time = lastTime(of: journal, before: keyframe)
            guard let line = try reader.next(), try verification.begin(after: line, time) else { return Findings() }
        }
        reader.readAhead(finding: .proofs, threads: ProcessorCount.available)
        while let line = try reader.next() { verification.check(line) }
        isAtEnd = true
        verification.reportEnd(of: reader)
        return Findings(summary: verification.summary, problems: problems, damages: damages)
    }

    /// The time of the last record before a place that has one.
    private func lastTime(of journal: Journal, before place: ByteOffset) -> Timestamp? {
        guard var reader = try? journal.recordsBackward(from: place) else { return nil }
        while let line = try? reader.next() {
            switch line.kind {
            case .derived, .outcome, .keyframe, .other: continue
            case .mark:
                let mark = try? line.decode { (o) throws(RecordFault) in try MarkRecord(o) }
                return mark?.clock ?? mark?.time
            case .journal, .store, .commit, .close, .gap, .abort, .end:
                return (try? line.object()["time"]?.string).flatMap { Timestamp($0) }
            }
        }
        return nil
    }
}
