import TestSupport
import Testing

@Suite("What there is to say of a query before it is asked")
struct QueryWarningsTests {
    private let folder = TemporaryFolder()
    private let journal = ShopJournal()

    private func inspect(_ arguments: String...) throws -> ProgramRun { return journal.run(arguments) }

    @Test(
        "a constant is the same at every position",
        arguments: [
            ["bisect", "J", "--bad", "118"], ["log", "J", "--where", "\"a\""],
            ["check", "J", "--invariant", "x=1 < 2"],
            ["replay", "J", "--only", "true"], ["bisect", "J", "--bad", "$n > 1", "--argjson", "n", "2"],
        ])
    func constants(_ arguments: [String]) throws {
        let run = journal.run(arguments)
        #expect(run.messages.contains("is the same at every position"), "\(run)")
        #expect(run.status < 2, "\(run)")
    }

    @Test("an assignment for a comparison is told, with what to write")
    func assignment() throws {
        let run = try inspect("bisect", "J", "--bad", ".cart.total = -6")
        #expect(run.messages.contains("write '.cart.total == -6' to compare"), "\(run)")
        #expect(try inspect("check", "J", "--invariant", "x=.cart.total |= 1").messages.contains("assigns"))
    }

    @Test(
        "an empty condition is refused",
        arguments: [
            ["bisect", "J", "--bad", ""], ["bisect", "J", "--good", " # "], ["log", "J", "--where", ""],
            ["replay", "J", "--only", " "], ["check", "J", "--invariant", "total="], ["minimize", "J", "--bad", ""],
        ])
    func empty(_ arguments: [String]) throws {
        let run = journal.run(arguments)
        #expect(run.status == 2 && run.output.isEmpty, "\(run)")
    }

    @Test("a path that is at no position is reported with the nearest one, and one that may be anywhere is not")
    func absentPaths() throws {
        let run = try inspect("check", "J", "--invariant", "x=.cart.totl <= 1000")
        #expect(
            run.messages == """
                state-inspect: error: nothing was ever at '/cart/totl'
                 --> x:1:7
                1 | .cart.totl <= 1000
                  |       ^^^^ no such member
                note: it is null at every position
                help: write '.cart.total'

                """, "\(run)")
        #expect(try inspect("bisect", "J", "--bad", ".cart.totl > 1000").messages.contains("'.cart.total'"))
        #expect(try inspect("history", "J", ".session.tokn | length").messages.contains("'.session.token'"))
        #expect(try inspect("log", "J", "--where", ".cart.item[0].price > 1").messages.contains("'.cart.items'"))
        // Empty at both ends: nothing is known of what stands in it.
        #expect(try !inspect("log", "J", "--where", ".cart.items[0].price > 1").messages.contains("there is no"))
        #expect(try !inspect("log", "J", "--where", ".cart.discount > 1").messages.contains("there is no"))
        #expect(try !inspect("log", "J", "--where", "[.. | numbers] | add > 1").messages.contains("there is no"))
    }

    @Test("a file of invariants is warned of like a typed one, in its own text")
    func invariantsFile() throws {
        let file = folder.write("def fine: .cart.total < 99;\ndef slip: .cart.totl < 99;\n", to: "i.jq")
        let run = try inspect("check", "J", "--invariants", file)
        #expect(run.messages.contains("nothing was ever at '/cart/totl'") && run.messages.contains("slip:2:"), "\(run)")
    }

    @Test("under '--store' the store's own name is no part of a path")
    func underStore() throws {
        let run = try inspect("bisect", "J", "--store", "cart", "--bad", ".cart.total < 0")
        #expect(run.messages.contains("write '.total < 0'"), "\(run)")
        let plain = try inspect("bisect", "J", "--store", "cart", "--bad", ".total < 0")
        #expect(!plain.messages.contains("there is no"), "\(plain)")
        #expect(
            try inspect("bisect", "J", "--store", "cart", "--bad", ".totl < 0").messages.contains("write '.total'"))
    }

    @Test("a text that looks like a number is no number in a comparison, which is told")
    func textForNumber() throws {
        for (query, option, isReported) in [
            (".cart.total < $lim", "--arg", true), ("$lim >= .cart.total", "--arg", true),
            (".cart.total < $lim", "--argjson", false), (".cart.total < ($lim | tonumber)", "--arg", false),
            (".session.token < $lim", "--arg", true), ("$lim < \"5\"", "--arg", false),
        ] {
            let run = journal.run("bisect", "J", "--bad", query, option, "lim", "0")
            #expect(run.messages.contains("'$lim' is a text, not a number") == isReported, "\(query) \(run)")
        }
    }

    @Test(
        "values and definitions are given wherever a query is taken",
        arguments: [
            (["state", "J", "--select", "[$max, under]"], #"["9",true]"#),
            (["replay", "J", "--final", "--select", "under"], "true"),
            (["bisect", "J", "--bad", "under | not"], "null"),
            (["check", "J", "--invariant", "x=under"], ""), (["history", "J", "[under, $max]"], ""),
            (["log", "J", "--where", "under", "-n", "1"], "seq"), (["stats", "J", "--where", "under"], "kind"),
            (["derived", "J", "--define", "u=[under, $max]", "--summary"], #""name":"under""#),
            (["replay", "J", "--only", "under", "--final"], "cart"),
            (["minimize", "J", "--bad", "(.cart.total | tostring) != $max"], "journal"),
            (["query", "-n", "[$max, $ARGS.named.max, twice(2)]"], #"["9","9",4]"#),
        ])
    func values(_ arguments: [String], _ part: String) throws {
        let file = folder.write(
            Array("def twice(f): f * 2; def under: .cart.total < twice($max | tonumber * 10);".utf8), to: "d.jq")
        let given = ["--arg", "max", "9", "--definitions", file]
        let run = ProgramRun(arguments.map { $0 == "J" ? journal.path : $0 } + given)
        #expect(run.status < 2 && (part.isEmpty || run.output.contains(part)), "\(run)")
        #expect(!run.messages.contains("error:"), "\(run)")
    }

    /// One run and a condition of it, as each command takes it.
    private static let forms: [(bad: String, [String])] = [
        ("bisect", ["bisect", "J", "--bad", "Q"]), ("minimize", ["minimize", "J", "--bad", "Q", "-o", "/dev/null"]),
        ("suspects", ["suspects", "J", "--bad", "Q"]), ("check", ["check", "J", "--invariant", "x=Q | not"]),
        ("report", ["report", "J", "--bad", "Q", "-o", "OUT"]),
    ]

    private func answers(_ query: String) throws -> [(name: String, run: ProgramRun)] {
        var runs = Self.forms.map { form in
            let arguments = form.1.map { word in
                word == "J"
                    ? journal.path : word == "OUT" ? folder.path + "/out.html" : word.replacing("Q", with: "(\(query))")
            }
            return (form.bad, ProgramRun(form.bad == "bisect" ? ["bisect", journal.path, "--bad", query] : arguments))
        }
        for line in ["until \(query)", "catch violation (\(query)) | not"] {
            let script = folder.write("start\n\(line)\nc\n", to: "script")
            runs.append((line, ProgramRun(["debug", journal.path, "-x", script, "--batch"])))
        }
        return runs
    }

    @Test(
        "a condition that names what the run never has is status 4 with the same words everywhere",
        arguments: [
            (".pool.free < 5", "there is no store 'pool' at any position"),
            (".cart.nope < 5", "nothing was ever at '/cart/nope'"),
            (".cart.totl < 0", "nothing was ever at '/cart/totl'"),
            (".cart.items[].prise > 5", "nothing was ever at '/cart/items/*/prise'"),
            ("[.cart.items[].prise] | add > 5", "nothing was ever at '/cart/items/*/prise'"),
            (".pool.free.now < 5 or .cart.total < 0", "there is no store 'pool' at any position"),
        ])
    func neverThereAnywhere(_ query: String, _ words: String) throws {
        for (name, run) in try answers(query) {
            #expect(run.status == 4 && run.messages.contains("error: " + words), "\(name): \(run)")
            #expect(!run.messages.contains("warning: " + words), "\(name): \(run)")
        }
        let both = try inspect(
            "check", "J", "--invariant", "x=\(query) | not", "--invariant", "total=.cart.total >= 0", "--json")
        #expect(both.status == 4 && both.output.contains(#""kind":"violation""#), "\(both)")
        #expect(
            both.output.contains(#""kind":"failure""#) && !both.output.contains(#""invariant":"x","first""#), "\(both)")
    }

    @Test(
        "values of two types in a comparison, and a condition that gives no boolean, are warned of everywhere alike",
        arguments: [
            (#".cart.total < "0""#, "compares a number with a text", "write '.cart.total < 0'"),
            (".cart.items > 2", "compares an array with a number", "write '(.cart.items | length) > 2'"),
            (#".cart.total == "-3""#, "compares a number with a text", "write '.cart.total == -3'"),
            (".cart | .total > true", "compares a number with a boolean", ""),
            (#".cart.total as $x | .cart.items == "none""#, "compares an array with a text", ""),
            (".cart.total < .cart.items", "compares a number with an array", ""),
            (".cart.total", "gives a number, which always counts as true", ""),
            (".cart.items | length", "gives a number, which always counts as true", ""),
        ])
    func twoTypes(_ query: String, _ words: String, _ help: String) throws {
        for (name, run) in try answers(query)
        where !(words.contains("gives") && (name.contains("not") || name == "check")) {
            let isInBrackets = name != "bisect" && !name.hasPrefix("until")
            #expect(run.messages.contains(words) || run.output.contains(words), "\(name): \(run)")
            #expect(run.status < 2, "\(name): \(run)")
            if !isInBrackets { #expect((run.messages + run.output).contains(help), "\(name): \(run)") }
        }
    }

    @Test(
        "what may well be meant is not warned of",
        arguments: [
            ".cart.total < 0", ".cart.total == 3", ".cart.items == []", ".cart.total != null", ".cart.customer == null",
            ".cart.items | any(.price > 100)", ".session.token == \"b7\"", ".cart.items[] | select(.price > 100)",
            ".cart.total as $t | $t < 0", "(.cart.customer // 0) > 5", "(.cart.items | length) > 2",
        ])
    func noMistake(_ query: String) throws {
        for (name, run) in try answers(query) {
            #expect(run.status < 4, "\(name): \(run)")
            #expect(!run.messages.contains("compares") && !run.messages.contains("counts as true"), "\(name): \(run)")
        }
    }

    @Test(
        "a missing member that a query excuses, wherever that stands, is no error",
        arguments: [
            ".cart.totl? |= 3 | .cart.total < -99", "reduce .cart as $c (0; . + ($c.totl? // 0)) > 3",
            "def f: .cart.totl?; f == 3", "def f(x): x; f(.cart.totl?) == 3", ".cart as $c | $c.totl? == 3",
            "foreach .cart as $c (0; $c.totl? // 1) > 3", "[.cart | to_entries[] | .value.totl?] | length > 99",
            "def f: .totl == null; .cart | f | not",
        ])
    func excused(_ query: String) throws {
        for (name, run) in try answers(query) { #expect(run.status < 2, "\(name): \(run)") }
    }

    @Test(
        "one that is not excused is an error there too",
        arguments: ["reduce .cart as $c (0; $c.totl) > 3", "def f: .cart.totl; f == 3", ".cart | .totl as $x | $x > 1"])
    func notExcused(_ query: String) throws {
        for (name, run) in try answers(query) { #expect(run.status == 4, "\(name): \(run)") }
    }

    @Test(
        "a member without its store is met by that of a store, also with a slip",
        arguments: [".totl < 0", ".total < 0"])
    func withoutStore(_ query: String) throws {
        for (name, run) in try answers(query) {
            #expect(run.status == 4 && run.messages.contains("write '.cart.total'"), "\(name): \(run)")
        }
    }

    @Test(
        "a page with an invariant that names what the run never has is written, with the words and the status of 'check'"
    )
    func absentOnPage() throws {
        let given = ["--invariant", "x=.cart.totl >= 0", "--invariant", "y=.cart.total >= -99"]
        let check = try inspectEach(["check", "J"] + given)
        let report = try inspectEach(["report", "J", "-o", folder.path + "/out.html"] + given)
        #expect(check.status == 4 && report.status == 4, "\(report)")
        #expect(report.messages.hasPrefix(check.messages) && report.messages.contains("out.html' has"), "\(report)")
    }

    @Test("null on the way is warned of everywhere alike, and changes no status")
    func nullOnTheWay() throws {
        for (name, run) in try answers(".cart.items[0].price < 5") {
            let text = run.messages + run.output
            #expect(text.contains("in the first bad state, so the answer may be about that"), "\(name): \(run)")
            #expect(run.status < 2, "\(name): \(run)")
        }
    }

    @Test("two of an option that is given once are an error that names both")
    func twice() throws {
        let run = try inspect("bisect", "J", "--bad", ".cart.total < 0", "--bad", ".cart.total > 5")
        #expect(run.status == 2 && run.output.isEmpty, "\(run)")
        #expect(run.messages.contains(".cart.total < 0") && run.messages.contains(".cart.total > 5"), "\(run)")
        #expect(try inspect("log", "J", "-n", "1", "-n", "2").status == 2)
        #expect(
            try inspect("log", "J", "--json", "--format", "human", "--path", "/cart", "--path", "/session").status == 0)
    }

    @Test("what was never there is told though nothing is called alike, and what was there now and then is not")
    func neverThere() throws {
        for arguments in [
            ["check", "J", "--invariant", "x=.cart.customer == null"], ["log", "J", "--where", ".cart.customer > 1"],
            ["history", "J", ".cart.customer + 1"],
            ["replay", "J", "--select", ".cart.customer"], ["log", "J", "--where", ".customer > 1", "--store", "cart"],
        ] {
            let run = try inspectEach(arguments)
            let path = arguments.contains("--store") ? "/customer" : "/cart/customer"
            #expect(run.messages.contains("nothing was ever at '\(path)'"), "\(run)")
        }
        // An item is there from 1 to 4.
        let there = try inspect("bisect", "J", "--bad", ".cart.items[].price > 100")
        #expect(!there.messages.contains("warning"), "\(there)")
    }

    private func inspectEach(_ arguments: [String]) throws -> ProgramRun { return journal.run(arguments) }
}
