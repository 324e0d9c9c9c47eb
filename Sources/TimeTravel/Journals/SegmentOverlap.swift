import JSONCore
import JournalFormat
import JournalReading

/// What was read of a run that its next segments may hold too, as digests: so that what two segments say of the same commits
/// is proven to be the same before one of them is left out.
///
/// Memory is 16 bytes for each commit in which segments overlap, and for each mark, outcome and abort among them.
struct SegmentOverlap {
    private var numbers: [Int] = []
    private var digests: [Int] = []
    private var gaps: [ClosedRange<Int>] = []
    private var others = Set<Int>()

    /// Notes a record.
    mutating func note(_ line: RecordLine) throws(JournalError) {
        switch line.kind {
        case .commit:
            numbers.append(line.seq.rawValue)
            digests.append(try SegmentOverlap.digest(line))
        case .gap: gaps.append(try SegmentOverlap.numbers(ofGap: line))
        case .journal, .keyframe, .end: break
        case .store, .derived, .close, .outcome, .abort, .mark, .other: others.insert(try SegmentOverlap.digest(line))
        }
    }

    /// Whether a record is one of those that were noted.
    func holds(_ line: RecordLine) throws(JournalError) -> Bool {
        switch line.kind {
        case .commit: return try digest(of: line.seq.rawValue) == SegmentOverlap.digest(line)
        case .gap:
            let lost = try SegmentOverlap.numbers(ofGap: line)
            return gaps.contains { $0.contains(lost.lowerBound) && $0.contains(lost.upperBound) }
        default: return others.contains(try SegmentOverlap.digest(line))
        }
    }

    private func digest(of number: Int) -> Int? {
        var low = 0
        var high = numbers.count
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low < numbers.count && numbers[low] == number ? digests[low] : nil
    }

    /// Equal for equal records, however they are written.
    private static func digest(_ line: RecordLine) throws(JournalError) -> Int {
        var record = try line.object()
        record["sum"] = nil
        var writer = JSONWriter(style: .canonical)
        writer.write(.object(record))
        var hasher = Hasher()
        writer.bytes.withBytes { $0.hash(into: &hasher) }
        return hasher.finalize()
    }

    private static func numbers(ofGap line: RecordLine) throws(JournalError) -> ClosedRange<Int> {
        let gap = try line.decode(GapRecord.init)
        return gap.first.rawValue...gap.seq.rawValue
    }
}
