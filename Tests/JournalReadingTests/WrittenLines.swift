import TestSupport

@testable import JournalFormat
@testable import JournalReading

/// Lines of commits as our writer makes them, and such lines with something changed in them.
enum WrittenLines {
    /// The commits of a random journal.
    static func commits(_ seed: UInt64) -> [[UInt8]] {
        var maker = JournalMaker(seed: seed)
        maker.run(commits: 60)
        return maker.bytes.split(separator: UInt8(ascii: "\n")).map(Array.init).filter { line in
            line.withUnsafeBytes { LineHead($0)?.kind == .commit }
        }
    }

    /// The commits of a random journal, as another writer has them, too, and such lines with something changed in them.
    static func inAnyForm(_ seed: UInt64) -> [[UInt8]] {
        var random = SeededGenerator(seed: seed)
        var form = ForeignForm(seed: seed)
        return commits(seed).flatMap { written in
            let foreign = form.line(written)
            return [written, foreign] + (0..<6).map { change($0 < 3 ? written : foreign, &random) }
        }
    }

    /// A line with a stretch of it taken out, put in again elsewhere, or with other bytes in it.
    static func change(_ line: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
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
