import Foundation
import TestSupport
import Testing

/// The sample that checks a fleet of runs on Spark and in SQL.
///
/// It installs some hundred megabytes and starts Spark, so it runs where the environment's `STATE_INSPECT_FLEET` is set:
/// `1` leaves it out where Python, Java or the packages are missing, `required` fails there.
@Suite(
    .enabled("STATE_INSPECT_FLEET is not set") { FleetSetting.wish != nil },
    .enabled("run.sh says that Python, Java or their packages are missing") { await FleetSetting.isPossible })
struct FleetTests {
    @Test("Spark and SQL tell at which locations the runs broke, as one check over all of them does")
    func fleet() async throws {
        let work = try FleetFolder()
        let folder = TemporaryFolder()
        try work.damage("damaged.jsonl")
        let run = try await ProgramRun.of(
            FleetSetting.script, ["16"], in: folder,
            environment: [
                "STATE_INSPECT": BuiltProducts.stateInspect, "FLEET_VENV": FleetSetting.packages,
                "FLEET_FOLDER": work.path,
            ])
        #expect(run.status == 0, "\(run)")
        #expect(run.text.contains("17 journals"), "\(run)")
        #expect(run.text.contains("unreadable"), "\(run)")

        let spark = try work.records("locations.jsonl")
        let summary = try await checkSummary(work, folder)
        #expect(spark.count > 2, "\(run)")
        #expect(Set(spark.map(Self.row)) == Set(summary.map(Self.summaryRow)), "\(run)")

        let sql = try work.records("queries.jsonl")
            .filter { ($0["query"] as? String)?.hasPrefix("totalIsNotNegative") == true }
        let negative = spark.filter { $0["invariant"] as? String == "totalIsNotNegative" }
        #expect(!sql.isEmpty && Set(sql.map(Self.place)) == Set(negative.map(Self.place)), "\(run)")
        try await changes(work, folder)
    }

    /// The six questions to exported changes, in both engines, are answered as `stats` and `check` answer them.
    private func changes(_ work: FleetFolder, _ folder: TemporaryFolder) async throws {
        let answers = try work.records("changes-spark.jsonl")
        func rows(_ question: Int, _ members: String...) -> [String] {
            answers.filter { $0["question"] as? Int == question }
                .map { row in members.map { "\(row[$0] ?? "")" }.joined(separator: " ") }.sorted()
        }
        var counts: [String: [String: (count: Int, last: Int)]] = [:]
        var violations: (first: [String], lengths: [String]) = ([], [])
        for number in 1...16 {
            let name = "run-" + String("000\(number)".suffix(4))
            let journal = "\(work.path)/journals/\(name).jsonl"
            let stats = try await ProgramRun.inspect("stats", "--json", "-n", "1000", journal, in: folder)
            for line in stats.lines {
                let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
                guard let kind = row["kind"] as? String, let last = row["last"] as? Int else { continue }
                let subject = ["path", "function", "store", "file", "line"].compactMap { row[$0].map { "\($0)" } }
                let count = (row["changes"] ?? row["commits"]) as? Int ?? 0
                let old = counts[kind]?[subject.joined(separator: " ")] ?? (0, 0)
                counts[kind, default: [:]][subject.joined(separator: " ")] = (old.count + count, max(old.last, last))
            }
            let check = try await ProgramRun.inspect(
                "check", "--json", "--invariant", "totalIsNotNegative=.cart.total >= 0", journal, in: folder)
            let line = try #require(check.lines.first)
            let verdict = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            guard verdict["kind"] as? String == "violation" else { continue }
            violations.first.append("\(name) \((verdict["first"] as? [String: Any])?["seq"] ?? "")")
            violations.lengths.append("\(name) \(verdict["positions"] ?? "") \(verdict["stretches"] ?? "")")
        }
        func counted(_ kind: String) -> [String] {
            (counts[kind] ?? [:]).map { "\($0.key) \($0.value.count) \($0.value.last)" }.sorted()
        }
        #expect(rows(1, "path", "changes", "last") == counted("stats.path"))
        #expect(rows(2, "file", "line", "commits", "last") == counted("stats.location"))
        #expect(rows(3, "function", "commits", "last") == counted("stats.function"))
        #expect(rows(4, "store", "commits", "last") == counted("stats.store"))
        #expect(!violations.first.isEmpty && rows(5, "run", "first") == violations.first.sorted())
        #expect(rows(6, "run", "positions", "stretches") == violations.lengths.sorted())
    }

    /// The locations in the summary of one `check` over all journals.
    private func checkSummary(_ work: FleetFolder, _ folder: TemporaryFolder) async throws -> [[String: Any]] {
        let command = "exec \"$BUILT\" check --json --invariants \"$INVARIANTS\" journals/*.jsonl"
        let run = try await ProgramRun.of(
            "/bin/sh", ["-c", "cd \"$WORK\" && \(command)"], in: folder,
            environment: [
                "BUILT": BuiltProducts.stateInspect, "WORK": work.path,
                "INVARIANTS": BuiltProducts.sample("invariants.jq"),
            ])
        #expect(run.status == 3, "\(run)")
        let line = try #require(run.lines.last)
        let summary = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return try #require(summary?["locations"] as? [[String: Any]], "\(run)")
    }

    private static func row(_ record: [String: Any]) -> String {
        "\(place(record)) \(record["invariant"] ?? "") \(record["positions"] ?? "")"
    }

    private static func place(_ record: [String: Any]) -> String {
        "\(record["runs"] ?? "") at \(record["location"] ?? "") \(record["function"] ?? "")"
    }

    private static func summaryRow(_ location: [String: Any]) -> String {
        let at = location["at"] as? [String: Any] ?? [:]
        return row([
            "runs": location["journals"] ?? "", "location": "\(at["file"] ?? ""):\(at["line"] ?? "")",
            "function": at["function"] ?? "", "invariant": location["invariant"] ?? "",
            "positions": location["positions"] ?? "",
        ])
    }
}

/// Where the sample keeps its journals and answers: a folder with folders, gone with everything in it.
private final class FleetFolder {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("fleet-\(UUID().uuidString)").path

    init() throws {
        try FileManager.default.createDirectory(atPath: path + "/journals", withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Lays a journal among the others that cannot be read.
    func damage(_ name: String) throws {
        let sample = try Data(contentsOf: BuiltProducts.samples.appendingPathComponent("checkout-good.jsonl"))
        var lines = sample.split(separator: 10, omittingEmptySubsequences: false)
        lines[60] = Data(#"{"seq":"#.utf8)
        try Data(lines.joined(separator: [10])).write(to: URL(fileURLWithPath: "\(path)/journals/\(name)"))
    }

    /// The objects of a file of JSON Lines.
    func records(_ name: String) throws -> [[String: Any]] {
        try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")).split(separator: 10).compactMap {
            try JSONSerialization.jsonObject(with: $0) as? [String: Any]
        }
    }
}

/// What decides whether the sample is run.
private enum FleetSetting {
    /// What the environment wishes: nothing, to try, or `required`.
    static let wish = ProcessInfo.processInfo.environment["STATE_INSPECT_FLEET"]
    static let script = BuiltProducts.samples.appendingPathComponent("fleet/run.sh").path
    /// The folder of the installed packages: the environment's `FLEET_VENV`, else one beside the built programs, so that
    /// the next run of the tests finds them.
    static let packages =
        ProcessInfo.processInfo.environment["FLEET_VENV"]
        ?? BuiltProducts.folder.appendingPathComponent("fleet-packages").path

    /// Whether the packages can be installed; always, if it is required.
    static var isPossible: Bool {
        get async {
            guard wish != nil, wish != "required" else { return wish != nil }
            let run = try? await ProgramRun.of(
                script, ["--prepare"], in: TemporaryFolder(), environment: ["FLEET_VENV": packages])
            return run.map { $0.status != 69 } ?? false
        }
    }
}
