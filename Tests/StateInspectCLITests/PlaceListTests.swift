import Foundation
import JSONCore
import TestSupport
import Testing

@testable import StateInspectCLI

@Suite("The lines of source that committed")
struct PlaceListTests {
    private static let sample = SharedFolder.packageRoot.appendingPathComponent("samples/checkout.jsonl").path

    private func rows(_ arguments: String...) throws -> [JSONObject] {
        let run = ProgramRun(["log", Self.sample, "--by-place", "--format", "json"] + arguments)
        #expect(run.status == 0, "\(run.messages)")
        return try run.output.split(separator: "\n").map { try #require(JSONParser.parse(String($0)).object) }
    }

    @Test("each commit is counted at one line, and the last one is shown")
    func counts() throws {
        let rows = try rows()
        let counts = rows.compactMap { $0["commits"]?.number?.integerValue }
        #expect(counts.reduce(0, +) == 412)
        let discount = try #require(rows.first { $0["function"] == "applyDiscount(_:)" })
        #expect(discount["file"] == "shop/Cart.swift" && discount["line"] == 37 && discount["last"] == 118)
        #expect(discount["title"]?.string?.contains("/cart/total") == true)
        let command = try #require(discount["command"]?.string)
        #expect(command.hasPrefix("state-inspect show ") && command.hasSuffix(" 118"))
        let places = rows.map { "\($0["file"]?.string ?? "") \(10_000 + ($0["line"]?.number?.integerValue ?? 0))" }
        #expect(places == places.sorted())
    }

    @Test("filters and ranges choose the commits")
    func filters() throws {
        let part = try rows("--range", "..118", "--store", "cart")
        #expect(part.contains { $0["last"] == 118 })
        #expect(part.allSatisfy { $0["file"] == "shop/Cart.swift" })
        #expect(try rows("-n", "2").count == 2)
    }

    @Test("it has no use for what shows commits", arguments: ["--follow", "--reverse", "-p", "--stat", "--all"])
    func exclusive(option: String) {
        #expect(ProgramRun(["log", Self.sample, "--by-place", option]).status == 2)
    }
}
