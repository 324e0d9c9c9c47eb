import Foundation
import JSONCore
import JournalFormat
import JournalReading
import StateStore
import TestSupport
import Testing
import TimeTravel

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
        let cursor = try RunCursor(RunStates(try Journal.open(path, access: .random)), at: CommitNumber(0))
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

/// A file as somebody wrote it, keystroke by keystroke: josephg/editing-traces, "sveltecomponent".
struct EditingTrace {
    static let file = "data/editing-trace-sveltecomponent.json.gz"
    static let isThere = SharedFolder.has(file) && ProgramRun.isThere("gzip", "--version")

    struct Edit {
        let position: Int
        let deleted: Int
        let inserted: String
    }

    let endContent: String
    let transactions: [[Edit]]

    /// Unpacks and reads it.
    static func read(in folder: TemporaryFolder) async throws -> EditingTrace {
        let path = SharedFolder.root.appendingPathComponent(file).path
        let run = try await ProgramRun.of("gzip", ["-dc", path], in: folder)
        let trace = try #require(try JSONParser.parse([UInt8](run.output)).objectValue)
        guard case .array(let transactions) = trace["txns"] else { throw CocoaError(.fileReadCorruptFile) }
        return EditingTrace(
            endContent: try #require(trace["endContent"]?.text), transactions: try transactions.map(edits))
    }

    private static func edits(_ transaction: JSONValue) throws -> [Edit] {
        guard case .array(let patches) = transaction.objectValue?["patches"] else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return try patches.map { patch in
            guard case .array(let parts) = patch, parts.count == 3 else { throw CocoaError(.fileReadCorruptFile) }
            return Edit(
                position: try #require(parts[0].integer), deleted: try #require(parts[1].integer),
                inserted: try #require(parts[2].text))
        }
    }
}

/// A text as its lines, and what an editor's status bar tells of it.
struct EditedText: Encodable, Equatable, Sendable {
    var lines = [""]
    /// How many braces are open at the end of the text.
    var openBraces = 0

    /// The whole text.
    var text: String { lines.joined(separator: "\n") }

    /// Replaces some characters; positions and lengths count the text's bytes, which are all ASCII in what is played here.
    mutating func replace(at position: Int, _ length: Int, with inserted: String) {
        let start = place(of: position)
        let end = place(of: position + length)
        let head = lines[start.line].utf8.prefix(start.column)
        let tail = lines[end.line].utf8.dropFirst(end.column)
        let old = lines[start.line...end.line].joined(separator: "\n")
        let new = String(decoding: head, as: UTF8.self) + inserted + String(decoding: tail, as: UTF8.self)
        openBraces += Self.openBraces(in: new) - Self.openBraces(in: old)
        lines.replaceSubrange(
            start.line...end.line, with: new.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }

    private func place(of position: Int) -> (line: Int, column: Int) {
        var left = position
        for (index, line) in lines.enumerated() {
            if left <= line.utf8.count { return (index, left) }
            left -= line.utf8.count + 1
        }
        return (lines.count - 1, lines[lines.count - 1].utf8.count)
    }

    private static func openBraces(in text: String) -> Int {
        text.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "{") ? 1 : $1 == UInt8(ascii: "}") ? -1 : 0) }
    }
}

/// An editor whose every edit is a commit.
final class Editor: Sendable {
    let store: Store<EditedText>

    init(recorder: Recorder?) { store = Store(EditedText(), name: "text", recorder: recorder) }

    func apply(_ edits: [EditingTrace.Edit]) {
        store.commit { text in
            for edit in edits { text.replace(at: edit.position, edit.deleted, with: edit.inserted) }
        }
    }
}
