import JSONCore
import JournalFormat
import JournalReading

/// The lines of a journal that is made of others: copied byte for byte, or written anew with a new sum, and counted.
struct CopiedLines {
    /// The lines that were not taken yet.
    var builder = LineBuilder()
    /// What the lines so far hold.
    private(set) var totals = Totals()
    /// How many commits were written.
    private(set) var commits = 0
    /// How many bytes were written.
    private(set) var byteCount = 0
    private var latest: Timestamp?
    /// A commit's line is decoded for its time only if nothing later is known.
    private var latestCommit: [UInt8] = []

    /// Takes a line over as it is.
    mutating func copy(_ line: RecordLine) {
        builder.line(line.bytes)
        byteCount += line.bytes.count + 1
    }

    /// Writes a record whose members changed.
    mutating func write(_ object: JSONObject) {
        var object = object
        object.removeValue(forKey: "sum")
        var writer = JSONWriter()
        writer.write(.object(object))
        write(line: writer.bytes)
    }

    /// Writes a record whose members changed.
    ///
    /// - Parameter line: its compact text without a sum.
    mutating func write(line: [UInt8]) {
        compose { builder in line.withUnsafeBytes { builder.resummed($0) } }
    }

    /// Takes over or writes what a builder was used for directly.
    mutating func compose(_ body: (inout LineBuilder) -> Void) {
        let before = builder.bytes.count
        body(&builder)
        byteCount += builder.bytes.count - before
    }

    /// Counts a record that is written.
    mutating func count(_ record: CountedRecord) {
        totals.note(record)
        if record.kind == .commit { commits += 1 }
    }

    // MARK: Time

    /// Notes the time of a record.
    mutating func note(_ time: Timestamp) { latest = max(latest ?? time, time) }

    /// Notes a commit's line as the latest that has a time.
    mutating func note(commit line: RecordLine) {
        latestCommit.removeAll(keepingCapacity: true)
        latestCommit.append(contentsOf: line.bytes)
    }

    /// The time of the last record that has one.
    func lastTime(or earliest: Timestamp) -> Timestamp {
        var last = latest ?? earliest
        if let object = try? JSONParser.parse(latestCommit), case .object(let members) = object,
            case .string(let text)? = members["time"], let time = Timestamp(text)
        {
            last = max(last, time)
        }
        return last
    }

    // MARK: Records that say what there is

    /// Ends the journal cleanly.
    mutating func end(at position: CommitNumber, time: Timestamp) {
        let totals = totals
        compose { $0.end(seq: position, time: time, totals: totals) }
    }

    /// Writes a keyframe of these states.
    ///
    /// - Returns: its length in bytes.
    mutating func keyframe(at position: CommitNumber, states: JSONObject) -> Int {
        let before = byteCount
        let totals = totals
        compose { builder in
            builder.beginKeyframe(seq: position)
            for (store, state) in states { builder.append(state, of: store) }
            builder.endKeyframe(totals: totals)
        }
        return byteCount - before
    }
}

extension LineBuilder {
    /// Writes the state of one store in a keyframe or a gap.
    mutating func append(_ state: JSONValue, of store: String) {
        var writer = JSONWriter()
        writer.write(state)
        writer.bytes.withUnsafeBytes { self.state(of: store, $0) }
    }
}

extension JSONObject {
    /// Sets a member that is a whole number, where it stands.
    mutating func set(_ member: String, _ number: Int) { self[member] = .number(JSONNumber(number)) }
}

/// Where the lines of a journal go that a command makes: passed on in portions, so that none of it is held in memory.
public struct LineSink {
    /// How many bytes wait before they are passed on.
    private static let capacity = 1 << 18

    private let take: ([UInt8]) throws -> Void
    private let pass: () throws -> Void

    /// A sink that hands whole lines to `take`.
    ///
    /// - Parameter pass: is called before a wait for more to read, to pass on what was taken.
    public init(_ take: @escaping ([UInt8]) throws -> Void, beforeWaiting pass: @escaping () throws -> Void = {}) {
        self.take = take
        self.pass = pass
    }

    /// Takes over lines once there are enough of them.
    func offer(_ lines: inout CopiedLines) throws {
        if lines.builder.bytes.count >= LineSink.capacity { try finish(&lines) }
    }

    /// Takes over all lines that there are, since it is not known when the next one comes.
    func flush(_ lines: inout CopiedLines) throws {
        try finish(&lines)
        try pass()
    }

    /// Takes over all lines that are left.
    func finish(_ lines: inout CopiedLines) throws {
        try take(lines.builder.bytes)
        lines.builder.removeAll()
    }
}
