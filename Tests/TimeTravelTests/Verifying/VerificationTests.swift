import Foundation
import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import Testing

@testable import TimeTravel

@Suite("Verifying a journal in place")
struct VerificationTests {
    private struct Verdict: Equatable {
        var summary: Verification.Summary?
        var problems: [VerificationProblem] = []

        /// What does not depend on how long the lines are.
        var facts: [String] {
            guard let summary else { return [] }
            return problems.map { "\($0.code) \($0.line?.rawValue ?? 0) \($0.message)" }
                + ["\(summary.commits) \(summary.records) \(summary.gaps) \(summary.linesWithRepeatedNames)"]
        }
    }

    /// A line whose store's name begins with an escape, which is read by decoding it; one that is not JSON as it is.
    private func escaped(_ line: [UInt8]) -> [UInt8] {
        guard (try? JSONParser.parse(line)) != nil, let name = line.firstRange(of: Array(#""store""#.utf8)) else {
            return line
        }
        let rest = line[name.upperBound...].drop { $0 <= 0x20 || $0 == UInt8(ascii: ":") }
        guard rest.first == UInt8(ascii: "\""), let letter = rest.dropFirst().first, letter &- 97 < 26 else {
            return line
        }
        return line[...rest.startIndex] + Array("\\u00\(String(letter, radix: 16))".utf8) + rest.dropFirst(2)
    }

    private func verdict(_ bytes: [UInt8], in folder: TemporaryFolder) throws -> Verdict {
        let path = folder.path + "/run.jsonl"
        try bytes.withUnsafeBytes { try Data($0).write(to: URL(filePath: path)) }
        guard let journal = try? Journal.open(path, access: .random) else { return Verdict() }
        var verdict = Verdict()
        verdict.summary = try Verification.run(journal) { verdict.problems.append($0) }
        return verdict
    }

    /// The lines without their sums, so that what is changed in one is not told by that already.
    private func lines(of journal: [UInt8], _ random: inout RandomJSON) -> [[UInt8]] {
        var form = ForeignForm(seed: UInt64(random.below(1_000)))
        let isForeign = random.chance(40)
        return journal.split(separator: 0x0A).map { line in
            guard case .object(var record)? = try? JSONParser.parse(Array(line)) else { return Array(line) }
            record.removeValue(forKey: "sum")
            let text = Array(JSONValue.object(record).text().utf8)
            return isForeign ? form.line(text) : text
        }
    }

    private func change(_ line: inout [UInt8], _ random: inout RandomJSON) {
        let place = random.below(line.count)
        switch random.below(5) {
        case 0: line[place] = Array(#"{}[]",:0123-. \"#.utf8)[random.below(15)]
        case 1: line.remove(at: place)
        default:
            // Another value stays JSON more often than not.
            let digits = line.indices.filter { line[$0] &- 48 < 10 }
            guard let digit = digits.isEmpty ? nil : digits[random.below(digits.count)] else { return }
            line[digit] = 48 + UInt8(random.below(10))
        }
    }

    @Test(
        "each line read in place, or decoded, has the same problems", arguments: seeds(0..<20), [false, true])
    func alike(seed: UInt64, foreign: Bool) throws {
        let maker = JournalMaker(seed: seed, foreign: foreign, commits: 40)
        var random = RandomJSON(seed: seed)
        let folder = TemporaryFolder()
        for round in 0..<4 {
            let written = maker.bytes.split(separator: 0x0A).map { Array($0) }
            var changed: [[UInt8]] = round == 0 ? written : lines(of: maker.bytes, &random)
            for _ in 0..<(round == 0 ? 0 : 1 + random.below(4)) {
                change(&changed[random.below(changed.count)], &random)
            }
            let inPlace = try verdict(changed.reduce(into: []) { $0 += $1 + [0x0A] }, in: folder)
            guard round > 0 else {
                #expect(inPlace.problems.isEmpty, "seed \(seed)")
                continue
            }
            let decoded = try verdict(changed.map(escaped).reduce(into: []) { $0 += $1 + [0x0A] }, in: folder)
            #expect(inPlace.facts == decoded.facts, "seed \(seed), round \(round)")
        }
    }

    @Test(
        "parts that are verified side by side come to what one pass does, or leave it to that",
        arguments: seeds(0..<16))
    func parts(seed: UInt64) throws {
        let maker = JournalMaker(seed: seed, foreign: seed % 4 == 3, commits: 250)
        var random = RandomJSON(seed: seed)
        let folder = TemporaryFolder()
        let path = folder.path + "/run.jsonl"
        for round in 0..<6 {
            var lines = maker.bytes.split(separator: 0x0A).map { Array($0) }
            if round > 0 {
                lines = self.lines(of: maker.bytes, &random)
                if round > 1 { change(&lines[random.below(lines.count)], &random) }
                if round > 4 { lines.swapAt(random.below(lines.count), random.below(lines.count)) }
            }
            let bytes: [UInt8] = lines.reduce(into: []) { $0 += $1 + [0x0A] }
            let one = try verdict(bytes, in: folder)
            guard let journal = try? Journal.open(path, access: .random) else { continue }
            let parts = VerificationParts(journal, about: 6 << 10, threads: 2)?.summary()
            #expect(one.summary != nil)
            if one.problems.isEmpty, one.summary?.linesWithRepeatedNames == 0, seed % 4 != 3 {
                #expect(parts == one.summary, "seed \(seed), round \(round)")
            } else {
                #expect(parts == nil || parts == one.summary && one.problems.isEmpty, "seed \(seed), round \(round)")
            }
        }
    }
}
