import Foundation
import JSONCore
import TestSupport
import Testing

private let suitePath = "suites/json-patch-tests/tests.json"

/// The cases of the json-patch-tests project, read in place.
@Suite("The conformance suite of JSON Patch", .enabled(if: SharedFolder.has(suitePath)))
struct JSONPatchSuiteTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var number: Int
        var members: JSONObject

        var testDescription: String {
            let comment = members["comment"]?.string ?? members["error"]?.string
            return "case \(number): \(comment ?? members["patch"]?.text() ?? "")"
        }
    }

    /// The cases but for those that the suite itself disables.
    static let cases: [Case] = {
        guard SharedFolder.has(suitePath), let data = try? SharedFolder.data(suitePath),
            let suite = try? JSONParser.parse([UInt8](data)), case .array(let elements) = suite
        else { return [] }
        return elements.enumerated().compactMap { number, element in
            guard let members = element.object, members["disabled"] != true else { return nil }
            return Case(number: number, members: members)
        }
    }()

    @Test("the suite was read")
    func suiteIsThere() {
        #expect(JSONPatchSuiteTests.cases.count > 80)
    }

    @Test("each case ends as it says", arguments: cases)
    func conformance(of test: Case) throws {
        var document = try #require(test.members["doc"])
        let json = try #require(test.members["patch"])
        if test.members["error"] != nil {
            #expect(throws: PatchError.self) { try JSONPatch(json: json).apply(to: &document) }
        } else {
            try JSONPatch(json: json).apply(to: &document)
            #expect(document == test.members["expected"] ?? test.members["doc"])
        }
    }

    @Test("a patch that is read and written says the same", arguments: cases)
    func roundTrip(of test: Case) throws {
        guard let patch = try? JSONPatch(json: test.members["patch"] ?? []) else { return }
        #expect(try JSONPatch(json: patch.json) == patch)
    }
}
