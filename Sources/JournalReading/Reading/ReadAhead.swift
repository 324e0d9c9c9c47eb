import JournalFormat
import Platform

/// Looks through a long range of a file on several threads, ahead of the reader that takes what they find.
///
/// The range is cut at any line. Each part is read by a ``RecordReader`` of its own with a ``RecordFilter`` of its own, which
/// keeps copies of the lines that are wanted: all that one filter would want, and some more at the front of each part. Whether a
/// part goes on where the one before it ends is for the reader that takes it to see. Where anything in a part is not as it must
/// be, nothing of it is handed over, and that reader reads it itself and reports what is wrong as it always does.
struct ReadAhead: ~Copyable {
    /// For fewer parts than this no thread is worth its start.
    private static let fewestParts = 8
    /// How far after its cut a part's first line is looked for.
    private static let lineLimit = 1 << 22

    private let parts: OrderedResults<ReadPart?>
    private var part: ReadPart?
    private var taken = 0
    /// How many lines are before it; nil where they are not counted.
    private var linesBefore: Int?

    /// Begins to read; nil where that is not worth it, or the file cannot be read twice.
    ///
    /// - Parameters:
    ///   - end: where it stops, the first byte of a line or the file's end.
    ///   - length: about how many bytes a part has.
    init?(
        _ path: String, _ source: ByteSource, from place: ReaderPlace, to end: Int,
        _ filter: RecordFilter, checksSums: Bool, threads: Int, length: Int
    ) {
        let start = place.offset
        guard threads > 1, let size = source.size, (min(end, size) - start) / length >= ReadAhead.fewestParts,
            let source = source.silent()
        else { return nil }
        let end = min(end, size)
        let count = (end - start + length - 1) / length
        parts = OrderedResults(count: count, threads: threads) { index in
            let from = start + index * length
            func lineStart(at place: Int) -> Int? {
                (try? source.lineStart(from: place, before: place + ReadAhead.lineLimit)).flatMap(\.self)
            }
            guard let first = index == 0 ? start : lineStart(at: from),
                let last = index + 1 == count ? end : lineStart(at: from + length)
            else { return nil }
            // All of it may lie in the last line of the one before.
            guard first < last else { return ReadPart(emptyAt: first) }
            return ReadPart(path, source, first..<last, filter, checksSums: checksSums)
        }
    }

    /// The next line that the filter accepts; its bytes hold until the next call.
    ///
    /// `isUnsure` where a filter that has seen all lines before may pass over it.
    ///
    /// - Parameter place: where the reader is; moved after the line.
    /// - Returns: nil where the reader has to read itself, from the place to which it is moved.
    mutating func next(
        from place: inout ReaderPlace, of journal: JournalName, _ tape: LineTape
    ) -> (line: RecordLine, isUnsure: Bool)? {
        while true {
            if let part {
                if taken < part.lines.count {
                    let found = part.lines[taken]
                    let last = place.order.last
                    place = found.place
                    place.order.begin(after: last)
                    place.linesBefore = linesBefore.map { $0 + (found.place.linesBefore ?? 0) }
                    let line = found.line(place.linesBefore, of: journal, tape)
                    taken += 1
                    return (line, found.isUnsure)
                }
                if let end = part.end {
                    place = end
                    place.linesBefore = linesBefore.map { $0 + (end.linesBefore ?? 0) }
                }
            }
            guard let next = parts.next() ?? nil, goesOn(next, from: place) else {
                part = nil
                return nil
            }
            (part, taken, linesBefore) = (next, 0, place.linesBefore)
        }
    }

    /// Whether a part begins where the reader is, with a record that may come next there.
    private func goesOn(_ part: ReadPart, from place: ReaderPlace) -> Bool {
        guard part.range.lowerBound == place.offset else { return false }
        guard let first = part.first else { return true }
        let last = place.order.last
        switch first.kind {
        case .commit: return first.seq == last + 1
        case .gap: return first.lost == last + 1 && first.seq > last
        case .journal: return place.offset == 0
        default: return first.seq == last
        }
    }
}
