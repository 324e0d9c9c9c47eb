import JSONCore
import Testing

@testable import StateInspectCLI

@Suite("JSON texts one after another")
struct JSONTextsTests {
    private func texts(_ input: String) -> [String] {
        JSONTexts(Array(input.utf8)).map { text in
            switch text.result {
            case .success(let value): value.text()
            case .failure: "!\(text.range)"
            }
        }
    }

    @Test("texts need white space only where they would run together")
    func splitting() {
        #expect(
            texts(#"1 2{"a":[1,"}"]}[3]"x\"y"true"z" null"#) == [
                "1", "2", #"{"a":[1,"}"]}"#, "[3]", #""x\"y""#, "true", #""z""#, "null",
            ])
        #expect(texts(" \n\t ").isEmpty && texts("").isEmpty)
    }

    @Test("what is no JSON is a failure, and reading ends")
    func failures() {
        #expect(texts("[1,2") == ["!0..<4"])
        #expect(texts("\"abc") == ["!0..<4"])
        #expect(texts("\"abc\\") == ["!0..<5"])
        #expect(texts("nul 1") == ["!0..<3", "1"])
        #expect(texts("]") == ["!0..<1"])
    }
}
