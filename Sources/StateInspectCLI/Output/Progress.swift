/// One line on standard error that tells how far a long work is; it shows only on a terminal and only after a second.
///
/// Unchecked because a work reports from the thread that it runs on, which is the one that made this; the closures through
/// which it reports have to be `Sendable` all the same.
final class Progress: @unchecked Sendable {
    private let messages: MessageWriter?
    private let label: String
    private let total: Int?
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var nextUpdate: ContinuousClock.Instant
    private var isShown = false

    /// How long a work is left alone before it tells of itself.
    static let patience = Duration.seconds(1)

    /// How often the line is renewed.
    static let interval = Duration.milliseconds(200)

    /// A line for work over `total` bytes (nil: unknown), told through `messages`; without them nothing is shown.
    init(_ label: String, total: Int?, messages: MessageWriter?) {
        self.label = label
        self.total = total
        self.messages = messages
        start = clock.now
        nextUpdate = start + Self.patience
    }

    /// Tells how much is done; it reads the clock, so it is for every few thousand lines.
    func update(bytes: Int, commits: Int) {
        guard let messages else { return }
        let now = clock.now
        guard now >= nextUpdate else { return }
        nextUpdate = now + Self.interval
        isShown = true
        messages.write("\r" + line(bytes: bytes, commits: commits, elapsed: now - start) + "\u{1B}[K")
    }

    /// Takes the line away; the work is done.
    func finish() {
        guard isShown else { return }
        isShown = false
        messages?.write("\r\u{1B}[K")
    }

    /// The text of the line: bytes of total, commits, rate, time left.
    func line(bytes: Int, commits: Int, elapsed: Duration) -> String {
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
        let rate = seconds > 0 ? Double(bytes) / seconds : 0
        var parts = [label, Self.size(Double(bytes)) + (total.map { " of " + Self.size(Double($0)) } ?? "")]
        parts.append("\(commits) commits")
        parts.append(Self.size(rate) + "/s")
        if let total, rate > 0, total >= bytes { parts.append(Self.time(Double(total - bytes) / rate) + " left") }
        return parts.joined(separator: "  ")
    }

    /// A number of bytes in the largest unit of 1000 that leaves a whole part.
    static func size(_ bytes: Double) -> String {
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
