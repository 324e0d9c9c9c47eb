import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import QueryLanguage
import TimeTravel

/// A stop as the editor knows it, and the session's stop that it became.
struct DapStop {
    /// What it was made from; a request replaces all of one origin.
    enum Origin: Equatable {
        case line(file: String, Int)
        case function(String)
        case data(String)
        case exception(String)
        case console
    }

    let id: Int
    let origin: Origin
    var title: String?
    var options = DapStopOptions()
    var session: Int?
    var shown: DapBreakpoint
}

struct DapStopOptions {
    var condition: Query?
    var hits: HitCondition?
    var log: DapLogMessage?

    init() {}

    /// - Parameter check: reports what there is to say of a query, and throws where it names what the run never has.
    init(_ arguments: DapArguments, _ scope: StoreScope, check: (ScopedQuery) throws -> Void) throws {
        if let text = try arguments.string("condition"), !text.allSatisfy(\.isWhitespace) {
            let query = try ScopedQuery(text, name: "condition", scope: scope, asks: .condition)
            try check(query)
            condition = query.whole
        }
        if let text = try arguments.string("hitCondition"), !text.allSatisfy(\.isWhitespace) {
            guard let hits = HitCondition(parsing: text) else {
                throw DapError(
                    "'\(ControlCharacters.escaped(text))' is not a number of hits; write '3', '>= 3', '> 3' or '< 3'")
            }
            self.hits = hits
        }
        if let text = try arguments.string("logMessage"), !text.isEmpty { log = try DapLogMessage(text, scope, check) }
    }

    func stop(_ trigger: StopTrigger) -> SessionBreakpoint {
        var stop = SessionBreakpoint(trigger, condition: condition)
        stop.hits = hits
        stop.log = log?.queries
        return stop
    }
}

struct DapLogMessage {
    /// The text before each query, and after the last.
    private var texts = [""]
    private(set) var queries: [Query] = []

    init(_ message: String, _ scope: StoreScope, _ check: (ScopedQuery) throws -> Void) throws {
        var rest = message[...]
        while let open = rest.firstIndex(of: "{") {
            texts[texts.count - 1] += rest[..<open]
            guard let close = DebugLine.end(of: rest[rest.index(after: open)...], before: "}") else {
                throw DapError("this '{' is never closed: '\(ControlCharacters.escaped(String(rest[open...])))'")
            }
            let text = String(rest[rest.index(after: open)..<close])
            let query = try ScopedQuery(text, name: "log", scope: scope)
            try check(query)
            queries.append(query.whole)
            texts.append("")
            rest = rest[rest.index(after: close)...]
        }
        texts[texts.count - 1] += rest
    }

    func text(_ outcomes: [String]) -> String {
        zip(texts, outcomes + [""]).map { $0 + $1 }.joined()
    }
}

struct DapStops {
    private(set) var all: [DapStop] = []
    private var last = 0

    var hasPending: Bool { all.contains { $0.shown.isPending } }

    func first(ofSession id: Int) -> DapStop? { all.first { $0.session == id } }

    mutating func add(_ origin: DapStop.Origin, _ options: DapStopOptions = DapStopOptions()) -> DapStop {
        last += 1
        let stop = DapStop(id: last, origin: origin, options: options, shown: DapBreakpoint(id: last))
        all.append(stop)
        return stop
    }

    mutating func replace(_ stop: DapStop) {
        if let index = all.firstIndex(where: { $0.id == stop.id }) { all[index] = stop }
    }

    mutating func remove(where isGone: (DapStop) -> Bool) -> [DapStop] {
        let gone = all.filter(isGone)
        all.removeAll(where: isGone)
        return gone
    }
}
