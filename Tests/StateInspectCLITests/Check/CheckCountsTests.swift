import Foundation
import JSONCore
import Platform
import TestSupport
import Testing

@testable import CommandLine
@testable import Debugger

@Suite("check --counts")
struct CheckCountsTests {
    private let journal = ShopJournal()

    /// A run in which lines of the source write numbers.
    private struct Run {
        var values: [Int] = []
        var lines: [Int] = []

        init(_ random: inout SeededGenerator) {
            for _ in 0..<Int.random(in: 0...40, using: &random) {
                values.append(.random(in: -3...3, using: &random))
                lines.append(.random(in: 1...4, using: &random))
            }
        }

        var text: String {
            var text =
                #"{"seq":0,"kind":"journal","version":1,"id":"x","time":"2026-01-01T00:00:00.000000Z","recorder":"t"}"#
            text +=
                "\n"
                + #"{"seq":0,"kind":"store","store":"s","type":"T","time":"2026-01-01T00:00:00.000000Z","at":{"file":"A.swift","line":9,"column":1,"function":"g()"},"state":{"n":0}}"#
                + "\n"
            for (index, value) in values.enumerated() {
                let old = index == 0 ? 0 : values[index - 1]
                text +=
                    #"{"seq":\#(index + 1),"kind":"commit","store":"s","version":\#(index + 1),"time":"2026-01-01T00:00:00.000000Z","#
                    + #""at":{"file":"A.swift","line":\#(lines[index]),"column":1,"function":"f()"},"patch":[{"op":"replace","path":"/n","value":\#(value),"old":\#(old)}]}"#
                    + "\n"
            }
            return text
                + #"{"seq":\#(values.count),"kind":"end","time":"2026-01-01T00:00:01.000000Z","totals":{"commits":{"s":\#(values.count)},"open":["s"],"derived":[],"marks":0,"gaps":0,"aborts":0}}"#
                + "\n"
        }

        /// What the counts of `.s.n >= bound` are: of each line of the source how often, first and last; 0 is the start.
        func places(_ bound: Int) -> [Int: (times: Int, first: Int, last: Int)] {
            var places: [Int: (times: Int, first: Int, last: Int)] = [:]
            var wasBad = false
            for (position, value) in ([0] + values).enumerated() {
                let isBad = value < bound
                if isBad, !wasBad {
                    let line = position == 0 ? 0 : lines[position - 1]
                    let known = places[line]
                    places[line] = ((known?.times ?? 0) + 1, known?.first ?? position, position)
                }
                wasBad = isBad
            }
            return places
        }
    }

    @Test("each beginning is put to the line of the source that made it", arguments: seeds(1..<41))
    func places(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let run = Run(&random)
        let journal = ShopJournal(text: run.text)
        let bounds = [-2, 0, 1, 3]
        let answer = journal.run(
            ["check", "J", "--counts"] + bounds.flatMap { ["--invariant", "b\($0 + 9)=.s.n >= \($0)"] })
        let answers = try answer.output.split(separator: "\n").map { try JSONParser.parse(String($0)) }
        #expect(answers.count == bounds.count, "seed \(seed): \(answer)")
        for (bound, answer) in zip(bounds, answers) {
            let expected = run.places(bound)
            let found = answer.object?["places"]?.array ?? []
            #expect(found.count == expected.count, "seed \(seed), bound \(bound)")
            var before = Int.max
            for place in found {
                let members = place.object
                let line = members?["at"]?.object?["line"]?.number?.integerValue ?? 0
                let times = members?["times"]?.number?.integerValue ?? -1
                #expect(times == expected[line]?.times, "seed \(seed), bound \(bound), line \(line)")
                #expect(members?["first"]?.number?.integerValue == expected[line]?.first, "seed \(seed)")
                #expect(members?["last"]?.number?.integerValue == expected[line]?.last, "seed \(seed)")
                #expect(times <= before, "seed \(seed)")
                before = times
            }
        }
    }

    @Test("a person gets a table of the invariants, with the lines of the source below each")
    func table() throws {
        let run = journal.run(
            "check", "J", "--counts", "--format", "human", "--invariant", "total=.cart.total >= 0", "--invariant",
            "token=.session.token", "--invariant", "x=.session.token == \"no\"")
        #expect(run.status == 1, "\(run)")
        #expect(
            run.output
                == """
                invariant  positions  times  first  last
                total              3      2      3     6
                    1 time  Shop/Cart.swift:42  applyDiscount(_:)  at 3
                    1 time  Shop/Cart.swift:61  refund()  at 5
                token              0      0
                x                  7      1      0     6
                    1 time  no place in the source  from the start

                """, "\(run)")
    }

    @Test(
        "what cannot stand beside it is status 2",
        arguments: [["--follow"], ["--format", "sarif"], ["--format", "github"]])
    func refused(_ options: [String]) throws {
        let run = journal.run(["check", "J", "--counts", "--invariant", "a=.cart"] + options)
        #expect(run.status == 2, "\(run)")
    }
}

extension ShopJournal {
    /// Runs a command line on it; `J` stands for its path.
    fileprivate func run(_ arguments: [String]) -> ProgramRun {
        ProgramRun(arguments.map { $0 == "J" ? path : $0 })
    }
}

@Suite("Checking a journal while it is written")
struct CheckFollowTests {
    private static let invariant = ["--invariant", "total=.cart.total >= 0"]

    @Test("each time an invariant stops to hold has a line of its own, and the end says what became of it")
    func lines() throws {
        let journal = ShopJournal { $0.removeLast(6) }
        var rest = ShopJournal.lines.suffix(6)
        // What is added comes when what was there is answered.
        let sink = MemorySink {
            journal.append(rest)
            rest = []
        }
        let run = ProgramRun(["check", journal.path, "--follow"] + Self.invariant, output: sink)
        let kinds = run.output.split(separator: "\n").map { $0.dropFirst(9).prefix { $0 != "\"" } }
        #expect(run.status == 1 && kinds == ["violated", "violated", "violation"], "\(run)")
        #expect(run.output.contains(#""invariant":"total","seq":3,"record":{"seq":3"#), "\(run)")
        #expect(run.output.contains(#""invariant":"total","seq":5,"record":{"seq":5"#), "\(run)")
        #expect(run.output.contains(#""lastSeq":6,"positions":3,"stretches":2"#), "\(run)")
    }

    @Test("for people, each is told with what changed, and the end is one line")
    func story() throws {
        let journal = ShopJournal()
        let run = ProgramRun(["check", journal.path, "--follow", "--color", "never"] + Self.invariant, width: 80)
        #expect(run.output.contains("total is violated  3   cart   Shop/Cart.swift:42"), "\(run)")
        #expect(run.output.contains("/total   12 → -3"), "\(run)")
        #expect(run.output.contains("total  violated at 3 of 7 positions, from 3 to the end in 2 ranges"), "\(run)")
    }

    @Test("a path that is nowhere is told while the journal is followed, and in the end is no verdict")
    func misspelt() throws {
        for comparison in ["<= 100", "> 100"] {
            let invariant = "total=.cart.totl \(comparison)"
            let run = ShopJournal().run("check", "J", "--follow", "--invariant", invariant)
            #expect(run.status == 4 && run.messages.contains("nothing was ever at '/cart/totl'"), "\(run)")
            #expect(!run.output.contains("violat"), "\(run)")
        }
    }

    @Test("damage ends it with status 3, and what was told before stands")
    func damage() throws {
        let journal = ShopJournal { $0.remove(at: 10) }
        let run = ProgramRun(["check", journal.path, "--follow"] + Self.invariant)
        #expect(run.status == 3 && run.output.contains("violated"), "\(run)")
    }

    @Test(
        "only one journal can be followed, and no document written of it",
        arguments: [
            ["j", "k", "--follow"], ["j", "--follow", "--format", "sarif"], ["j", "--follow", "--format", "junit"],
        ])
    func refused(_ arguments: [String]) {
        let run = ProgramRun(["check"] + arguments + Self.invariant)
        #expect(run.status == 2 && run.output.isEmpty, "\(run)")
    }
}

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

    @Test("an address, and a whole path of another machine, are the file that their end names")
    func addresses() throws {
        add("src/a b.ts")
        add("packages/app/src/c.ts")
        let root = SourceRoot(folder: folder.path)
        let real = try #require(FileSystem.resolved(folder.path))
        for name in [
            "file:///w/src/a%20b.ts", "file://" + real + "/src/a%20b.ts", "C:\\w\\src\\a b.ts",
            "file:///C:/w/src/a%20b.ts",
            "http://localhost:3000/src/a%20b.ts?t=1", "webpack:///./src/a b.ts",
            "webpack-internal:///(rsc)/./src/a b.ts",
            "webpack://shop/./src/a b.ts", "http://localhost:5173/@fs/w/src/a b.ts", "src\\a b.ts",
        ] { #expect(root.path(of: name) == "src/a b.ts", "\(name)") }
        #expect(root.path(of: "http://localhost:3000/src/c.ts") == "packages/app/src/c.ts")
        for name in [
            "file:///w/a%20b.ts", "C:\\w\\a b.ts", "http://h/a b.ts", "http://h/../src/a%20b.ts", "file:///w/src/d.ts",
            "webpack:///", "file:///", "http://h/%2e%2e/%00",
        ] { #expect(root.path(of: name) == nil, "\(name)") }
        for (name, reference) in [
            ("src/ä.ts", "src/%C3%A4.ts"), ("/w/a b.ts", "file:///w/a%20b.ts"),
            ("file:///w/a b.ts", "file:///w/a%20b.ts"),
            ("C:\\w\\a b.ts", "file:///C:/w/a%20b.ts"), ("http://h:1/a b.ts", "http://h:1/a%20b.ts"),
            ("webpack:///./src/a.ts", "src/a.ts"),
        ] { #expect(SourceRoot.reference(name) == reference) }
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
            try SourceTexts(folder: folder.path).lines(of: "Shop/Cart.swift", 1..<2)
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
