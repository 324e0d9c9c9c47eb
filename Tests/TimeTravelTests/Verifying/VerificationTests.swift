import Foundation
import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import Testing

@testable import TimeTravel

@Suite("Verifying a journal in place")
struct VerificationTests {
    private let folder = TemporaryFolder()

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

    private func verdict(_ bytes: [UInt8]) throws -> Verdict {
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
        for round in 0..<4 {
            let written = maker.bytes.split(separator: 0x0A).map { Array($0) }
            var changed: [[UInt8]] = round == 0 ? written : lines(of: maker.bytes, &random)
            for _ in 0..<(round == 0 ? 0 : 1 + random.below(4)) {
                change(&changed[random.below(changed.count)], &random)
            }
            let inPlace = try verdict(changed.reduce(into: []) { $0 += $1 + [0x0A] })
            guard round > 0 else {
                #expect(inPlace.problems.isEmpty, "seed \(seed)")
                continue
            }
            let decoded = try verdict(changed.map(escaped).reduce(into: []) { $0 += $1 + [0x0A] })
            #expect(inPlace.facts == decoded.facts, "seed \(seed), round \(round)")
        }
    }

    @Test(
        "parts that are verified side by side come to what one pass does, or leave it to that",
        arguments: seeds(0..<16))
    func parts(seed: UInt64) throws {
        let maker = JournalMaker(seed: seed, foreign: seed % 4 == 3, commits: 250)
        var random = RandomJSON(seed: seed)
        let path = folder.path + "/run.jsonl"
        for round in 0..<6 {
            var lines = maker.bytes.split(separator: 0x0A).map { Array($0) }
            if round > 0 {
                lines = self.lines(of: maker.bytes, &random)
                if round > 1 { change(&lines[random.below(lines.count)], &random) }
                if round > 4 { lines.swapAt(random.below(lines.count), random.below(lines.count)) }
            }
            let bytes: [UInt8] = lines.reduce(into: []) { $0 += $1 + [0x0A] }
            let one = try verdict(bytes)
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

@Suite("Lines that contradict the lines before them")
struct ContradictionTests {
    private let folder = TemporaryFolder()

    /// The damage at which a pass over the whole run ends; nil where it comes to the end.
    private func damage(
        _ journal: Journal, reading set: PathSet = .everything, recover: Bool = false
    ) throws -> (line: ByteOffset, reason: JournalDamage.Reason)? {
        var options = Run.Options()
        options.recover = recover
        options.reading = set
        let run = try Run(journal, try journal.range(RangeText()), options: options)
        do throws(JournalError) {
            while try run.next() != nil {}
        } catch {
            guard case .damage(let damage) = error.fact else { throw error }
            return (damage.offset, damage.reason)
        }
        return nil
    }

    /// A run without sums, one of whose lines that claim a state was changed, or one that closes a store is gone.
    ///
    /// - Parameter kinds: those of the lines that may be changed.
    private func contradiction(
        _ seed: UInt64, foreign: Bool, kinds: [String] = ["commit", "keyframe", "close", "end"]
    ) throws -> Journal {
        let maker = JournalMaker(seed: seed, foreign: foreign, commits: 40, keyframeEvery: 9, gaps: seed % 3 == 0)
        var random = RandomJSON(seed: seed)
        var records = try maker.bytes.split(separator: 0x0A).map { line -> JSONObject in
            var record = try #require(try JSONParser.parse(Array(line)).object)
            record.removeValue(forKey: "sum")
            return record
        }
        let claims = records.indices.filter { records[$0]["kind"]?.string.map(kinds.contains) ?? false }
        let changed = try #require(claims.isEmpty ? nil : claims[random.below(claims.count)])
        switch records[changed]["kind"]?.string {
        case "keyframe":
            guard case .object(var states)? = records[changed]["states"], !states.isEmpty else { break }
            let name = states.keys[random.below(states.count)]
            if random.chance(30) { states.removeValue(forKey: name) } else { states[name] = random.value(depth: 2) }
            if random.chance(20) { states["more"] = .object(JSONObject()) }
            records[changed]["states"] = .object(states)
        case "commit":
            guard case .array(var patch)? = records[changed]["patch"], !patch.isEmpty else { break }
            let place = random.below(patch.count)
            guard case .object(var operation) = patch[place], operation["old"] != nil else { break }
            operation["old"] = random.value(depth: 1)
            patch[place] = .object(operation)
            records[changed]["patch"] = .array(patch)
        case "end":
            guard case .object(var totals)? = records[changed]["totals"], var open = totals["open"]?.array else {
                break
            }
            if random.chance(50), !open.isEmpty { open.removeLast() } else { open.append("more") }
            totals["open"] = .array(open)
            records[changed]["totals"] = .object(totals)
        default: records.remove(at: changed)
        }
        let text = records.map { JSONValue.object($0).text() + "\n" }.joined()
        return try Journal.open(folder.write(text, to: "run.jsonl"), access: .random)
    }

    @Test(
        "end a run over whole states at the line that 'verify' names first", arguments: seeds(0..<150), [false, true])
    func whole(seed: UInt64, foreign: Bool) throws {
        let journal = try contradiction(seed, foreign: foreign)
        let problems = try RunFixtures.verification(of: journal)
        // A pass counts nothing, but holds which stores are open.
        let first = problems.first {
            $0.code != .totals && $0.code != .record || $0.message.contains("other open stores")
        }
        let damage = try damage(journal)
        #expect(damage?.line == first?.byte, "seed \(seed)")
    }

    @Test(
        "end a run over a part of the states where that part is contradicted, and no other run",
        arguments: seeds(0..<150), [false, true])
    func part(seed: UInt64, foreign: Bool) throws {
        let journal = try contradiction(seed, foreign: foreign)
        let whole = try damage(journal)
        var random = RandomJSON(seed: seed)
        for name in ["cart", "user", "a b", "\u{E9}", "feed"] {
            var set = PathSet.nothing
            set.insert([.key(name), .key(random.key())])
            guard let part = try damage(journal, reading: set) else { continue }
            // A part that needs whole states takes them from a keyframe, whose contradiction it may have passed.
            let first = try #require(whole, "seed \(seed), \(name)")
            #expect(part.line >= first.line, "seed \(seed), \(name)")
        }
        guard let whole, case .old(_, let store, let path) = whole.reason else { return }
        var set = PathSet.nothing
        set.insert([.key(store)] + path.segments.map { .key($0) })
        #expect(try damage(journal, reading: set)?.line == whole.line, "seed \(seed)")
    }

    @Test("are gone around where reading may recover: a keyframe goes on with what it says itself")
    func recovers() throws {
        let lines = [
            Lines.store(#"{"t":0}"#), Lines.commit(1, Lines.replace("/t", 1)),
            #"{"seq":1,"kind":"keyframe","states":{"s":{"t":99}}}"#, Lines.commit(2, Lines.replace("/t", 100, old: 99)),
        ]
        let journal = try Journal.open(folder.write(Lines.journal(lines), to: "run.jsonl"), access: .random)
        #expect(try damage(journal)?.reason == .keyframe(commit: CommitNumber(1)))
        var options = Run.Options()
        options.recover = true
        options.reading = .everything
        let run = try Run(journal, try journal.range(RangeText()), options: options)
        var states: [Int: String] = [:]
        while let step = try run.next() {
            if step.isComplete { states[step.seq.rawValue] = run.state.text() }
        }
        #expect(states[1] == #"{"s":{"t":99}}"#)
        #expect(states[2] == #"{"s":{"t":100}}"#)
        #expect(run.damages.count == 1)
    }

    @Test(
        "end a run at the end of the run, whatever it reads, and cost no commit where it may recover",
        arguments: seeds(0..<60), [false, true])
    func ends(seed: UInt64, foreign: Bool) throws {
        let journal = try contradiction(seed, foreign: foreign, kinds: ["end"])
        let last = try journal.lastCommit
        for set in [PathSet.everything, .nothing] {
            #expect(try damage(journal, reading: set)?.reason == .end(commit: last), "seed \(seed)")
            var options = Run.Options()
            options.recover = true
            options.everyCommit = true
            options.reading = set
            let run = try Run(journal, try journal.range(RangeText()), options: options)
            while try run.next() != nil {}
            #expect(run.damages.count == 1 && run.lostEnd == nil && run.lastCommit == last, "seed \(seed)")
        }
        // Where something was jumped over nothing is counted, and a keyframe says which stores are open.
        #expect(try journal.lastState(upTo: last).position == last, "seed \(seed)")
        let problems = try RunFixtures.verification(of: journal)
        #expect(problems.contains { $0.message.contains("other open stores") }, "seed \(seed)")
    }

    @Test("of the end are found after damage as well, where a keyframe said which stores are open")
    func endAfterDamage() throws {
        let lines = [
            Lines.store(#"{"t":0}"#), #"{"seq":1,"kind":"#, Lines.commit(2, ""),
            #"{"seq":2,"kind":"keyframe","states":{"s":{"t":1}}}"#,
            #"{"seq":2,"kind":"end",\#(Lines.time),"totals":{"commits":{"s":2},"open":[],"derived":[],"marks":0,"gaps":0,"aborts":0}}"#,
        ]
        let journal = try Journal.open(folder.write(Lines.journal(lines), to: "run.jsonl"), access: .random)
        let problems = try RunFixtures.verification(of: journal)
        #expect(problems.contains { $0.line == LineNumber(6) }, "\(problems)")
    }

    @Test("are not copied into a slice", arguments: seeds(0..<60))
    func slices(seed: UInt64) throws {
        let journal = try contradiction(seed, foreign: false)
        let isContradicted = try damage(journal) != nil
        var slice = JournalSlice(journal, try journal.range(RangeText()))
        let isWritten = (try? RunFixtures.bytes { _ = try slice.write(to: $0) }) != nil
        #expect(isWritten == !isContradicted, "seed \(seed)")
    }
}
