import Foundation
import Platform
import TestSupport
import Testing

@testable import StateInspectCLI

@Suite("--source-root")
struct SourceRootTests {
    private let folder = TemporaryFolder()
    private let journal = ShopJournal()

    private func add(_ path: String) { folder.write([], to: path) }

    private func run(_ root: String? = nil, _ format: String = "github") -> ProgramRun {
        journal.run(
            "check", "J", "--invariant", "total=.cart.total >= 0", "--format", format, "--source-root",
            root ?? folder.path)
    }

    @Test("a file is found below a folder of its module's name, however deep")
    func found() throws {
        add("Sources/Shop/Model/Cart.swift")
        add("Sources/Other/Cart.swift")
        add(".build/Shop/Cart.swift")
        let run = run()
        #expect(run.messages.contains("file=\(folder.path)/Sources/Shop/Model/Cart.swift,line=42"), "\(run)")
        let warnings = run.messages.split(separator: "\n").filter { $0.contains("warning") }
        #expect(warnings.allSatisfy { $0.hasSuffix("below the current folder") }, "\(run)")
        let document = self.run(nil, "sarif")
        #expect(
            document.output.contains(#""uri":"Sources/Shop/Model/Cart.swift","uriBaseId":"SOURCEROOT""#), "\(document)")
        #expect(document.output.contains(#""originalUriBaseIds":{"SOURCEROOT":{"uri":"file:///"#), "\(document)")
    }

    @Test("the folder itself may be the module's")
    func ownFolder() throws {
        add("Shop/Model/Cart.swift")
        let run = run(folder.path + "/Shop/")
        #expect(run.messages.contains("/Shop/Model/Cart.swift,line=42"), "\(run)")
    }

    @Test("several candidates are a warning, and the nearest is named")
    func ambiguous() throws {
        add("b/deep/Shop/Cart.swift")
        add("a/Shop/Cart.swift")
        let run = run()
        #expect(run.messages.contains("'Shop/Cart.swift' may be any of 2 files below"), "\(run)")
        #expect(run.messages.contains("/a/Shop/Cart.swift,line=42"), "\(run)")
    }

    @Test("an absolute path is the file that lies there, below the folder, and no other of its name")
    func absolute() throws {
        add("py/bank.py")
        add("other/py/bank.py")
        let real = try #require(FileSystem.resolved(folder.path))
        let root = SourceRoot(folder: folder.path)
        #expect(root.path(of: real + "/py/bank.py") == "py/bank.py")
        #expect(SourceRoot(folder: "/").shown(real + "/py/bank.py") == real + "/py/bank.py")
        for outside in ["/py/bank.py", "/w/py/bank.py", real + "/bank.py", real + "/py", "/etc/passwd"] {
            #expect(root.path(of: outside) == nil, "\(outside)")
        }
        #expect(SourceRoot(folder: real + "/other").path(of: real + "/py/bank.py") == nil)
    }

    @Test("a name that is no module's is the end of a path: 'py/bank.py' is no 'py/old/bank.py'")
    func ends() throws {
        add("app/py/bank.py")
        add("py/old/teller.py")
        add("cashier.py")
        add("deep/cashier.py")
        let root = SourceRoot(folder: folder.path)
        #expect(root.path(of: "py/bank.py") == "app/py/bank.py")
        #expect(root.path(of: "py/teller.py") == nil)
        #expect(root.path(of: "./cashier.py") == "cashier.py")
        #expect(root.path(of: "bank.py") == nil)
        #expect(SourceRoot.isFile("/w/Shop/Model/Cart.swift", named: "Shop/Cart.swift"))
        #expect(!SourceRoot.isFile("/home/b/bank.py", named: "/home/a/bank.py"))
    }

    @Test("what a link leads out of the folder to is found by no name, in no report, and not printed")
    func links() throws {
        let outside = TemporaryFolder()
        outside.write("a secret\n", to: "Cart.swift")
        add("Shop/Session.swift")
        add("Real/Badge.swift")
        for (name, target) in [
            ("Shop/Cart.swift", outside.path + "/Cart.swift"), ("linked", outside.path),
            ("Shop/Badge.swift", "../Real/Badge.swift"),
        ] { try folder.link(name, to: target) }
        let root = SourceRoot(folder: folder.path)
        #expect(root.path(of: "Shop/Cart.swift") == nil && root.path(of: "linked/Cart.swift") == nil)
        #expect(root.path(of: folder.path + "/Shop/Cart.swift") == nil)
        #expect(root.path(of: "Shop/Badge.swift") == "Shop/Badge.swift")
        for format in ["github", "sarif"] {
            let run = run(nil, format)
            #expect(run.messages.contains("there is no 'Shop/Cart.swift' below"), "\(run)")
        }
        #expect(throws: CommandFailure.self) {
            try DebugSources(folder: folder.path).lines(of: "Shop/Cart.swift", 1..<2)
        }
        #expect(DapSources([folder.path]).path(of: "Shop/Cart.swift") == nil)
        #expect(try DapSources([folder.path]).text(of: "Shop/Cart.swift", []).isEmpty)
        let page = ProgramRun(["report", journal.path, "--source-root", folder.path])
        #expect(page.status == 0 && !page.output.contains("a secret"), "\(page.messages)")
    }

    @Test("a file that is not there is named as the journal has it, and that is told")
    func missing() throws {
        let run = run()
        #expect(run.messages.contains("there is no 'Shop/Cart.swift' below"), "\(run)")
        #expect(run.messages.contains("file=Shop/Cart.swift,line=42"), "\(run)")
    }
}
