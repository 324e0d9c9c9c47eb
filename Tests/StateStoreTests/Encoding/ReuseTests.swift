import Synchronization
import Testing

@testable import StateEncoding
@testable import StoreCore

@Suite("What is not encoded again")
struct ReuseTests {
    final class Counter: Sendable {
        let count = Synchronization.Atomic(0)
        /// The encodings since the last call.
        func taken() -> Int { count.exchange(0, ordering: .relaxed) }
    }

    /// Tells how often entities are encoded.
    ///
    /// One counter for each test: they run at the same time.
    enum First { static let counter = Counter() }
    enum Second { static let counter = Counter() }
    enum Third { static let counter = Counter() }

    struct Entity<Place>: Encodable, Identifiable {
        var id: Int
        var done = false
        var name: String
        var counter: Counter { place() }

        enum CodingKeys: String, CodingKey { case id, done, name }

        private func place() -> Counter {
            switch Place.self {
            case is First.Type: First.counter
            case is Second.Type: Second.counter
            default: Third.counter
            }
        }

        func encode(to encoder: any Encoder) throws {
            counter.count.add(1, ordering: .relaxed)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(id, forKey: .id)
            try container.encode(done, forKey: .done)
            try container.encode(name, forKey: .name)
        }
    }

    struct State<Place>: Encodable {
        var count = 0
        var table: [Int: Entity<Place>]
        var list: [Entity<Place>]

        init(_ size: Int) {
            list = (0..<size).map { Entity(id: $0, name: "the name of number \($0)") }
            table = Dictionary(uniqueKeysWithValues: list.map { ($0.id, $0) })
        }
    }

    private func advance<S>(_ encoder: StateEncoder<S>, to state: S) throws -> String {
        var bytes: [UInt8] = []
        try encoder.advance(to: state, appendingPatchTo: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("a scalar's commit encodes none of the entities beside it")
    func scalar() throws {
        var state = State<First>(1_000)
        let encoder = try StateEncoder(state)
        #expect(First.counter.taken() == 2_000)
        state.count = 1
        #expect(try advance(encoder, to: state) == #"[{"op":"replace","path":"/count","value":1,"old":0}]"#)
        #expect(First.counter.taken() == 0)
    }

    @Test("an entity's commit encodes that entity, before and after")
    func entity() throws {
        var state = State<Second>(1_000)
        let encoder = try StateEncoder(state)
        _ = Second.counter.taken()
        for (place, number) in [3, 999, 0, 500].enumerated() {
            state.list[number].done.toggle()
            state.table[number]?.name += "!"
            let patch = try advance(encoder, to: state)
            #expect(patch.contains(#""path":"/list/\#(number)/done","value":true,"old":false"#))
            #expect(patch.contains(#""path":"/table/\#(number)/name""#))
            #expect(Second.counter.taken() == 4, "commit \(place)")
        }
    }

    @Test("an entity that comes, goes or moves leaves the others alone")
    func arrivals() throws {
        var state = State<Third>(1_000)
        let encoder = try StateEncoder(state)
        _ = Third.counter.taken()
        state.list.insert(Entity(id: 5_000, name: "new"), at: 0)
        state.table[5_000] = state.list[0]
        _ = try advance(encoder, to: state)
        #expect(Third.counter.taken() == 2)
        state.list.swapAt(10, 800)
        #expect(try advance(encoder, to: state).contains("move"))
        #expect(Third.counter.taken() == 0)
        state.list.remove(at: 400)
        state.table[77] = nil
        _ = try advance(encoder, to: state)
        #expect(Third.counter.taken() == 2)
    }
}
