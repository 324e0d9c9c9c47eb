import JSONCore
import JournalFormat
import Synchronization
import TestSupport
import Testing

@testable import StateStore

@Suite("Patches of random states")
struct RandomStateTests {
    @Test("a patch applied gives the next state, inverted the one before", arguments: 1...4 as ClosedRange<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var random = RandomWorld(seed: seed)
        var world = World()
        let probe = try EncodingProbe(world)
        for step in 0..<80 {
            for _ in 0...random.below(3) { random.change(&world) }
            try probe.advance(to: world, "seed \(seed), step \(step)")
        }
    }

    @Test("so it does for every other shape of value", arguments: 1...4 as ClosedRange<UInt64>)
    func roundTripOfShapes(seed: UInt64) throws {
        var random = RandomShapes(seed: seed)
        var shapes = Shapes()
        let probe = try EncodingProbe(shapes)
        for step in 0..<80 {
            for _ in 0...random.world.below(3) { random.change(&shapes) }
            try probe.advance(to: shapes, "seed \(seed), step \(step)")
        }
    }

    @Test("what is decoded from a recorded state is that state", arguments: 1...3 as ClosedRange<UInt64>)
    func decoded(seed: UInt64) throws {
        var (randomWorld, randomShapes) = (
            RandomWorld(seed: seed, isTame: true), RandomShapes(seed: seed, isTame: true)
        )
        var (world, shapes) = (World(), Shapes())
        for step in 0..<40 {
            for _ in 0..<8 {
                randomWorld.change(&world)
                randomShapes.change(&shapes)
            }
            #expect(try decodedBack(world) == world, "seed \(seed), step \(step)")
            #expect(try decodedBack(shapes) == shapes, "seed \(seed), step \(step)")
        }
    }

    @Test("what is decoded from any recorded state encodes as that state", arguments: 4...5 as ClosedRange<UInt64>)
    func decodedText(seed: UInt64) throws {
        var (randomWorld, randomShapes) = (RandomWorld(seed: seed), RandomShapes(seed: seed))
        var (world, shapes) = (World(), Shapes())
        for step in 0..<40 {
            for _ in 0..<8 {
                randomWorld.change(&world)
                randomShapes.change(&shapes)
            }
            #expect(try encodedText(decodedBack(world)) == encodedText(world), "seed \(seed), step \(step)")
            #expect(try encodedText(decodedBack(shapes)) == encodedText(shapes), "seed \(seed), step \(step)")
        }
    }

    private func decodedBack<Value: Codable>(_ value: Value) throws -> Value {
        try StateDecoder.decode(Value.self, from: JSONParser.parse(encodedText(value), order: .ascending))
    }

    @Test("two equal runs under a fixed clock are the same byte for byte", arguments: [1, 2] as [UInt64])
    func reproducible(seed: UInt64) throws {
        #expect(try run(seed) == run(seed))
    }

    /// The journal of a random run of two stores.
    private func run(_ seed: UInt64) throws -> [UInt8] {
        let journal = TemporaryJournal()
        var options = Recorder.Options.reproducible
        options.verifiesEncoding = true
        let recorder = try Recorder(journal.path, options: options)
        var (randomWorld, randomShapes) = (RandomWorld(seed: seed), RandomShapes(seed: seed))
        let world = Store(SentWorld(), name: "world", recorder: recorder)
        let shapes = Store(SentShapes(), name: "shapes", recorder: recorder)
        for _ in 0..<40 {
            world.commit { randomWorld.change(&$0.world) }
            shapes.commit { randomShapes.change(&$0.shapes) }
        }
        recorder.close()
        return journal.bytes
    }

    /// The random states hold classes and existentials; here only one thread has them.
    private struct SentWorld: Encodable, @unchecked Sendable {
        var world = World()
        func encode(to encoder: any Encoder) throws { try world.encode(to: encoder) }
    }

    private struct SentShapes: Encodable, @unchecked Sendable {
        var shapes = Shapes()
        func encode(to encoder: any Encoder) throws { try shapes.encode(to: encoder) }
    }

    @Test("an unchanged state has an empty patch", arguments: 1...4 as ClosedRange<UInt64>)
    func unchanged(seed: UInt64) throws {
        var random = RandomWorld(seed: seed)
        var world = World()
        for _ in 0..<200 { random.change(&world) }
        let probe = try EncodingProbe(world)
        #expect(try probe.advance(to: world) == "[]")
        random.change(&world)
        try probe.advance(to: world)
        #expect(try probe.advance(to: world) == "[]")
    }
}
