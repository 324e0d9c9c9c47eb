import Foundation
import JSONCore
import TestSupport
import Testing

/// A bisection with a program as the judge: how often it is run, and on what.
@Suite("bisect --run")
struct BisectProgramTests {
    /// A run of `count` commits in which `n` counts up.
    private func counting(_ count: Int, also lines: [Int: String] = [:]) -> ShopJournal {
        let commits = (1...count).flatMap { seq in
            [Lines.commit(seq, Lines.replace("/number", seq), "a"), lines[seq]].compactMap(\.self)
        }
        return ShopJournal(text: Lines.journal([Lines.store(#"{"number":0}"#, "a")] + commits))
    }

    /// How many runs each message promised to be enough, itself included, from the last message backwards.
    private func promised(_ run: ProgramRun) -> [Int] {
        run.messages.split(separator: "\n").filter { $0.contains("(status") }.map { line in
            1 + (line.firstRange(of: "at most ").flatMap { Int(line[$0.upperBound...].prefix { $0.isNumber }) } ?? 0)
        }
    }

    @Test("no more runs follow than were promised, wherever the state turns", arguments: [2, 3, 7, 30, 64])
    func estimate(count: Int) throws {
        let journal = counting(count)
        for first in Set([1, 2, count / 2, count - 1, count]) where first > 0 {
            let log = journal.path + ".runs"
            try Data().write(to: URL(fileURLWithPath: log))
            let script = "echo >> '\(log)'; test \"$STATE_INSPECT_SEQ\" -lt \(first) || exit 127"
            let run = ProgramRun(["bisect", journal.path, "--format", "human", "--run", "sh", "-c", script])
            let runs = try Data(contentsOf: URL(fileURLWithPath: log)).count
            let promised = promised(run)
            #expect(run.status == 0 && promised.count > 1, "\(run)")
            #expect(runs <= promised[0], "\(runs) runs, turning at \(first) of \(count)\n\(run)")
            for (index, most) in promised.enumerated() {
                #expect(promised.count - index <= most, "turning at \(first) of \(count)\n\(run)")
            }
        }
    }

    @Test("a state between two positions is asked for itself, and its verdict is none of the position")
    func between() throws {
        let journal = counting(9, also: [5: Lines.store("1", "b", seq: 5)])
        let log = journal.path + ".log"
        let run = ProgramRun(["bisect", journal.path, "--log", log, "--run", "sh", "-c", "! grep -q '\"b\"'"])
        #expect(run.status == 0 && run.output.contains(#""firstBad":{"seq":5,"kind":"store","store":"b""#), "\(run)")
        let verdicts = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").filter {
            $0.contains(#""seq":5,"#)
        }
        #expect(verdicts.count == 1 && verdicts[0].contains("bad"), "\(verdicts)")
        let resumed = ProgramRun(["bisect", journal.path, "--resume", log, "--run", "sh", "-c", "! grep -q '\"b\"'"])
        #expect(resumed.output == run.output, "\(resumed)")
    }

    @Test(
        "a path that never was is refused before anything is asked",
        arguments: [["--run", "false"], ["--bad", ".a.number > 3", "--monotone"], ["--bad", ".a.number > 3"]])
    func absentPath(judge: [String]) throws {
        let journal = counting(9)
        let mark = journal.path + ".ran"
        let judge = judge[0] == "--run" ? ["--run", "touch", mark] : judge
        let run = ProgramRun(["bisect", journal.path, "--path", "/a/numbr"] + judge)
        #expect(run.status == 4 && run.messages.contains("nothing is at '/a/numbr' at any position"), "\(run)")
        #expect(run.messages.contains("help: write '/a/number'"), "\(run)")
        #expect(!FileManager.default.fileExists(atPath: mark))
    }

    @Test("a path that was there in between is searched by every form")
    func passingPath() throws {
        let journal = ShopJournal()
        for judge in [["--bad", ".cart.items == []"], ["--bad", ".cart.items == []", "--monotone"]] {
            let run = ProgramRun(["bisect", journal.path, "--path", "/cart/items/0", "--from", "1"] + judge)
            #expect(run.status == 0 && run.output.contains(#""firstBad":{"seq":5,"#), "\(run)")
        }
    }

    @Test("a search by halves among commits that touch a path goes on behind damage where it may")
    func recovering() throws {
        let keyframe = #"{"seq":5,"kind":"keyframe","states":{"a":{"number":5}}}"#
        let journal = counting(9, also: [5: keyframe])
        let text = try String(contentsOfFile: journal.path, encoding: .utf8)
        let damaged = ShopJournal(text: text.replacing(#"{"seq":3,"#, with: #"{"sqe":3,"#))
        let arguments = [
            "bisect", damaged.path, "--path", "/a/number", "--monotone", "--bad", ".a.number > 6", "--from", "5",
        ]
        #expect(ProgramRun(arguments).output.contains(#""firstBad":{"seq":7,"#))
        let whole = ["bisect", damaged.path, "--path", "/a/number", "--monotone", "--bad", ".a.number > 6"]
        #expect(ProgramRun(whole).status == 3)
        let recovered = ProgramRun(whole + ["--recover"])
        #expect(recovered.output.contains(#""firstBad":{"seq":7,"#), "\(recovered)")
        // Without a path positions in the damage are asked: they are neither good nor bad.
        for (bad, seq) in [(".a.number > 6", 7), (".a.number > 3", 5)] {
            let search = ["bisect", damaged.path, "--bad", bad, "--recover"]
            let (halves, pass) = (ProgramRun(search + ["--monotone"]), ProgramRun(search))
            #expect(halves.output.contains("\"firstBad\":{\"seq\":\(seq),"), "\(halves)")
            // Only where they could hold the answer does it rest on them.
            #expect(halves.status == (seq == 5 ? 5 : 0), "\(halves)")
            #expect(
                pass.output.contains("\"firstBad\":{\"seq\":\(seq),") && pass.status == 5,
                "\(pass) \(halves)")
        }
    }
}

@Suite("a bisection that asks a person")
struct BisectDialogueTests {
    private let journal = ShopJournal()

    private let folder = TemporaryFolder()

    /// Runs with these lines on standard input.
    private func run(_ lines: [String], _ arguments: String..., journal: ShopJournal) throws -> ProgramRun {
        let path = folder.write(lines.map { $0 + "\n" }.joined(), to: "input")
        let input = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        return ProgramRun(["bisect", journal.path, "--interactive"] + arguments, input: input.fileDescriptor)
    }

    @Test("answers typed line by line find the commit, as a program's would")
    func finds() throws {
        let run = try run(["good", "b", "what", "print", " g ", "bad", "g", "b"], journal: journal)
        #expect(run.status == 0 && run.output.contains(#""firstBad":{"seq":"#), "\(run)")
        #expect(run.messages.contains("answer 'good', 'bad' or 'skip'"), "\(run)")
        #expect(run.messages.contains("Shop/Cart.swift"), "\(run)")
    }

    @Test("a log keeps the verdicts, and a search that was ended goes on from it")
    func resumes() throws {
        let log = journal.path + ".log"
        let ended = try run(["good", "bad", "quit"], "--log", log, journal: journal)
        #expect(ended.status == 5 && ended.output.isEmpty, "\(ended)")
        #expect(ended.messages.contains("the first bad commit is one of 1 to 6"), "\(ended)")
        let resumed = try run(["bad", "good", "good"], "--resume", log, journal: journal)
        #expect(!resumed.messages.contains("the start, position 0"), "\(resumed)")
        #expect(resumed.status == 0 && resumed.output.contains(#""firstBad":{"seq":3,"#), "\(resumed)")
    }
}
