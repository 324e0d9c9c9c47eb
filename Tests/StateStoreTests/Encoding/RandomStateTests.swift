import TestSupport
import Testing

@testable import StateStore

@Suite("Patches of random states")
struct RandomStateTests {
    @Test("a patch applied gives the next state, inverted the one before", arguments: 1...6 as ClosedRange<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var random = RandomWorld(seed: seed)
        var world = World()
        let probe = try EncodingProbe(world)
        for step in 0..<120 {
            for _ in 0...random.below(3) { random.change(&world) }
            try probe.advance(to: world, "seed \(seed), step \(step)")
        }
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

    @Test("an encoding from scratch after each commit finds no difference")
    func verified() throws {
        var random = RandomWorld(seed: 77)
        var world = World()
        let encoder = try StateEncoder(world, options: EncodingOptions(verifyIncrementalEncoding: true))
        var bytes: [UInt8] = []
        for _ in 0..<100 {
            random.change(&world)
            try encoder.advance(to: world, appendingPatchTo: &bytes)
        }
    }
}
