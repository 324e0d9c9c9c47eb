internal import JournalFormat
internal import Platform

/// How the files of one recorder's journal are made.
struct JournalPlan: Sendable {
    /// What each file begins with, but for the time and what it comes after.
    var header: JournalHeader
    var options: JournalWriter.Options
    var calls: SystemCalls

    /// Makes the file, or the next segment.
    ///
    /// - Parameters:
    ///   - path: where; `%p` and `%t` in it are filled in.
    ///   - temporaryPath: where to make it, if it is moved to `path` afterwards.
    ///   - after: the last commit before it; nil for the first file of a run.
    ///   - opening: lines that go in with the first.
    func make(
        at path: String, temporaryPath: String? = nil, after: CommitNumber? = nil, time: Timestamp? = nil,
        opening: LineBuilder = LineBuilder()
    ) throws(JournalWriteError) -> JournalWriter {
        var header = header
        header.after = after
        header.time = time ?? header.time
        // The recorder's own hook comes first at the exit, and would find the file ended.
        return try JournalWriter(
            path: path, temporaryPath: temporaryPath, header: header, options: options, calls: calls, opening: opening,
            endsAtExit: false)
    }
}
