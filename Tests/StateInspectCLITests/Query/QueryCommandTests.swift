import Foundation
import JSONCore
import TestSupport
import Testing

@testable import CommandLine

@Suite("query")
struct QueryCommandTests {
    private func run(_ arguments: String..., on text: String) throws -> ProgramRun {
        let file = ShopJournal(text: text)
        return ProgramRun(["query"] + arguments + [file.path])
    }

    @Test("each text gives its outputs, one a line")
    func outputs() throws {
        let run = try run(".a, .b", on: #"{"a":1,"b":[2, 3]} {"a":"x"}"#)
        #expect(run.output == "1\n[2,3]\n\"x\"\nnull\n" && run.status == 0, "\(run)")
        #expect(try self.run("-r", ".a", on: #"{"a":"x\ty"}"#).output == "x\ty\n")
    }

    @Test("a run-time error is told, the next text is tried, and the status is 5")
    func failure() throws {
        let run = try run(".a", on: #"{"a":1} [] {"a":2}"#)
        #expect(run.output == "1\n2\n" && run.status == 5, "\(run)")
        #expect(run.messages.hasPrefix("state-inspect: error: Cannot index array with string"), "\(run)")
    }

    @Test("a text that is no JSON is status 3, with its place")
    func notJSON() throws {
        let run = try run(".", on: "1\n[2,\n")
        #expect(run.output == "1\n" && run.status == 3, "\(run)")
        #expect(run.messages.contains(":3 (byte 6)"), "\(run)")
    }

    @Test("'-e' makes a status of the last output", arguments: [("true", 0), ("null", 1), ("false", 1), ("empty", 4)])
    func exitStatus(_ query: String, _ status: Int32) throws {
        #expect(try run("-e", query, on: "1").status == status)
    }

    @Test("the footprint is the paths that a query can read")
    func footprint() {
        #expect(ProgramRun(["query", "--footprint", ".cart.items | length"]).output == "\"/cart/items\"\n")
        #expect(ProgramRun(["query", "--footprint", "-r", ".a.b, .c"]).output == "/a/b\n/c\n")
    }

    @Test("what a query makes of a number does not hang on how the journal wrote it")
    func numberTexts() throws {
        func answers(_ twelve: String) throws -> [String] {
            let journal = ShopJournal { lines in
                lines = lines.map { $0.replacingOccurrences(of: #""value":12,"#, with: "\"value\":\(twelve),") }
            }
            return [
                ["history", "J", ".cart.total | tostring"],
                ["replay", "J", "--select", "[.cart.total] | tojson", "--changed"],
                ["log", "J", "--where", #""\(.cart.total)" == "12""#],
                ["bisect", "J", "--bad", #"(.cart | @json) | test("\"total\":12")"#],
                ["derived", "J", "--define", "t=.cart.total | tostring", "--summary"],
                ["state", "J", "--at", "2", "--select", "{(.cart.total | tostring): 1}"],
            ].map { arguments in
                journal.run(arguments).output
                    .replacingOccurrences(of: "\"value\":\(twelve),", with: "\"value\":12,")
            }
        }
        let plain = try answers("12")
        #expect(plain.allSatisfy { !$0.isEmpty } && plain[0].contains(#""12""#))
        for spelling in ["1.2E1", "12.0", "120e-1"] { #expect(try answers(spelling) == plain, "\(spelling)") }
    }
}

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
                do throws(JSONTexts.TextFailure) {
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
        do throws(JSONTexts.TextFailure) {
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

    @Test("what has no end is refused before it fills the memory", arguments: ["[", "x", "{\"a\":"])
    func endless(_ part: String) {
        var texts = JSONTexts()
        texts.bytes = Array(String(repeating: part, count: 100_000).utf8)
        #expect(throws: JSONTexts.TextFailure.self) { try texts.next() }
    }

    @Test("zeros without end are let go of as they come, and what follows them is read")
    func zeros() throws {
        var texts = JSONTexts()
        for _ in 0..<10 {
            texts.bytes += [UInt8](repeating: 0, count: 100_000)
            #expect(try texts.next() == nil)
            texts.discardTaken()
            #expect(texts.bytes.isEmpty)
        }
        texts.bytes += Array("1".utf8)
        #expect(try texts.rest() == [1])
    }
}
