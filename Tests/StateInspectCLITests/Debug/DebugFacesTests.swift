import Foundation
import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import Testing

@testable import CommandLine
@testable import Debugger
@testable import TimeTravel

@Suite("The debugger's three faces")
struct DebugFacesTests {
    init() { _ = tool }

    /// The same motion as each face asks for it: a line, keys, requests of an editor.
    private struct Motion {
        let line: String
        let keys: String
        let requests: [(name: String, more: JSONObject)]

        init(_ line: String, _ keys: String, _ request: String, _ more: JSONObject = [:], times: Int = 1) {
            (self.line, self.keys) = (line, keys)
            requests = Array(repeating: (request, more), count: times)
        }

        static func random(_ random: inout SeededGenerator, among positions: [Int], most: Int) -> Motion {
            let count = Int.random(in: 1...most, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1: return Motion("step \(count)", "\(count)l", "next", times: count)
            case 2, 3: return Motion("reverse-step \(count)", "\(count)h", "stepBack", times: count)
            case 4: return Motion("continue", "c", "continue")
            case 5: return Motion("reverse-continue", "C", "reverseContinue")
            case 6: return Motion("stepi", "]", "stepIn", ["granularity": "instruction"])
            case 7: return Motion("reverse-stepi", "[", "stepBack", ["granularity": "instruction"])
            case 8: return Motion("start", "g", "evaluate", ["expression": "start", "context": "repl"])
            default:
                let commit = positions[Int.random(in: 0..<positions.count, using: &random)]
                let line = "goto \(commit)"
                return Motion(line, "\(commit)g", "evaluate", ["expression": .string(line), "context": "repl"])
            }
        }
    }

    @Test("a random session stops at the same places for the same reasons in each", arguments: seeds(0..<80))
    func randomSessions(seed: UInt64) throws {
        let maker = JournalMaker(seed: seed, foreign: seed % 3 == 0, commits: 24, gaps: seed % 2 == 1)
        // A motion crosses what was lost only with its first step: two steps cross it where one of two stops before it.
        let most = seed % 2 == 1 ? 1 : 4
        let positions = maker.states.keys.filter { $0 > 0 }.sorted()
        let folder = TemporaryFolder()
        let path = folder.write(maker.bytes, to: "run.jsonl")
        var random = SeededGenerator(seed: seed &* 31)

        let lines = DebugInterpreter(
            try Session(Journal.open(path, access: .random)), .init(), width: nil
        ) { _ in }
        let screen = try FullScreenTests.Driver(path, as: "run.jsonl", ScreenSize(columns: 80, rows: 24))
        let editor = DapClient()
        editor.launch(["journal": .string(path)])
        let adapter = editor.adapter
        let sessions = [lines.session, screen.session, try adapter.opened().session]

        let watches = ["watch /cart", "watch /user", "watch .feed", "break run() if $seq % 5 == 0", "catch mark"]
        for stop in watches.shuffled(using: &random).prefix(2) {
            _ = try lines.execute(stop)
            let ofScreen = DebugInterpreter(screen.session, .init(), width: nil) { _ in }
            _ = try ofScreen.execute(stop)
            editor.body("evaluate", ["expression": .string(stop), "context": "repl"])
        }
        var trail: [String] = []
        for _ in 0..<24 {
            let motion = Motion.random(&random, among: positions, most: most)
            trail.append(motion.line)
            _ = try lines.execute(motion.line)
            try screen.type(motion.keys)
            for (name, more) in motion.requests {
                var arguments = more
                arguments["threadId"] = 1
                editor.body(name, arguments)
            }
            let places = sessions.map(\.position)
            #expect(places[0] == places[1] && places[0] == places[2], "seed \(seed): \(places) after \(trail)")
            #expect(screen.model.facts.position == places[0].commit.rawValue, "seed \(seed): \(trail)")
            // Steps that are asked for one by one end alike, and say so as often.
            guard motion.requests.count == 1 else { continue }
            let reasons = sessions.map { session in
                session.lastStop.reasons.map {
                    StopStory($0, at: session.lastStop.position.commit).row(nil) { $0.text() } ?? ""
                }
            }
            #expect(reasons[0] == reasons[1] && reasons[0] == reasons[2], "seed \(seed): \(reasons) after \(trail)")
        }
    }
}
