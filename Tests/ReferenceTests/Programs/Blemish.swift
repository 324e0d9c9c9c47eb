import TestSupport

/// A small change of a journal's bytes: what a reader may meet in a file of another writer, or of a disk that failed.
struct Blemish {
    enum Kind: CaseIterable {
        case flippedBit, replacedByte, insertedByte, deletedByte
        case cutEnd, cutBeginning, removedLine, doubledLine, swappedLines, emptyLine, proseLine, carriageReturns
        case spelling
    }

    let kind: Kind
    /// Where it is: the byte, the line or the occurrence, counted round and round.
    let place: Int
    let choice: Int

    init(_ random: inout SeededGenerator) {
        // Half of all changes keep to the grammar, or nearly so: others rarely come further than the parser.
        let isSpelling = Bool.random(using: &random)
        kind = isSpelling ? .spelling : Kind.allCases.randomElement(using: &random) ?? .spelling
        place = Int.random(in: 0..<1_000_000, using: &random)
        choice = Int.random(in: 0..<1_000_000, using: &random)
    }

    /// The bytes with the change.
    func applied(to text: [UInt8]) -> [UInt8] {
        guard !text.isEmpty else { return text }
        var text = text
        let byte = place % text.count
        let other = Self.bytes[choice % Self.bytes.count]
        switch kind {
        case .flippedBit: text[byte] ^= 1 << UInt8(choice % 8)
        case .replacedByte: text[byte] = other
        case .insertedByte: text.insert(other, at: byte)
        case .deletedByte: text.remove(at: byte)
        case .cutEnd: text.removeSubrange(byte...)
        case .spelling: return respelled(text)
        default: return changingLines(of: text)
        }
        return text
    }

    private func changingLines(of text: [UInt8]) -> [UInt8] {
        var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        let line = place % lines.count
        switch kind {
        case .cutBeginning: lines.removeSubrange(..<(line / 2))
        case .removedLine: lines.remove(at: line)
        case .doubledLine: lines.insert(lines[line], at: line)
        case .swappedLines: lines.swapAt(line, choice % lines.count)
        case .emptyLine: lines.insert(choice % 2 == 0 ? [] : [0x20], at: line)
        case .proseLine: lines.insert(Array("what is this".utf8), at: line)
        default:
            for index in lines.indices where choice % 2 == 0 || index == line { lines[index].append(0x0D) }
        }
        return Array(lines.joined(separator: [0x0A]))
    }

    /// The text with one occurrence of a word written in another way.
    private func respelled(_ text: [UInt8]) -> [UInt8] {
        let (word, other) = Self.spellings[choice % Self.spellings.count]
        let (old, new) = (Array(word.utf8), Array(other.utf8))
        let starts = text.indices.filter { text[$0] == old[0] && text[$0...].starts(with: old) }
        guard !starts.isEmpty else { return text }
        let start = starts[place % starts.count]
        return Array(text[..<start]) + new + Array(text[(start + old.count)...])
    }

    /// Bytes that mean something to a parser, or that none may let pass.
    private static let bytes = Array("\"\\{}[],:0-+.eE tfn/u~*\n\r\t".utf8) + [0, 0x0B, 0x7F, 0x80, 0xC0, 0xED, 0xFF]

    private static func nested(_ depth: Int) -> String {
        ":" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    private static let spellings: [(String, String)] =
        escapes + doubles + renamings + operations + numbers + strings + punctuation

    /// Words that a reader compares, written with escapes.
    private static let escapes = [
        (#""kind""#, #""\u006bind""#), (#""kind""#, #""k\u0069nd""#), (#""seq""#, #""s\u0065q""#),
        (#""commit""#, #""c\u006Fmmit""#), (#""store""#, #""stor\u0065""#), (#""patch""#, #""p\u0061tch""#),
        (#""op""#, #""\u006Fp""#), (#""path""#, #""\u0070ath""#), (#""from""#, #""\u0066rom""#),
        (#""value""#, #""valu\u0065""#), (#""replace""#, #""r\u0065place""#), (#""add""#, #""\u0061dd""#),
        (#""states""#, #""\u0073tates""#), (#""state""#, #""stat\u0065""#), (#""path":"/"#, #""path":"\/"#),
        (#""path":"/"#, #""path":"\u002f"#), (#""keyframe""#, #""keyfr\u0061me""#), (#""time":"2"#, #""time":"\u0032"#),
        (#""totals""#, #""tot\u0061ls""#), (#""at""#, #""\u0061t""#), (#""cause""#, #""c\u0061use""#),
    ]

    /// Members that there are twice.
    private static let doubles = [
        (#"{"op""#, #"{"op":"add","op""#), (#""path":"#, #""path":"/a","path":"#),
        (#""value":"#, #""value":7,"value":"#),
        (#""from":"#, #""from":"/a","from":"#), (#""patch":"#, #""patch":[],"patch":"#),
        (#""seq":"#, #""seq":1,"seq":"#),
        (#""kind":"#, #""kind":"mark","kind":"#), (#""state":"#, #""state":null,"state":"#),
        (#""states":"#, #""states":{},"states":"#), (#""store":"#, #""store":"cart","store":"#),
        (#""time":"#, #""time":1,"time":"#), (#""totals":"#, #""totals":{},"totals":"#), (#"{""#, #"{"a":1,"a":[2],""#),
        (#"{"seq""#, #"{"patch":3,"seq""#), (#"{"seq""#, #"{"state":3,"seq""#),
        (#"{"seq""#, #"{"sum":"00000000","seq""#),
    ]

    /// Members that are missing, or of another kind.
    private static let renamings = [
        (#""op":"#, #""po":"#), (#""path":"#, #""paht":"#), (#""value":"#, #""valve":"#), (#""from":"#, #""form":"#),
        (#""seq":"#, #""sec":"#), (#""kind":"#, #""kin":"#), (#""store":"#, #""shop":"#), (#""state":"#, #""estate":"#),
        (#""states":"#, #""estates":"#), (#""totals":"#, #""total":"#), (#""patch":"#, #""path":"#),
        (#""time":"#, #""tim":"#), (#""at":"#, #""it":"#), (#""store":""#, #""store":null,"x":""#),
        (#""states":{"#, #""states":[],"x":{"#), (#""totals":{"#, #""totals":7,"x":{"#), (#""at":{"#, #""at":5,"x":{"#),
        (#""version":1"#, #""version":2"#), (#""version":1"#, #""version":"1""#), (#""time":"2026"#, #""time":"202x"#),
        (#""time":"2026"#, #""time":"9999"#), (#""commits":{"#, #""commits":{"cart":-1,"#),
        (#""open":["#, #""open":[7,"#),
        (#""kind":"commit""#, #""kind":"commits""#), (#""kind":"store""#, #""kind":"Store""#),
        (#""kind":"keyframe""#, #""kind":7"#), (#""lost":"#, #""lost":-"#), (#""first":"#, #""first":1"#),
        (#""cause":"#, #""cause":9"#), (#""sum":""#, #""sum":"0"#), (#""sum":""#, #""sum":7,"x":""#),
        (#""after":"#, #""after":1"#), (#""inputs":["#, #""inputs":[0,"#), (#""name":""#, #""name":0,"x":""#),
        (#""action":{"#, #""action":[],"x":{"#), (#""type":""#, #""type":{},"x":""#), (#""line":"#, #""line":1."#),
    ]

    /// Patches that do not hold, or hold in another way.
    private static let operations = [
        (#""path":"/"#, #""path":""#), (#""path":""#, #""path":"/"#), (#""path":""#, #""path":"/~2"#),
        (#""path":"/"#, #""path":"/~"#), (#""path":""#, #""path":7,"x":""#), (#""from":""#, #""from":"/"#),
        (#""patch":["#, #""patch":[null,"#), (#""patch":["#, #""patch":[[],"#), (#""patch":["#, #""patch":{},"x":["#),
        (#""patch":[{"#, #""patch":[{"op":"test","path":"","value":0},{"#),
        (#""patch":[{"#, #""patch":[{"value":{},"path":"","op":"replace"},{"#),
        (#""patch":[{"#, #""patch":[{"op":"copy","from":"","path":"/a"},{"#),
        (#""op":""#, #""op":"x"#), (#""op":"add""#, #""op":"replace""#), (#""op":"replace""#, #""op":"add""#),
        (#""op":"replace""#, #""op":"remove""#), (#""op":"add""#, #""op":"test""#), (#""op":"copy""#, #""op":"move""#),
        (#""op":"add""#, #""op":7"#), (#""op":"#, #""more":[{"op":"add"}],"op":"#), (#"/0"#, "/00"), (#"/0"#, "/-"),
        ("/1", "/18446744073709551616"), ("/1", "/1e0"),
    ]

    private static let numbers = [
        (":1", ":01"), (":1", ":1.0"), (":1", ":1e0"), (":1", ":-1"), (":1", ":+1"), (":1", ":1."), (":1", ":.1"),
        (":1", ":1E"), (":1", ":1e400"), (":1", ":1e-400"), (":1", ":18446744073709551616"),
        (":1", ":9223372036854775807"),
        (":2", #":"2""#), (":0", ":-0"), (":0", ":0x0"), (":3", ":NaN"), (":2", ":nul"), (":2", ":nullx"),
        (":2", ":True"),
        (":4", ":0.1e1"), (":5", ":50e-1"), ("null", "nul"), ("true", "truefalse"), ("false", "fals"),
        (":1", nested(600)), (":1", nested(520)), (":1", nested(400)), (":2", nested(5_000)), ("[", "[[[[[[[[["),
    ]

    private static let strings = [
        (#""a""#, #""\ud800""#), (#""a""#, #""\ud83d\ude00""#), (#""a""#, #""\udc00\ud800""#), (#""a""#, #""\u00zz""#),
        (#""a""#, #""\x""#), (#""b""#, #""\u0000""#), (#""b""#, "\"\t\""), (#""b""#, "\"\u{301}b\""), (#""a""#, #""a"#),
        (#""b""#, #"b""#), (#""a""#, #""\u00e9""#), (#""a""#, #""\\""#), (#""a""#, #""\""#),
        (#""b""#, #""\/\b\f\n\r\t""#), ("\u{E9}", "e\u{301}"), ("\u{E9}", #"\u00E9"#), ("e\u{301}", "\u{E9}"),
    ]

    private static let punctuation = [
        (",\"", "\""), (",\"", ",,\""), ("\":", "\""), ("\":", "\"::"), ("}", "},"), ("}", ",}"), ("]", ",]"),
        ("]", "}"),
        ("}", "]"), ("{", "{ "), ("{", " {"), (",", " , "), (":", "\t:\r"), ("}", " }"), ("]", " ]"), ("{", "{\u{B}"),
        ("{", "/**/{"), ("[", "[\u{FEFF}"), (#"{"seq""#, "\u{FEFF}{\"seq\""), (#"{"seq""#, #" {"seq""#),
        (#"{"seq""#, #"[{"seq""#), ("}\n", "}}\n"), ("}\n", "} \n"), ("}\n", "}x\n"), ("}\n", "\n"), ("}\n", "}{}\n"),
        ("}\n", "}"), ("},{", "}{"), ("},{", "},,{"),
    ]
}
