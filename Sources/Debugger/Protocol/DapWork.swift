import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import TimeTravel

/// Something that takes long, and how far it is.
struct DapWork {
    /// Why it ends before its time.
    enum End {
        case paused, cancelled
        /// What stops has changed: it goes on with that.
        case changed
    }

    private static let clock = ContinuousClock()

    let title: String
    let id: String
    /// The number of the request that began it.
    let request: Int
    /// Whether it moves the session, of which nothing can be asked meanwhile.
    let holdsSession: Bool
    /// Whether stops may change on the way.
    let isScan: Bool
    var end: End?
    /// Whether the client has been shown that it goes on.
    private(set) var isShown = false
    private var shown: ContinuousClock.Instant

    /// How long it takes before it is shown, and between two reports.
    private static let (patience, interval) = (Duration.milliseconds(400), Duration.milliseconds(200))

    init(_ title: String, id: String, request: Int, holdsSession: Bool, isScan: Bool) {
        self.title = title
        self.id = id
        self.request = request
        self.holdsSession = holdsSession
        self.isScan = isScan
        shown = DapWork.clock.now
    }

    /// The event that reports progress, if one is due.
    mutating func report(_ progress: SessionProgress) -> (event: String, body: JSONValue)? {
        let now = DapWork.clock.now
        guard now - shown > (isShown ? DapWork.interval : DapWork.patience) else { return nil }
        shown = now
        defer { isShown = true }
        let percentage = JSONValue.number(min(100, max(0, Int(progress.fraction * 100))))
        let message = JSONValue.string("commit \(progress.position)")
        if isShown {
            return ("progressUpdate", ["progressId": .string(id), "message": message, "percentage": percentage])
        }
        return (
            "progressStart",
            [
                "progressId": .string(id), "title": .string(ControlCharacters.escaped(title)), "cancellable": true,
                "message": message,
                "percentage": percentage,
            ]
        )
    }
}
