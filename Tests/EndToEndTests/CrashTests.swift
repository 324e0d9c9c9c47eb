import Foundation
import JournalFormat
import JournalReading
import TestSupport
import Testing
import TimeTravel

/// A program that ends in the middle of its commits, in any way and at any time.
///
/// Two ends of each kind by default; 150 with `STATE_INSPECT_SEEDS=all`.
struct CrashTests {
    private static let rounds = SeedAmount.isAll ? 150 : 2

    /// What a number of ends came to.
    private struct Tally {
        var (ends, returned, lost, unwritten, torn) = (0, 0, 0, 0, 0)
    }

    @Test(
        "what returned is in the journal, and the journal is whole up to a torn last line",
        arguments: ["kill", "trap", "abort", "exit"], ["synchronous", "background"])
    func ends(_ end: String, _ durability: String) async throws {
        for limit in ["none", "40000"] {
            var tally = Tally()
            for round in 0..<Self.rounds {
                // One half ends at once, in the middle of making the journal.
                let delay = Int.random(in: round % 2 == 0 ? 0...8_000 : 8_000...40_000)
                let folder = TemporaryFolder()
                let path = folder.path("run.jsonl")
                let run = try await ProgramRun.of(
                    BuiltProducts.crashing, [path, end, durability, limit, String(delay)], in: folder,
                    environment: ["SWIFT_BACKTRACE": "enable=no"])
                #expect(run.signal != nil || end == "exit" && run.status == 0, "\(run.testDescription)")
                try count(folder, "\(end), \(durability), limit \(limit), after \(delay) µs", &tally)
            }
            // A crash may lose what a background queue held; a normal exit writes it.
            #expect(tally.lost == 0 || durability == "background" && end != "exit")
            guard Self.rounds > 2 else { continue }
            print(
                "\(end), \(durability), limit \(limit): \(tally.ends) ends, \(tally.returned) commits that returned, "
                    + "\(tally.lost) of them not in the journal, \(tally.torn) torn last lines")
        }
    }

    private func count(_ folder: TemporaryFolder, _ what: String, _ tally: inout Tally) throws {
        tally.ends += 1
        let returned = noted(folder.path("run.jsonl.noted"))
        tally.returned += returned
        // A kill may leave a segment that is being made under a name that does not end so, and under its number before it
        // is exchanged with the newest; then it has no commits.
        let names = folder.names.filter { $0.hasSuffix(".jsonl") }
        var journals: [Journal] = []
        for name in names {
            do { journals.append(try Journal.open(folder.path(name), access: .random)) } catch {
                // Made, and nothing written yet: no store is open before the first line is there.
                #expect(names == ["run.jsonl"] && TemporaryFolder.read(folder.path(name)).isEmpty, "\(what): \(error)")
            }
        }
        #expect(returned == 0 || journals.contains { $0.path == folder.path("run.jsonl") }, "\(what): \(names)")
        var last = 0
        for (index, journal) in journals.sorted(by: { $0.start < $1.start }).enumerated() {
            var problems: [VerificationProblem] = []
            _ = try Verification.run(journal) { problems.append($0) }
            if try journal.tail().torn != nil { tally.torn += 1 }
            #expect(problems.allSatisfy { $0.code == .torn }, "\(what): \(journal.path): \(problems)")
            if index > 0 { #expect(journal.start.rawValue == last, "\(what): commits between segments") }
            last = try journal.lastCommit.rawValue
        }
        let lost = max(0, returned - last)
        tally.lost += lost
        // So many wait to be encoded, as many again are, and the writer's queue has its own.
        #expect(lost <= 2_200, "\(what): \(lost) of \(returned) commits lost")
    }

    /// The highest number that a commit returned with.
    private func noted(_ path: String) -> Int {
        let bytes = TemporaryFolder.read(path)
        guard bytes.count == 16 else { return 0 }
        return bytes.withUnsafeBytes {
            max($0.loadUnaligned(as: Int.self), $0.loadUnaligned(fromByteOffset: 8, as: Int.self))
        }
    }
}
