import Platform
import Synchronization

/// Writes each append at once, on the caller's thread.
final class DirectWriter: Sendable {
    private struct State: ~Copyable, Sendable {
        /// Nil once closed.
        var file: LineFile?
        var totals: WrittenTotals
    }

    private let state: Mutex<State>

    init(_ file: consuming LineFile, totals: WrittenTotals) {
        state = Mutex(State(file: file, totals: totals))
    }

    var written: WrittenTotals { state.withLock { $0.totals } }

    /// Writes the lines, and says whether a keyframe is due.
    func append(_ lines: borrowing LineBuilder) throws(WriteFailure) -> Bool {
        try state.withLock { (state) throws(WriteFailure) -> Bool in
            try DirectWriter.write(lines, &state)
            do throws(SystemFailure) { try state.file?.syncIfDue() } catch {
                throw WriteFailure(error, lastKept: state.totals.lastCommit)
            }
            return state.totals.needsKeyframe
        }
    }

    func sync() throws(WriteFailure) {
        try state.withLock { (state) throws(WriteFailure) in
            do throws(SystemFailure) { try state.file?.syncNow() } catch {
                throw WriteFailure(error, lastKept: state.totals.lastCommit)
            }
        }
    }

    func close(at moment: Timestamp) throws(WriteFailure) {
        try state.withLock { (state) throws(WriteFailure) in
            defer { state.file = nil }
            var line = LineBuilder()
            line.end(seq: state.totals.lastCommit, time: moment, totals: state.totals.totals)
            try DirectWriter.write(line, &state)
        }
    }

    private static func write(_ lines: borrowing LineBuilder, _ state: inout State) throws(WriteFailure) {
        guard state.file != nil else { throw WriteFailure(.closed, lastKept: state.totals.lastCommit) }
        do throws(SystemFailure) {
            try state.file?.append(lines.bytes)
        } catch {
            throw WriteFailure(error, lastKept: state.totals.lastCommit)
        }
        state.totals.count(lines.records)
    }
}
