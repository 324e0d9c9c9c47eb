import JournalFormat
import JournalReading
import Platform

/// Each part begins with what its keyframe says of the states and the totals, which the part before verifies; where
/// anything is wrong, one pass reports what, and where.
///
/// - Complexity: the file is read once, by all threads together; memory is that of the state for each of them.
struct VerificationParts {
    private struct Part: Sendable {
        let keyframe: ByteOffset?
        let end: ByteOffset?
    }

    private struct Verified: Sendable {
        let summary: Verification.Summary
        let firstTime: Timestamp?
        let lastTime: Timestamp?
    }

    private let journal: Journal
    /// The journal that the threads read: it reports no progress.
    private let silent: Journal
    private let parts: [Part]
    private let threads: Int

    /// Cuts a file into parts of about so many bytes; nil where it is better verified in one pass.
    init?(_ journal: Journal, about length: Int = 8 << 20, threads: Int = ProcessorCount.available) {
        guard let bytes = journal.byteCount, let cuts = try? journal.cuts(to: ByteOffset(bytes), about: length),
            !cuts.isEmpty, let silent = journal.silent()
        else { return nil }
        self.journal = journal
        self.silent = silent
        self.threads = threads
        parts = zip([nil] + cuts.map(\.record), cuts.map(\.end) + [nil]).map { Part(keyframe: $0, end: $1) }
    }

    func summary() -> Verification.Summary? {
        var summary = Verification.Summary()
        var lastTime: Timestamp?
        let (silent, ends) = (silent, parts.map(\.end))
        var done = 0
        do {
            try ParallelMap.run(parts, threads: threads) { (part: Part) -> Verified? in
                try? VerificationParts.verify(part, of: silent)
            } each: { (part: Verified?) in
                guard let part, !summary.isEnded else { throw CancellationError() }
                if let lastTime, let first = part.firstTime, first < lastTime { throw CancellationError() }
                lastTime = part.lastTime ?? lastTime
                summary.add(part.summary)
                if let end = ends[done] { journal.reportProgress(readTo: end, commits: summary.commits) }
                done += 1
            }
        } catch { return nil }
        return summary
    }

    private static func verify(_ part: Part, of journal: Journal) throws(JournalError) -> Verified? {
        var verification = Verification(journal)
        var reader = journal.records(from: part.keyframe ?? .zero, to: part.end, checksSums: false)
        if part.keyframe != nil {
            guard let line = try reader.next(), try verification.begin(after: line) else { return nil }
        }
        while let line = try reader.next() {
            verification.check(line)
            if verification.summary.problems > 0 { return nil }
        }
        guard reader.tornTail == nil, verification.summary.linesWithRepeatedNames == 0,
            verification.summary.linesWithReturns == 0
        else { return nil }
        return Verified(
            summary: verification.summary, firstTime: verification.firstTime, lastTime: verification.lastTime)
    }
}
