import Foundation
import Testing

@testable import StateInspectCLI

@Suite("--source-root")
struct SourceRootTests {
    private let folder: URL
    private let journal: ShopJournal

    init() throws {
        journal = try ShopJournal()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func add(_ path: String) throws {
        let file = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data().write(to: file)
    }

    private func run(_ root: String? = nil, _ format: String = "github") -> ProgramRun {
        journal.run(
            "check", "J", "--invariant", "total=.cart.total >= 0", "--format", format, "--source-root",
            root ?? folder.path)
    }

    @Test("a file is found below a folder of its module's name, however deep")
    func found() throws {
        try add("Sources/Shop/Model/Cart.swift")
        try add("Sources/Other/Cart.swift")
        try add(".build/Shop/Cart.swift")
        let run = run()
        #expect(run.messages.contains("file=\(folder.path)/Sources/Shop/Model/Cart.swift,line=42"), "\(run)")
        #expect(!run.messages.contains("warning"), "\(run)")
        let document = self.run(nil, "sarif")
        #expect(
            document.output.contains(#""uri":"Sources/Shop/Model/Cart.swift","uriBaseId":"SOURCEROOT""#), "\(document)")
        #expect(document.output.contains(#""originalUriBaseIds":{"SOURCEROOT":{"uri":"file:///"#), "\(document)")
        try FileManager.default.removeItem(at: folder)
    }

    @Test("the folder itself may be the module's")
    func ownFolder() throws {
        try add("Shop/Model/Cart.swift")
        let run = run(folder.path + "/Shop/")
        #expect(run.messages.contains("/Shop/Model/Cart.swift,line=42"), "\(run)")
        try FileManager.default.removeItem(at: folder)
    }

    @Test("several candidates are a warning, and the nearest is named")
    func ambiguous() throws {
        try add("b/deep/Shop/Cart.swift")
        try add("a/Shop/Cart.swift")
        let run = run()
        #expect(run.messages.contains("'Shop/Cart.swift' may be any of 2 files below"), "\(run)")
        #expect(run.messages.contains("/a/Shop/Cart.swift,line=42"), "\(run)")
        try FileManager.default.removeItem(at: folder)
    }

    @Test("a file that is not there is named as the journal has it, and that is told")
    func missing() throws {
        let run = run()
        #expect(run.messages.contains("there is no 'Shop/Cart.swift' below"), "\(run)")
        #expect(run.messages.contains("file=Shop/Cart.swift,line=42"), "\(run)")
        try FileManager.default.removeItem(at: folder)
    }
}
