import Foundation
import JSONCore
import JournalFormat
import JournalReading
import StateStore
import TestSupport
import TimeTravel
import Testing

/// A real history that nobody made up for this: a text of 673 lines, typed in 18,335 edits.
@Suite(.enabled(if: EditingTrace.isThere, "the editing trace or gzip is not there"))
struct EditingTraceTests {
    @Test("it is recorded, walked both ways and bisected")
    func history() async throws {
        let folder = TemporaryFolder()
        let trace = try await EditingTrace.read(in: folder)
        let path = folder.path("text.jsonl")
        let prints = try record(trace, to: path)
        try walk(path, against: prints)
        try await expectLastState(path, trace, in: folder)
        try await expectFlips(path, in: folder)
        try await expectSameFromLines(path, in: folder)
    }

    /// Plays it through a store; the fingerprint of the text at each position.
    private func record(_ trace: EditingTrace, to path: String) throws -> [Int] {
        let recorder = try Recorder(path)
        let editor = Editor(recorder: recorder)
        var prints = [fingerprint(editor.store.state.lines)]
        for edits in trace.transactions {
            editor.apply(edits)
            prints.append(fingerprint(editor.store.state.lines))
        }
        recorder.close()
        #expect(editor.store.state.text == trace.endContent)
        #expect(editor.store.version == trace.transactions.count)
        return prints
    }

    /// Every position forward, every position back.
    private func walk(_ path: String, against prints: [Int]) throws {
        let cursor = try RecordedCursor(RunStates(try Journal.open(path, access: .random)), at: CommitNumber(0))
        var position = 0
        repeat {
            #expect(cursor.state.position.rawValue == position && fingerprint(cursor.state) == prints[position])
            position += 1
        } while try cursor.step(.forward) != .atEnd
        #expect(position == prints.count)
        repeat {
            position -= 1
            #expect(cursor.state.position.rawValue == position && fingerprint(cursor.state) == prints[position])
        } while try cursor.step(.backward) != .atEnd
        #expect(position == 0)
    }

    private func expectLastState(_ path: String, _ trace: EditingTrace, in folder: TemporaryFolder) async throws {
        let query = #".text.lines | join("\n")"#
        let run = try await ProgramRun.inspect("state", path, "--select", query, "-r", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(run.text == trace.endContent + "\n")
    }

    /// "The braces are unbalanced" flips 316 times, and the text ends balanced.
    private func expectFlips(_ path: String, in folder: TemporaryFolder) async throws {
        let run = try await ProgramRun.inspect("bisect", path, "--bad", ".text.openBraces != 0", in: folder)
        let answer = try #require(try JSONParser.parse(run.text).objectValue, "\(run)")
        #expect(answer["flips"]?.integer == 316)
        #expect(answer["firstBad"]?.objectValue?["seq"]?.integer == 28)
        #expect(answer["badAtEnd"] == .bool(false) && answer["lastFlip"] == .null)
        let other = try await ProgramRun.inspect("bisect", path, "--good", ".text.openBraces != 0", in: folder)
        let opposite = try #require(try JSONParser.parse(other.text).objectValue, "\(other)")
        #expect(opposite["flips"]?.integer == 316)
        #expect(opposite["badAtStart"] == .bool(true) && opposite["badAtEnd"] == .bool(true))
        #expect(opposite["lastFlip"]?.objectValue?["seq"]?.integer == 18_256)
    }

    /// What the status bar tells is what the lines say, as far as an unoptimised build can count them soon.
    private func expectSameFromLines(_ path: String, in folder: TemporaryFolder) async throws {
        let count = #".text.lines | join("\n") | (split("{") | length) != (split("}") | length)"#
        let lines = try await ProgramRun.inspect("bisect", path, "--to", "1500", "--bad", count, in: folder)
        let bar = try await ProgramRun.inspect(
            "bisect", path, "--to", "1500", "--bad", ".text.openBraces != 0", in: folder)
        #expect(lines.status == 0 && bar.status == 0, "\(lines)\(bar)")
        #expect(lines.text.replacing(/"tested":\d+/, with: "") == bar.text.replacing(/"tested":\d+/, with: ""))
    }

    private func fingerprint(_ state: PositionState) -> Int {
        guard case .array(let lines) = state.stores["text"]?.objectValue?["lines"] else { return 0 }
        return fingerprint(lines.map { $0.text ?? "" })
    }

    private func fingerprint(_ lines: [String]) -> Int {
        var hasher = Hasher()
        for line in lines { hasher.combine(line) }
        return hasher.finalize()
    }
}
