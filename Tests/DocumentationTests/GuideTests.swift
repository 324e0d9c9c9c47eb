import Foundation
import TestSupport
import Testing

/// The pages of `Sources`, by which a newcomer finds a way.
struct GuideTests {
    private static let pages = files(below: "Sources") { $0.hasSuffix("README.md") }
    /// Each Swift file, by its path without the suffix.
    private static let sources = Dictionary(
        uniqueKeysWithValues: files(below: "Sources") { $0.hasSuffix(".swift") }.map { file in
            (String(file.dropFirst("Sources/".count).dropLast(".swift".count)), text(of: file))
        })

    @Test("each of the twenty behaviours is decided where the guide says")
    func behaviours() {
        let rows = Self.text(of: "Sources/README.md").matches(of: #/\| .+ \| `([\w\/+]+)` \| `(\w+)` \|/#)
        #expect(rows.count == 20)
        for row in rows {
            let (file, name) = (String(row.1), String(row.2))
            #expect(Self.sources[file].map { Self.declares($0, name) } == true, "\(row.0)")
        }
    }

    @Test("each type, file and folder that a page names is there", arguments: pages)
    func names(page: String) {
        let prose = Self.text(of: page).components(separatedBy: "```").enumerated()
            .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
        let everything = Set(Self.files(below: "Sources") { _ in true } + Self.files(below: "Tests") { _ in true })
        let folders = Set(everything.flatMap(Self.foldersAbove))
        let tests = Self.files(below: "Tests") { $0.hasSuffix(".swift") }.map(Self.text)
        for match in prose.matches(of: #/`([A-Z][A-Za-z+]+(?:\/[A-Z][A-Za-z+]+)*)(?:\.swift)?`/#) {
            let name = String(match.1)
            // Two of the language's own.
            guard !["Bool", "Mirror"].contains(name) else { continue }
            let isPlace =
                everything.contains { $0.hasSuffix("/\(name).swift") } || folders.contains { $0.hasSuffix("/" + name) }
            let parts = name.split(separator: "/").map(String.init)
            let home = parts.dropLast().joined(separator: "/")
            let isType = Self.sources.contains { file, text in
                ("/" + file).contains(home.isEmpty ? "/" : "/\(home)/") && Self.declares(text, parts[parts.count - 1])
            }
            #expect(isPlace || isType || tests.contains { Self.declares($0, name) }, "\(page): \(name)")
        }
    }

    private static func declares(_ text: String, _ name: String) -> Bool {
        ["struct", "class", "enum", "protocol", "actor", "typealias", "func", "var", "let", "case"].contains { kind in
            var rest = text[...]
            while let found = rest.range(of: "\(kind) \(name)") {
                rest = rest[found.upperBound...]
                if rest.first.map({ $0.isLetter || $0.isNumber || $0 == "_" }) != true { return true }
            }
            return false
        }
    }

    private static func foldersAbove(_ file: String) -> [String] {
        let parts = file.split(separator: "/")
        return (1..<parts.count).map { "/" + parts.prefix($0).joined(separator: "/") }
    }

    /// The paths of the files in a folder of the package, from the package's root.
    private static func files(below folder: String, _ isWanted: (String) -> Bool) -> [String] {
        let all = FileManager.default.subpaths(atPath: SharedFolder.packageRoot.appendingPathComponent(folder).path)
        return (all ?? []).map { "\(folder)/\($0)" }.filter(isWanted).sorted()
    }

    private static func text(of file: String) -> String {
        let file = SharedFolder.packageRoot.appendingPathComponent(file)
        return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }
}
