import JSONCore
import TestSupport
import Testing

@testable import JournalFormat

@Suite("Places of commits in our writer's form")
struct WrittenCommitTests {
    /// What a walk told of a line.
    private struct Told: Equatable {
        var found: Bool
        var places: [String] = []
    }

    /// The plain walk's answer, and the fast one's, which is nil where it leaves the line to the plain one.
    ///
    /// - Parameter wanted: a place of this text ends the walk.
    private func told(_ line: [UInt8], wanted: String?) -> (plain: Told, fast: Told?) {
        line.withUnsafeBytes { bytes in
            let start = LineHead(bytes)?.end ?? 0
            var plain = Told(found: false)
            plain.found = CommitWalk.anyPlaceOfAnyForm(in: bytes, from: start, ofStore: { _ in true }) { path, puts in
                plain.places.append(String(decoding: path, as: UTF8.self) + (puts ? "+" : ""))
                return plain.places.last == wanted
            }
            guard let store = CommitWalk.firstStore(of: bytes, from: start) else { return (plain, nil) }
            var fast = Told(found: false)
            let found = WrittenCommit.anyPlace(in: bytes, behind: store.end(in: bytes)) { path, puts in
                fast.places.append(String(decoding: path, as: UTF8.self) + (puts ? "+" : ""))
                return fast.places.last == wanted
            }
            guard let found else { return (plain, nil) }
            fast.found = found
            return (plain, fast)
        }
    }

    /// The commits of a random journal.
    private func commits(_ seed: UInt64) -> [[UInt8]] {
        var maker = JournalMaker(seed: seed)
        maker.run(commits: 60)
        return maker.bytes.split(separator: UInt8(ascii: "\n")).map(Array.init).filter { line in
            line.withUnsafeBytes { LineHead($0)?.kind == .commit }
        }
    }

    @Test(
        "the fast walk tells the places that the plain one tells, in their order",
        arguments: 1...40 as ClosedRange<UInt64>)
    func same(seed: UInt64) {
        var fastLines = 0
        let lines = commits(seed)
        for line in lines {
            let (plain, fast) = told(line, wanted: nil)
            guard let fast else { continue }
            fastLines += 1
            #expect(fast == plain, "\(String(decoding: line, as: UTF8.self))")
            for place in plain.places {
                let (plain, fast) = told(line, wanted: place)
                #expect(fast == plain, "\(place) in \(String(decoding: line, as: UTF8.self))")
            }
        }
        #expect(fastLines * 2 > lines.count, "the fast walk took \(fastLines) of \(lines.count) lines")
    }

    @Test(
        "of a line that was changed the fast walk tells what the plain one does, or leaves it",
        arguments: 1...40 as ClosedRange<UInt64>)
    func changed(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for line in commits(seed) {
            for _ in 0..<12 {
                let changed = change(line, &random)
                let (plain, fast) = told(changed, wanted: nil)
                guard let fast else { continue }
                #expect(fast == plain, "\(String(decoding: changed, as: UTF8.self))")
            }
        }
    }

    /// A line with a stretch of it taken out, put in again elsewhere, or with other bytes in it.
    private func change(_ line: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        let texts = [
            ",\"patch\":[]", ",\"store\":\"x\"", ",\"seq\":1", ",\"path\":\"/x\"", ",\"op\":\"add\"", " ", "\\", "\"",
            "}", "]",
            "\\u0073", ",\"from\":\"/y\"", "~", "\n", ",\"value\":{}", ",\"old\":1",
        ]
        var changed = line
        let place = Int.random(in: 0...line.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: changed.insert(contentsOf: Array(texts.randomElement(using: &random)?.utf8 ?? " ".utf8), at: place)
        case 1:
            let end = min(line.count, place + Int.random(in: 1...12, using: &random))
            changed.removeSubrange(place..<end)
        case 2:
            let end = min(line.count, place + Int.random(in: 1...60, using: &random))
            changed.insert(contentsOf: line[place..<end], at: Int.random(in: 0...line.count, using: &random))
        default:
            // Where members end: there a whole one may stand.
            let ends = line.indices.filter { line[$0] == UInt8(ascii: ",") || line[$0] == UInt8(ascii: "}") }
            let text = Array(texts.randomElement(using: &random)?.utf8 ?? " ".utf8)
            changed.insert(contentsOf: text, at: ends.randomElement(using: &random) ?? place)
        }
        return changed
    }
}
