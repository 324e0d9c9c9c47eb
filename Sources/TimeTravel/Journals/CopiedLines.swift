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
    /// The time of the last commit.
    private var latestCommit: Timestamp?

    /// Takes a line over as it is.
    mutating func copy(_ line: RecordLine) {
        builder.line(line.bytes)
        byteCount += line.bytes.count + 1
    }

    /// Takes a line over with some members set, or taken out where they are nil; as it is where there are none.
    mutating func write(_ line: RecordLine, _ edits: MemberEdits) throws(JournalError) {
        guard !edits.isEmpty else { return copy(line) }
        let text = try line.edited(edits)
        compose { $0.resummed(text) }
    }

    /// Writes a record whose members changed.
    mutating func write(_ object: JSONObject) { compose { $0.resummed(object.withoutSum) } }

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

    /// Notes the time of a commit, if it has one: it counts until the next commit.
    mutating func note(commit time: Timestamp?) { latestCommit = time }

    /// The time of the last record that has one.
    func lastTime(or earliest: Timestamp) -> Timestamp {
        let last = latest ?? earliest
        return max(last, latestCommit ?? last)
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

/// What a line says otherwise: members by their names, nil for one that is taken out.
typealias MemberEdits = [(member: String, value: JSONValue?)]

extension RecordLine {
    /// The record with some members set or taken out: its compact text, without its sum.
    ///
    /// - Complexity: one look at every byte; a line that is not in our writer's form is built.
    func edited(_ edits: MemberEdits) throws(JournalError) -> [UInt8] {
        guard isAsWritten else {
            var object = try object()
            for (member, value) in edits { object[member] = value }
            return object.withoutSum
        }
        var (writer, rest) = (JSONWriter(), edits)
        func append(_ name: String, _ value: JSONValue) {
            writer.bytes.append(UInt8(ascii: writer.bytes.isEmpty ? "{" : ","))
            writer.write(.string(name))
            writer.bytes.append(UInt8(ascii: ":"))
            writer.write(value)
        }
        for (name, value) in try token().members where !name.says("sum") {
            if let place = rest.firstIndex(where: { name.says($0.member) }) {
                let edit = rest.remove(at: place)
                if let value = edit.value { append(edit.member, value) }
            } else {
                writer.bytes.append(UInt8(ascii: writer.bytes.isEmpty ? "{" : ","))
                writer.bytes.append(contentsOf: bytes[(name.range.lowerBound)..<(value.range.upperBound)])
            }
        }
        for case (let member, let value?) in rest { append(member, value) }
        writer.bytes.append(UInt8(ascii: "}"))
        return writer.bytes
    }

    /// The record's time, where it says one.
    var time: Timestamp? { (try? token())?["time"]?.string.flatMap { Timestamp($0) } }
}

extension JSONObject {
    /// A record's compact text, without its sum.
    var withoutSum: [UInt8] {
        var (object, writer) = (self, JSONWriter())
        object.removeValue(forKey: "sum")
        writer.write(.object(object))
        return writer.bytes
    }
}

extension LineBuilder {
    /// Appends a line that was changed elsewhere.
    mutating func resummed(_ line: [UInt8]) { line.withBytes { resummed($0) } }

    /// Writes the state of one store in a keyframe or a gap.
    mutating func append(_ state: JSONValue, of store: String) {
        var writer = JSONWriter()
        writer.write(state)
        writer.bytes.withBytes { self.state(of: store, $0) }
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
