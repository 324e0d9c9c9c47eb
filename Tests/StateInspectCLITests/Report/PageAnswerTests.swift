import CommandLine
import Foundation
import JSONCore
import JournalFormat
import JournalReading
import Platform
import TestSupport
import Testing

@testable import TimeTravel

@Suite("What the page says of a member")
struct PageAnswerTests {
    private static let node = ExecutableLookup(.ofProcess()).path(of: "node")

    /// A run as other programs write it, some of whose commits name a cause or one that they undo, and the positions that it has.
    private func run(_ seed: UInt64) -> (lines: [UInt8], positions: [Int]) {
        var random = SeededGenerator(seed: seed)
        let (bytes, states): ([UInt8], [Int: JSONValue])
        if seed.isMultiple(of: 2) {
            var maker = ForeignJournal(seed: seed)
            maker.run(commits: 40)
            (bytes, states) = (maker.bytes, maker.states)
        } else {
            let maker = JournalMaker(seed: seed, foreign: true, commits: 40)
            (bytes, states) = (maker.bytes, maker.states)
        }
        let lines = bytes.split(separator: 0x0A).flatMap { line -> [UInt8] in
            guard case .object(var record)? = try? JSONParser.parse(Array(line)) else { return Array(line) + [0x0A] }
            record.removeValue(forKey: "sum")
            if record["kind"] == "commit", let seq = record["seq"]?.number?.integerValue, seq > 1 {
                let earlier = JSONValue.number(JSONNumber(Int.random(in: 1..<seq, using: &random)))
                switch Int.random(in: 0..<4, using: &random) {
                case 0: record["cause"] = earlier
                case 1: record["undoes"] = earlier
                default: break
                }
            }
            return Array(JSONValue.object(record).text().utf8) + [0x0A]
        }
        return (lines, states.keys.sorted())
    }

    /// What the page's script answers, a line for each place.
    private func shown(_ asked: [StoodValue], of page: String, in folder: TemporaryFolder) throws -> [JSONValue] {
        let questions = asked.map { JSONValue.array([.number($0.position.rawValue), .string($0.path.text)]) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Self.node))
        process.arguments = [
            SharedFolder.packageRoot.appendingPathComponent("Tests/Browser/answers.js").path, page,
            folder.write(JSONValue.array(questions).text(), to: "questions.json"),
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return try text.split(separator: 0x0A).map { try JSONParser.parse(Array($0)) }
    }

    private func way(of stood: StoodValue, in journal: Journal) throws -> (hops: JSONValue, end: String) {
        let origin = try #require(try Origin(of: stood.path, at: stood.position, in: journal))
        let hops = origin.hops.map { hop in
            JSONValue.array([
                .string(hop.path.text), .number(hop.record.seq.rawValue), .string(hop.how.rawValue),
                .string(hop.basis.rawValue), .array(hop.candidates.map { .string($0.text) }),
            ])
        }
        let end =
            switch origin.end {
            case .complete: ""
            case .limit: "The value goes further back."
            case .lost: "It was written by a commit that was lost."
            case .unknown: "It was there when this page begins, at 0."
            case .damaged(let error): "\(error)"
            }
        return (.array(hops), end)
    }

    @Test(
        "its writers and the way of its value are those of the command", .enabled(if: node != nil, "there is no node"),
        arguments: seeds(0..<200))
    func answers(seed: UInt64) throws {
        let (lines, positions) = run(seed)
        let folder = TemporaryFolder()
        let path = folder.write(lines, to: "run.jsonl")
        let journal = try Journal.open(path, access: .random)
        var random = RandomJSON(seed: seed &* 31)
        let asked = try (0..<60).compactMap { _ -> StoodValue? in
            let position = CommitNumber(positions[random.below(positions.count)])
            let place = JSONPointer(random.path(in: try journal.state(at: position).value))
            return place.segments.isEmpty ? nil : StoodValue(path: place, position: position)
        }
        let page = folder.path + "/page.html"
        try #require(ProgramRun(["report", path, "-o", page]).status == 0)
        let answers = try shown(asked, of: page, in: folder)
        #expect(answers.count == asked.count, "seed \(seed)")
        for (stood, answer) in zip(asked, answers) {
            let name = "seed \(seed): '\(stood.path.text)' at \(stood.position)"
            var place = stood
            for writer in answer.object?["writers"]?.array ?? [] {
                let parts = writer.array ?? []
                let record = try ValueWrite(last: place, in: journal).record
                #expect(parts[0].string == record.map { "\($0.kind.name)" }, "\(name), before \(place.position)")
                #expect(parts[1].number?.integerValue == record?.seq.rawValue, "\(name), before \(place.position)")
                // What else has a record's number may be before it, and is not at the position before.
                guard let record, record.kind == .commit, let before = parts[2].string else { break }
                place = StoodValue(path: try JSONPointer(parsing: before), position: record.seq.previous)
            }
            if stood.path.value(in: try journal.state(at: stood.position).value)?.isScalar == true {
                let (hops, end) = try way(of: stood, in: journal)
                #expect(answer.object?["hops"] == hops, "\(name)")
                #expect(answer.object?["end"]?.string == end, "\(name)")
            }
        }
    }
}
