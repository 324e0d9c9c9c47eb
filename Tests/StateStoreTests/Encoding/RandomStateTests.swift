import Foundation
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
            if step % 20 == 19 { #expect(try worldProbe.advance(to: world) == "[]", "what is unchanged has no patch") }
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
}

/// Changes shapes at random.
struct RandomShapes {
    var world: RandomWorld

    init(seed: UInt64, isTame: Bool = false) { world = RandomWorld(seed: seed, isTame: isTame) }

    private mutating func below(_ bound: Int) -> Int { world.below(bound) }

    /// One of the ends of a type's range, or something between.
    private mutating func whole<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
        switch below(4) {
        case 0: .min
        case 1: .max
        case 2: 1
        default: Number.random(in: .min ... .max, using: &world.generator)
        }
    }

    private mutating func date() -> Date {
        // To the microsecond, in this century: what an app's clock gives.
        Date(timeIntervalSince1970: 1_700_000_000 + Double(below(1_000_000_000)) / 1_000_000)
    }

    private mutating func characters() -> String {
        let awkward = [
            "\0", "\u{1}\u{1f}\u{7f}\u{80}", "\u{2028}\u{2029}", "\r\n", "👩‍👩‍👧‍👦🇪🇺", "e\u{301}", "\u{FEFF}bom", "\u{FFFD}",
            "\u{10FFFF}", "a\u{200B}b", "\\/\"", "~0~1/", "$redacted", "null", "NaN",
        ]
        return (0..<below(3)).map { _ in awkward[below(awkward.count)] }.joined()
    }

    private mutating func branch(_ depth: Int) -> Shapes.Branch {
        Shapes.Branch(
            id: world.uuid(), leaves: (0..<below(3)).map { _ in characters() },
            branches: depth == 0 ? [] : (0..<below(3)).map { _ in branch(depth - 1) })
    }

    private mutating func expression(_ depth: Int) -> Shapes.Expression {
        switch below(depth > 0 ? 5 : 2) {
        case 0: .nothing
        case 1: .number(whole(Int.self))
        case 2: .negated(expression(depth - 1))
        case 3: .sum(left: expression(depth - 1), right: expression(depth - 1))
        default: .list((0..<below(3)).map { _ in expression(depth - 1) }, named: below(2) == 0 ? nil : characters())
        }
    }

    private mutating func chain(_ length: Int) -> Shapes.Chain {
        (0..<length).reduce(.end) { chain, place in .link(place == length / 2 ? below(3) : 0, chain) }
    }

    /// One random change.
    mutating func change(_ shapes: inout Shapes) {
        switch below(5) {
        case 0: changeNumbers(&shapes)
        case 1: changeTables(&shapes)
        case 2: changeLists(&shapes)
        case 3: changeOwnForms(&shapes)
        default: changeNested(&shapes)
        }
    }

    private mutating func changeNumbers(_ shapes: inout Shapes) {
        switch below(8) {
        case 0: (shapes.numbers.a, shapes.numbers.f) = (whole(Int8.self), whole(UInt8.self))
        case 1: (shapes.numbers.b, shapes.numbers.g) = (whole(Int16.self), whole(UInt16.self))
        case 2: (shapes.numbers.c, shapes.numbers.h) = (whole(Int32.self), whole(UInt32.self))
        case 3: (shapes.numbers.d, shapes.numbers.i) = (whole(Int64.self), whole(UInt64.self))
        case 4: (shapes.numbers.e, shapes.numbers.j) = (whole(Int128.self), whole(UInt128.self))
        case 5: shapes.numbers.k = below(2) == 0 ? nil : whole(Int128.self)
        case 6: shapes.numbers.l = below(2) == 0 ? nil : whole(UInt64.self)
        default: shapes.numbers.all.append(whole(Int128.self))
        }
    }

    private mutating func changeTables(_ shapes: inout Shapes) {
        let real = world.real()
        switch below(9) {
        case 0: shapes.byCelsius[Shapes.Celsius(degrees: below(5))] = Shapes.Pair(first: characters(), second: below(3))
        case 1: shapes.byTag[Shapes.Tag(rawValue: whole(Int16.self))] = Shapes.Empty()
        case 2: shapes.byFlag[below(2) == 0, default: []].append(below(9))
        case 3: shapes.byDate[date()] = below(3)
        case 4: if !real.isNaN { shapes.byReal[real] = below(3) }
        case 5: shapes.byMaybe[below(3) == 0 ? nil : below(4)] = characters()
        case 6: shapes.byPair[[below(3), below(3)]] = Shapes.Tag(rawValue: 1)
        case 7: shapes.tableOfTables[characters(), default: [:]][below(3), default: [:]][characters()] = below(2) == 0
        default: shapes.blobs[characters()] = Data((0..<below(9)).map(UInt8.init))
        }
    }

    private mutating func changeLists(_ shapes: inout Shapes) {
        switch below(8) {
        case 0: world.edit(&shapes.tree) { RandomShapes.branch(&$0) }
        case 1: world.edit(&shapes.dates) { Date(timeIntervalSince1970: Double($0.below(1_000_000))) }
        case 2: world.edit(&shapes.decimals) { Decimal($0.below(1_000)) / 7 }
        case 3: world.edit(&shapes.deepList) { [nil, [], [nil, 1], [$0.below(3)]][$0.below(4)] }
        case 4: world.edit(&shapes.empties) { _ in Shapes.Empty() }
        case 5: shapes.slice.numbers = (0..<10).map { $0 * 2 }[below(3)..<(3 + below(7))]
        case 6: shapes.sets.formSymmetricDifference([[below(3)], [below(3), below(3)]])
        default: world.edit(&shapes.links) { URL(string: "https://a.b/\($0.below(9))?q=%20")! }
        }
    }

    private static func branch(_ world: inout RandomWorld) -> Shapes.Branch {
        Shapes.Branch(id: world.uuid(), leaves: [world.text()], branches: [])
    }

    private mutating func changeOwnForms(_ shapes: inout Shapes) {
        switch below(7) {
        case 0: shapes.celsius.degrees = below(5)
        case 1: shapes.clamped = below(30) - 15
        case 2: shapes.drawing.figures.insert(figure(), at: below(shapes.drawing.figures.count + 1))
        case 3: if !shapes.drawing.figures.isEmpty { shapes.drawing.figures.removeLast() }
        case 4: shapes.sparse.name = below(2) == 0 ? nil : characters()
        case 5: (shapes.sparse.count, shapes.sparse.base) = (below(2) == 0 ? nil : below(3), [below(3)])
        default:
            shapes.tuple.text = below(2) == 0 ? nil : characters()
            shapes.tuple.inner = (0..<below(4)).map { _ in below(2) == 0 }
            shapes.spelling = Spelling([("x/y", characters()[...]), ("~é", "ab".dropFirst())])
        }
    }

    private mutating func figure() -> any Codable & Equatable & Sendable {
        let dot = Drawing.Dot(x: below(4))
        return below(2) == 0 ? dot : Drawing.Line(from: dot, to: Drawing.Dot(x: below(4)))
    }

    private mutating func changeNested(_ shapes: inout Shapes) {
        switch below(10) {
        case 0: shapes.deep = [nil, 3, .some(nil), .some(.some(nil))][below(world.isTame ? 2 : 4)]
        case 1: shapes.range = below(3)..<(3 + below(3))
        case 2: shapes.closed = -Double(below(3))...Double(below(9)) / 7
        case 3: shapes.from.range = below(5)...
        case 4:
            shapes.pair = Shapes.Pair(
                first: [Shapes.Tag(rawValue: whole(Int16.self))],
                second: Shapes.Pair(first: date(), second: Shapes.Empty()))
        case 5: shapes.tree = [branch(3)]
        case 6:
            let count = below(3)
            shapes.quiet = Shapes.Quiet(count: count) { print(count) }
        case 7: shapes.chain = chain(below(40))
        case 8: shapes.bulk = Data(repeating: UInt8(below(3)), count: 20_000 + below(3))
        default:
            shapes.expression = expression(4)
            shapes.characters = characters()
        }
    }
}
