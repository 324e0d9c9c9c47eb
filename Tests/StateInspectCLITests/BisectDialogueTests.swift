import Foundation
import TestSupport
import Testing

@testable import StateInspectCLI

@Suite("a bisection that asks a person")
struct BisectDialogueTests {
    private let journal = ShopJournal()

    private let folder = TemporaryFolder()

    /// Runs with these lines on standard input.
    private func run(_ lines: [String], _ arguments: String..., journal: ShopJournal) throws -> ProgramRun {
        let path = folder.write(lines.map { $0 + "\n" }.joined(), to: "input")
        let input = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        return ProgramRun(["bisect", journal.path, "--interactive"] + arguments, input: input.fileDescriptor)
    }

    @Test("answers typed line by line find the commit, as a program's would")
    func finds() throws {
        let run = try run(["good", "b", "what", "print", " g ", "bad", "g", "b"], journal: journal)
        #expect(run.status == 0 && run.output.contains(#""firstBad":{"seq":"#), "\(run)")
        #expect(run.messages.contains("answer 'good', 'bad' or 'skip'"), "\(run)")
        #expect(run.messages.contains("Shop/Cart.swift"), "\(run)")
    }

    @Test("a log keeps the verdicts, and a search that was ended goes on from it")
    func resumes() throws {
        let log = journal.path + ".log"
        let ended = try run(["good", "bad", "quit"], "--log", log, journal: journal)
        #expect(ended.status == 5 && ended.output.isEmpty, "\(ended)")
        #expect(ended.messages.contains("the first bad commit is one of 1 to 6"), "\(ended)")
        let resumed = try run(["bad", "good", "good"], "--resume", log, journal: journal)
        #expect(!resumed.messages.contains("the start, position 0"), "\(resumed)")
        #expect(resumed.status == 0 && resumed.output.contains(#""firstBad":{"seq":3,"#), "\(resumed)")
    }
}
