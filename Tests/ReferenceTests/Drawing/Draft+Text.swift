import TestSupport

/// Writes a draft: gives numbers, works out the states that keyframes, gaps and `old` need.
struct DraftWriter {
    private let draft: Draft
    private var style: StyledText
    private var text: [UInt8] = []
    private var seq: Int
    private var clock = 0
    private var open: [(name: String, state: PlainJSON)] = []
    private var closing = false
    private var commits: [(key: String, value: Int)] = []
    private var (marks, gaps, aborts) = (0, 0, 0)
    private var derived: [String] = []
    private var versions = 0

    /// The text of a draft; nil where a part of it does not hold without another that was left out.
    static func text(of draft: Draft) -> [UInt8]? {
        var writer = DraftWriter(draft)
        for event in draft.events where !writer.write(event) { return nil }
        var text = Array(writer.text.dropLast(draft.torn))
        for damage in draft.damages { text = damage.done(to: text) }
        return text
    }

    private init(_ draft: Draft) {
        self.draft = draft
        style = StyledText(draft.style)
        seq = draft.after ?? 0
        var members: [(key: String, value: PlainJSON)] = [("version", 1), ("id", "run-1"), ("time", time)]
        if !draft.style.minimal { members.append(("app", "Test")) }
        members.append(("recorder", "draft"))
        if let after = draft.after { members.append(("after", .number(PlainNumber(after)))) }
        put("journal", members)
    }

    private var time: PlainJSON {
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return .string("2026-01-01T00:\(padded(clock / 60, 2)):\(padded(clock % 60, 2)).\(padded(clock, 6))Z")
    }

    private func place(_ number: Int) -> PlainJSON {
        [
            "file": .string("Test/\(["Cart", "User", "Feed"][number % 3]).swift"),
            "line": .number(PlainNumber(10 + number % 4)),
            "column": 5, "function": .string(["add(_:)", "remove()", "run()"][number % 3]),
        ]
    }

    private var totals: PlainJSON {
        [
            "commits": .object(PlainObject(commits.map { (key: $0.key, value: .number(PlainNumber($0.value))) })),
            "open": .array(open.map { .string($0.name) }), "derived": .array(derived.map { .string($0) }),
            "marks": .number(PlainNumber(marks)), "gaps": .number(PlainNumber(gaps)),
            "aborts": .number(PlainNumber(aborts)),
        ]
    }

    private mutating func put(_ kind: String, _ members: [(key: String, value: PlainJSON)]) {
        text += style.line([("seq", .number(PlainNumber(seq))), ("kind", .string(kind))] + members)
    }

    private func index(of store: String) -> Int? { open.firstIndex { PlainKey($0.name) == PlainKey(store) } }

    private mutating func write(_ event: Draft.Event) -> Bool {
        switch event {
        case .store(let name, let state):
            guard index(of: name) == nil else { return false }
            open.append((name, state))
            put(
                "store",
                [
                    ("store", .string(name)), ("type", "T"), ("time", time), ("at", place(name.utf8.count)),
                    ("state", state),
                ])
        case .commit(let commit): return write(commit)
        case .close(let name):
            guard let index = index(of: name) else { return false }
            open.remove(at: index)
            closing = true
            put("close", [("store", .string(name)), ("time", time)])
        case .gap(let lost, let states): gap(lost, states)
        case .keyframe:
            // Directly after a commit's line: a store that is about to close would be missing in it.
            guard !closing, seq > (draft.after ?? 0) else { return false }
            put(
                "keyframe",
                [("states", .object(PlainObject(open.map { (key: $0.name, value: $0.state) }))), ("totals", totals)])
        default: return tell(event)
        }
        return true
    }

    private mutating func gap(_ lost: Int, _ states: [(String, PlainJSON)]) {
        let first = seq + 1
        seq += lost
        clock += lost
        gaps += 1
        open = states.map { (name: $0.0, state: $0.1) }
        closing = false
        put(
            "gap",
            [
                ("time", time), ("first", .number(PlainNumber(first))), ("lost", .number(PlainNumber(lost))),
                ("reason", "full"), ("states", .object(PlainObject(states.map { (key: $0.0, value: $0.1) }))),
            ])
    }

    /// What changes no state.
    private mutating func tell(_ event: Draft.Event) -> Bool {
        switch event {
        case .mark(let text):
            marks += 1
            put("mark", [("time", time), ("text", .string(text))])
        case .abort(let store):
            guard index(of: store) != nil else { return false }
            aborts += 1
            put("abort", [("store", .string(store)), ("time", time), ("at", place(1)), ("error", "no")])
        case .derived(let name, let inputs):
            derived.append(name)
            let inputs = inputs.map { PlainJSON.array($0.map { .string($0) }) }
            put("derived", [("name", .string(name)), ("inputs", inputs ?? .null), ("at", place(2))])
        case .outcome(let outcomes):
            guard seq > (draft.after ?? 0) else { return false }
            let list = outcomes.map { outcome -> PlainJSON in
                var members: [(key: String, value: PlainJSON)] = [
                    ("name", .string(outcome.name)), ("outcome", .string(outcome.outcome)),
                ]
                if let value = outcome.value { members.append(("value", value)) }
                return .object(PlainObject(members))
            }
            put("outcome", [("commit", .number(PlainNumber(seq))), ("derived", .array(list))])
        case .unknown: put("weather", [("store", "cart"), ("patch", [["op": "remove", "path": "/a"]]), ("state", 3)])
        case .end: put("end", [("time", time), ("totals", totals)])
        default: break
        }
        return true
    }

    private mutating func write(_ commit: Draft.Commit) -> Bool {
        guard let index = index(of: commit.store) else { return false }
        var state = open[index].state
        var patch: [PlainJSON] = []
        for operation in commit.operations {
            let old = draft.style.olds ? PlainPointer.value(operation.path, in: state) : nil
            let json = operation.json(old: old)
            guard let next = try? PlainPatch.applied([json], to: state) else { return false }
            patch.append(json)
            state = next
        }
        open[index].state = state
        seq += 1
        versions += 1
        clock += versions % 3 == 0 ? 0 : 1
        closing = false
        let name = open[index].name
        if let known = commits.firstIndex(where: { PlainKey($0.key) == PlainKey(name) }) {
            commits[known].value += 1
        } else {
            commits.append((name, 1))
        }
        var members: [(key: String, value: PlainJSON)] = [
            ("store", .string(name)), ("version", .number(PlainNumber(versions))), ("time", time),
            ("at", place(commit.place)),
        ]
        if let name = commit.name { members.append(("name", .string(name))) }
        if let action = commit.action {
            members.append(("action", ["type": .string(action), "payload": ["patch": [["op": "add", "path": "/x"]]]]))
        }
        if let cause = commit.cause, seq - cause > (draft.after ?? 0) {
            members.append(("cause", .number(PlainNumber(seq - cause))))
        }
        members.append(("patch", .array(patch)))
        put("commit", members)
        return true
    }
}
