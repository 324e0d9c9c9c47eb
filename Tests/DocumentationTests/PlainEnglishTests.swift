import Foundation
import TestSupport
import Testing

/// Comments and names use the field's terms, so that a newcomer can read them.
struct PlainEnglishTests {
    /// Words with a plainer equivalent, as report, range, decide, expensive, and the role in place of 'whoever'.
    private static let banned: Set<String> = [
        "tell", "tells", "told", "telling", "stretch", "stretches", "settle", "settles", "settled", "whoever", "nobody",
        "lend", "lends", "lent", "dear", "desk", "flight", "wander", "wanders", "labor", "behind",
    ]
    private static let sources = SharedFolder.packageRoot.appendingPathComponent("Sources")

    @Test("comments and names are plain English", arguments: modules())
    func module(_ module: String) throws {
        let folder = Self.sources.appendingPathComponent(module)
        var found: [String] = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
            found += Self.findings(in: text).map { "Sources/\(module)/\(path):\($0.line): '\($0.word)'" }
        }
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }

    @Test(
        "a misuse of the library ends the program with words in a release build, too, which 'precondition' drops",
        arguments: [
            "JournalFormat", "StateEncoding", "EntityTables", "StoreCore", "StatePatterns", "StateReplay",
            "StateStoreTesting",
        ])
    func traps(_ module: String) throws {
        let folder = Self.sources.appendingPathComponent(module)
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".swift") {
            // Checks of the library's own, which no caller's mistake reaches.
            if ["Address", "TreeNode", "TreeNode+Invariants", "StateEncoder", "ValueListPair", "Timestamp+Text"]
                .contains(
                    URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent)
            {
                continue
            }
            let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
            #expect(!text.contains("precondition("), "Sources/\(module)/\(path): call 'requirement' of 'Platform'")
        }
    }

    @Test("words count in comments and names, not in strings")
    func scanner() {
        let text = ##"""
            /// The same, told twice. A flight
            /// recorder is a term, a flight is not.
            let toldStore = "nobody \(stretch(of: "dear")) \" lent" + #"a "desk" \" \#(lend)"# // Whoever settles
            let x = """
                telling "tell"
                """ // labor
            """##
        let found = Self.findings(in: text).map { "\($0.line) \($0.word)" }.joined(separator: ", ")
        #expect(found == "1 the same, 1 told, 2 flight, 3 told, 3 stretch, 3 lend, 3 whoever, 3 settles, 6 labor")
    }

    private static func modules() -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: sources.path))?.filter { !$0.contains(".") } ?? []
    }

    /// The banned words of a file, and doc comments that begin with 'The same', which say nothing by themselves.
    private static func findings(in text: String) -> [(line: Int, word: String)] {
        var source = SourceText(bytes: Array(text.utf8))
        let lines = source.withoutStrings().split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        let same = lines.filter { $0.element.drop { $0 == " " }.hasPrefix("/// The same") }.map { ($0.0, "the same") }
        let words = lines.flatMap { index, line in Self.words(of: line).map { (index, $0) } }
        let pairs = zip([""] + words.map(\.1), zip(words.map(\.1), words.dropFirst().map(\.1) + [""]))
        let isTerm = pairs.map { before, here in
            here == ("flight", "recorder") || before == "look" && here.0 == "behind"
        }
        let found = zip(words, isTerm).filter { banned.contains($0.1) && !$1 }.map(\.0)
        return (same + found).map { (line: $0 + 1, word: $1) }
    }

    /// The words of a line in lower case; a name in camel case is one for each of its parts.
    private static func words(of line: Substring) -> [String] {
        let bytes = Array(line.utf8)
        var words = [""]
        for (place, byte) in bytes.enumerated() {
            let isUpper = (0x41...0x5A).contains(byte)
            let isInside = place > 0 && bytes[place - 1] < 0x61 && place + 1 < bytes.count && bytes[place + 1] < 0x61
            guard isUpper || (0x61...0x7A).contains(byte) else { words.append(""); continue }
            if isUpper, !isInside { words.append("") }
            words[words.count - 1].unicodeScalars.append(UnicodeScalar(byte | 0x20))
        }
        return words.filter { !$0.isEmpty }
    }
}

/// Swift source without its string literals; code in interpolations stays.
struct SourceText {
    let bytes: [UInt8]
    var place = 0
    var kept: [UInt8] = []

    mutating func withoutStrings() -> String {
        while place < bytes.count { skipCode() }
        return String(decoding: kept, as: UTF8.self)
    }

    private func has(_ text: String) -> Bool { bytes[place...].starts(with: text.utf8) }

    /// Keeps code and comments up to the closing parenthesis of an interpolation, or the end.
    private mutating func skipCode() {
        var depth = 0
        while place < bytes.count, depth >= 0 {
            switch bytes[place] {
            case UInt8(ascii: "/") where has("//"):
                let comment = bytes[place...].prefix { $0 != UInt8(ascii: "\n") }
                kept += comment
                place = comment.endIndex
            case UInt8(ascii: "\""), UInt8(ascii: "#"): if skipString() { continue }
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            default: break
            }
            kept.append(place < bytes.count ? bytes[place] : UInt8(ascii: "\n"))
            place += 1
        }
    }

    /// Skips a literal and keeps its interpolations; false at a '#' that does not begin one.
    private mutating func skipString() -> Bool {
        let hashes = String(repeating: "#", count: bytes[place...].prefix { $0 == UInt8(ascii: "#") }.count)
        guard has(hashes + "\"") else { return false }
        let quotes = has(hashes + "\"\"\"") ? "\"\"\"" : "\""
        place += hashes.utf8.count + quotes.utf8.count
        while place < bytes.count, !has(quotes + hashes) {
            let isEscape = has("\\" + hashes)
            place += isEscape ? 1 + hashes.utf8.count : 0
            if has("\n") { kept.append(UInt8(ascii: "\n")) }
            place += 1
            if isEscape, bytes[place - 1] == UInt8(ascii: "(") { skipCode() }
        }
        place = min(place + quotes.utf8.count + hashes.utf8.count, bytes.count)
        return true
    }
}
