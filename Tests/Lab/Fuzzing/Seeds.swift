import Foundation
import JSONCore
import QueryLanguage
import TestSupport

/// What the fuzzer starts from, made by code or read in place: no corpora are kept.
extension FuzzTarget {
    /// Writes a folder `corpus` and a file `dictionary` into a folder.
    func writeSeeds(to folder: URL) throws {
        let corpus = folder.appendingPathComponent("corpus")
        try FileManager.default.createDirectory(at: corpus, withIntermediateDirectories: true)
        let seeds = try seeds()
        for (index, seed) in seeds.enumerated() {
            try Data(seed).write(to: corpus.appendingPathComponent("seed-\(index)"))
        }
        try Seeds.dictionary(of: self).write(
            to: folder.appendingPathComponent("dictionary"), atomically: true, encoding: .utf8)
        print("\(seeds.count) seeds in \(corpus.path)")
    }

    private func seeds() throws -> [[UInt8]] {
        switch self {
        case .query: try Seeds.queries()
        case .pattern: Seeds.patterns.map { Array($0.utf8) }
        case .json: Seeds.values.map { Array($0.utf8) }
        case .patch: Seeds.patches()
        case .pointer: Seeds.paths.map { Array($0.utf8) }
        case .journal:
            Seeds.journals().enumerated().flatMap { index, journal in
                stride(from: index, to: JournalCase.questions.count, by: 6).map { [UInt8($0)] + journal }
            }
        case .roads, .repair: Seeds.journals()
        case .redact: Seeds.journals().map { Array("line\nfeed".utf8.prefix(4)) + [0x0A] + $0 }
        case .importing: Seeds.imports
        case .arguments: Seeds.commandLines.map { Array($0.utf8) }
        case .debug: Seeds.scripts.map { Array($0.utf8) }
        }
    }
}

/// The seeds of the targets.
enum Seeds {
    private static let suites = ["jq.test", "onig.test", "base64.test", "uri.test"]

    /// The programs of jq's own tests, read in place.
    static func queries() throws -> [[UInt8]] {
        var programs: [[UInt8]] = []
        for suite in suites where SharedFolder.has("suites/jq/\(suite)") {
            let text = String(decoding: try SharedFolder.data("suites/jq/\(suite)"), as: UTF8.self)
            for block in text.components(separatedBy: "\n\n") {
                let lines = block.split(separator: "\n").filter { !$0.hasPrefix("#") }
                guard lines.count >= 2, lines.joined().utf8.count < 2_000 else { continue }
                programs.append(Array("\(lines[0])\n\(lines[1])".utf8))
            }
        }
        return programs
    }

    /// Small journals of every kind of record, our own and as others write them.
    static func journals() -> [[UInt8]] {
        (0..<12 as Range<UInt64>).map { seed in
            var maker = JournalMaker(seed: seed, after: seed == 7 ? 3 : nil, foreign: seed % 2 == 1)
            maker.run(commits: 4 + Int(seed), keyframeEvery: 5)
            if seed % 3 > 0 { maker.end() }
            guard seed % 4 == 2 else { return maker.bytes }
            var form = ForeignForm(seed: seed)
            return form.journal(maker.bytes)
        }
    }

    static func patches() -> [[UInt8]] {
        (0..<40 as Range<UInt64>).map { seed in
            var maker = JournalMaker(seed: seed)
            var value = maker.value(depth: 3)
            let before = value
            let patch = maker.foreignPatch(of: &value)
            return Array("\(before.text())\n\(patch.json.text())".utf8)
        }
    }

    /// Small files of other programs, each for every format.
    static let imports: [[UInt8]] = (values + importTexts).flatMap { text in
        ImportCase.options.indices.map { [UInt8($0)] + Array(text.utf8) }
    }

    private static let importTexts = [
        #"{"a":1}"# + "\n" + #"{"a":2,"b":[1,2]}"# + "\n",
        #"[{"op":"replace","path":["a"],"value":1}]"# + "\n",
        #"[{"op":"add","path":"/a","value":1},{"op":"test","path":"/a","value":1}]"# + "\n",
        #"{"root":"r","current":"n","nodes":{"r":{"id":"r","children":["n"],"state":{"type":"checkpoint","val":{"a":1}},"createdOn":1},"n":{"id":"n","parent":"r","children":[],"label":"x","state":{"type":"patch","val":[{"op":"replace","path":"/a","value":2}]},"createdOn":2}}}"#,
        #"{"startContent":"ab","endContent":"axb","txns":[{"time":"2020-01-01T00:00:00Z","patches":[[1,0,"x"]]}]}"#,
        #"{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"p","namespace":"n","resourceVersion":"1"}}}"#
            + "\n",
        #"{"payload":{"op":"u","before":{"id":1,"a":1},"after":{"id":1,"a":2},"source":{"table":"t","ts_ms":1},"ts_ms":2}}"#
            + "\n",
        #"{"change":[{"kind":"insert","schema":"public","table":"t","columnnames":["id"],"columntypes":["int"],"columnvalues":[1]}]}"#
            + "\n",
        #"{"action":"I","schema":"public","table":"t","columns":[{"name":"id","type":"int","value":1}],"pk":[{"name":"id"}]}"#
            + "\n",
        ##"{"#meta":{"format":"ITF"},"vars":["x"],"states":[{"#meta":{"index":0},"x":{"#bigint":"1"}},{"x":{"#set":[1,2]}}]}"##,
        #"{"actionsById":{"0":{"action":{"type":"@@INIT"},"timestamp":1}},"computedStates":[{"state":{"a":1}}],"stagedActionIds":[0],"currentStateIndex":0}"#,
        "2026-01-01 12:00:00 info {\"a\":1}\n",
    ]

    static let values = [
        "null", "[1,2.50,-0,1e400]", #"{"a":{"b":[1,null,"x\u00e9\ud83d\ude00"]},"":{"":0}}"#, #""\ud800""#,
        "[[[[[[]]]]]]", #"{"b":1,"a":2,"b":3}"#, "1234567890123456789012345678901234567890",
        " [ 1 , { \"a\" : [ ] } ] ",
    ]

    static let patterns = [
        "a+b*\ng\naab", "(?<x>\\d+)-(\\w)\nx\n12-a", "[[:alpha:]]{2,3}?\ni\nAbc", "(a|b)*\\1\n\nabab", "^$\nn\n\n",
        "(?=é)\\p{L}+\n\nécole", "(?<!a)b(?i:C)\\b\ns\nbc", "\\X\\R\\h\ngl\ne\u{301}",
    ]

    static let paths = [
        "/cart/items/0", "/a~1b/~0", ".cart.items[0]", "cart/*/x", "/**/a", ".\"a b\".c", "/~2", "", "/", "-",
        "$.a", "cart.items[-1]", ".a[\"b\"]",
    ]

    static let scripts = [
        "start\nstep 3\nreverse-step\nback\nforward\nwhen\n", "watch /cart if .cart\nstart\nc\nrc\n",
        "break run()\ntbreak File.swift:1\ninfo breakpoints\nrc 2\ndelete 1\nc\n",
        "print .cart, $old.cart\ndisplay .\ns\n",
        "last /cart\nlast /cart\nblame /cart\nwhy\nbt\nlist\n", "goto 7\ndiff\ndiff 3\ncheckpoint x\nrestart x\n",
        "skip 3,5..7\nstart\nuntil .cart\nunskip 5\nreverse-until .cart == null\n",
        "catch violation .cart\ncatch gap\ncatch mark\nc\nignore 1 2\ncondition 1 .a\nenable 1\ndisable\n",
        "stepi\nreverse-stepi 3\ninfo stores\ninfo marks\nhelp watch\nend\nquit\n",
    ]

    static let commandLines = [
        "bisect\nj\n--bad\n.cart.total < 0\n--from\n3\n--path\ncart.total",
        "log\nj\n-n5\n-p\n--range=3..end-1\n--name\na*",
        "state\nj\n--at\n12:00:03\n--select\n.a\n-re", "check\nj\nk\n--invariant\na=.b\n--jobs\n2\n--format=junit",
        "import\njsonl\nf\n--state\n.\n--time\n.t", "replay\nj\n--without\n1,3..5\n--pace\n2.5",
        "diff\nj\n3\nmark:x#2\n--stat",
        "derived\nj\n--define\na=.b\n--why\na", "--help", "completions\nzsh",
        "export\ncsv\nj\n--arg\na\nb\n--argjson\nc\n[1]",
        "minimize\nj\n--bad\n.a\n-o\nx", "redact\nj\n--path\na.b\n--check\nsecret", "log\n--\n-j", "slice\nj\n3..",
    ]
}
