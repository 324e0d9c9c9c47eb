import Testing

@testable import StateInspectCLI

@Suite("Lines that a workflow's runner reads")
struct LogLineTests {
    @Test(
        "no line begins with two colons, and none holds two number signs",
        arguments: [
            ("::error::x", #":\u003aerror::x"#), ("  ::add-mask::x", #"  :\u003aadd-mask::x"#),
            ("\u{3000}::set-env", "\u{3000}:\\u003aset-env"), ("a\n::b", "a\n:\\u003ab"),
            ("x ##[error]y", #"x #\u0023[error]y"#), ("###vso[x]", #"#\u0023\u0023vso[x]"#),
        ])
    func defused(_ text: String, _ expected: String) {
        #expect(LogLine.defused(text) == expected)
    }

    @Test(
        "other lines stay as they are",
        arguments: ["", "a::b", "Shop::Cart", "# heading", "12:00:01  cart", "a: b :: c"])
    func untouched(_ text: String) {
        #expect(LogLine.defused(text) == text)
    }

    @Test(
        "no human line is a command, whatever the journal's names are",
        arguments: [
            ["stats", "J"], ["log", "J"], ["log", "J", "-p"], ["blame", "J"], ["info", "J"], ["show", "J", "5"],
            ["derived", "J", "--summary"], ["derived", "J", "--why", "::error::x"], ["history", "J", "."],
            ["replay", "J"], ["why", "J", "3"], ["marks", "J"], ["diff", "J", "0", "5"], ["state", "J"],
            ["check", "J", "--invariant", "t=.cart.total >= 0"], ["bisect", "J", "--bad", ".cart.total < 0"],
        ])
    func commands(_ arguments: [String]) throws {
        let journal = try ShopJournal { lines in
            for (plain, forged) in [
                ("badge", "::error::x"), ("Shop/Cart.swift", "::error file=x::y"), ("add(_:)", "##[error]z"),
                ("\"b7\"", "\"::warning::w ##[group]g\""), ("session", "::stop::s"),
            ] {
                lines = lines.map {
                    $0.split(separator: plain, omittingEmptySubsequences: false).joined(separator: forged)
                }
            }
        }
        defer { journal.delete() }
        for width in [nil, 80] {
            let run = ProgramRun(
                arguments.map { $0 == "J" ? journal.path : $0 } + ["--format", "human", "--color", "never"],
                width: width)
            for line in (run.output + run.messages).split(separator: "\n") {
                #expect(!line.drop { $0.isWhitespace }.hasPrefix("::"), "\(run)")
                #expect(!line.contains("##"), "\(run)")
            }
        }
    }
}
