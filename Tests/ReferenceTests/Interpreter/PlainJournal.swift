/// A whole journal with the whole state at every position, worked out record by record as the format's description says.
///
/// Written to be read, not to be fast: what the command answers is held against it.
struct PlainJournal {
    /// A record that changed the state, and the whole state after it.
    struct Step {
        let record: PlainRecord
        let state: PlainJSON
    }

    /// What ended the reading before the end of the file.
    struct Damage: Error { let line: Int }

    let text: [UInt8]
    /// The records, without those that were jumped over.
    private(set) var records: [PlainRecord] = []
    /// The position before the first commit.
    private(set) var start = 0
    /// The last position.
    private(set) var end = 0
    /// The state at each position that has one.
    private(set) var states: [Int: PlainJSON] = [:]
    /// What changed the state, by the position it belongs to, in the order of the file.
    private(set) var steps: [Int: [Step]] = [:]
    /// The commit records by number.
    private(set) var commits: [Int: PlainRecord] = [:]
    /// The paths, from the whole state on, that each commit changes.
    private(set) var touched: [Int: [[PlainKey]]] = [:]
    /// Whether a last line without a newline was left out.
    let isTorn: Bool

    /// The state of each commit's store directly before it.
    private(set) var before: [Int: PlainJSON] = [:]
    /// Whether something was jumped over.
    private(set) var isRecovered = false

    /// The whole state so far, and the stores that go away with the next commit.
    private var current = PlainObject()
    private var closing: [String] = []

    /// Reads a journal.
    ///
    /// - Parameter recovers: whether reading goes on behind damage, at the next keyframe.
    /// - Throws: where a line is no record, has a wrong number, or a patch that does not apply.
    init(_ text: [UInt8], recovers: Bool = false) throws(Damage) {
        self.text = text
        var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        let tail = lines.removeLast()
        if !tail.isEmpty, PlainRecord(tail) != nil { lines.append(tail) }
        isTorn = !tail.isEmpty && PlainRecord(tail) == nil
        let read = lines.map { PlainRecord($0) }
        guard let header = read.first ?? nil, header.kind == "journal" else { throw Damage(line: 1) }
        start = header["after"].number?.integerValue ?? 0
        end = start
        states[start] = [:]
        var index = 0
        while index < read.count {
            do throws(Damage) {
                guard let record = read[index] else { throw Damage(line: index + 1) }
                try apply(record, line: index + 1)
                records.append(record)
            } catch {
                guard recovers, let next = (index..<read.count).first(where: { resumes(at: read[$0]) }) else {
                    throw error
                }
                resume(at: read[next])
                index = next
            }
            index += 1
        }
    }

    private func resumes(at record: PlainRecord?) -> Bool {
        record?.kind == "keyframe" && record.map { $0.seq >= end } == true
    }

    private mutating func resume(at keyframe: PlainRecord?) {
        guard var keyframe, case .object(let states) = keyframe["states"] else { return }
        isRecovered = true
        keyframe.isResumed = true
        (current, closing, end) = (states, [], keyframe.seq)
        records.append(keyframe)
        note(keyframe)
    }

    private mutating func apply(_ record: PlainRecord, line: Int) throws(Damage) {
        let damage = Damage(line: line)
        switch record.kind {
        case "commit":
            guard record.seq == end + 1, let store = record.store else { throw damage }
            for name in closing { current.removeValue(forKey: name) }
            closing = []
            guard let old = current[store], let new = try? PlainPatch.applied(record.patch, to: old) else {
                throw damage
            }
            current[store] = new
            before[record.seq] = old
            commits[record.seq] = record
            touched[record.seq] = record.touchedPaths(from: old)
        case "store":
            guard record.seq == end, let store = record.store, let new = record.members["state"] else { throw damage }
            closing.removeAll { PlainKey($0) == PlainKey(store) }
            current[store] = new
        case "gap":
            guard let first = record["first"].number?.integerValue, let lost = record["lost"].number?.integerValue,
                first == end + 1, record.seq == first + lost - 1, case .object(let new) = record["states"]
            else { throw damage }
            current = new
            closing = []
        case "close":
            guard record.seq == end, let store = record.store else { throw damage }
            closing.append(store)
            return
        default:
            guard record.seq == end else { throw damage }
            return
        }
        end = record.seq
        note(record)
    }

    /// Keeps the state behind a record.
    private mutating func note(_ record: PlainRecord) {
        let state = PlainJSON.object(current).ascending()
        states[end] = state
        steps[end, default: []].append(Step(record: record, state: state))
    }

    /// The state at a position as a command sees it: that of one store under `--store`, null where it is not open.
    func state(at position: Int, store: String? = nil) -> PlainJSON? {
        guard let state = states[position] else { return nil }
        return Self.seen(state, store)
    }

    /// What is seen of a whole state.
    static func seen(_ state: PlainJSON, _ store: String?) -> PlainJSON {
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

/// One line of a journal, read by the strict parser.
struct PlainRecord {
    /// Its bytes, without the newline.
    let bytes: [UInt8]
    /// Its members, in their order.
    let members: PlainObject
    let seq: Int
    let kind: String
    /// Whether it is the keyframe at which reading goes on behind damage.
    var isResumed = false

    /// Reads a line; nil where it is no record.
    init?(_ bytes: [UInt8]) {
        guard case .object(let members)? = try? PlainJSON.parse(bytes), let seq = members["seq"]?.number?.integerValue,
            let kind = members["kind"]?.string
        else { return nil }
        (self.bytes, self.members, self.seq, self.kind) = (bytes, members, seq, kind)
    }

    subscript(key: String) -> PlainJSON { members[key] ?? .null }

    /// The record as answers show it: its members in their order, without `sum`.
    var embedded: PlainJSON {
        var members = members
        members.removeValue(forKey: "sum")
        return .object(members)
    }

    var store: String? { members["store"]?.string }
    var patch: [PlainJSON] { members["patch"]?.array ?? [] }
    /// The name of a commit, or else the function that made it.
    var name: PlainJSON { members["name"] ?? self["at"].object?["function"] ?? .null }

    /// The paths, from the whole state on, that a commit's patch changes in its store's state.
    ///
    /// Where an element comes, goes or moves, that is its array.
    func touchedPaths(from state: PlainJSON) -> [[PlainKey]] {
        var state = state
        var paths: [[PlainKey]] = []
        for json in patch {
            guard let operation = json.object, let op = operation["op"]?.string, op != "test" else { continue }
            for end in op == "move" ? ["from", "path"] : ["path"] {
                guard let path = operation[end]?.string.flatMap(PlainPointer.segments) else { continue }
                // A `move` takes away before it puts.
                let taken: PlainJSON = ["op": "remove", "path": operation["from"] ?? ""]
                let before =
                    op == "move" && end == "path" ? (try? PlainPatch.applied([taken], to: state)) ?? state : state
                let isElement = op != "replace" && PlainPointer.value(path.dropLast(), in: before)?.array != nil
                paths.append([PlainKey(store ?? "")] + (isElement && !path.isEmpty ? path.dropLast() : path))
            }
            state = (try? PlainPatch.applied([json], to: state)) ?? state
        }
        return paths
    }
}
