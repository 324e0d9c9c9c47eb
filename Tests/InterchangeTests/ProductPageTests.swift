import Foundation
import Interchange
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import Testing

/// The documentation pages of the libraries for tools: what they show is run here, and what they list is there.
@Suite("Pages of the libraries for tools")
struct ProductPageTests {
    private static let modules = ["Interchange", "JournalFormat", "JournalReading"]

    private static func page(_ module: String) throws -> String {
        let path = "Sources/\(module)/\(module).docc/\(module).md"
        return try String(contentsOf: SharedFolder.packageRoot.appendingPathComponent(path), encoding: .utf8)
    }

    @Test("a log becomes a journal, and its commits patches")
    func interchange() throws {
        let pieces: [[UInt8]] = [
            Array(#"{"ts":1700000000,"event":{"state":{"n":1}}}"#.utf8),
            Array("\n{\"ts\":1700000001,\"event\":{\"state\":{\"n\":2}}}\n".utf8),
        ]
        var lines: [UInt8] = []

        var mapping = LineMapping()
        mapping.state = LineMapping.Question("state", try Query(".event.state"))
        mapping.time = LineMapping.Question("time", try Query(".ts"))
        var work = JournalImport(JSONLinesReader(mapping), of: "trace.ndjson", time: .now(), skipsBad: true)
        for piece in pieces {
            try piece.withBytes { try work.read($0) }
            lines += work.takeLines()
        }
        try work.finish()
        lines += work.takeLines()

        let folder = TemporaryFolder()
        let path = folder.write(lines, to: "run.jsonl")
        let journal = try Journal.open(path, access: .random)
        let start = try journal.state(at: .zero).value
        let record = try journal.record(of: CommitNumber(1)).object()
        let commits = [
            ExportedCommit(record: record, seq: CommitNumber(1), state: try journal.state(at: CommitNumber(1)).value)
        ]

        var patches = PatchWriter(from: start, isWhole: true)
        for commit in commits { patches.add(commit) }
        patches.finish()
        let text = String(decoding: patches.take(), as: UTF8.self)

        #expect(text.hasSuffix("\n[{\"op\":\"replace\",\"path\":\"/state/n\",\"value\":2}]\n"), "\(text)")
    }

    @Test("a journal is written, and its state read again")
    func journalFormat() throws {
        let folder = TemporaryFolder()
        let path = folder.path("run.jsonl")

        let writer = try JournalWriter(path: path, header: JournalHeader(recorder: "example"))
        let here = SourceLocation(file: "App/main.swift", line: 12, column: 5, function: "main()")
        var lines = LineBuilder()
        Array(#"{"count":0}"#.utf8).withBytes {
            lines.store(seq: .zero, store: "app", type: "App", time: .now(), at: here, state: $0)
        }
        try writer.append(&lines)
        try writer.close()

        #expect(try Journal.open(path, access: .random).state(at: .zero).stores["app"]?.object?["count"] == 0)
    }

    @Test("a journal is read, and its last state")
    func journalReading() throws {
        let path = SharedFolder.packageRoot.appendingPathComponent("samples/checkout.jsonl").path
        var names: [String] = []

        let journal = try Journal.open(path, access: .random)
        var reader = journal.records()
        while let line = try reader.next() {
            guard line.kind == .commit else { continue }
            names.append(try line.object()["name"]?.string ?? "")
        }

        let last = try journal.lastCommit
        let state = try journal.state(at: last).value

        #expect(names.count == 412 && last == CommitNumber(412) && state.object?["cart"] != nil)
    }

    @Test("each piece of Swift on a page is one of these", arguments: modules)
    func code(module: String) throws {
        func lines(_ text: String) -> [Substring] {
            text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
        }
        let own = lines(try String(contentsOfFile: #filePath, encoding: .utf8))
        let blocks = try Self.page(module).components(separatedBy: "```swift\n").dropFirst()
        #expect(!blocks.isEmpty)
        for block in blocks {
            let wanted = lines(block.components(separatedBy: "```")[0])
            let isThere = own.indices.contains { own[$0...].prefix(wanted.count).elementsEqual(wanted) }
            #expect(isThere, "\(wanted.joined(separator: "\n"))")
        }
    }

    @Test("what a page lists, the library declares for everybody", arguments: modules)
    func symbols(module: String) throws {
        let sources = SharedFolder.packageRoot.appendingPathComponent("Sources/\(module)")
        let names = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
        let text = try names.filter { $0.hasSuffix(".swift") }.map {
            try String(contentsOf: sources.appendingPathComponent($0), encoding: .utf8)
        }.joined(separator: "\n")
        let listed = try Self.page(module).split(separator: "\n").filter { $0.hasPrefix("- ``") }
            .map { $0.dropFirst(4).dropLast(2) }
        #expect(!listed.isEmpty)
        for name in listed {
            let isDeclared = ["struct", "final class", "enum", "protocol"].contains { kind in
                [" ", ":", "<", " {"].contains { text.contains("\npublic \(kind) \(name)\($0)") }
            }
            #expect(isDeclared, "\(name)")
        }
    }
}
