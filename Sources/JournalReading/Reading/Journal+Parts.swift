import JSONCore
package import JournalFormat

/// A keyframe at which a journal can be cut, so that what is before it and what is after it are read side by side.
package struct JournalCut: Sendable {
    package let position: CommitNumber
    /// Where its line begins.
    package let record: ByteOffset
    /// Where the next line begins.
    package let end: ByteOffset
}

extension Journal {
    /// Cuts a range where keyframes stand.
    ///
    /// - Parameter length: about how many bytes a part is to have.
    /// - Returns: the parts in order, each of which begins at the position at which the one before ends; the range alone where
    ///   it is shorter than two of them, has no keyframes at the places in question, or cannot be read at any place.
    /// - Complexity: as ``cuts(from:to:about:)``.
    package func parts(of range: PositionRange, about length: Int) throws(JournalError) -> [PositionRange] {
        guard isSeekable else { return [range] }
        let begin = range.lower == start ? ByteOffset.zero : try offset(firstAtLeast: range.lower.next)
        let end = try offset(firstAtLeast: range.upper.next)
        var parts: [PositionRange] = []
        var lower = range.lower
        for cut in try cuts(from: begin, to: end, about: length)
        where cut.position > lower && cut.position < range.upper {
            guard let part = PositionRange(lower, cut.position) else { break }
            parts.append(part)
            lower = cut.position
        }
        guard let last = PositionRange(lower, range.upper) else { return [range] }
        return parts + [last]
    }

    /// The keyframes at which a range of a file is cut into parts of about a length.
    ///
    /// - Complexity: for each part a search by halves, and the way to the next keyframe, at most to where the next part begins.
    package func cuts(
        from begin: ByteOffset = .zero, to end: ByteOffset, about length: Int
    ) throws(JournalError) -> [JournalCut] {
        let bytes = end.rawValue - begin.rawValue
        let count = bytes / max(1, length)
        guard isSeekable, count > 1 else { return [] }
        let places = (1...count).map { ByteOffset(begin.rawValue + bytes / count * $0) }
        var cuts: [JournalCut] = []
        var missed = 0
        for (place, limit) in zip(places, places.dropFirst()) {
            // Some writers write no keyframes: not all the journal is searched for them.
            if missed > Journal.missedCuts { break }
            if let cut = try cut(from: place, before: limit, end) {
                missed = 0
                cuts.append(cut)
            } else {
                missed += 1
            }
        }
        return cuts
    }

    /// At how many places in a row no keyframe may be found.
    private static let missedCuts = 2

    /// The first whole keyframe between two places; nil for none.
    private func cut(
        from place: ByteOffset, before limit: ByteOffset, _ end: ByteOffset
    ) throws(JournalError) -> JournalCut? {
        var probe = LineProbe(path: path, source: source, end: end)
        guard let first = try probe.line(from: place, before: limit) else { return nil }
        let last = try probe.line(from: limit, before: end)?.offset ?? end
        var filter = RecordFilter(touching: .nothing, kinds: .keyframe)
        var reader = records(from: first.offset, to: last)
        // Damage here is reported by the reader of the part.
        guard let line = try? reader.next(matching: &filter) else { return nil }
        return JournalCut(position: line.seq, record: line.offset, end: line.end)
    }

    /// A second journal of this file that reports no progress, for threads that read beside one that does; nil of a
    /// pipe.
    package func silent() -> Journal? {
        guard let source = source.silent() else { return nil }
        return Journal(
            path: path, source: source, header: headerRecord, version: version, start: start, recovers: recovers)
    }

    /// Reports that everything up to a place was read, on behalf of readers that are silent.
    package func reportProgress(readTo end: ByteOffset, commits: Int) { source.progress?(end.rawValue, commits) }
}
