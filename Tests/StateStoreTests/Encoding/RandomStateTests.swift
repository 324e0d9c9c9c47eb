import Synchronization
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

    @Test("an 'encode(to:)' that depends on more than its value is found out")
    func unsteady() throws {
        struct Unsteady: Encodable {
            static let count = Synchronization.Atomic(0)
            var value = 0
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(Self.count.add(1, ordering: .relaxed).newValue)
            }
        }
        struct State: Encodable {
            var unsteady = Unsteady()
            var count = 0
        }
        let encoder = try StateEncoder(State(), options: EncodingOptions(verifyIncrementalEncoding: true))
        var bytes: [UInt8] = []
        let error = #expect(throws: StateEncodingError.self) {
            try encoder.advance(to: State(count: 1), appendingPatchTo: &bytes)
        }
        #expect(error?.reason == .incrementalDifference)
    }
}
