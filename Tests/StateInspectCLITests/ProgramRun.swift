import JSONCore
import Diagnostics
import Foundation
import Platform
import TestSupport

@testable import CommandLine
@testable import StateInspectCLI

/// The table of commands, with all that the tool has.
var tool: CommandTable.Type {
    declared
    return CommandTable.self
}

/// Values whose words need the commands, as those of errors do.
func withCommands<Value>(_ value: Value) -> Value {
    declared
    return value
}

private let declared: Void = CommandTable.declare(StateInspect.commands)

/// One run of the program inside the test's process: what it printed and how it ended.
struct ProgramRun: CustomStringConvertible {
    let arguments: [String]
    let output: String
    let messages: String
    let outcome: ProgramOutcome

    /// Runs a command line; as a person at a terminal of `width` columns if one is given, as a script otherwise.
    ///
    /// - Parameter errorWidth: the columns of a terminal that messages go to, on which a work tells at once how far it is.
    init(
        _ arguments: [String], width: Int? = nil, errorWidth: Int? = nil, input: Int32 = -1,
        environment: [String: String] = [:],
        output sink: MemorySink = MemorySink()
    ) {
        Self.writesFail
        declared
        let error = MemorySink()
        let terminal = Terminal(isTerminal: width != nil, width: width)
        let streams = StandardStreams(
            output: sink, error: error, input: input, childOutput: 2, terminal: terminal,
            errorTerminal: Terminal(isTerminal: errorWidth != nil, width: errorWidth),
            environment: Environment(environment.merging(["PAGER": "cat", "PATH": "/usr/bin:/bin"]) { own, _ in own }),
            patience: errorWidth == nil ? Progress.patience : .zero)
        self.arguments = arguments
        outcome = Program(streams).run(arguments)
        output = sink.text
        messages = error.text
    }

    /// A write to a pager that has gone fails, as it does in the program, and does not end the test's process.
    private static let writesFail: Void = { signal(SIGPIPE) { _ in } }()

    /// The status; -1 where the reader of the output had gone.
    var status: Int32 {
        guard case .exit(let status) = outcome else { return -1 }
        return status
    }

    /// Everything, for a test that does not hold.
    var description: String {
        """
        state-inspect \(ShellQuoting.line(arguments)) → \(outcome)
        --- standard output
        \(output)
        --- standard error
        \(messages)
        """
    }
}

/// Keeps what is written to it; refuses from a given number of bytes on, if told to.
final class MemorySink: ByteSink {
    private(set) var bytes: [UInt8] = []
    private let limit: Int
    private let refusal: OutputError
    private let onWrite: () -> Void

    /// - Parameter onWrite: is called at each write.
    init(limit: Int = .max, refusal: OutputError = .refused(28), onWrite: @escaping () -> Void = {}) {
        self.limit = limit
        self.refusal = refusal
        self.onWrite = onWrite
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    func write(_ bytes: ByteView) throws(OutputError) {
        guard self.bytes.count + bytes.count <= limit else { throw refusal }
        self.bytes.append(contentsOf: bytes)
        onWrite()
    }
}

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
