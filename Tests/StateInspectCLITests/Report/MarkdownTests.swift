import Foundation
import Testing

@testable import StateInspectCLI

@Suite("Markdown")
struct MarkdownTests {
    private let journal = ShopJournal()

    @Test("a text of a journal stays code, whatever backticks and bars it has")
    func code() {
        #expect(Markdown.code("a") == "`a`")
        #expect(Markdown.code("a`b``c") == "``` a`b``c ```")
        #expect(Markdown.cell("a|b") == #"`a\|b`"#)
        #expect(Markdown.code("a\n# b\u{202E}") == #"`a\n# b\u202e`"#)
        #expect(Markdown.text("<b> [x](y) *z* https://a") == #"\<b\> \[x\](y) \*z\* https\://a"#)
    }

    @Test("bisect tells its commit for a job's summary")
    func bisect() throws {
        let run = journal.run("bisect", "J", "--bad", ".cart.total < 0", "--format", "markdown")
        #expect(run.status == 0, "\(run)")
        #expect(run.output.hasPrefix("### ❌ first bad commit, commit 3\n\n`cart` · `Shop/Cart.swift:42`"), "\(run)")
        #expect(run.output.contains("| path | before | after |\n| --- | --- | --- |\n| `/cart/total` | `12` | `-3` |"))
        #expect(run.output.contains("- asked: `.cart.total < 0`\n- good up to 2, bad from 3"))
        #expect(run.output.contains("```sh\nstate-inspect show \(journal.path) 3\n"), "\(run)")
    }

    @Test("check tells what is violated, what has no answer and what holds")
    func check() throws {
        let run = journal.run(
            "check", "J", "--format", "markdown", "--invariant", "total=.cart.total >= 0", "--invariant",
            "token=.session.token != null", "--invariant", "odd=.cart.items[.session.token]")
        #expect(run.status == 1, "\(run)")
        #expect(run.output.contains("### `\(journal.path)`: 1 violated"), "\(run)")
        #expect(run.output.contains("#### ❌ 'total' is violated, commit 3"), "\(run)")
        #expect(run.output.contains("#### ❔ 'odd' cannot be evaluated"), "\(run)")
        #expect(run.output.contains("| `token` | at all 7 positions |"), "\(run)")
    }
}
