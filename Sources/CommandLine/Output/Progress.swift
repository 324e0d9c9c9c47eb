package import Platform
import Synchronization

/// The line on standard error that shows how far the work is, only on a terminal and only after a second; every journal
/// that is opened is a part of the work, on whatever thread.
package final class Progress: Sendable {
    private struct WorkState {
        var parts: [Part] = []
        var total: Int?
        var start: ContinuousClock.Instant
        /// What was read by then: an answer may need several passes.
        var startBytes = 0
        var bytes = 0
        var nextUpdate: ContinuousClock.Instant
    }

    private struct Part {
        var bytes = 0
        var commits: Int?
        var total: Int?
    }

    private let sink: MessageSink?
    private let label: String
    private let width: Int?
    private let observer: (@Sendable (Int, Int?) -> Void)?
    /// Ends the reading of what is opened; nil where a signal ends the program.
    package let stop: StopRequest?
    private let clock = ContinuousClock()
    private let state: Mutex<WorkState>

    package static let patience = Duration.seconds(1)
    package static let interval = Duration.milliseconds(200)

    package init(
        _ label: String, on sink: MessageSink?, width: Int? = nil, patience: Duration = patience,
        stop: StopRequest? = nil, observer: (@Sendable (Int, Int?) -> Void)? = nil
    ) {
        (self.observer, self.stop, self.label, self.sink, self.width) = (observer, stop, label, sink, width)
        let now = ContinuousClock().now
        state = Mutex(WorkState(start: now, nextUpdate: now + patience))
    }

    package func expect(_ total: Int?) { state.withLock { $0.total = total } }

    package func reading<Value>(
        size: (Value) -> Int?, _ open: ((@Sendable (Int, Int?) -> Void)?) throws -> Value
    ) rethrows -> Value {
        guard sink != nil || observer != nil else { return try open(nil) }
        let index = state.withLock { state in
            state.parts.append(Part())
            return state.parts.count - 1
        }
        let value = try open { [self] bytes, commits in update(index, bytes, commits) }
        state.withLock { state in
            // Unpacking on the way does not count as part of the reading.
            state.bytes -= state.parts[index].bytes
            (state.start, state.startBytes) = (clock.now, state.bytes)
            state.parts[index] = Part(total: size(value))
        }
        return value
    }

    package func report(_ text: @autoclosure () -> String) {
        guard let sink, state.withLock({ isDue(&$0) }) else { return }
        sink.show(fitting(label + "  " + text()))
    }

    package func hide() { sink?.hide() }

    private func update(_ index: Int, _ bytes: Int, _ commits: Int?) {
        let due = state.withLock { state -> WorkState? in
            state.bytes += bytes - state.parts[index].bytes
            if bytes < state.parts[index].bytes {
                state.start = clock.now
                state.startBytes = state.bytes
            }
            state.parts[index].bytes = bytes
            state.parts[index].commits = commits
            return isDue(&state) ? state : nil
        }
        guard let due else { return }
        sink?.show(fitting(line(due, clock.now - due.start)))
        observer?(due.bytes, total(due))
    }

    private func isDue(_ state: inout WorkState) -> Bool {
        let now = clock.now
        guard now >= state.nextUpdate else { return false }
        state.nextUpdate = now + Self.interval
        return true
    }

    private func fitting(_ text: String) -> String {
        width.map { DisplayWidth.clipped(text, to: $0 - 1) } ?? text
    }

    private func total(_ state: WorkState) -> Int? {
        let totals = state.parts.map(\.total)
        return state.total ?? (totals.contains(nil) ? nil : totals.reduce(0) { $0 + ($1 ?? 0) })
    }

    private func line(_ state: WorkState, _ elapsed: Duration) -> String {
        let commits = state.parts.compactMap(\.commits)
        return line(
            bytes: state.bytes, of: total(state), commits: commits.isEmpty ? nil : commits.reduce(0, +),
            read: state.bytes - state.startBytes, in: elapsed)
    }

    package func line(bytes: Int, of total: Int?, commits: Int?, read: Int, in elapsed: Duration) -> String {
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
        let rate = seconds > 0 ? Double(read) / seconds : 0
        var parts = [label, Self.size(Double(bytes)) + (total.map { " of " + Self.size(Double($0)) } ?? "")]
        if let commits { parts.append("\(commits) commits") }
        parts.append(Self.size(rate) + "/s")
        if let total, rate > 0, total >= bytes { parts.append(Self.time(Double(total - bytes) / rate) + " left") }
        return parts.joined(separator: "  ")
    }

    /// A number of bytes in the largest unit of 1000 that leaves a whole part.
    package static func size(_ bytes: Double) -> String {
        let units = ["B", "kB", "MB", "GB", "TB"]
        var value = bytes
        var unit = 0
        while value >= 1000, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        guard unit > 0, value < 100 else { return "\(Int(value)) \(units[unit])" }
        let tenths = Int(value * 10)
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }

    private static func time(_ seconds: Double) -> String {
        let whole = Int(min(seconds, 360_000))
        return whole < 60 ? "\(whole) s" : "\(whole / 60) min \(whole % 60) s"
    }
}
