import Foundation
import JSONCore
import JournalFormat
import StateStore
import TestSupport
import Testing

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
        let even = store.derived("even", \.count) { $0.isMultiple(of: 2) }
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
}
