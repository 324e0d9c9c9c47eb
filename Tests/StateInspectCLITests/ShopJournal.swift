import Foundation
import TestSupport

/// A small journal for the commands to read: two stores, a derived value, a mark, and a total that goes bad twice.
///
/// It lies in a folder of its own, which goes away with it.
final class ShopJournal: Sendable {
    /// Where it lies.
    let path: String
    private let folder = TemporaryFolder()

    /// Its lines, without their ends.
    static let lines = [
        #"{"seq":0,"kind":"journal","version":1,"id":"run-1","time":"2026-11-21T12:00:00.000000Z","app":"shop","recorder":"hand"}"#,
        #"{"seq":0,"kind":"store","store":"session","type":"Session","time":"2026-11-21T12:00:00.000000Z","at":{"file":"Shop/Session.swift","line":5,"column":9,"function":"init()"},"state":{"token":"a1"}}"#,
        #"{"seq":0,"kind":"store","store":"cart","type":"Cart","time":"2026-11-21T12:00:00.000000Z","at":{"file":"Shop/Cart.swift","line":7,"column":9,"function":"init()"},"state":{"items":[],"total":0}}"#,
        #"{"seq":0,"kind":"derived","name":"badge","inputs":["/cart/items"],"at":{"file":"Shop/Badge.swift","line":3,"column":9,"function":"init()"}}"#,
        #"{"seq":1,"kind":"commit","store":"cart","version":1,"time":"2026-11-21T12:00:01.000000Z","at":{"file":"Shop/Cart.swift","line":30,"column":9,"function":"add(_:)"},"patch":[{"op":"add","path":"/items/0","value":{"id":1,"price":12}},{"op":"replace","path":"/total","value":12,"old":0}]}"#,
        #"{"seq":1,"kind":"outcome","commit":1,"derived":[{"name":"badge","outcome":"fired","value":1}]}"#,
        #"{"seq":2,"kind":"commit","store":"session","version":1,"time":"2026-11-21T12:00:02.000000Z","at":{"file":"Shop/Session.swift","line":20,"column":9,"function":"refresh()"},"patch":[{"op":"replace","path":"/token","value":"b7","old":"a1"}]}"#,
        #"{"seq":3,"kind":"commit","store":"cart","version":2,"time":"2026-11-21T12:00:03.482000Z","at":{"file":"Shop/Cart.swift","line":42,"column":9,"function":"applyDiscount(_:)"},"cause":2,"patch":[{"op":"replace","path":"/total","value":-3,"old":12}]}"#,
        #"{"seq":3,"kind":"mark","time":"2026-11-21T12:00:03.500000Z","text":"total \u001b[31mred"}"#,
        #"{"seq":4,"kind":"commit","store":"cart","version":3,"time":"2026-11-21T12:00:04.000000Z","at":{"file":"Shop/Cart.swift","line":50,"column":9,"function":"repair()"},"patch":[{"op":"replace","path":"/total","value":12,"old":-3}]}"#,
        #"{"seq":5,"kind":"commit","store":"cart","version":4,"time":"2026-11-21T12:00:05.000000Z","at":{"file":"Shop/Cart.swift","line":61,"column":9,"function":"refund()"},"name":"Refund","action":{"type":"Cart.Action.refund"},"patch":[{"op":"replace","path":"/total","value":-9,"old":12},{"op":"remove","path":"/items/0","old":{"id":1,"price":12}}]}"#,
        #"{"seq":5,"kind":"outcome","commit":5,"derived":[{"name":"badge","outcome":"fired","value":0}]}"#,
        #"{"seq":6,"kind":"commit","store":"cart","version":5,"time":"2026-11-21T12:00:06.000000Z","at":{"file":"Shop/Cart.swift","line":70,"column":9,"function":"touch()"},"patch":[]}"#,
        #"{"seq":6,"kind":"end","time":"2026-11-21T12:00:07.000000Z","totals":{"commits":{"cart":5,"session":1},"open":["cart","session"],"derived":["badge"],"marks":1,"gaps":0,"aborts":0}}"#,
    ]

    /// Writes the journal, changed by `change`, into a fresh folder.
    convenience init(_ change: (inout [String]) -> Void = { _ in }) {
        var lines = Self.lines
        change(&lines)
        self.init(text: lines.map { $0 + "\n" }.joined())
    }

    /// Writes any text as a journal into a fresh folder.
    init(text: String) { path = folder.write(text, to: "shop.jsonl") }

    /// Appends lines to it.
    func append(_ lines: some Sequence<String>) {
        let file = FileHandle(forWritingAtPath: path)
        file?.seekToEndOfFile()
        file?.write(Data(lines.map { $0 + "\n" }.joined().utf8))
    }

    /// Runs a command on it; `J` in the arguments stands for its path, which messages show as `J` again.
    func run(_ arguments: String..., width: Int? = nil) -> ProgramRun { run(arguments, width: width) }

    /// Runs a command on it, its arguments as a list.
    func run(_ arguments: [String], width: Int? = nil) -> ProgramRun {
        ProgramRun(arguments.map { $0 == "J" ? path : $0 }, width: width)
    }

    /// Runs a command on it, its arguments with a blank between them.
    func run(line: String) -> ProgramRun { run(line.split(separator: " ").map(String.init)) }
}
