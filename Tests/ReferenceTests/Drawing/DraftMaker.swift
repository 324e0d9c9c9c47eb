import TestSupport

/// Draws random journals: few keys and few stores, so that changes meet.
struct DraftMaker {
    private var random: SeededGenerator
    /// Whether writers that are not ours are drawn too: their operations, and their ways to write.
    private let isForeign: Bool
    private var open: [(name: String, state: PlainJSON)] = []
    private var events: [Draft.Event] = []
    private var commits = 0
    private var closing = false

    /// The names of stores and the keys: those that stand first are drawn most.
    private let names: [String]
    private let keys: [String]

    private static let names = ["cart", "user", "feed", "a b", "\u{E9}", "e\u{301}", "x/y", "m~n", "0"]
    private static let keys = [
        "a", "b", "c", "0", "1", "a/b", "m~n", "~1", "\u{E9}", "e\u{301}", "\u{301}x", "", "*", "-", "qu\"ote", "id",
    ]
    /// What some journals have most of: two spellings of one letter side by side, a mark that belongs to the sign before it.
    private static let twins = ["\u{E9}", "e\u{301}", "\u{301}z"]
    /// The same of keys, with one that means the end of an array, and no member of an object.
    private static let oddKeys = [["-", "a", "\u{301}x", "0", "e\u{301}"], ["\u{E9}", "e\u{301}", "-", "id", "*"]]
    private static let texts = [
        "", "a", "b", "\u{E9}", "e\u{301}", "back\\slash", "line\nfeed", "]},[", "\u{1F600}", "\u{7F}",
    ]
    private static let numbers = [
        "0", "1", "2", "-1", "1.50", "1E2", "1e-3", "9007199254740993", "123456789012345678901234567890", "-0", "3.0",
    ]

    init(seed: UInt64, isForeign: Bool) {
        var random = SeededGenerator(seed: seed)
        func isChosen() -> Bool { Int.random(in: 0..<100, using: &random) < 30 }
        names = (isChosen() ? Self.twins : []) + Self.names
        keys = (isChosen() ? Self.oddKeys[Int.random(in: 0..<Self.oddKeys.count, using: &random)] : []) + Self.keys
        self.random = random
        self.isForeign = isForeign
    }

    /// A journal of at most so many commits.
    static func draft(seed: UInt64, commits: Int, isForeign: Bool, gaps: Bool) -> Draft {
        var maker = DraftMaker(seed: seed, isForeign: isForeign)
        let after = maker.chance(15) ? maker.below(2_000) : nil
        maker.run(commits: commits, gaps: gaps)
        if maker.chance(60) { maker.events.append(.end) }
        return Draft(after: after, events: maker.events, style: maker.style())
    }

    private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
    private mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
    private mutating func pick<T>(_ list: [T]) -> T { list[below(list.count)] }

    private mutating func style() -> WritingStyle {
        var style = WritingStyle(seed: random.next())
        style.sums = chance(70)
        guard isForeign else { return style }
        style.spaced = chance(50)
        style.shuffled = chance(50)
        style.escaped = chance(50)
        style.olds = chance(60)
        style.minimal = chance(50)
        return style
    }

    private mutating func run(commits limit: Int, gaps: Bool) {
        let keyframes = pick([0, 10, 30])
        if chance(50) { declare() }
        for _ in 0..<(1 + below(3)) { openStore() }
        while commits < limit {
            switch below(60) {
            case 0...2: openStore()
            case 3...5: closeStore()
            case 6...7: events.append(.mark(pick(["tap", "tapped Buy", "line\nfeed", "\u{E9}"])))
            case 8: if let store = open.randomElement(using: &random) { events.append(.abort(store.name)) }
            case 9: declare()
            case 10 where gaps, 12...13 where gaps: gap()
            case 11: events.append(.unknown)
            default: commit()
            }
            if case .commit? = events.last, chance(keyframes) { events.append(.keyframe) }
        }
    }

    private mutating func declare() {
        let name = "d\(events.count)"
        let inputs: [String]? =
            chance(30)
            ? nil
            : (0..<below(3)).map { _ in "/" + pick(names) + "/a" }.filter {
                !$0.contains("~") && !$0.contains("x/y")
            }
        events.append(.derived(name, inputs: inputs))
    }

    private mutating func openStore() {
        let free = names.filter { name in !open.contains { PlainKey($0.name) == PlainKey(name) } }
        guard open.count < 5, let name = free.prefix(chance(70) ? 3 : 9).randomElement(using: &random) else { return }
        let state = chance(85) ? container(depth: 3) : value(depth: 1)
        open.append((name, state))
        events.append(.store(name, state))
    }

    private mutating func closeStore() {
        guard let index = open.indices.randomElement(using: &random) else { return }
        events.append(.close(open.remove(at: index).name))
        closing = true
    }

    private mutating func gap() {
        if open.count > 1, chance(50) { open.remove(at: below(open.count)) }
        for index in open.indices where chance(60) { _ = change(index) }
        let lost = 1 + below(4)
        events.append(.gap(lost: lost, states: open.map { ($0.name, $0.state) }))
        commits += lost
        closing = false
    }

    private mutating func commit() {
        guard let index = open.indices.randomElement(using: &random) else { return }
        let operations = change(index)
        events.append(
            .commit(
                Draft.Commit(
                    store: open[index].name, operations: operations,
                    name: chance(30) ? pick(["na\"me", "add", "load*", "\u{E9}"]) : nil,
                    action: chance(30) ? pick(["App.add", "App.remove"]) : nil, cause: chance(30) ? 1 + below(3) : nil,
                    place: below(12))))
        commits += 1
        closing = false
        if chance(10) {
            events.append(
                .outcome([
                    ("d0", pick(["fired", "same", "unchanged"]), chance(50) ? .number(PlainNumber(commits)) : nil)
                ]))
        }
    }

    /// Changes an open store by some operations that apply.
    private mutating func change(_ index: Int) -> [Draft.Operation] {
        var operations: [Draft.Operation] = []
        let wanted = chance(10) ? 0 : 1 + (chance(60) ? 0 : below(4))
        while operations.count < wanted {
            guard let operation = operation(on: open[index].state),
                let next = try? PlainPatch.applied([operation.json(old: nil)], to: open[index].state)
            else { continue }
            open[index].state = next
            operations.append(operation)
        }
        // Changes that come to nothing: the same value again, or away and back.
        if isForeign, chance(8), let last = operations.last, last.op == "add", !last.path.isEmpty {
            let remove = Draft.Operation(op: "remove", path: last.path)
            if let next = try? PlainPatch.applied([remove.json(old: nil)], to: open[index].state) {
                open[index].state = next
                operations.append(remove)
            }
        }
        return operations
    }

    private mutating func operation(on state: PlainJSON) -> Draft.Operation? {
        let places = PlainPointer.places(in: state)
        let (path, part) = pick(places)
        let containers = places.filter { !$0.value.isScalar }
        switch below(isForeign ? 12 : 8) {
        case 0, 1:
            guard let (path, container) = containers.randomElement(using: &random) else { return nil }
            if let elements = container.array {
                let index = isForeign && chance(20) ? "-" : String(below(elements.count + 1))
                return Draft.Operation(op: "add", path: path + [PlainKey(index)], value: value(depth: 2))
            }
            let key = self.key()
            if !isForeign, container.object?[key] != nil { return nil }
            return Draft.Operation(op: "add", path: path + [PlainKey(key)], value: value(depth: 2))
        case 2: return path.isEmpty ? nil : Draft.Operation(op: "remove", path: path)
        case 3:
            guard let (path, array) = places.filter({ ($0.value.array?.count ?? 0) > 1 }).randomElement(using: &random)
            else { return nil }
            let count = array.array?.count ?? 0
            let (from, to) = (below(count), below(count))
            if from == to { return nil }
            return Draft.Operation(
                op: "move", path: path + [PlainKey(String(to))], from: path + [PlainKey(String(from))])
        case 4 where chance(40): return Draft.Operation(op: "replace", path: [], value: container(depth: 2))
        case 4...7:
            guard chance(85) || isForeign else { return nil }
            return Draft.Operation(
                op: "replace", path: path,
                value: path.isEmpty ? container(depth: 2) : chance(10) ? part : value(depth: 2))
        case 8: return Draft.Operation(op: "test", path: path, value: part)
        default:
            guard let (target, container) = containers.randomElement(using: &random), !path.isEmpty else { return nil }
            let key = container.array.map { String(below($0.count + 1)) } ?? self.key()
            return Draft.Operation(op: chance(50) ? "copy" : "move", path: target + [PlainKey(key)], from: path)
        }
    }

    private mutating func value(depth: Int) -> PlainJSON {
        switch below(depth > 0 ? 10 : 6) {
        case 0: .null
        case 1: .bool(chance(50))
        case 2: .string(pick(Self.texts))
        case 3: .number(PlainNumber(pick(Self.numbers)))
        case 4, 5: .number(PlainNumber(below(6)))
        default: container(depth: depth)
        }
    }

    private mutating func key() -> String { chance(60) ? keys[below(5)] : pick(keys) }

    private mutating func container(depth: Int) -> PlainJSON {
        if chance(45) { return .array((0..<below(4)).map { _ in value(depth: depth - 1) }) }
        var members = PlainObject()
        for _ in 0..<below(5) { members[key()] = value(depth: depth - 1) }
        return .object(members)
    }
}
