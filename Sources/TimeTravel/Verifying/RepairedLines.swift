import JSONCore
import JournalFormat
import JournalReading

/// The lines of a repaired journal: counts what they hold, so that each later one can be held against them.
struct RepairedLines {
    var lines = LineBuilder()
    var summary = JournalRepair.Summary()
    private var totals = Totals()
    private var lastCommitLine: [UInt8] = []
    private var latest: Timestamp?
    /// An `end` that nothing followed so far; where something does, it was none.
    private var end: (record: EndRecord, line: OwnedRecord)?

    private let start: CommitNumber

    init(start: CommitNumber) {
        self.start = start
        summary.lastCommit = start
    }

    var isEnded: Bool { end != nil }

    // MARK: Lines of the input

    /// Copies a line, with a time before earlier ones, totals other than those counted so far, and `edits` written
    /// anew.
    mutating func take(
        _ line: RecordLine, time: Timestamp? = nil, claiming claimed: Totals? = nil, edits: MemberEdits = []
    ) {
        dropEnd()
        var edits = edits
        if let time, let latest, time < latest {
            edits.append(("time", .string(latest.text)))
        } else if let time {
            latest = time
        }
        if let claimed, totals.difference(from: claimed) != nil { edits.append(("totals", totals.json)) }
        if edits.isEmpty { lines.line(line.bytes) } else if let text = try? line.edited(edits) { write(text) }
        if let counted = try? CountedRecord(line) { totals.count(counted) }
        summary.lastCommit = line.seq
        guard line.kind == .commit else { return }
        summary.commits += 1
        lastCommitLine.removeAll(keepingCapacity: true)
        lastCommitLine.append(contentsOf: line.bytes)
    }

    /// Lets later lines have earlier times, since the clock was set back.
    mutating func setBack(to time: Timestamp) { latest = time }
    func isOpen(_ store: String) -> Bool { totals.isOpen(store) }
    func isLastCommit(_ line: RecordLine) -> Bool { lastCommitLine.withBytes { $0.hasSameBytes(as: line.bytes) } }

    /// Keeps an `end` back until it is known to be one.
    mutating func hold(_ record: EndRecord, _ line: RecordLine) {
        dropEnd()
        end = (record, line.owned())
    }

    mutating func leaveOut(_ line: JournalRepair.LeftOut) {
        summary.leftOut += 1
        if summary.leftOutLines.count < JournalRepair.leftOutLimit { summary.leftOutLines.append(line) }
    }

    /// Takes over a first line that is not what was written: a journal has to have one.
    mutating func takeDamagedHeader(_ line: RecordLine) {
        guard var object = try? line.object() else { return }
        object["seq"] = .number(JSONNumber(start.rawValue))
        object["after"] = start == .zero ? nil : .number(JSONNumber(start.rawValue))
        var header: JournalHeader?
        // Each turn mends or takes out one member, so it ends.
        for _ in 0...object.count where header == nil {
            do throws(RecordFault) { header = try JournalHeader(object) } catch {
                let member = String(Substring(error.member.utf8.prefix { $0 != UInt8(ascii: "/") }))
                object[member] = RepairedLines.headerDefaults[member]
            }
        }
        guard let header else { return }
        if header.version < 1 { object["version"] = .number(JSONNumber(JournalHeader.currentVersion)) }
        latest = header.time
        write(object.withoutSum)
    }

    /// What stands for a member that a first line has to have; the time is before any other.
    private static let headerDefaults: [String: JSONValue] = [
        "id": .string("unknown"), "recorder": .string("unknown"),
        "time": .string(Timestamp(microseconds: 0).text),
    ]

    // MARK: Lines that are made

    /// - Parameter newlyLost: how many of the lost commits the input still had; nil for all of them.
    mutating func gap(through last: CommitNumber, time: Timestamp?, states: JSONObject, newlyLost: Int? = nil) {
        dropEnd()
        let first = summary.lastCommit.next
        let lost = last.rawValue - summary.lastCommit.rawValue
        let moment = max(time ?? .earliest, latest ?? .earliest)
        lines.beginGap(first: first, lost: lost, time: moment, reason: "damaged")
        for (store, state) in states { lines.append(state, of: store) }
        lines.endGap()
        latest = moment
        totals.count(CountedRecord(.gap, seq: last, states: states.keys))
        summary.lastCommit = last
        summary.lost += max(0, newlyLost ?? lost)
    }

    mutating func finish(torn: Bool) {
        summary.wasTorn = torn
        guard let (record, line) = end else { return }
        end = nil
        line.withLine { take($0, time: record.time, claiming: record.totals) }
    }

    // MARK: Bytes

    private mutating func dropEnd() {
        guard let line = end?.line else { return }
        end = nil
        leaveOut(JournalRepair.LeftOut(line: line.number, kind: .end))
    }

    private mutating func write(_ line: [UInt8]) {
        lines.resummed(line)
        summary.rewritten += 1
    }
}

extension Timestamp {
    fileprivate static let earliest = Timestamp(microseconds: 0)
}

extension Totals {
    var json: JSONValue {
        var line = LineBuilder()
        line.totals(self)
        return (try? JSONParser.parse(Array(line.bytes.drop { $0 != UInt8(ascii: "{") }))) ?? .null
    }
}
