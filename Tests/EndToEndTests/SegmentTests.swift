import Foundation
import JSONCore
import JournalFormat
import JournalReading
import StateStore
import TestSupport
import Testing
import TimeTravel

/// The command on one segment of a flight recorder's journal.
struct SegmentTests {
    private struct Counter: Encodable, Equatable {
        var count = 0
        var total = 0
    }

    private let folder = TemporaryFolder()

    /// Records 600 commits in segments, the total going bad at the last, and gives the segments' paths, the newest last.
    private func record() throws -> [String] {
        var options = Recorder.Options()
        options.app = "Counter"
        let recorder = try Recorder(folder.path("run.jsonl"), limit: 80_000, options: options)
        let store = Store(Counter(), name: "counter", recorder: recorder)
        let even = store.derived(\.count, named: "even") { $0.isMultiple(of: 2) }
        let subscription = even.subscribe { _ in }
        for count in 1...600 {
            store.commit { counter in
                counter.count = count
                counter.total = count < 600 ? count : -1
            }
        }
        recorder.close()
        subscription.cancel()
        let numbered = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasPrefix("run.") && $0 != "run.jsonl" }.sorted { $0.count < $1.count || $0 < $1 }
        return (numbered + ["run.jsonl"]).map { folder.path($0) }
    }

    @Test("state, log, info, verify and bisect answer from one segment alone, whose start is its 'after'")
    func commands() async throws {
        let segments = try record()
        #expect(segments.count >= 3)
        for segment in segments {
            let verify = try await ProgramRun.inspect("verify", segment, in: folder)
            #expect(verify.status == 0 && verify.text.hasPrefix(#"{"kind":"verified""#), "\(verify)")
            let log = try await ProgramRun.inspect("log", segment, in: folder)
            let first = try #require(try log.lines.first.map { try JSONParser.parse(Array($0.utf8)) })
            guard case .object(let commit) = first, case .number(let number)? = commit["seq"] else { continue }
            let after = (number.integerValue ?? 0) - 1
            let state = try await ProgramRun.inspect("state", segment, "--at", "start", in: folder)
            #expect(state.text == #"{"counter":{"count":\#(after),"total":\#(after)}}"# + "\n", "\(state)")
            let early = try await ProgramRun.inspect("state", segment, "--at", "\(max(after - 1, 0))", in: folder)
            #expect(early.status == (after == 0 ? 0 : 4), "\(early)")
        }
        let bisect = try await ProgramRun.inspect(
            "bisect", segments[segments.count - 1], "--bad", ".counter.total < 0", in: folder)
        #expect(bisect.status == 0 && bisect.text.contains(#""firstBad":{"seq":600,"#), "\(bisect)")
        let derived = try await ProgramRun.inspect("derived", segments[1], "--summary", in: folder)
        #expect(derived.status == 0 && derived.text.contains(#""name":"even""#), "\(derived)")
    }

    @Test("two names of one segment, which a kill may leave, are taken once, also of the first segment")
    func twins() async throws {
        let segments = try record()
        let folder = TemporaryFolder()
        let first = folder.write(TemporaryFolder.read(segments[0]), to: "run.jsonl")
        let twin = folder.path("run.1.jsonl")
        try FileManager.default.linkItem(atPath: first, toPath: twin)
        let alone = try await ProgramRun.inspect("merge", first, in: folder)
        let merged = try await ProgramRun.inspect("merge", twin, first, in: folder)
        #expect(alone.status == 0 && merged.status == 0 && merged.text == alone.text, "\(merged)")
        let check = try await ProgramRun.inspect(
            "check", folder.path, "--invariant", "small=.counter.total < 3", in: folder)
        #expect(check.status == 1 && check.lines.filter { $0.contains("violation") }.count == 1, "\(check)")
        let twice = try await ProgramRun.inspect("merge", first, first, in: folder)
        #expect(twice.status == 2 && twice.errors.contains("is given twice"), "\(twice)")
    }

    @Test("where the newest segment is missing or empty, the error names the one with the highest number")
    func missing() async throws {
        for name in ["run.2.jsonl", "run.12.jsonl", "run.x.jsonl", "run.13.jsonl.gz", "rum.jsonl"] {
            folder.write("{}\n", to: name)
        }
        for path in [folder.path("run.jsonl"), "run.jsonl"] {
            let missing = try await ProgramRun.inspect("state", path, in: folder)
            #expect(missing.status == 3 && missing.errors.contains("there is no file '\(path)'"), "\(missing)")
            let help = "help: '\(path.dropLast(6)).12.jsonl' is the newest segment of that journal\n"
            #expect(missing.errors.contains(help) && !missing.errors.contains("rum"), "\(missing)")
        }
        let empty = folder.write([], to: "run.jsonl")
        let run = try await ProgramRun.inspect("state", empty, in: folder)
        #expect(run.status == 3 && run.errors.contains("is empty") && run.errors.contains("run.12.jsonl'"), "\(run)")
        folder.write([], to: "other.jsonl")
        let other = try await ProgramRun.inspect("state", folder.path("other.jsonl"), in: folder)
        #expect(other.status == 3 && !other.errors.contains("help:"), "\(other)")
    }
}

/// A program that ends in the middle of its commits, in any way and at any time.
///
/// Two ends of each kind by default; 150 with `STATE_INSPECT_SEEDS=all`.
struct CrashTests {
    private static let rounds = CaseAmount.isAll ? 150 : 2

    /// What a number of ends came to.
    private struct Tally { var (ends, returned, lost, unwritten, torn) = (0, 0, 0, 0, 0) }

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

/// The recorders in other languages, and the kit that judges them.
struct RecorderKitTests {
    private static let folder = BuiltProducts.samples.appendingPathComponent("recorders")
    private static let hasPython = ProgramRun.isThere("python3", "--version")

    private static func judge(_ arguments: String..., kit: String? = nil, in folder: TemporaryFolder) async throws
        -> ProgramRun
    {
        try await ProgramRun.of(
            kit ?? Self.folder.appendingPathComponent("kit/judge").path, arguments, in: folder,
            environment: ["STATE_INSPECT": BuiltProducts.stateInspect])
    }

    /// Redux and Zustand close no stores, and Rust's library has no keyed hash.
    @Test(
        "a recorder passes every script of the kit",
        arguments: sampled([
            ("python", 68), ("typescript", 68), ("redux", 62), ("zustand", 62), ("go", 68), ("rust", 67),
        ]))
    func passes(_ language: String, _ scripts: Int) async throws {
        let run = try await Self.judge(language, in: TemporaryFolder())
        if run.status == 69 { try Test.cancel("\(run.errors)") }
        #expect(run.status == 0 && run.text.contains("\(scripts) of 68 passed, 0 failed"), "\(run)")
    }

    @Test(
        "a recorder is as short as it is said to be",
        arguments: zip(["recorder.py", "recorder.ts", "recorder.go", "recorder.rs"], [200, 200, 331, 309]))
    func lines(_ file: String, _ limit: Int) throws {
        let text = try String(contentsOf: Self.folder.appendingPathComponent(file), encoding: .utf8)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= limit)
    }

    /// A mistake, as an edit of the recorder, and the scripts that see it.
    struct Mistake: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let from: String
        let to: String
        let scripts: String
    }

    private static let mistakes = [
        Mistake(
            testDescription: "the old value is the new one", from: #""value": new, "old": old}"#,
            to: #""value": new, "old": new}"#, scripts: "02-one"),
        Mistake(
            testDescription: "a store that closes is not recorded", from: #"journal._write("close""#,
            to: #"(lambda *a, **b: None)("close""#, scripts: "45-close"),
        Mistake(testDescription: "a sum is wrong", from: "0x82F63B78", to: "0xEDB88320", scripts: "02-one"),
        Mistake(
            testDescription: "a key is not escaped", from: #"key.replace("~", "~0").replace("/", "~1")"#, to: "key",
            scripts: "25-escapes"),
        Mistake(
            testDescription: "a delivery is not a cause", from: "run(DELIVERED.set, number)",
            to: "run(DELIVERED.set, None)", scripts: "49-cause"),
        Mistake(
            testDescription: "the program's own objects are kept", from: "self.tree = number, self.version + 1, tree",
            to: "self.tree = number, self.version + 1, state", scripts: "43-in-place"),
        Mistake(
            testDescription: "a secret is recorded", from: "if secret(path):", to: "if False:", scripts: "55-redact"),
        Mistake(
            testDescription: "a line that does not fit is left torn", from: "os.ftruncate(self._file, self._size)",
            to: "pass", scripts: "66-full-disk"),
        Mistake(
            testDescription: "the place is the recorder's own", from: "!= __file__)", to: "!= '')",
            scripts: "08-places"),
        Mistake(
            testDescription: "NaN is written as it is", from: "abs(value) < 2**53 else named",
            to: "abs(value) < 2**53 else value", scripts: "36-not-finite"),
    ]

    @Test("the kit sees what a recorder does wrong", .enabled(if: hasPython), arguments: sampled(mistakes))
    func mistake(_ mistake: Mistake) async throws {
        let folder = TemporaryFolder()
        let copy = folder.path("recorders")
        try FileManager.default.copyItem(atPath: Self.folder.path, toPath: copy)
        let recorder = copy + "/recorder.py"
        let text = try String(contentsOfFile: recorder, encoding: .utf8)
        #expect(text.contains(mistake.from))
        try text.replacingOccurrences(of: mistake.from, with: mistake.to)
            .write(toFile: recorder, atomically: true, encoding: .utf8)
        let run = try await Self.judge(
            "python", "--only", mistake.scripts, kit: copy + "/kit/judge", in: folder)
        #expect(run.status == 1 && run.text.contains("FAILED"), "\(run)")
        let right = try await Self.judge("python", "--only", mistake.scripts, in: folder)
        #expect(right.status == 0, "\(right)")
    }
}
