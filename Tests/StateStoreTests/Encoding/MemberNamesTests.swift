import JSONCore
import TestSupport
import Testing

@testable import StateEncoding

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
