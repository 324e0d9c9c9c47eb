public import JSONCore
public import JournalFormat

/// Writes the trace event format that Perfetto and Chrome read: a track for each store with its commits, arrows from causes,
/// counters of the numbers that commits write, what derived values fired as instants, and marks.
///
/// A commit has no length in a journal; it is shown as one microsecond long.
public struct ChromeTraceWriter {
    private var buffer = JSONWriter()
    private var tracks = NameTable<Int>()
    private var start: Int?
    private var isFirst = true
    private var places: [CommitNumber: (time: Int, track: Int)] = [:]
    private var counters: Set<ByteName> = []
    /// How many numbers were written that have no counter, since there are too many.
    public private(set) var lostCounters = 0
    private static let reach = 1 << 16
    private static let counterLimit = 200
    private static let process: JSONValue = 1

    /// Begins a trace.
    public init(name: String) {
        buffer.text("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[")
        write(["ph": "M", "name": "process_name", "pid": Self.process, "tid": 0, "args": ["name": .string(name)]])
    }

    /// Adds a record of a journal, if it is of a kind that has a place on a track.
    public mutating func add(_ record: JSONObject, of kind: RecordKind) {
        switch kind {
        case .commit: addCommit(record)
        case .outcome: addOutcome(record)
        case .mark: instant(record["text"]?.string ?? "", "marks", "g", record, [:])
        case .store: instant("opened", record["store"]?.string ?? "", "t", record, [:])
        case .close: instant("closed", record["store"]?.string ?? "", "t", record, [:])
        case .abort:
            instant("abort", record["store"]?.string ?? "", "t", record, ["error": record["error"] ?? .null])
        case .gap: instant("\(record["lost"]?.text() ?? "") commits lost", "marks", "g", record, [:])
        case .journal, .derived, .keyframe, .end, .other: break
        }
    }

    /// Ends the document.
    public mutating func finish() { buffer.text("\n]}\n") }

    /// Takes out what was composed.
    public mutating func take() -> [UInt8] { buffer.take() }

    private mutating func addCommit(_ record: JSONObject) {
        let commit = ExportedCommit(
            record: record, seq: CommitNumber(record["seq"]?.number?.integerValue ?? 0), state: .null)
        let (time, track) = (time(of: record), track(commit.store))
        var arguments: JSONObject = ["seq": .number(JSONNumber(commit.seq.rawValue))]
        arguments["at"] = record["at"]
        arguments["patch"] = record["patch"]
        write([
            "ph": "X", "name": .string(commit.name.isEmpty ? "commit" : commit.name), "cat": "commit",
            "pid": Self.process, "tid": .number(JSONNumber(track)), "ts": .number(JSONNumber(time)), "dur": 1,
            "args": .object(arguments),
        ])
        places[commit.seq] = (time, track)
        places[CommitNumber(commit.seq.rawValue - Self.reach)] = nil
        if let cause = record["cause"]?.number?.integerValue { arrow(from: CommitNumber(cause), to: commit.seq) }
        addCounters(commit, time)
    }

    private mutating func arrow(from cause: CommitNumber, to effect: CommitNumber) {
        guard let from = places[cause], let to = places[effect] else { return }
        for (phase, place) in [("s", from), ("f", to)] {
            var event: JSONObject = [
                "ph": .string(phase), "name": "cause", "cat": "cause", "id": .number(JSONNumber(effect.rawValue)),
                "pid": Self.process, "tid": .number(JSONNumber(place.track)), "ts": .number(JSONNumber(place.time)),
            ]
            if phase == "f" { event["bp"] = "e" }
            write(event)
        }
    }

    private mutating func addCounters(_ commit: ExportedCommit, _ time: Int) {
        for change in commit.record["patch"]?.array ?? [] {
            guard let members = change.object, let path = members["path"]?.string, case .number? = members["value"],
                let value = members["value"]
            else { continue }
            let name = "/" + commit.store + path
            if !counters.contains(ByteName(name)) {
                guard counters.count < Self.counterLimit else {
                    lostCounters += 1
                    continue
                }
                counters.insert(ByteName(name))
            }
            write([
                "ph": "C", "name": .string(name), "pid": Self.process, "tid": 0, "ts": .number(JSONNumber(time)),
                "args": ["value": value],
            ])
        }
    }

    private mutating func addOutcome(_ record: JSONObject) {
        let commit = CommitNumber(record["commit"]?.number?.integerValue ?? 0)
        for outcome in record["derived"]?.array ?? [] {
            guard let members = outcome.object, members["outcome"]?.string == "fired" else { continue }
            let track = track("derived")
            write([
                "ph": "i", "s": "t", "name": members["name"] ?? "", "cat": "derived", "pid": Self.process,
                "tid": .number(JSONNumber(track)), "ts": .number(JSONNumber(places[commit]?.time ?? last)),
                "args": ["value": members["value"] ?? .null, "commit": .number(JSONNumber(commit.rawValue))],
            ])
        }
    }

    private mutating func instant(
        _ name: String, _ store: String, _ scope: JSONValue, _ record: JSONObject, _ arguments: JSONObject
    ) {
        let (time, track) = (time(of: record), track(store))
        write([
            "ph": "i", "s": scope, "name": .string(name), "cat": record["kind"] ?? "record", "pid": Self.process,
            "tid": .number(JSONNumber(track)), "ts": .number(JSONNumber(time)), "args": .object(arguments),
        ])
    }

    private var last = 0

    private mutating func time(of record: JSONObject) -> Int {
        guard let moment = record["time"]?.string.flatMap({ Timestamp($0) })?.microseconds else { return last }
        let first = start ?? moment
        start = first
        last = max(last, moment - first)
        return last
    }

    private mutating func track(_ name: String) -> Int {
        if let track = tracks[name] { return track }
        let track = tracks.count + 1
        tracks[name] = track
        write([
            "ph": "M", "name": "thread_name", "pid": Self.process, "tid": .number(JSONNumber(track)),
            "args": ["name": .string(name)],
        ])
        return track
    }

    private mutating func write(_ event: JSONObject) {
        buffer.text(isFirst ? "\n" : ",\n")
        isFirst = false
        buffer.write(.object(event))
    }
}
