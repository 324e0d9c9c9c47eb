import Foundation
import JSONCore
import TestSupport
import Testing

/// The three ways to ask `bisect`: each names the same commit.
struct BisectFormsTests {
    private static let forms: [[String]] = [
        ["--bad", ".cart.total < 0"],
        ["--good", ".cart.total >= 0"],
        ["--store", "cart", "--bad", ".total < 0"],
        ["--monotone", "--bad", ".cart.total < 0"],
        ["--path", "/cart", "--bad", ".cart.total < 0"],
    ]

    private static let runs: [[String]] = [
        ["--run", BuiltProducts.stateInspect, "query", "-e", ".cart.total >= 0"],
        ["--run", "sh", "-c", "! grep -q '\"total\":-'"],
        ["--run", "sh", "-c", "test \"$STATE_INSPECT_SEQ\" -lt \(firstBad)"],
    ]

    /// The commit that the samples' story is about.
    private static let firstBad = 118

    @Test("every form names the same commit, with its source line", arguments: forms + runs)
    func sameAnswer(form: [String]) async throws {
        let answer = try await bisect("checkout.jsonl", form)
        let record = try #require(answer["firstBad"]?.objectValue, "\(answer)")
        #expect(record["seq"]?.integer == Self.firstBad)
        #expect(record["store"]?.text == "cart")
        #expect(record["name"]?.text == "applyDiscount(_:)")
        #expect(record["at"]?.objectValue?["file"]?.text == "shop/Cart.swift")
        #expect(record["sum"] == nil)
        #expect(answer["lastGood"]?.integer == Self.firstBad - 1)
    }

    @Test("the line that is named is the one that commits in 'applyDiscount'")
    func sourceLine() async throws {
        let answer = try await bisect("checkout.jsonl", Self.forms[0])
        let line = try #require(answer["firstBad"]?.objectValue?["at"]?.objectValue?["line"]?.integer)
        let source = try String(contentsOfFile: BuiltProducts.sample("shop/Cart.swift"), encoding: .utf8)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[line - 2].contains("func applyDiscount(_ discount: Discount)"))
        #expect(lines[line - 1].contains("store.commit"))
    }

    @Test("jq is the judge", .enabled("jq is not there") { ProgramRun.isThere("jq", "--version") })
    func jqAsJudge() async throws {
        try await sameAnswer(form: ["--run", "jq", "-e", ".cart.total >= 0"])
    }

    @Test("a history that goes bad twice is told as such")
    func flipping() async throws {
        let answer = try await bisect("checkout-flipping.jsonl", Self.forms[0])
        #expect(answer["flips"]?.integer == 3)
        #expect(answer["monotone"] == .bool(false))
        #expect(answer["badAtStart"] == .bool(false))
        #expect(answer["badAtEnd"] == .bool(true))
        let first = try #require(answer["firstBad"]?.objectValue?["seq"]?.integer)
        let last = try #require(answer["lastFlip"]?.objectValue?["seq"]?.integer)
        #expect(first == Self.firstBad && last > first)
    }

    @Test("a run that stays good has no first bad commit, and status 1")
    func neverBad() async throws {
        let answer = try await bisect("checkout-good.jsonl", Self.forms[0], status: 1)
        #expect(answer["firstBad"] == .null)
        #expect(answer["flips"]?.integer == 0)
    }

    @Test("a query that is bad at both ends is inconclusive by halves: status 5")
    func wrongEnd() async throws {
        let folder = TemporaryFolder()
        let journal = BuiltProducts.sample("checkout-good.jsonl")
        for form in [["--monotone", "--bad", ".cart.total >= 0"], ["--run", "false"], ["--run", "true"]] {
            let run = try await ProgramRun.of(
                BuiltProducts.stateInspect, ["bisect", "--json", journal] + form, in: folder)
            #expect(run.status == 5, "\(run)")
        }
    }

    private func bisect(_ journal: String, _ form: [String], status: Int32 = 0) async throws -> JSONObject {
        let folder = TemporaryFolder()
        let run = try await ProgramRun.of(
            BuiltProducts.stateInspect, ["bisect", "--json", BuiltProducts.sample(journal)] + form, in: folder)
        #expect(run.status == status, "\(run)")
        #expect(run.lines.count == 1, "\(run)")
        let value = try JSONParser.parse(run.lines.first ?? "")
        return try #require(value.objectValue, "\(run)")
    }
}
