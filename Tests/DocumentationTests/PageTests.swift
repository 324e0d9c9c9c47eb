import Foundation
import TestSupport
import Testing

/// The pages of the library's documentation show code that is compiled and run.
struct PageTests {
    private static let catalog = SharedFolder.packageRoot.appendingPathComponent("Sources/StateStore/StateStore.docc")
    /// Examples that need the command are among the tests of that.
    private static let examples = ["DocumentationTests", "EndToEndTests"].map {
        SharedFolder.packageRoot.appendingPathComponent("Tests/\($0)")
    }

    @Test("each piece of Swift on a page stands in an example that is run", arguments: files(in: catalog, ".md"))
    func code(page: String) throws {
        let text = try String(contentsOf: Self.catalog.appendingPathComponent(page), encoding: .utf8)
        let sources = try Self.examples.flatMap { folder in
            try Self.files(in: folder, "Examples.swift").map { name in
                try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            }
        }
        let lines = sources.map(Self.trimmedLines)
        for block in Self.blocks(of: text) {
            let wanted = Self.trimmedLines(block)
            #expect(lines.contains { Self.contains($0, wanted) }, "\(page): no *Examples.swift holds\n\(block)")
        }
    }

    @Test("the page on commits lists every member of a store, which hide properties of a state with their names")
    func members() throws {
        let page = try String(contentsOf: Self.catalog.appendingPathComponent("CommittingChanges.md"), encoding: .utf8)
        let section = try #require(page.components(separatedBy: "### Reading a property by its name").last)
        let listed = try #require(section.components(separatedBy: "```").first)
        let names = try ["StoreCore", "StateReplay"].flatMap { target in
            try Self.members(in: "Sources/\(target)")
        }
        #expect(names.contains("commit") && names.contains("values"))
        for name in Set(names).sorted() { #expect(listed.contains("`\(name)`"), "\(name) is missing") }
    }

    @Test("each public type is among the Topics of a page")
    func topics() throws {
        let listed = try Self.files(in: Self.catalog, ".md").flatMap { page in
            let text = try String(contentsOf: Self.catalog.appendingPathComponent(page), encoding: .utf8)
            let topics = text.components(separatedBy: "## Topics").dropFirst().joined()
            return topics.matches(of: #/- ``(\w+)/#).map { String($0.1) }
        }
        let names = try ["StoreCore", "StatePatterns", "EntityTables"].flatMap { target in
            try Self.publicTypes(in: "Sources/\(target)")
        }
        #expect(names.count > 50)
        for name in Set(names).subtracting(listed).sorted() { Issue.record("\(name) is in no page's Topics") }
    }

    /// The names of the public types that stand alone in the sources of a folder.
    private static func publicTypes(in folder: String) throws -> [String] {
        let root = SharedFolder.packageRoot.appendingPathComponent(folder)
        let files =
            FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? []
        return try files.filter { $0.pathExtension == "swift" }.flatMap { file in
            let text = try String(contentsOf: file, encoding: .utf8)
            return text.matches(of: #/\npublic (?:final |indirect )?(?:class|struct|enum|protocol|actor) (\w+)/#)
                .map { String($0.1) }
        }
    }

    /// The names of the public members that the sources in a folder declare for stores.
    private static func members(in folder: String) throws -> [String] {
        let root = SharedFolder.packageRoot.appendingPathComponent(folder)
        let files =
            FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? []
        let block = try Regex(#"^(public final class|extension) (Store|Subscribable)\b.*\{$"#)
        let member = try Regex<(Substring, Substring)>(#"^ {4}public (?:let|var|func) (\w+)"#)
        return try files.filter { $0.pathExtension == "swift" }.flatMap { file in
            var isInside = false
            return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line -> String? in
                if let first = line.first, first != " " { isInside = line.contains(block) }
                return isInside ? line.firstMatch(of: member).map { String($0.1) } : nil
            }
        }
    }

    @Test("there are pages")
    func isNotEmpty() { #expect(!Self.files(in: Self.catalog, ".md").isEmpty) }

    private static func files(in folder: URL, _ suffix: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0.hasSuffix(suffix) }
            .sorted()
    }

    private static func blocks(of page: String) -> [String] {
        page.components(separatedBy: "```swift\n").dropFirst().compactMap { $0.components(separatedBy: "```").first }
    }

    /// The lines without what indents them: an example stands deeper in its test than on its page.
    private static func trimmedLines(_ text: String) -> [Substring] {
        text.split(separator: "\n").map { line in line.drop { $0 == " " } }.filter { !$0.isEmpty }
    }

    private static func contains(_ lines: [Substring], _ wanted: [Substring]) -> Bool {
        guard lines.count >= wanted.count, !wanted.isEmpty else { return wanted.isEmpty }
        return (0...(lines.count - wanted.count)).contains { start in
            lines[start..<(start + wanted.count)].elementsEqual(wanted)
        }
    }
}
