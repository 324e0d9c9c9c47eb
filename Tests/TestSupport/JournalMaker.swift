public import JSONCore
public import JournalFormat

/// Makes a random journal, and keeps what every position must be.
public struct JournalMaker {
    /// Where its choices come from.
    public var random: SeededGenerator
    /// The lines made so far.
    public var lines = LineBuilder()
    /// The whole state by position; positions inside gaps are missing.
    public private(set) var states: [Int: JSONValue] = [:]
    private var open: [(name: String, state: JSONValue)] = []
    private var closed: [String] = []
    /// The last commit.
    public private(set) var seq: Int
    /// The position before the first commit.
    public let start: Int
    private var totals = Totals()
    private let at = SourceLocation(file: "Test/File.swift", line: 1, column: 1, function: "run()")
    private let time = Timestamp("2026-01-01T00:00:00Z")!

    /// Whether its patches are as other writers make them: any operation of RFC 6902, places that are touched again, members
    /// that are added over others, and often no `old`.
    public let isForeign: Bool

    /// Begins a journal; `after` makes it a segment.
    public init(seed: UInt64, after: Int? = nil, foreign: Bool = false) {
        isForeign = foreign
        random = SeededGenerator(seed: seed)
        seq = after ?? 0
        start = seq
        lines.journal(
            JournalHeader(id: "test", time: time, recorder: "maker", after: after.map { CommitNumber($0) }))
        note()
    }

    /// Makes a whole journal: so many commits, and the end of the run.
    public init(
        seed: UInt64, after: Int? = nil, foreign: Bool = false, commits: Int, keyframeEvery: Int = 9, gaps: Bool = true
    ) {
        self.init(seed: seed, after: after, foreign: foreign)
        run(commits: commits, keyframeEvery: keyframeEvery, gaps: gaps)
        end()
    }

    /// The journal as it is now.
    public var bytes: [UInt8] { lines.bytes }

    /// Adds random records.
    public mutating func run(commits: Int, keyframeEvery: Int = 9, gaps: Bool = true) {
        while seq < start + commits {
            if open.isEmpty || Int.random(in: 0..<12, using: &random) == 0 { openStore() }
            switch Int.random(in: 0..<40, using: &random) {
            case 0, 1: closeStore()
            case 2:
                lines.mark(seq: CommitNumber(seq), time: time, at: nil, text: "tap \(seq)")
                totals.marks += 1
            case 3: declare("d\(seq)")
            case 4 where gaps && !open.isEmpty: gap()
            default: if !open.isEmpty { commit() }
            }
            if seq > start, Int.random(in: 0..<keyframeEvery, using: &random) == 0, pendingCloses.isEmpty { keyframe() }
        }
    }

    /// Ends the run.
    public mutating func end() { lines.end(seq: CommitNumber(seq), time: time, totals: currentTotals) }

    /// Stores that closed after the last commit: still in the state at it.
    private var pendingCloses: [(name: String, state: JSONValue)] = []

    private mutating func note() {
        var object = JSONObject()
        for store in pendingCloses { object.insertAscending(store.state, forKey: store.name) }
        for store in open { object.insertAscending(store.state, forKey: store.name) }
        states[seq] = .object(object)
    }

    private var currentTotals: Totals {
        var totals = totals
        totals.open = open.map(\.name)
        return totals
    }

    private mutating func declare(_ name: String) {
        lines.derived(seq: CommitNumber(seq), name: name, inputs: nil, at: at)
        totals.count(derived: name)
    }

    private mutating func count(_ store: String, commits: Int = 1) {
        if let index = totals.commits.firstIndex(where: { $0.store == store }) {
            totals.commits[index].count += commits
        } else {
            totals.commits.append(Totals.StoreCommits(store: store, count: commits))
        }
    }

    private mutating func openStore() {
        let free = ["cart", "user", "a b", "é", "feed"].filter { name in !open.contains { $0.name == name } }
        guard let name = free.randomElement(using: &random) else { return }
        let state = value(depth: 3)
        pendingCloses.removeAll { $0.name == name }
        open.append((name, state))
        count(name, commits: 0)
        Array(state.text().utf8).withBytes {
            lines.store(seq: CommitNumber(seq), store: name, type: "T", time: time, at: at, state: $0)
        }
        note()
    }

    private mutating func closeStore() {
        guard let index = open.indices.randomElement(using: &random) else { return }
        let store = open.remove(at: index)
        lines.close(seq: CommitNumber(seq), store: store.name, time: time)
        pendingCloses.append(store)
    }

    private mutating func commit() {
        let index = open.indices.randomElement(using: &random)!
        seq += 1
        pendingCloses = []
        var next = open[index].state
        let patch: JSONPatch
        if isForeign {
            patch = foreignPatch(of: &next)
        } else {
            next = changed(next)
            patch = JSONPatch.difference(from: open[index].state, to: next)
        }
        open[index].state = next
        count(open[index].name)
        Array(patch.json.text().utf8).withBytes {
            lines.commit(
                seq: CommitNumber(seq), store: open[index].name, version: seq, time: time, at: at,
                name: Bool.random(using: &random) ? "na\"me" : nil,
                action: Bool.random(using: &random)
                    ? EncodedAction(type: "A", payload: Array(#"{"patch":[{"op":"add","path":"/x"}]}"#.utf8)) : nil,
                patch: $0)
        }
        note()
    }

    private mutating func gap() {
        let lost = Int.random(in: 1...4, using: &random)
        let first = seq + 1
        seq += lost
        totals.gaps += 1
        pendingCloses = []
        if open.count > 1, Bool.random(using: &random) { open.removeFirst() }
        for index in open.indices { open[index].state = changed(open[index].state) }
        lines.beginGap(first: CommitNumber(first), lost: lost, time: time, reason: "test")
        writeStates()
        lines.endGap()
        note()
    }

    private mutating func keyframe() {
        lines.beginKeyframe(seq: CommitNumber(seq))
        writeStates()
        lines.endKeyframe(totals: currentTotals)
    }

    private mutating func writeStates() {
        for store in open { Array(store.state.text().utf8).withBytes { lines.state(of: store.name, $0) } }
    }

    /// A random value.
    public mutating func value(depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 5), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .number(JSONNumber(Int.random(in: -5...5, using: &random)))
        case 3:
            return .string(
                ["", "a", "quo\"te", "é", "back\\slash", "line\nfeed", "]},["].randomElement(using: &random)!)
        case 4: return .number(JSONNumber(literal: "1.50"))
        case 5, 6:
            return .array((0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth: depth - 1) })
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                object.insertAscending(value(depth: depth - 1), forKey: key())
            }
            return .object(object)
        }
    }

    private mutating func key() -> String {
        ["a", "b", "0", "1", "a/b", "m~n", "é", "", "quo\"te", "*", "-"].randomElement(using: &random)!
    }

    /// A value with some parts changed.
    public mutating func changed(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let all) where Int.random(in: 0..<5, using: &random) > 0:
            var elements = all.array
            switch Int.random(in: 0..<4, using: &random) {
            case 0: elements.insert(self.value(depth: 1), at: Int.random(in: 0...elements.count, using: &random))
            case 1 where !elements.isEmpty: elements.remove(at: Int.random(in: 0..<elements.count, using: &random))
            case 2: elements.shuffle(using: &random)
            default:
                if let index = elements.indices.randomElement(using: &random) {
                    elements[index] = changed(elements[index])
                }
            }
            return .array(elements)
        case .object(var object) where Int.random(in: 0..<5, using: &random) > 0:
            let key = Bool.random(using: &random) ? object.keys.randomElement(using: &random) ?? self.key() : self.key()
            if let old = object[key] {
                if Int.random(in: 0..<4, using: &random) == 0 {
                    object.removeValue(forKey: key)
                } else {
                    let new = changed(old)
                    object[key] = new
                }
            } else {
                object.insertAscending(self.value(depth: 1), forKey: key)
            }
            return .object(object)
        default: return self.value(depth: 2)
        }
    }

    /// A random set of paths into the whole state.
    public mutating func paths() -> PathSet {
        var set = PathSet.nothing
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            var path: [PathSet.Segment] = [.key(["cart", "user", "a b", "é", "feed"].randomElement(using: &random)!)]
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                path.append(Int.random(in: 0..<3, using: &random) == 0 ? .each : .key(key()))
            }
            set.insert(path, reading: Bool.random(using: &random) ? .all : .shallow)
        }
        return set
    }
}

/// Patches as other writers make them.
extension JournalMaker {
    /// A value that grew larger is not copied any more.
    private static let copyLimit = 1_500

    /// A patch of some random operations, which is applied to a state.
    public mutating func foreignPatch(of state: inout JSONValue) -> JSONPatch {
        var operations: [JSONPatch.Operation] = []
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let operation = foreignOperation(on: state)
            var next = state
            guard (try? JSONPatch([operation]).apply(to: &next, order: .ascending)) != nil else { continue }
            state = next
            operations.append(operation)
        }
        return JSONPatch(operations)
    }

    private mutating func foreignOperation(on state: JSONValue) -> JSONPatch.Operation {
        let place = path(in: state)
        let old = Int.random(in: 0..<10, using: &random) < 7 ? place.value(in: state) : nil
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1: return .add(newPath(in: state), value(depth: 2))
        case 2: return .remove(place, old: old)
        case 3, 4: return .replace(place, value(depth: 2), old: old)
        case 5, 6: return .move(from: place, to: newPath(in: state))
        case 7 where state.text().utf8.count < JournalMaker.copyLimit: return .copy(from: place, to: newPath(in: state))
        default: return .test(place, place.value(in: state) ?? .null)
        }
    }

    /// A path to a part that is there; now and then the whole.
    private mutating func path(in state: JSONValue) -> JSONPointer {
        var path = JSONPointer()
        var part = state
        while Int.random(in: 0..<6, using: &random) > 0 {
            switch part {
            case .array(let elements):
                guard let index = elements.indices.randomElement(using: &random) else { return path }
                path = path.appending(String(index))
                part = elements[index]
            case .object(let members):
                guard let key = members.keys.randomElement(using: &random) else { return path }
                path = path.appending(key)
                part = members[key] ?? .null
            default: return path
            }
        }
        return path
    }

    /// A path to which something can be added: a place of an array, its end, or a member, which may be there already.
    private mutating func newPath(in state: JSONValue) -> JSONPointer {
        let place = path(in: state)
        switch place.value(in: state) {
        case .array(let elements)?:
            let index = Int.random(in: 0...elements.count, using: &random)
            return place.appending(Bool.random(using: &random) ? String(index) : "-")
        case .object?: return place.appending(["a", "b", "0", "a/b", "m~n", "*", "-"].randomElement(using: &random)!)
        default: return place
        }
    }
}
