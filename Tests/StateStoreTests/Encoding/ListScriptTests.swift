import JSONCore
import TestSupport
import Testing

@testable import StateEncoding

@Suite("Patches of long lists")
struct ListScriptTests {
    struct Entity: Encodable, Identifiable {
        var id: Int
        var flag = false
        var name = "a name"
    }

    /// The same without `Identifiable`: its member `id` tells.
    struct Row: Encodable {
        var id: Int
        var name = "a name"
    }

    private static func operations(_ patch: String) throws -> [String] {
        guard case .array(let operations) = try JSONParser.parse(patch) else { return [] }
        return operations.map { "\($0.member("op")?.string ?? "") \($0.member("path")?.string ?? "")" }
    }

    @Test(
        "a few moves among many elements are as many operations, on both sides of the search's limit",
        arguments: [2, 40])
    func moves(count: Int) throws {
        var list = (0..<1_000).map { Entity(id: $0) }
        let probe = try EncodingProbe(list)
        for number in 0..<count {
            let entity = list.remove(at: number * 19)
            list.insert(entity, at: 999 - number * 7)
        }
        let operations = try Self.operations(probe.advance(to: list))
        #expect(operations.count <= count && operations.allSatisfy { $0.hasPrefix("move") })
    }

    @Test("a block that moves past one element is one move")
    func block() throws {
        var list = (0..<500).map { Row(id: $0) }
        let probe = try EncodingProbe(list)
        list.append(list.remove(at: 10))
        #expect(try Self.operations(probe.advance(to: list)) == ["move /499"])
        list.insert(list.remove(at: 400), at: 0)
        #expect(try Self.operations(probe.advance(to: list)) == ["move /0"])
    }

    @Test("an element that moves and changes is a move and a change inside it")
    func moveAndChange() throws {
        var list = (0..<200).map { Entity(id: $0) }
        let probe = try EncodingProbe(list)
        var entity = list.remove(at: 20)
        entity.flag = true
        list.insert(entity, at: 150)
        #expect(try Self.operations(probe.advance(to: list)) == ["move /150", "replace /150/flag"])
    }

    @Test("lists that are reversed, sorted, thinned out and refilled", arguments: [0, 1, 2, 3] as [UInt64])
    func large(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var list = (0..<300).map { Entity(id: $0) }
        var rows = list.map { Row(id: $0.id) }
        var words = list.map { "word \($0.id % 50)" }
        let (entityProbe, rowProbe, wordProbe) = (
            try EncodingProbe(list), try EncodingProbe(rows), try EncodingProbe(words)
        )
        for step in 0..<8 {
            switch step {
            case 0: list.reverse()
            case 1: list.shuffle(using: &generator)
            case 2: list.removeAll { $0.id % 3 == 0 }
            case 3: for place in list.indices where place % 2 == 0 { list[place].flag.toggle() }
            case 4: list.insert(contentsOf: (1_000..<1_200).map { Entity(id: $0) }, at: list.count / 2)
            case 5: list.sort { $0.id * 7 % 101 < $1.id * 7 % 101 }
            case 6: list.append(contentsOf: list.prefix(3))  // now two have one identity
            default: list = list.map { Entity(id: $0.id, flag: $0.flag, name: String(Array($0.name))) }
            }
            rows = list.map { Row(id: $0.id, name: $0.name) }
            words = list.map { "word \($0.id % 50)" }
            try entityProbe.advance(to: list, "seed \(seed), step \(step)")
            try rowProbe.advance(to: rows, "seed \(seed), step \(step)")
            try wordProbe.advance(to: words, "seed \(seed), step \(step)")
        }
    }

    @Test("sets of which any share is replaced, few elements and many", arguments: UInt64(0)..<12)
    func replacedSets(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var set = Set((0..<400).map { _ in Int.random(in: 0..<2_000, using: &random) })
        let probe = try EncodingProbe(set)
        for step in 0..<12 {
            // From one element to all of them, beside as many that come.
            let share = [1, 2, 15, 16, 17, 18, 40, set.count / 2, set.count][Int.random(in: 0..<9, using: &random)]
            for element in set.sorted().shuffled(using: &random).prefix(share) { set.remove(element) }
            for _ in 0..<share { set.insert(Int.random(in: 0..<2_000, using: &random)) }
            try probe.advance(to: set, "seed \(seed), step \(step)")
        }
    }

    @Test("half of a set is replaced in a time that grows with the set, not with its square")
    func halfOfALargeSet() throws {
        func seconds(_ count: Int) throws -> Double {
            let old = Set(0..<count)
            let new = Set(0..<count / 2).union(count..<count + count / 2)
            var best = Double.infinity
            for _ in 0..<3 {
                let encoder = try StateEncoder(old, options: EncodingOptions())
                var bytes: [UInt8] = []
                best = min(best, try ProcessorTime.seconds { try encoder.advance(to: new, appendingPatchTo: &bytes) })
                #expect(!bytes.isEmpty)
            }
            return best
        }
        let (small, large) = (try seconds(8_000), try seconds(128_000))
        #expect(large < 50 * small, "\(small) and \(large)")
    }
}

@Suite("Members that are expected")
struct MemberNamesTests {
    enum Keys: String, CodingKey, CaseIterable { case id, a, b, c, d }

    /// Encodes some of its members, in an order of its own, and some twice.
    struct Varying: Encodable, Identifiable {
        var id: Int
        var order: [Int]
        var value = 0

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(id, forKey: .id)
            for place in order { try container.encode(value + place, forKey: Keys.allCases[place]) }
        }
    }

    /// Writes a nested container first and comes back to it last.
    struct Interleaved: Encodable, Identifiable {
        var id: Int
        var value = 0

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            var nested = container.nestedContainer(keyedBy: Keys.self, forKey: .a)
            try container.encode(id, forKey: .id)
            try nested.encode(value, forKey: .b)
            try id.encode(to: container.superEncoder(forKey: .d))
            try container.encode(value, forKey: .c)
        }
    }

    @Test(
        "values of one type with other members, in another order or twice, are as if encoded alone",
        arguments: [1, 2, 3] as [UInt64])
    func varying(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func random(_ id: Int) -> Varying {
            let order = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
                Int.random(in: 1...4, using: &generator)
            }
            return Varying(id: id, order: order, value: Int.random(in: 0...2, using: &generator))
        }
        var list = (0..<20).map { Varying(id: $0, order: [1, 2, 3]) }
        let probe = try EncodingProbe(list)
        for _ in 0..<100 {
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                let place = list.indices.randomElement(using: &generator) ?? 0
                list[place] = random(list[place].id)
            }
            try probe.advance(to: list, "seed \(seed)")
        }
    }

    @Test("containers that are filled later than others keep their places")
    func interleaved() throws {
        var table = Dictionary(uniqueKeysWithValues: (0..<10).map { ($0, Interleaved(id: $0)) })
        let probe = try EncodingProbe(table)
        for key in 0..<10 { table[key]?.value = key + 1 }
        let patch = try probe.advance(to: table)
        #expect(patch.contains(#""path":"/7/a/b","value":8,"old":0"#))
        #expect(patch.contains(#""path":"/7/c","value":8,"old":0"#))
    }

    @Test("an element that goes from one end of a list to the other is one step, or two where nothing identifies it")
    func rotation() throws {
        var numbers = Array(0..<1_000)
        let probe = try EncodingProbe(numbers)
        numbers.append(numbers.removeFirst())
        #expect(
            try probe.advance(to: numbers)
                == #"[{"op":"remove","path":"/0","old":0},{"op":"add","path":"/999","value":0}]"#)
        numbers.insert(numbers.removeLast(), at: 0)
        #expect(
            try probe.advance(to: numbers)
                == #"[{"op":"remove","path":"/999","old":0},{"op":"add","path":"/0","value":0}]"#)
    }

    @Test("texts are in the order of their bytes, whatever their beginnings have in common")
    func textOrder() {
        var generator = SeededGenerator(seed: 5)
        let pieces = ["", "a", "b", "ab", "\u{0}", "é", "e\u{301}", "12345678", "123456789", "~", "\u{FFFF}", "😀"]
        for _ in 0..<200 {
            let texts = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
                (0..<3).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            }
            let sorted = TextOrder.places(of: texts)
            let expected = texts.indices.sorted { left, right in
                if UTF8Order.equal(texts[left], texts[right]) { return left < right }
                return UTF8Order.isLess(texts[left], texts[right])
            }
            #expect(sorted == expected)
        }
    }
}
