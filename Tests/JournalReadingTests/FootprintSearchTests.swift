import JSONCore
import TestSupport
import Testing

@testable import JournalFormat
@testable import JournalReading

@Suite("Clearing a commit's line by the bytes of its paths")
struct FootprintSearchTests {
    /// What the strict parser reads of a commit's line; nil where it is none.
    private func patch(_ line: [UInt8]) -> (store: String, operations: [JSONPatch.Operation])? {
        guard case .object(let record)? = try? JSONParser.parse(line), case .string("commit")? = record["kind"],
            case .string(let store)? = record["store"], let member = record["patch"],
            let patch = try? JSONPatch(json: member)
        else { return nil }
        return (store, patch.operations)
    }

    /// What is found in a line; nil where its front is of no known form.
    private func finding(_ line: [UInt8], _ search: FootprintSearch) -> FootprintSearch.Finding? {
        line.withBytes { bytes in
            LineHead(bytes).flatMap { $0.end > 0 ? search.scan(bytes, after: $0.end) : nil }
        }
    }

    private func clears(_ line: [UInt8], _ search: FootprintSearch) -> Bool { finding(line, search) == .nothing }

    private func check(_ line: [UInt8], _ paths: PathSet, _ search: FootprintSearch) -> Bool {
        guard clears(line, search), let (store, operations) = patch(line) else { return false }
        let set = PathSet(paths.root?.node(forKey: store))
        for operation in operations where set.mayBeTouched(by: operation) {
            Issue.record("\(operation) in \(String(decoding: line, as: UTF8.self)), reading \(paths)")
        }
        return true
    }

    @Test(
        "no line is cleared whose patch may touch what is read, in any form, also of one that was changed",
        arguments: seeds(1..<17))
    func cleared(seed: UInt64) {
        var maker = JournalMaker(seed: seed)
        var random = SeededGenerator(seed: seed)
        var form = ForeignForm(seed: seed)
        for _ in 0..<12 {
            let paths = maker.paths()
            guard let search = FootprintSearch(paths) else { continue }
            for line in WrittenLines.commits(seed) {
                _ = check(line, paths, search)
                _ = check(form.line(line), paths, search)
                for _ in 0..<2 { _ = check(WrittenLines.change(line, &random), paths, search) }
            }
        }
    }

    @Test("where a pointer is found, the commit writes what is read of some store")
    func pointer() {
        var found = 0
        for seed in 1...80 as ClosedRange<UInt64> {
            var maker = JournalMaker(seed: seed)
            for _ in 0..<12 {
                let paths = maker.paths()
                guard let search = FootprintSearch(paths), case .branch(let stores) = paths.root else { continue }
                for line in WrittenLines.commits(seed) where finding(line, search) == .pointer {
                    guard let operations = patch(line)?.operations else { continue }
                    found += 1
                    let isRead = operations.contains { operation in
                        stores.members.contains { PathSet($0.node).mayBeTouched(by: operation) }
                    }
                    #expect(isRead, "\(String(decoding: line, as: UTF8.self)), reading \(paths.patterns)")
                }
            }
        }
        #expect(found > 20)
    }

    private let line = #"{"seq":7,"kind":"commit","store":"s","time":"2026-01-01T00:00:00Z","patch":[PATCH]}"#

    private func search(_ paths: [[PathSet.Segment]]) -> FootprintSearch? {
        var set = PathSet.nothing
        for path in paths { set.insert([.key("s")] + path) }
        return FootprintSearch(set)
    }

    private func clears(_ patch: String, reading path: [PathSet.Segment]) throws -> Bool {
        clears(Array(line.replacing("PATCH", with: patch).utf8), try #require(search([path])))
    }

    @Test(
        "what leads to a path, stands below it or holds it is found, and what stands beside it is not",
        arguments: [
            (#"{"op":"replace","path":"/cart/total","value":1}"#, false),
            (#"{"op": "replace", "path": "/cart/total", "value": 1}"#, false),
            (#"{"op":"replace","path":"/cart/total/cents","value":1}"#, false),
            (#"{"op":"replace","path":"/cart","value":{}}"#, false),
            (#"{"op":"replace","path":"","value":{}}"#, false), (#"{"op":"add","path":"/cart/3","value":{}}"#, false),
            (#"{"op":"add","path":"/cart/-","value":{}}"#, false), (#"{"op":"add","path":"/0","value":{}}"#, false),
            (#"{"op":"move","from":"/cart/total","path":"/x"}"#, false),
            (#"{"op":"replace","path":"\/cart\/total","value":1}"#, false),
            (#"{"op":"replace","path":"/c\u0061rt/total","value":1}"#, false),
            (#"{"op":"replace","path":"/cart/lines","value":1}"#, true),
            (#"{"op":"replace","path":"/cart/totals","value":1}"#, true),
            (#"{"op":"replace","path":"/cartons","value":1}"#, true),
            (#"{"op":"add","path":"/lines/3","value":"a\nb"}"#, true),
            (#"{"op":"replace","path":"/x","value":1}]}{"seq":8,"kind":"mark","x":["#, false),
        ])
    func bytes(patch: String, isCleared: Bool) throws {
        #expect(try clears(patch, reading: [.key("cart"), .key("total")]) == isCleared)
    }

    @Test("whatever stands below a wildcard or an index is found")
    func wildcards() throws {
        let change = #"{"op":"replace","path":"/catalogue/21/stock","value":1}"#
        #expect(try !clears(change, reading: [.key("catalogue"), .each, .key("stock")]))
        #expect(try !clears(change, reading: [.key("catalogue"), .key("3"), .key("stock")]))
        #expect(try clears(change, reading: [.key("cart"), .each, .key("stock")]))
    }

    @Test(
        "where only the kind of a value is read, what stands below it is not found",
        arguments: [
            (#"{"op":"replace","path":"/cart","value":1}"#, false),
            (#"{"op":"add","path":"/cart/3","value":1}"#, false),
            (#"{"op":"replace","path":"","value":1}"#, false), (#"{"op":"remove","path":"/cart"}"#, false),
            (#"{"op":"replace","path":"/cart/total","value":1}"#, true),
            (#"{"op":"replace","path":"/carts","value":1}"#, true),
        ])
    func shallow(patch: String, isCleared: Bool) throws {
        for path in [["s", "cart"], ["s"]] {
            var set = PathSet.nothing
            set.insert(path.map { .key($0) }, reading: .shallow)
            let search = try #require(FootprintSearch(set))
            let isRoot = patch.contains(#""path":"""#)
            let expected = path.count == 2 ? isCleared : !isRoot
            #expect(clears(Array(line.replacing("PATCH", with: patch).utf8), search) == expected, "\(path)")
        }
    }

    @Test("a value that is compared with a constant is found for certain by its own pointer")
    func leaf() throws {
        var set = PathSet.nothing
        set.insert([.key("s"), .key("cart"), .key("total")], reading: .shallow)
        let search = try #require(FootprintSearch(set))
        for (patch, expected) in [
            (#"{"op":"replace","path":"/cart/total","value":1}"#, FootprintSearch.Finding.pointer),
            (#"{"op":"replace","path":"/cart","value":{}}"#, .unsure),
            (#"{"op":"add","path":"/cart/total/0","value":1}"#, .unsure),
            (#"{"op":"replace","path":"/cart/total/cents","value":1}"#, .nothing),
        ] {
            #expect(finding(Array(line.replacing("PATCH", with: patch).utf8), search) == expected, "\(patch)")
        }
    }

    @Test("what cannot be told by its bytes is not looked for")
    func refused() {
        #expect(FootprintSearch(.everything) == nil)
        #expect(FootprintSearch(.nothing) == nil)
        #expect(search([[]]) == nil)
        #expect(search([[.key("a/b")]]) == nil)
        #expect(search([[.key("a~b")]]) == nil)
        #expect(search([[.key("a\"b")]]) == nil)
        #expect(search([[.key("")]]) == nil)
        #expect(search((0...24).map { [.key("a\($0)")] }) == nil)
        #expect(search([[.key("ä")], [.key("a"), .key("b")]]) != nil)
    }
}
