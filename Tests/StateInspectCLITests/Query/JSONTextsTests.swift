import JSONCore
import TestSupport
import Testing

@testable import StateInspectCLI

@Suite("JSON texts one after another")
struct JSONTextsTests {
    /// The texts of an input that comes in pieces; a failure by the place at which its text begins.
    private func texts(_ input: String, inPiecesOf size: Int = .max) -> [String] {
        var texts = JSONTexts()
        var rest = Array(input.utf8)[...]
        var found: [String] = []
        repeat {
            texts.discardTaken()
            texts.bytes += rest.prefix(size)
            rest = rest.dropFirst(size)
            if rest.isEmpty { texts.finish() }
            while true {
                do throws(JSONTexts.Failure) {
                    guard let value = try texts.next() else { break }
                    found.append(value.text())
                } catch {
                    found.append("!\(texts.start)")
                }
            }
        } while !rest.isEmpty
        return found
    }

    private static let mixed = #"1 2{"a":[1,"}"]}[3]"x\"y"true"z\\" null -1.5e3 {"b":{}} [] "é" 12"#

    @Test("texts need white space only where they would run together, in whatever pieces they come", arguments: 1...40)
    func splitting(size: Int) {
        #expect(
            texts(Self.mixed, inPiecesOf: size) == [
                "1", "2", #"{"a":[1,"}"]}"#, "[3]", #""x\"y""#, "true", #""z\\""#, "null", "-1.5e3", #"{"b":{}}"#, "[]",
                #""é""#, "12",
            ])
        #expect(texts(" \n\t ", inPiecesOf: size).isEmpty && texts("", inPiecesOf: size).isEmpty)
    }

    @Test("what is no JSON is a failure with its place", arguments: [1, 2, 100])
    func failures(size: Int) {
        #expect(texts("[1,2", inPiecesOf: size) == ["!0"])
        #expect(texts("\"abc", inPiecesOf: size) == ["!0"])
        #expect(texts("\"abc\\", inPiecesOf: size) == ["!0"])
        #expect(texts("1 nul 1", inPiecesOf: size) == ["1", "!2", "1"])
        #expect(texts("]", inPiecesOf: size) == ["!0"])
    }

    @Test("a line and a byte name the place, also behind what is held no more")
    func places() {
        var texts = JSONTexts()
        texts.bytes = Array("1\n2\n".utf8)
        while (try? texts.next()) != nil {}
        texts.discardTaken()
        texts.bytes += Array("\n [x]".utf8)
        texts.finish()
        do throws(JSONTexts.Failure) {
            _ = try texts.next()
            Issue.record("no failure")
        } catch {
            if case .syntax(_, let line, let byte) = error {
                #expect(line == 4 && byte == 7)
            } else {
                Issue.record("\(error)")
            }
        }
    }

    @Test("what has no end is refused before it fills the memory", arguments: ["[", "x", "\u{0}", "{\"a\":"])
    func endless(_ part: String) {
        var texts = JSONTexts()
        texts.bytes = Array(String(repeating: part, count: 100_000).utf8)
        #expect(throws: JSONTexts.Failure.self) { try texts.next() }
    }
}
