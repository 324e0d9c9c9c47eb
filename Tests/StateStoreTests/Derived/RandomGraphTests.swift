import StateStore
import TestSupport
import Testing

/// Random graphs of derived values over one to three stores, held against an oracle that computes everything anew.
struct RandomGraphTests {
    @Test(
        "random graphs give what computing everything anew gives, and fire once at most", arguments: seeds(1..<61))
    func againstOracle(seed: UInt64) {
        var world = RandomGraph(seed: seed)
        for step in 0..<60 {
            world.step()
            let problem = world.problem
            #expect(problem == nil, "seed \(seed), step \(step)")
            if problem != nil { return }
        }
    }
}

private struct Numbers: Codable, Equatable, Sendable {
    var a = 0
    var b = 0
    var list: [Int] = [1]
    var sum: Int { a + b }

    static let paths: [any KeyPath<Numbers, Int> & Sendable] = [\.a, \.b, \.sum]
}

/// The stores, the derived values, and what they should have come to.
private struct RandomGraph {
    private enum Input {
        case property(store: Int, path: Int)
        case list(store: Int)
        case node(Int)
    }

    private struct Node {
        var derived: Derived<Int>
        var inputs: [Input]
        var stores: Set<Int>
        var modulus: Int
        /// How often the transform ran.
        let counts: Ticks
        let told = Log<Int>()
        var subscription: Subscription?
        var wasRead = false
        /// What the subscribers and the counters should have heard of.
        var expectedTold: [Int] = []
        var counters = DerivedCounters()
    }

    private var random: SeededGenerator
    private let stores: [Store<Numbers>]
    private var nodes: [Node] = []
    private(set) var problem: String?

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        stores = (0..<Int.random(in: 1...3, using: &random)).map { Store(Numbers(), name: "s\($0)", recorder: nil) }
        for _ in 0..<Int.random(in: 2...10, using: &random) { addNode() }
    }

    // MARK: The graph

    private mutating func addNode() {
        let inputs = (0..<Int.random(in: 1...3, using: &random)).map { _ in randomInput() }
        let modulus = Int.random(in: 2...7, using: &random)
        let runs = Ticks()
        let derived = make(inputs.map(derivedInput), modulus, runs)
        let roots = Set(
            inputs.flatMap { input -> [Int] in
                switch input {
                case .property(let store, _), .list(let store): [store]
                case .node(let node): Array(nodes[node].stores)
                }
            })
        nodes.append(Node(derived: derived, inputs: inputs, stores: roots, modulus: modulus, counts: runs))
    }

    private mutating func randomInput() -> Input {
        let store = Int.random(in: 0..<stores.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return .list(store: store)
        case 1, 2: return .property(store: store, path: Int.random(in: 0..<3, using: &random))
        default:
            if nodes.isEmpty { return .property(store: store, path: 0) }
            return .node(Int.random(in: 0..<nodes.count, using: &random))
        }
    }

    private func derivedInput(_ input: Input) -> DerivedInput<Int> {
        switch input {
        case .property(let store, let path): stores[store].input(Numbers.paths[path])
        case .list(let store): stores[store].derived(\.list, named: "count") { $0.count }.input
        case .node(let node): nodes[node].derived.input
        }
    }

    private func make(_ inputs: [DerivedInput<Int>], _ modulus: Int, _ runs: Ticks) -> Derived<Int> {
        @Sendable func combine(_ values: [Int]) -> Int {
            _ = runs.next()
            return RandomGraph.combine(values, modulus)
        }
        switch inputs.count {
        case 1: return Derived(inputs[0], named: "one") { combine([$0]) }
        case 2: return Derived(inputs[0], inputs[1], named: "two") { combine([$0, $1]) }
        default: return Derived(inputs[0], inputs[1], inputs[2], named: "three") { combine([$0, $1, $2]) }
        }
    }

    private static func combine(_ values: [Int], _ modulus: Int) -> Int {
        values.enumerated().reduce(0) { $0 + ($1.offset + 1) * $1.element } % modulus
    }

    // MARK: The oracle

    private func value(of input: Input) -> Int {
        switch input {
        case .property(let store, let path): stores[store].state[keyPath: Numbers.paths[path]]
        case .list(let store): stores[store].state.list.count
        case .node(let node): RandomGraph.combine(nodes[node].inputs.map(value), nodes[node].modulus)
        }
    }

    private func isAsked(_ place: Int) -> Bool {
        if nodes[place].wasRead || nodes[place].subscription != nil { return true }
        return nodes.indices.contains { later in
            nodes[later].inputs.contains { if case .node(place) = $0 { true } else { false } } && isAsked(later)
        }
    }

    // MARK: Steps

    mutating func step() {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: subscribe(Int.random(in: 0..<nodes.count, using: &random))
        case 1: cancel(Int.random(in: 0..<nodes.count, using: &random))
        case 2: read(Int.random(in: 0..<nodes.count, using: &random))
        default: commit()
        }
    }

    private mutating func subscribe(_ place: Int) {
        guard nodes[place].subscription == nil else { return }
        let told = nodes[place].told
        nodes[place].subscription = nodes[place].derived.subscribe { told.add($0.current) }
        nodes[place].expectedTold.append(value(of: .node(place)))
        check(place)
    }

    private mutating func cancel(_ place: Int) {
        nodes[place].subscription?.cancel()
        nodes[place].subscription = nil
    }

    private mutating func read(_ place: Int) {
        nodes[place].wasRead = true
        check(place)
        expect(nodes[place].derived.value == value(of: .node(place)), "a value differs")
    }

    private mutating func commit() {
        let store = Int.random(in: 0..<stores.count, using: &random)
        let (field, number) = (Int.random(in: 0..<4, using: &random), Int.random(in: 0..<4, using: &random))
        let before = nodes.map { $0.inputs.map(value) }
        let runs = nodes.map(\.counts.value)
        let version = stores[store].state
        stores[store].commit { state in
            switch field {
            case 0: state.a = number
            case 1: (state.a, state.b) = (state.b, state.a)
            case 2: state.list = Array(repeating: number, count: number + 1)
            default: state.b = number
            }
        }
        let isDelivered = version != stores[store].state
        for place in nodes.indices {
            let isAsked = isAsked(place) && nodes[place].stores.contains(store) && isDelivered
            expectOutcome(place, isAsked, before[place], ran: nodes[place].counts.value - runs[place])
        }
    }

    /// Holds one node against what the commit should have done to it.
    private mutating func expectOutcome(_ place: Int, _ isAsked: Bool, _ before: [Int], ran: Int) {
        let inputs = nodes[place].inputs.map(value)
        let (old, new) = (
            RandomGraph.combine(before, nodes[place].modulus), RandomGraph.combine(inputs, nodes[place].modulus)
        )
        let shouldRun = isAsked && before != inputs
        expect(ran == (shouldRun ? 1 : 0), "ran \(ran) times")
        if shouldRun && old == new { nodes[place].counters.same += 1 }
        if shouldRun && old != new { nodes[place].counters.fired += 1 }
        if isAsked && !shouldRun { nodes[place].counters.untouched += 1 }
        if shouldRun, old != new, nodes[place].subscription != nil { nodes[place].expectedTold.append(new) }
        check(place)
    }

    private mutating func check(_ place: Int) {
        let node = nodes[place]
        var counters = node.derived.counters
        counters.untouched += counters.unchanged  // which of the two, only memory tells
        counters.unchanged = 0
        expect(counters == node.counters, "counted \(counters), should be \(node.counters)")
        expect(node.told.entries == node.expectedTold, "told \(node.told.entries), should be \(node.expectedTold)")
        if node.wasRead { expect(node.derived.value == value(of: .node(place)), "a value differs") }
    }

    private mutating func expect(_ condition: Bool, _ text: @autoclosure () -> String) {
        if !condition && problem == nil { problem = text() }
    }
}
