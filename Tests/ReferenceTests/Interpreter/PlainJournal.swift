import JSONCore

/// A whole journal with the whole state at every position, worked out record by record as the format's description says.
///
/// Written to be read, not to be fast: what the command answers is held against it.
struct PlainJournal {
    /// A record that changed the state, and the whole state after it.
    struct Step {
        let record: PlainRecord
        let state: JSONValue
    }

    /// What ended the reading before the end of the file.
    struct Damage: Error {
        let line: Int
    }

    let text: [UInt8]
    let records: [PlainRecord]
    /// The position before the first commit.
    private(set) var start = 0
    /// The last position.
    private(set) var end = 0
    /// The state at each position that has one.
    private(set) var states: [Int: JSONValue] = [:]
    /// What changed the state, by the position it belongs to, in the order of the file.
    private(set) var steps: [Int: [Step]] = [:]
    /// The commit records by number.
    private(set) var commits: [Int: PlainRecord] = [:]
    /// The paths, from the whole state on, that each commit changes.
    private(set) var touched: [Int: [[PlainKey]]] = [:]
    /// Whether a last line without a newline was left out.
    let isTorn: Bool

    /// Reads a journal.
    ///
    /// - Throws: where a line is no record, has a wrong number, or a patch that does not apply.
    init(_ text: [UInt8]) throws(Damage) {
        self.text = text
        var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        let tail = lines.removeLast()
        if !tail.isEmpty, PlainRecord(tail) != nil { lines.append(tail) }
        isTorn = !tail.isEmpty && PlainRecord(tail) == nil
        var records: [PlainRecord] = []
        for (index, line) in lines.enumerated() {
            guard let record = PlainRecord(line) else { throw Damage(line: index + 1) }
            records.append(record)
        }
        self.records = records
        try replay()
    }

    private mutating func replay() throws(Damage) {
        guard let header = records.first, header.kind == "journal" else { throw Damage(line: 1) }
        start = header["after"].number?.integerValue ?? 0
        end = start
        var state = JSONObject()
        var closing: [String] = []
        states[start] = .object(state)
        for (index, record) in records.enumerated() {
            let damage = Damage(line: index + 1)
            switch record.kind {
            case "commit":
                guard record.seq == end + 1, let store = record.store else { throw damage }
                for name in closing { state.removeValue(forKey: name) }
                closing = []
                guard let old = state[store], let new = try? PlainPatch.applied(record.patch, to: old) else {
                    throw damage
                }
                state[store] = new
                commits[record.seq] = record
                touched[record.seq] = record.touchedPaths(from: old)
            case "store":
                guard record.seq == end, let store = record.store, let new = record.members["state"] else {
                    throw damage
                }
                closing.removeAll { PlainKey($0) == PlainKey(store) }
                state[store] = new
            case "gap":
                guard let first = record["first"].number?.integerValue, let lost = record["lost"].number?.integerValue,
                    first == end + 1, record.seq == first + lost - 1, case .object(let new) = record["states"]
                else { throw damage }
                state = new
                closing = []
            case "close":
                guard record.seq == end, let store = record.store else { throw damage }
                closing.append(store)
                continue
            default:
                guard record.seq == end else { throw damage }
                continue
            }
            end = record.seq
            states[end] = JSONValue.object(state).ascending()
            steps[end, default: []].append(Step(record: record, state: JSONValue.object(state).ascending()))
        }
    }

    /// The state at a position as a command sees it: that of one store under `--store`, null where it is not open.
    func state(at position: Int, store: String? = nil) -> JSONValue? {
        guard let state = states[position] else { return nil }
        return Self.seen(state, store)
    }

    /// What is seen of a whole state.
    static func seen(_ state: JSONValue, _ store: String?) -> JSONValue {
        guard let store else { return state }
        return state.object?[store] ?? .null
    }

    /// The names of all stores that there ever were.
    var stores: Set<PlainKey> {
        var names = Set(records.filter { $0.kind == "store" }.compactMap { $0.store.map { PlainKey($0) } })
        for record in records where record.kind == "gap" {
            for key in record["states"].object?.keys ?? [] { names.insert(PlainKey(key)) }
        }
        return names
    }

    /// The marks in their order.
    var marks: [PlainRecord] { records.filter { $0.kind == "mark" } }
}
