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
}
