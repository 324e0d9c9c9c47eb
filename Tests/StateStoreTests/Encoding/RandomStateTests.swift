import JSONCore
import JournalFormat
import StateReplay
import Synchronization
import TestSupport
import Testing

@testable import StateEncoding
@testable import StoreCore

@Suite("Patches of random states")
struct RandomStateTests {
    /// What is redacted in the random states: leaves and whole parts of every kind of container.
    private static let redacted = [
        "/title", "/items/*/name", "/items/*/parts/*/weight", "/numbers/*", "/byNumber", "/byName/*/note",
        "/table/*/name", "/table/*/parts", "/rowTable/*/shape", "/tags/*", "/lone/list/*/id", "/shape/**",
        "/tree/**", "/expression/**", "/numbers/e", "/blobs/*", "/dates/*", "/tableOfTables/**", "/deepList",
    ]

    /// What keeps redacted and large values out.
    private func secretive(limit: Int?) throws -> EncodingOptions {
        let key = RedactionKey(Array(0..<32))
        var options = EncodingOptions()
        options.redaction = RedactionPaths(
            try RandomStateTests.redacted.map { try PathSteps(parsing: $0).steps[...] }, key: key)
        options.valueLimit = limit.map { ValueLimit(bytes: $0, key: key) }
        return options
    }

    @Test(
        "a patch applied gives the next state, inverted the one before, also of what is redacted and left out",
        arguments: seeds(1..<5), [(false, nil), (true, nil), (true, 6)] as [(Bool, Int?)])
    func roundTrip(seed: UInt64, secrecy: (isSecretive: Bool, limit: Int?)) throws {
        var (randomWorld, randomShapes) = (RandomWorld(seed: seed), RandomShapes(seed: seed))
        var (world, shapes) = (World(), Shapes())
        let options = secrecy.isSecretive ? try secretive(limit: secrecy.limit) : EncodingOptions()
        let (worldProbe, shapesProbe) = (
            try EncodingProbe(world, options: options), try EncodingProbe(shapes, options: options)
        )
        for step in 0..<(secrecy.isSecretive ? 40 : 80) {
            for _ in 0...randomWorld.below(3) {
                randomWorld.change(&world)
                randomShapes.change(&shapes)
            }
            try worldProbe.advance(to: world, "seed \(seed), step \(step)")
            try shapesProbe.advance(to: shapes, "seed \(seed), step \(step)")
        }
    }

    @Test(
        "what is decoded from a recorded state is that state, or encodes as it where it cannot be compared",
        arguments: seeds(1..<5), [true, false])
    func decoded(seed: UInt64, isTame: Bool) throws {
        var randomWorld = RandomWorld(seed: seed, isTame: isTame)
        var randomShapes = RandomShapes(seed: seed, isTame: isTame)
        var (world, shapes) = (World(), Shapes())
        func expectSame<Value: Codable & Equatable>(_ value: Value, _ comment: Comment) throws {
            let decoded = try decodedBack(value)
            #expect(try encodedText(decoded) == encodedText(value), comment)
            if isTame { #expect(decoded == value, comment) }
        }
        for step in 0..<40 {
            for _ in 0..<8 {
                randomWorld.change(&world)
                randomShapes.change(&shapes)
            }
            try expectSame(world, "seed \(seed), step \(step)")
            try expectSame(shapes, "seed \(seed), step \(step)")
        }
    }

    private func decodedBack<Value: Codable>(_ value: Value) throws -> Value {
        try StateDecoder.decode(Value.self, from: JSONParser.parse(encodedText(value), order: .ascending))
    }

    @Test(
        "two equal runs under a fixed clock are the same byte for byte, redacted and limited ones too",
        arguments: [1, 2] as [UInt64], [false, true])
    func reproducible(seed: UInt64, isSecretive: Bool) throws {
        #expect(try run(seed, isSecretive: isSecretive) == run(seed, isSecretive: isSecretive))
    }

    /// The journal of a random run of two stores: whole, with every commit, each leading to the state that it was made of.
    private func run(_ seed: UInt64, isSecretive: Bool) throws -> [UInt8] {
        let journal = TemporaryJournal()
        var options = Recorder.Options.reproducible
        options.verifiesEncoding = true
        options.redactionKey = Array(0..<32)
        if isSecretive { options.valueLimit = 6 }
        let problems = Log<RecorderError>()
        let recorder = try Recorder(
            journal.path, redact: isSecretive ? Self.redacted.map { Redaction.path("/*" + $0).ifPresent } : [],
            options: options
        ) { problems.add($0) }
        var (randomWorld, randomShapes) = (RandomWorld(seed: seed), RandomShapes(seed: seed))
        let world = Store(SentWorld(), name: "world", recorder: recorder)
        let shapes = Store(SentShapes(), name: "shapes", recorder: recorder)
        let encoding = isSecretive ? try secretive(limit: 6) : EncodingOptions()
        var states: [[String]] = []
        for _ in 0..<40 {
            world.commit { randomWorld.change(&$0.world) }
            // Now, because the classes in it change in place.
            let text = try encodedText(world.state, encoding)
            states.append([text, try encodedText(shapes.state, encoding)])
            shapes.commit { randomShapes.change(&$0.shapes) }
            states.append([text, try encodedText(shapes.state, encoding)])
        }
        recorder.close()
        #expect(problems.entries.isEmpty, "seed \(seed)")
        try journal.verify()
        let replayed = try journal.replayed()
        #expect(replayed.count == states.count, "seed \(seed)")
        for (commit, (found, expected)) in zip(replayed, states).enumerated() {
            let texts = try expected.map { try JSONParser.parse($0).text(.canonical) }
            #expect(
                [found["world"], found["shapes"]].map { $0?.text(.canonical) } == texts, "seed \(seed), \(commit + 1)")
        }
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

    @Test("an unchanged state has an empty patch", arguments: seeds(1..<5))
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
