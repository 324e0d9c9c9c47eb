import StateStore
import TestSupport
import Testing

struct OneImportTests {
    private let folder = TemporaryFolder()

    @Test("'import StateStore' alone is enough for marks with a level, the places of commits and the words of errors")
    func oneImport() throws {
        let path = folder.path("run.jsonl")
        let seen = try OneImportExamples.run(path)
        #expect(seen.text.hasPrefix("DocumentationTests/OneImportExamples.swift:") && seen.text.hasSuffix(" run(_:)"))
        #expect(seen.number == 1)
        let marks = TemporaryFolder.lines(path).filter { $0.contains(#""kind":"mark""#) }
        #expect(marks.count == 2 && marks[0].contains(#""level":"info""#) && marks[1].contains(#""level":"error""#))
        #expect(OneImportExamples.problem(of: path)?.contains("run.jsonl") == true)
    }

    @Test("beside it, 'SourceLocation' is that of Swift Testing")
    func otherName() {
        func line(_ place: SourceLocation = #_sourceLocation) -> Int { place.line }
        #expect(line() == #line)
    }
}
