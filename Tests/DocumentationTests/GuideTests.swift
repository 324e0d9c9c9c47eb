import Foundation
import TestSupport
import Testing

/// The pages of `Sources`, by which a newcomer finds a way.
struct GuideTests {
    private static let pages = files(below: "Sources") { $0.hasSuffix("README.md") }
    private static let everything = files(below: "Sources") { _ in true } + files(below: "Tests") { _ in true }
    /// What each Swift file declares.
    private static let declarations = Dictionary(
        uniqueKeysWithValues: everything.filter { $0.hasSuffix(".swift") }.map { ($0, declared(in: $0)) })

    @Test("each of the twenty behaviours is decided where the guide says")
    func behaviours() {
        let rows = Self.text(of: "Sources/README.md").matches(of: #/\| .+ \| `([\w\/+]+)` \| `(\w+)` \|/#)
        #expect(rows.count == 20)
        for row in rows {
            let (file, name) = (String(row.1), String(row.2))
            #expect(Self.declarations["Sources/\(file).swift"]?.contains(name) == true, "\(row.0)")
        }
    }

    @Test("each type, file and folder that a page names is there", arguments: pages)
    func names(page: String) {
        let prose = Self.text(of: page).components(separatedBy: "```").enumerated()
            .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
        let folders = Set(Self.everything.flatMap(Self.foldersAbove))
        for match in prose.matches(of: #/`([A-Z][A-Za-z+]+(?:\/[A-Z][A-Za-z+]+)*)(?:\.swift)?`/#) {
            let name = String(match.1)
            // Two of the language's own.
            guard !["Bool", "Mirror"].contains(name) else { continue }
            let isPlace =
                Self.everything.contains { $0.hasSuffix("/\(name).swift") }
                || folders.contains { $0.hasSuffix("/" + name) }
            let parts = name.split(separator: "/").map(String.init)
            let home = parts.dropLast().joined(separator: "/")
            let isType = Self.declarations.contains { file, names in
                names.contains(parts[parts.count - 1]) && file.contains(home.isEmpty ? "/" : "/\(home)/")
            }
            #expect(isPlace || isType, "\(page): \(name)")
        }
    }

    /// The words after those that begin a declaration.
    private static func declared(in file: String) -> Set<String> {
        let kinds: Set = ["struct", "class", "enum", "protocol", "actor", "typealias", "func", "var", "let", "case"]
        var names: Set<String> = []
        var isNext = false
        for word in text(of: file).utf8.split(whereSeparator: {
            !($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 == 0x5F)
        }) {
            let word = String(Substring(word))
            if isNext { names.insert(word) }
            isNext = kinds.contains(word)
        }
        return names
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
