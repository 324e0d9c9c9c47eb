import Diagnostics
import Foundation
import JournalFormat
import JournalReading
import TestSupport
import Testing
import TimeTravel

@testable import StateInspectCLI

@Suite("A line typed to the debugger")
struct DebugLineTests {
    @Test("each command is known by its name and by each of its abbreviations, and no two share one")
    func names() throws {
        #expect(Set(DebugVerbTable.all.map(\.verb)) == Set(DebugVerb.allCases))
        #expect(DebugVerbTable.all.count == DebugVerb.allCases.count)
        var shorts: [String: DebugVerb] = [:]
        for definition in DebugVerbTable.all {
            #expect(try DebugLine.verb(definition.verb.rawValue) == definition.verb)
            for short in definition.short {
                #expect(try DebugLine.verb(short) == definition.verb)
                #expect(shorts.updateValue(definition.verb, forKey: short) == nil, "\(short)")
                #expect(DebugVerb(rawValue: short) == nil)
            }
        }
    }

    @Test("an abbreviation that only one command begins with is taken; of several, all are named")
    func abbreviations() throws {
        #expect(try DebugLine(parsing: "cont 3") == DebugLine(parsing: "continue 3"))
        #expect(try DebugLine(parsing: "  check  here ")?.rest == "here")
        #expect(try DebugLine(parsing: "reverse-stepi")?.verb == .reverseStepi)
        let error = #expect(throws: CommandFailure.self) { try DebugLine(parsing: "un") }
        #expect(error?.diagnostic.message == "'un' may be any of 'until', 'undisplay', 'unskip'")
    }

    @Test("a command that is not there is told with the nearest")
    func unknown() throws {
        let error = #expect(throws: CommandFailure.self) { try DebugLine(parsing: "wacth /cart") }
        #expect(error?.diagnostic.message == "there is no command 'wacth'")
        #expect(error?.diagnostic.help == ["write 'watch'"])
        #expect(error?.status == .usage)
    }

    @Test("an empty line and a comment are no commands")
    func nothing() throws {
        for line in ["", "  ", "# step", "\t# step"] { #expect(try DebugLine(parsing: line) == nil) }
    }

    @Test("a sign within quotes or brackets does not split a line")
    func splitting() {
        let parts = DebugLine.split(#"[.a | .b, "|\"|"] | wc -l | cat"#, at: "|")
        #expect(parts?.0 == #"[.a | .b, "|\"|"]"#)
        #expect(parts?.1 == "wc -l | cat")
        #expect(DebugLine.split("(.a | .b)", at: "|") == nil)
    }

    /// How many random lines are tried; more by the environment.
    static let count = ProcessInfo.processInfo.environment["STATE_INSPECT_DEBUG_LINES"].flatMap { Int($0) } ?? 300

    @Test("no bytes trap or end a session, whatever they are", arguments: [1, 2] as [UInt64])
    func anyBytes(seed: UInt64) throws {
        let maker = JournalMaker(seed: seed, commits: 30)
        let folder = TemporaryFolder()
        let journal = try Journal.open(folder.write(maker.bytes, to: "run.jsonl"), access: .random)
        let interpreter = DebugInterpreter(
            try Session(journal), DebugInterpreter.Surroundings(), style: .plain, width: 80
        ) { text in
            #expect(!text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" || $0.value == 127 })
        }
        let completion = DebugCompletion(session: interpreter.session, definitions: [])
        var random = SeededGenerator(seed: seed)
        for _ in 0..<DebugLineTests.count {
            let line = Self.line(&random)
            guard (try? DebugLine(parsing: line))?.verb != .shell else { continue }
            _ = completion.completion(of: line)
            do { _ = try interpreter.execute(line) } catch { try interpreter.report(error) }
        }
    }

    /// A line of words that mean something, and of bytes that do not.
    private static func line(_ random: inout SeededGenerator) -> String {
        let verbs = DebugVerb.allCases.filter { $0 != .pipe && $0 != .shell && $0 != .source && $0 != .list }.map(
            \.rawValue)
        let words = [
            "/cart", ".cart", "$old", "if", "1", "-1", "99999999999999999999", "5", "end-3", "mark:", "mark:tap",
            "derived",
            "mark", "violation", "File.swift:1", "run", "|", "(", "\"", "/**", "/*/a", "3..9", "$seq > 3", "\u{1B}[31m",
            "é",
        ]
        var bytes: [UInt8] = []
        if Int.random(in: 0..<10, using: &random) > 0 { bytes += Array(verbs.randomElement(using: &random)!.utf8) }
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            bytes.append(0x20)
            if Int.random(in: 0..<6, using: &random) == 0 {
                bytes += (0..<8).map { _ in UInt8.random(in: 0...255, using: &random) }
            } else {
                bytes += Array(words.randomElement(using: &random)!.utf8)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
