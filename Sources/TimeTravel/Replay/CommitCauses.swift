import JSONCore
public import JournalFormat
public import JournalReading
import Platform

/// Which commit caused which, of a whole run.
///
/// - Complexity: one pass over the journal; two numbers for each commit with a cause.
public struct CommitCauses: Sendable {
    /// Ascending by commit.
    private var links: [(commit: CommitNumber, cause: CommitNumber)] = []

    /// Reads the causes.
    public init(of journal: Journal) throws(JournalError) {
        var reader = journal.records()
        var filter = RecordFilter(touching: .everything, kinds: [.commit])
        var places = RecentTexts<Bool>(capacity: 512)
        reader.readAhead(for: filter, threads: ProcessorCount.available)
        while let line = try reader.next(matching: &filter) {
            // The sum of a line that was read is right, if it has one: then its members are what was written.
            if LineSum.written(in: line.bytes) != nil, !Self.mayName(line.bytes) { continue }
            let cause = try CheckedCommit(line, &places).cause
            // A cause that is not earlier is none.
            if let cause, cause < line.seq { links.append((line.seq, cause)) }
        }
    }

    /// Whether a line may have a member `cause`: every spelling of the name has a `u` after `ca`, or after a backslash.
    private static func mayName(_ line: ByteView) -> Bool {
        var place = min(2, line.count)
        while let found = line.firstIndex(of: UInt8(ascii: "u"), from: place) {
            let before = (line[found - 2], line[found - 1])
            if before.1 == UInt8(ascii: "\\") || before == (UInt8(ascii: "c"), UInt8(ascii: "a")) { return true }
            place = found + 1
        }
        return false
    }

    /// The commits that some others caused, themselves or through other commits, and that are not among those; ascending.
    public func effects(of commits: CommitList) -> [(commit: CommitNumber, cause: CommitNumber)] {
        var found: Set<CommitNumber> = []
        return links.filter { link in
            guard !commits.contains(link.commit), commits.contains(link.cause) || found.contains(link.cause) else {
                return false
            }
            found.insert(link.commit)
            return true
        }
    }

    /// Some commits with everything that caused them; ascending.
    func withCauses(_ commits: [CommitNumber]) -> [CommitNumber] {
        var kept = Set(commits)
        // A cause is earlier, so that of the last commit comes first.
        for link in links.reversed() where kept.contains(link.commit) { kept.insert(link.cause) }
        return kept.sorted()
    }
}
