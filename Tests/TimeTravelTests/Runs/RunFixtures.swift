import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import TimeTravel

/// What the tests of journals made of journals share: making them, reading them back, and holding them against the format.
enum RunFixtures {
    /// The bytes that a sink is handed.
    static func bytes(_ body: (LineSink) throws -> Void) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try body(LineSink { bytes += $0 })
        return bytes
    }

    /// A journal of the same records with a space before the end of each line: none of them is as our writer writes it.
    static func spaced(_ journal: Journal, _ name: String, in folder: TemporaryFolder) throws -> Journal {
        let lines = try records(of: journal).map { record in
            String(JSONValue.object(record).text().dropLast()) + " }\n"
        }
        return try Journal.open(folder.write(lines.joined(), to: name), access: .random)
    }

    /// The records of a journal, without their sums.
    static func records(of journal: Journal) throws -> [JSONObject] {
        var records: [JSONObject] = []
        var reader = journal.records()
        while let line = try reader.next() {
            var record = try line.object()
            record["sum"] = nil
            records.append(record)
        }
        return records
    }

    /// Everything that verification has against a journal.
    static func verification(of journal: Journal) throws -> [VerificationProblem] {
        var problems: [VerificationProblem] = []
        _ = try Verification.run(journal) { problems.append($0) }
        return problems
    }

    /// What it has against it, as texts.
    static func problems(of journal: Journal) throws -> [String] {
        try verification(of: journal).map {
            "line \($0.line?.rawValue ?? 0): \($0.code.rawValue) \($0.message)"
        }
    }

    /// The state of each store after each of its steps, in order, by the store's name.
    static func sequences(of journal: Journal, named: (String) -> String = { $0 }) throws -> [String: [JSONValue]] {
        var state = PositionState(start: journal.start)
        var sequences: [String: [JSONValue]] = [:]
        var reader = journal.records()
        while let line = try reader.next() {
            try state.apply(line)
            switch line.kind {
            case .commit, .store:
                let store = try line.object()["store"]
                guard case .string(let name)? = store else { continue }
                sequences[named(name), default: []].append(state.stores[name] ?? .null)
            default: break
            }
        }
        return sequences
    }
}

/// A journal whose lines a test decides one by one.
struct HandMadeRun {
    private var builder = LineBuilder()
    private var seq = 0
    private var clock: Int
    private var states: [String: JSONValue] = [:]
    private var totals = Totals()

    init(id: String = "hand", app: String? = nil, clock: Int = 1_800_000_000_000_000) {
        self.clock = clock
        builder.journal(JournalHeader(id: id, time: Timestamp(microseconds: clock), app: app, recorder: "test"))
    }

    var bytes: [UInt8] { builder.bytes }
    private var number: CommitNumber { CommitNumber(seq) }

    private mutating func tick(_ step: Int) -> Timestamp {
        clock += step
        return Timestamp(microseconds: clock)
    }

    private func place(_ line: Int) -> SourceLocation {
        SourceLocation(file: "Test/Run.swift", line: line, column: 1, function: "run()")
    }

    mutating func open(_ store: String, _ members: JSONObject, step: Int = 10) {
        let state = JSONValue.object(members)
        states[store] = state
        let time = tick(step)
        Array(state.text().utf8).withBytes {
            builder.store(seq: number, store: store, type: "T", time: time, at: place(1), state: $0)
        }
        totals.open.append(store)
    }

    mutating func set(
        _ store: String, _ key: String, _ value: JSONValue, line: Int = 2, cause: Int? = nil, payload: String? = nil,
        step: Int = 10
    ) {
        guard case .object(var next)? = states[store] else { return }
        next[key] = value
        let patch = JSONPatch.difference(from: states[store] ?? .null, to: .object(next))
        states[store] = .object(next)
        seq += 1
        let time = tick(step)
        let action = payload.map { EncodedAction(type: "Set", payload: Array($0.utf8)) }
        Array(patch.json.text().utf8).withBytes {
            builder.commit(
                seq: number, store: store, version: seq, time: time, at: place(line), action: action,
                cause: cause.map { CommitNumber($0) }, patch: $0)
        }
        if let index = totals.commits.firstIndex(where: { $0.store == store }) {
            totals.commits[index].count += 1
        } else {
            totals.commits.append(Totals.StoreCommits(store: store, count: 1))
        }
    }

    mutating func mark(_ text: String) {
        builder.mark(seq: number, time: tick(1), at: nil, text: text)
        totals.marks += 1
    }

    mutating func lose(_ count: Int) {
        builder.beginGap(first: number.next, lost: count, time: tick(1), reason: "full")
        for (store, state) in states { Array(state.text().utf8).withBytes { builder.state(of: store, $0) } }
        builder.endGap()
        seq += count
        totals.gaps += 1
    }

    mutating func raw(_ text: String) { Array(text.utf8).withBytes { builder.line($0) } }

    mutating func end() { builder.end(seq: number, time: tick(1), totals: totals) }

    /// The journal in a folder.
    func journal(_ name: String, in folder: TemporaryFolder) throws -> Journal {
        try Journal.open(folder.write(bytes, to: name), access: .random)
    }
}
