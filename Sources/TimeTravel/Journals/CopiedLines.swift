import JSONCore
import JournalFormat
import JournalReading

/// The lines of a journal that is made of others: copied byte for byte, or written anew with a new sum, and counted.
struct CopiedLines {
    var builder = LineBuilder()
    private(set) var totals = Totals()
    private(set) var commits = 0
    private(set) var byteCount = 0
    private var latest: Timestamp?
    private var latestCommit: Timestamp?

    mutating func copy(_ line: RecordLine) {
        builder.line(line.bytes)
        byteCount += line.bytes.count + 1
    }

    mutating func write(_ line: RecordLine, _ edits: MemberEdits) throws(JournalError) {
        guard !edits.isEmpty else { return copy(line) }
        let text = try line.edited(edits)
        compose { $0.resummed(text) }
    }

    mutating func write(_ object: JSONObject) { compose { $0.resummed(object.withoutSum) } }

    mutating func compose(_ body: (inout LineBuilder) -> Void) {
        let before = builder.bytes.count
        body(&builder)
        byteCount += builder.bytes.count - before
    }

    mutating func count(_ record: CountedRecord) {
        totals.count(record)
        if record.kind == .commit { commits += 1 }
    }

    // MARK: Time

    mutating func note(_ time: Timestamp) { latest = max(latest ?? time, time) }

    /// Notes the time of a commit, if it has one: it counts until the next commit.
    mutating func note(commit time: Timestamp?) { latestCommit = time }

    func lastTime(or earliest: Timestamp) -> Timestamp {
        let last = latest ?? earliest
        return max(last, latestCommit ?? last)
    }

    // MARK: Records that say what there is

    mutating func end(at position: CommitNumber, time: Timestamp) {
        let totals = totals
        compose { $0.end(seq: position, time: time, totals: totals) }
    }

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

typealias MemberEdits = [(member: String, value: JSONValue?)]

extension RecordLine {
    /// The record with some members set or taken out, as compact text without its sum; a line not in our writer's form is built.
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

    var time: Timestamp? { (try? token())?["time"]?.string.flatMap { Timestamp($0) } }
}

extension JSONObject {
    var withoutSum: [UInt8] {
        var (object, writer) = (self, JSONWriter())
        object.removeValue(forKey: "sum")
        writer.write(.object(object))
        return writer.bytes
    }
}

extension LineBuilder {
    mutating func resummed(_ line: [UInt8]) { line.withBytes { resummed($0) } }

    mutating func append(_ state: JSONValue, of store: String) {
        var writer = JSONWriter()
        writer.write(state)
        writer.bytes.withBytes { self.state(of: store, $0) }
    }
}

extension JSONObject {
    mutating func set(_ member: String, _ number: Int) { self[member] = .number(JSONNumber(number)) }
}

/// Where the lines of a journal go that a command makes: passed on in portions, so that none of it is held in memory.
public struct LineSink {
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

    func offer(_ lines: inout CopiedLines) throws {
        if lines.builder.bytes.count >= LineSink.capacity { try finish(&lines) }
    }

    /// Takes over all lines that there are, since it is not known when the next one comes.
    func flush(_ lines: inout CopiedLines) throws {
        try finish(&lines)
        try pass()
    }

    func finish(_ lines: inout CopiedLines) throws {
        try take(lines.builder.bytes)
        lines.builder.removeAll()
    }
}

/// Consecutive commits are one run, so that a lost million takes no room.
struct NumberMap {
    private struct Series {
        let old: Int
        let new: Int
        var count: Int
    }

    private var runs: [Series] = []

    /// Commits come in ascending order.
    mutating func add(_ old: Int, _ new: Int, count: Int = 1) {
        if let last = runs.last, last.old + last.count == old, last.new + last.count == new {
            runs[runs.count - 1].count += count
        } else {
            runs.append(Series(old: old, new: new, count: count))
        }
    }

    /// Nil where the commit is not there; O(log *n*) in the runs.
    subscript(old: Int) -> Int? {
        let next = runs.prefixCount { $0.old <= old }
        guard next > 0, old - runs[next - 1].old < runs[next - 1].count else { return nil }
        return runs[next - 1].new + (old - runs[next - 1].old)
    }

    /// How a member changes that is a commit's number: one that is not there goes away; nil where it stays.
    func edit(_ member: String, of record: JSONToken) -> (member: String, value: JSONValue?)? {
        guard let old = record[member]?.value().number?.integerValue, self[old] != old else { return nil }
        return (member, self[old].map { .number(JSONNumber($0)) })
    }
}
