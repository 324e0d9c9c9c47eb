import JSONCore

/// A journal: its first byte chooses what it is asked.
struct JournalCase {
    private let question: [String]
    private let journal: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        question = Self.questions[Int(bytes.first ?? 0) % Self.questions.count]
        journal = bytes.dropFirst()
    }

    func run() {
        let path = FuzzRun.write(journal, to: "journal")
        let run = FuzzRun([question[0]] + question[1...].map { $0 == "J" ? path : $0 })
        // Pages, and what other tools read, have forms of their own.
        guard !question.contains("human"), question[0] != "report", question[0] != "export" else { return }
        // What is printed for programs is one JSON text a line.
        for line in run.lines where question[0] != "log" {
            require((try? JSONParser.parse(Array(line))) != nil, "no JSON: \(run)")
        }
    }

    static let questions: [[String]] = [
        ["info", "J"], ["log", "J", "--all"], ["log", "J", "-p", "--format", "human"], ["log", "J", "--reverse"],
        ["log", "J", "--recover"], ["log", "J", "--where", ".cart"], ["marks", "J"], ["show", "J", "3"],
        ["show", "J", "1..4", "--format", "human"], ["state", "J"], ["state", "J", "--recover"],
        ["state", "J", "--at", "end-2"], ["state", "J", "--at", "00:00:01"], ["state", "J", "--at", "mark:t"],
        ["replay", "J"], ["replay", "J", "--reverse"], ["replay", "J", "--recover"],
        ["replay", "J", "--reverse", "--recover"], ["replay", "J", "--without", "2"],
        ["replay", "J", "--only", ".cart"], ["replay", "J", "--final", "--recover"], ["diff", "J", "1", "end"],
        ["diff", "J", "J"], ["bisect", "J", "--bad", ".cart.a"], ["bisect", "J", "--bad", ".cart.a", "--recover"],
        ["bisect", "J", "--monotone", "--bad", ".cart"], ["derived", "J", "--all"], ["derived", "J", "--summary"],
        ["derived", "J", "--define", "d=.cart", "--check"], ["blame", "J"], ["blame", "J", "--reverse"],
        ["blame", "J", "--ignore", "2"], ["history", "J", ".cart"], ["history", "J", "/**/a", "--recover"],
        ["why", "J", "3"], ["check", "J", "--invariant", "t=.cart.a"],
        ["check", "J", "--invariant", "t=$old.cart", "--recover", "--format", "human"], ["stats", "J"],
        ["stats", "J", "--recover", "--format", "human"], ["verify", "J"], ["slice", "J", "1..3"],
        ["slice", "J", "2.."], ["merge", "J"], ["redact", "J", "--path", "/cart/a"],
        ["redact", "J", "--path", "/**/a"],
        ["minimize", "J", "--bad", ".cart.a"], ["export", "json-patch", "J"], ["export", "redux-devtools", "J"],
        ["export", "chrome-trace", "J"], ["export", "csv", "J"], ["export", "itf", "J"],
        ["export", "swift-test", "J", "--at", "2"], ["report", "J"], ["report", "J", "--bad", ".cart.a", "--recover"],
    ]
}
