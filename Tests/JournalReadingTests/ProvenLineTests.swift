import JSONCore
import JournalReading
import TestSupport
import Testing

@Suite("Lines that are proven to be in a form")
struct ProvenLineTests {
    private func members(_ text: [UInt8]) -> [String]? {
        OwnedRecord(text: text, path: "line").withLine { line in
            ProvenLine(compact: line).map { compact in
                compact.members.map { String(decoding: compact.bytes[$0.name], as: UTF8.self) }
            }
        }
    }

    private func isCompact(_ value: String) -> Bool {
        members(Array(#"{"seq":1,"kind":"mark","value":\#(value)}"#.utf8)) != nil
    }

    @Test(
        "any other form of a value is not compact",
        arguments: [
            "1 ", " 1", "[1, 2]", #"{"a" :1}"#, "\"\\/\"", "\"\\u0041\"", "\"\u{7F}\"", "\"\t\"", "01", "1.", ".5",
            "+1", "1e",
            "-", "tru", "truth", "nul", "\"open", "[1,]", "{\"a\":1,}", "{\"a\"}", "[1", "{\"a\":1", "NaN", "",
            #"{"a":1,"a":2}"#, #"{"b":1,"a":2,"b":3}"#, #"{"longname1":1,"longname2":2,"longname1":3}"#,
            #"{"":1,"":2}"#,
            #"[{"x":{"op":1,"path":2,"old":3,"op":4}}]"#, "1}{", #""a""b""#, "\"\\", "[\"\\\"]",
        ])
    func otherForms(value: String) {
        #expect(!isCompact(value))
    }

    @Test(
        "what our writer writes is compact",
        arguments: [
            "null", "true", "false", "0", "-0", "-12", "1.50", "1e400", "12345678901234567890123", "\"\"",
            "\"é\\n\\\"\\\\\"",
            "[]", "{}", "[[],{}]", #"{"b":1,"a":{"b":[1,2,{"b":null}]},"":0}"#,
            #"{"longname2":1,"longname1":2,"longname":3}"#,
        ])
    func ownForm(value: String) {
        #expect(isCompact(value))
    }

    @Test("bytes that are no UTF-8 are not compact")
    func malformed() {
        for bytes: [UInt8] in [[0xFF], [0xC3], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xC0, 0x80]] {
            #expect(members(Array(#"{"seq":1,"kind":"mark","a":""#.utf8) + bytes + Array("\"}".utf8)) == nil)
        }
    }

    @Test("large objects are compact where their names ascend, and names that come twice are found all the same")
    func manyNames() {
        func object(_ names: [Int]) -> String {
            "{" + names.map { #""name-of-\#($0 + 10_000)":{"b":{},"a":[]}"# }.joined(separator: ",") + "}"
        }
        #expect(isCompact(object(Array(0..<1000))))
        #expect(!isCompact(object(Array(0..<1000) + [999])))
        #expect(!isCompact(object(Array(0..<1000) + [5])))
        #expect(isCompact(object((0..<40).reversed())))
        #expect(!isCompact(object((0..<40).reversed() + [17])))
    }

    @Test("deep nesting is left to the parser")
    func deep() {
        #expect(isCompact(String(repeating: "[", count: 40) + String(repeating: "]", count: 40)))
        #expect(!isCompact(String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)))
        #expect(!isCompact(String(repeating: #"{"a":"#, count: 5000)))
    }

    @Test(
        "a compact text, whatever was done to it, is what its value is written as", arguments: seeds(0..<200))
    func writtenAlike(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        var record: JSONObject = ["seq": 7, "kind": "mark"]
        for name in ["value", "old", "more"] { record[name] = random.value() }
        let text = Array(JSONValue.object(record).text().utf8)
        #expect(members(text) == record.keys, "seed \(seed)")
        for _ in 0..<60 {
            var other = text
            for _ in 0...random.below(3) {
                let place = random.below(other.count)
                let byte = Array(#"{}[]",:0123-.eE\ ntabu/"#.utf8)[random.below(23)]
                switch random.below(4) {
                case 0: other.remove(at: place)
                case 1: other.insert(byte, at: place)
                case 2: other[place] = byte
                default: other.insert(contentsOf: other[place..<min(other.count, place + 9)], at: place)
                }
            }
            guard members(other) != nil else { continue }
            let value = try JSONParser.parse(other)
            #expect(Array(value.text().utf8) == other, "seed \(seed): \(String(decoding: other, as: UTF8.self))")
        }
    }

    // MARK: In any form

    /// How many strings of a text are names, by the colon after them.
    private func nameCount(_ text: [UInt8]) -> Int {
        var (count, place) = (0, 0)
        while place < text.count {
            defer { place += 1 }
            guard text[place] == 0x22 else { continue }
            place += 1
            while place < text.count, text[place] != 0x22 { place += text[place] == 0x5C ? 2 : 1 }
            let next = text[min(place + 1, text.count)...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
            if next == 0x3A { count += 1 }
        }
        return count
    }

    private func memberCount(_ value: JSONValue) -> Int {
        switch value {
        case .array(let elements): elements.reduce(0) { $0 + memberCount($1) }
        case .object(let members): members.reduce(members.count) { $0 + memberCount($1.value) }
        default: 0
        }
    }

    @Test(
        "a well-formed line, whatever was done to it, is one that the parser takes, each name in it once, and its members are its own",
        arguments: seeds(0..<40))
    func wellFormed(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        var form = ForeignForm(seed: seed)
        var proven = 0
        for _ in 0..<20 {
            var record: JSONObject = ["seq": 7, "kind": "mark"]
            for name in ["value", "old", "more"] { record[name] = random.value() }
            let written = Array(JSONValue.object(record).text().utf8)
            var text = random.chance(50) ? written : form.text(.object(record))
            for _ in 0..<random.below(3) {
                let place = random.below(text.count)
                let byte = Array(#"{}[]",:0123-.eE\ ntabu/"#.utf8)[random.below(23)]
                if random.chance(50) { text[place] = byte } else { text.insert(byte, at: place) }
            }
            try OwnedRecord(text: text, path: "line").withLine { line in
                guard let found = ProvenLine(wellFormed: line) else { return }
                proven += 1
                let value = try JSONParser.parse(text)
                #expect(nameCount(text) == memberCount(value), "seed \(seed): \(String(decoding: text, as: UTF8.self))")
                for member in found.members {
                    let name = String(decoding: found.bytes[member.name], as: UTF8.self)
                    let part = try JSONParser.parse(UnsafeRawBufferPointer(rebasing: found.bytes[member.value]))
                    #expect(value.object?[name] == part, "seed \(seed): \(name)")
                }
            }
        }
        #expect(proven > 0, "seed \(seed)")
    }
}
