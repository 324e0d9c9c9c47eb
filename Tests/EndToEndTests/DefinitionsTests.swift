import Foundation
import JSONCore
import TestSupport
import Testing

/// The definition files beside the samples: they say of the shop what the shop itself says.
struct DefinitionsTests {
    @Test("what 'shop.jq' derives is what the app recorded", arguments: ["checkout.jsonl", "checkout-flipping.jsonl"])
    func recordedValues(journal: String) async throws {
        let run = try await ProgramRun.inspect(
            "derived", BuiltProducts.sample(journal), "--all", "--definitions", BuiltProducts.sample("shop.jq"),
            in: TemporaryFolder())
        #expect(run.status == 0, "\(run)")
        var compared: Set<String> = []
        for line in run.lines {
            let firing = try #require(try JSONParser.parse(line).objectValue, "\(line)")
            guard let recorded = firing["recorded"]?.objectValue?["value"] else { continue }
            #expect(recorded == firing["value"], "\(line)")
            compared.insert(firing["name"]?.text ?? "")
        }
        let names = [
            "badge", "canCheckOut", "detailHeart", "greeting", "listHearts", "neighbours", "results", "total", "unread",
        ]
        #expect(compared.sorted() == names)
    }

    @Test(
        "the invariants hold in a good run, and 'applyDiscount' breaks one in a bad run",
        arguments: [
            ("checkout-good.jsonl", nil), ("checkout.jsonl", 118), ("checkout-flipping.jsonl", 118),
        ] as [(String, Int?)])
    func invariants(journal: String, firstBad: Int?) async throws {
        let file = try String(contentsOfFile: BuiltProducts.sample("invariants.jq"), encoding: .utf8)
        let names = file.matches(of: /(?m)^def (\w+):/).map { String($0.1) }
        #expect(names.count > 2)
        let run = try await ProgramRun.inspect(
            "bisect", BuiltProducts.sample(journal), "--good", file + names.joined(separator: " and "),
            in: TemporaryFolder())
        #expect(run.status == (firstBad == nil ? 1 : 0), "\(run)")
        let answer = try #require(try JSONParser.parse(run.text).objectValue, "\(run)")
        #expect(answer["firstBad"]?.objectValue?["seq"]?.integer == firstBad)
    }
}
