import Foundation
import JSONCore
import TestSupport
import Testing

/// The quick ways to members, beside the plain ones.
@Suite struct MemberLookupTests {
    /// Keys that stand in their words and keys that do not, prefixes of one another, with NUL and beyond ASCII.
    private static let keys = [
        "", "\0", "a", "a\0", "a\0b", "ab", "abcdefg", "abcdefgh", "abcdefgi", "abcdefghijklmno", "abcdefghijklmnop",
        "abcdefghijklmnopq", "é", "e\u{301}", "😀", "\u{7F}", "z",
    ]

    @Test("texts are ordered by their bytes, wherever they are held")
    func order() {
        for a in Self.keys {
            for b in Self.keys {
                // A text that was longer is held apart even where it would fit in its words.
                var apart = b + String(repeating: "x", count: 40)
                apart.removeLast(40)
                let expected = Array(a.utf8).lexicographicallyPrecedes(Array(b.utf8))
                for other in [b, apart] {
                    #expect(UTF8Order.isLess(a, other) == expected, "\(a.debugDescription) \(b.debugDescription)")
                    #expect(UTF8Order.equal(a, other) == (Array(a.utf8) == Array(b.utf8)))
                    #expect((UTF8Order.compare(a, other) == 0) == (Array(a.utf8) == Array(b.utf8)))
                }
            }
        }
    }

    @Test("a chain of members leads where the single steps lead, or says nothing", arguments: seeds(0..<20))
    func chains(_ seed: Int) {
        var random = RandomJSON(seed: UInt64(seed))
        for _ in 0..<50 {
            let value = random.state()
            for keys in [["a"], ["a", "b"], ["items"], ["user", "name"], ["none"], ["a", "b", "c"]] {
                guard let found = value.value(alongMembers: keys) else { continue }
                var expected: JSONValue? = value
                for key in keys { expected = expected?.member(key) }
                #expect(found == expected, "seed \(seed): \(keys) of \(value.text())")
            }
        }
    }

    @Test("a member is found in objects of every size, null where there is none, nil in what has no members")
    func members() {
        for count in [0, 1, 16, 17, 200] {
            for isAscending in [true, false] {
                let numbers = isAscending ? Array(100..<100 + count) : (100..<100 + count).reversed()
                let object = JSONObject(numbers.map { (key: "key \($0)", value: JSONValue.number(JSONNumber($0))) })
                for number in numbers {
                    #expect(JSONValue.object(object).member("key \(number)") == .number(JSONNumber(number)))
                }
                #expect(JSONValue.object(object).member("other") == .null)
                #expect(JSONValue.object(["o": .object(object)]).value(alongMembers: ["o", "other"]) == nil)
            }
        }
        #expect(JSONValue.null.member("a") == .null)
        #expect(JSONValue.array([]).member("a") == nil)
        #expect(JSONValue.string("a").member("a") == nil)
    }

    @Test("an object with holes is walked in its order")
    func holes() {
        var object = JSONObject((0..<40).reversed().map { (key: "k\($0)", value: JSONValue.number(JSONNumber($0))) })
        for index in stride(from: 0, to: 40, by: 3) { object.removeValue(forKey: "k\(index)") }
        let expected = (0..<40).reversed().filter { $0 % 3 != 0 }.map { "k\($0)" }
        #expect(object.map(\.key) == expected)
        var walked: [String] = []
        object.forEachMember { key, _ in walked.append(key) }
        #expect(walked == expected)
    }

    @Test("a text is written with its escapes at every place", arguments: 0..<20)
    func escapes(_ length: Int) throws {
        for special in ["\"", "\\", "\n", "\u{1}", "\u{7F}", "é", "😀", ""] {
            let text = String(repeating: "a", count: length) + special + String(repeating: "b", count: 19 - length)
            let written = JSONValue.string(text).text()
            #expect(try JSONParser.parse(written) == .string(text))
            #expect(written.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
        }
        for number in [0, 9, 10, -1, -10, Int.max, Int.min] {
            var bytes: [UInt8] = []
            JSONWriter.append(number, to: &bytes)
            #expect(String(decoding: bytes, as: UTF8.self) == String(number))
        }
    }
}
