import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// The same run over copies of whole states.
struct PlainRun {
    private typealias Record = (seq: Int, kind: RecordKind, object: JSONObject)

    private var records: [Record] = []
    private let start: JSONObject
    private let first: Int

    init(_ run: RandomRun) throws {
        guard case .object(let start)? = run.states[0] else { throw Missing() }
        self.start = start
        first = run.range.lower.rawValue
        var reader = run.journal.records(recover: true)
        while let line = try reader.next() {
            // A keyframe says what is there anyway, but for one after damage, which is as a gap.
            if line.kind == .keyframe, !line.resumed { continue }
            records.append((line.seq.rawValue, line.kind, try line.object(order: .ascending)))
        }
    }

    private struct Missing: Error {}

    var commits: [Int] { records.filter { $0.kind == .commit }.map(\.seq) }

    /// The lines of what stays.
    func lines(_ keeps: (Int, JSONValue) -> Bool) throws -> [String] {
        var (stores, closing) = (start, [String]())
        var lines: [String] = []
        for (place, record) in records.enumerated() {
            if record.kind != .commit {
                PlainRun.take(record, &stores, &closing)
                continue
            }
            // The position is complete with what follows up to the next one.
            var (next, nextClosing) = (stores, [String]())
            for store in closing { next.removeValue(forKey: store) }
            guard let name = record.object["store"]?.string, var state = next[name],
                (try? JSONPatch(json: record.object["patch"] ?? .null).apply(to: &state, order: .ascending)) != nil
            else {
                if !isLeftOutByNumber(record.seq, keeps) { lines.append("\(record.seq) conflict") }
                continue
            }
            next[name] = state
            for follower in records[(place + 1)...].prefix(while: { $0.kind != .commit && $0.kind != .gap }) {
                PlainRun.take(follower, &next, &nextClosing)
            }
            guard keeps(record.seq, .object(next)) else { continue }
            lines.append("\(record.seq) \(JSONValue.object(next).text())")
            for store in closing { stores.removeValue(forKey: store) }
            closing = []
            stores[name] = state
        }
        return lines
    }

    /// The states at the positions that a run without some commits has, and the commits that are left out of it with them.
    func states(without: Set<Int>) -> (states: [Int: JSONValue], leftOut: Set<Int>) {
        var (stores, closing) = (start, [String]())
        var states: [Int: JSONValue] = [first: .object(start)]
        var leftOut = without
        for (place, record) in records.enumerated() {
            if record.kind != .commit {
                PlainRun.take(record, &stores, &closing)
                if PlainRun.isJump(record) { states[record.seq] = .object(complete(stores, after: place)) }
                continue
            }
            if without.contains(record.seq) { continue }
            var next = stores
            for store in closing { next.removeValue(forKey: store) }
            guard let name = record.object["store"]?.string, var state = next[name],
                (try? JSONPatch(json: record.object["patch"] ?? .null).apply(to: &state, order: .ascending)) != nil
            else {
                leftOut.insert(record.seq)
                continue
            }
            next[name] = state
            (stores, closing) = (next, [])
            states[record.seq] = .object(complete(next, after: place))
        }
        return (states, leftOut)
    }

    /// A state with what else changes it at the position of a record.
    private func complete(_ stores: JSONObject, after place: Int) -> JSONObject {
        var (stores, closing) = (stores, [String]())
        for follower in records[(place + 1)...] {
            if follower.kind == .commit || PlainRun.isJump(follower) { break }
            PlainRun.take(follower, &stores, &closing)
        }
        return stores
    }

    private static func isJump(_ record: Record) -> Bool { record.kind == .gap || record.kind == .keyframe }

    /// Whether a number alone decides, which it does where the choice does not look at states.
    private func isLeftOutByNumber(_ seq: Int, _ keeps: (Int, JSONValue) -> Bool) -> Bool {
        !keeps(seq, .null) && !keeps(seq, .object(JSONObject()))
    }

    private static func take(_ record: Record, _ stores: inout JSONObject, _ closing: inout [String]) {
        switch record.kind {
        case .store:
            guard let name = record.object["store"]?.string else { return }
            closing.removeAll { UTF8Order.equal($0, name) }
            stores.insertAscending(record.object["state"] ?? .null, forKey: name)
        case .close: closing.append(record.object["store"]?.string ?? "")
        case .gap, .keyframe:
            if case .object(let states)? = record.object["states"] { stores = states.ascending() }
            closing = []
        default: break
        }
    }
}
