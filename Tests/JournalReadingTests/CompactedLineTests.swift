import JSONCore
import TestSupport
import Testing

@testable import JournalFormat
@testable import JournalReading

@Suite("A line without its white space")
struct CompactedLineTests {
    /// The copy of a line; nil where there is none.
    private func copy(_ line: [UInt8]) -> [UInt8]? {
        var compacted = CompactedLine()
        return OwnedRecord(text: line, path: "line").withLine { line in
            compacted.withCompacted(line) { Array($0.bytes) }
        }
    }

    @Test(
        "it says what the line says, also of a line in which something was changed",
        arguments: seeds(1..<17))
    func same(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var form = ForeignForm(seed: seed)
        var copies = 0
        for written in WrittenLines.commits(seed) {
            let line = form.line(written)
            var changed = [line]
            for _ in 0..<4 { changed.append(WrittenLines.change(line, &random)) }
            for _ in 0..<4 {
                // White space anywhere, between digits and inside of strings too.
                var spaced = line
                for _ in 0..<3 { spaced.insert(0x20, at: Int.random(in: 0...spaced.count, using: &random)) }
                changed.append(spaced)
            }
            for line in changed {
                guard let copy = copy(line) else { continue }
                copies += 1
                let (said, expected) = (try? JSONParser.parse(copy), try? JSONParser.parse(line))
                #expect(said == expected, "\(String(decoding: line, as: UTF8.self))")
            }
        }
        #expect(copies > 20)
    }

    @Test(
        "tokens that white space parts stay apart",
        arguments: [
            #"{"seq": 1, "kind": "mark", "x": 1 2}"#, #"{"seq": 1, "kind": "mark", "x": - 1}"#,
            #"{"seq": 1, "kind": "mark", "x": tr ue}"#, #"{"seq": 1, "kind": "mark", "x": 1. 5}"#,
        ])
    func parted(line: String) {
        #expect(copy(Array(line.utf8)) == nil)
    }

    @Test("what is written with blanks is then what our writer makes")
    func compact() {
        let line = #"{"seq": 7, "kind": "mark", "time": "2026-01-01T00:00:00Z", "text": "a b", "x": [1, {"y": null}]}"#
        let text = #"{"seq":7,"kind":"mark","time":"2026-01-01T00:00:00Z","text":"a b","x":[1,{"y":null}]}"#
        #expect(copy(Array(line.utf8)).map { String(decoding: $0, as: UTF8.self) } == text)
    }
}
