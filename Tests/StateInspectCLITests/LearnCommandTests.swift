import Foundation
import TestSupport
import Testing

@testable import StateInspectCLI

@Suite("What held all along good runs")
struct LearnCommandTests {
    private static let samples = SharedFolder.packageRoot.appendingPathComponent("samples").path
    private static let good = samples + "/checkout-good.jsonl"

    private func learn(_ arguments: String...) -> ProgramRun { ProgramRun(["learn"] + arguments) }

    @Test("the file that it writes is one that 'check' takes, and the runs it was learned from satisfy it")
    func file() {
        let folder = TemporaryFolder()
        let file = folder.path + "/learned.jq"
        let run = learn(Self.good, Self.samples + "/checkout-flipping.jsonl", "-o", file)
        #expect(run.status == 0, "\(run)")
        #expect(run.messages.contains("of 2 runs"))
        let text = String(decoding: TemporaryFolder.read(file), as: UTF8.self)
        #expect(text.contains("# could have been false "))
        #expect(text.contains("\ndef "))
        let check = ProgramRun(["check", Self.good, "--invariants", file])
        #expect(check.status == 0, "\(check)")
    }

    @Test("a file that was written is not an empty answer, and an empty answer says what it looked through")
    func shortForm() {
        let folder = TemporaryFolder()
        let file = folder.path + "/learned.jq"
        let environment = AnswerFitTests.agents
        let written = ProgramRun(["learn", Self.good, "-o", file], environment: environment)
        #expect(written.status == 0 && written.output.isEmpty, "\(written)")
        let lines = TemporaryFolder.read(Self.good).split(separator: UInt8(ascii: "\n")).prefix(12)
        let short = folder.write(Array(lines.joined(separator: [UInt8(ascii: "\n")])) + [10], to: "short.jsonl")
        let nothing = ProgramRun(["learn", short], environment: environment)
        #expect(nothing.status == 1 && nothing.output.hasPrefix("nothing sure enough in "), "\(nothing)")
        #expect(nothing.output.hasSuffix(" of 1 run\n"), "\(nothing)")
    }

    @Test("what is learned of a derived value is a definition that 'check' takes; one that there never is is named")
    func derived() {
        let folder = TemporaryFolder()
        let file = folder.path + "/learned.jq"
        let run = learn(
            Self.good, "-o", file, "--define", "unread=[.feed.entries[] | select(.isRead | not)] | length", "--define",
            "gone=.feed.gone[]", "--define", "totl=.cart.totl")
        #expect(run.status == 0, "\(run)")
        #expect(run.messages.contains("the query of 'gone' has no output in any state, or fails"), "\(run)")
        #expect(run.messages.contains("the query of 'totl' has no output"), "\(run)")
        #expect(String(decoding: TemporaryFolder.read(file), as: UTF8.self).contains("select(.isRead | not)"))
        #expect(ProgramRun(["check", Self.good, "--invariants", file]).status == 0)
        let old = learn(Self.good, "--define", "x=$old.cart")
        #expect(old.status == 2 && old.messages.contains("'x' asks about the commit"), "\(old)")
    }

    @Test("a bad run breaks what was learned of good ones")
    func broken() {
        let folder = TemporaryFolder()
        let file = folder.path + "/learned.jq"
        #expect(learn(Self.good, "-o", file).status == 0)
        let check = ProgramRun(["check", Self.samples + "/checkout.jsonl", "--invariants", file, "--json"])
        #expect(check.status == 1, "\(check)")
    }

    @Test("for people it prints the file, for programs an object for each and one for all")
    func forms() {
        let people = learn(Self.good, "--format", "human")
        #expect(people.status == 0)
        #expect(people.output.hasPrefix("# Learned from "), "\(people)")
        let programs = learn(Self.good, "--json")
        let lines = programs.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix(#"{"kind":"learned","name":""#) == true, "\(programs)")
        #expect(lines.last?.hasPrefix(#"{"kind":"learning","runs":1,"leftOut":0,"commits":"#) == true)
        #expect(lines.count > 2)
        #expect(people.output.components(separatedBy: "\ndef ").count == lines.count)
    }

    @Test("a damaged run and one of another app are reported and left out, and the others are learned from")
    func leftOut() {
        let folder = TemporaryFolder()
        var bytes = TemporaryFolder.read(Self.good)
        let header =
            #"{"seq":0,"kind":"journal","version":1,"id":"x","time":"2026-03-01T12:00:00.000000Z","app":"Other","recorder":"test"}"#
        let another = folder.write(header + "\n", to: "other.jsonl")
        bytes[bytes.count / 2] ^= 0x15
        let damaged = folder.write(bytes, to: "damaged.jsonl")
        let run = learn(Self.good, damaged, another, "--json")
        #expect(run.status == 3, "\(run)")
        #expect(run.messages.contains("the run is left out"))
        #expect(run.messages.contains("it is of 'Other', not of 'Shop'"))
        #expect(run.output.contains(#""runs":1,"leftOut":2"#), "\(run)")
    }

    @Test("a run without commits teaches nothing, and that is said")
    func empty() {
        let folder = TemporaryFolder()
        let header =
            #"{"seq":0,"kind":"journal","version":1,"id":"x","time":"2026-03-01T12:00:00.000000Z","recorder":"test"}"#
        let run = learn(folder.write(header + "\n", to: "empty.jsonl"), "--format", "human")
        #expect(run.status == 1, "\(run)")
        #expect(run.output.isEmpty)
        #expect(run.messages.contains("nothing is sure enough"))
    }

    @Test("where no run can be read the status says so, not that nothing was learned")
    func unreadable() {
        let folder = TemporaryFolder()
        let run = learn(folder.write([], to: "none.jsonl"), "--format", "human")
        #expect(run.status == 3, "\(run)")
        #expect(run.output.isEmpty)
    }

    @Test("what cannot be meant is refused", arguments: [[], ["x.jsonl", "-n", "3"], ["x.jsonl", "--all"]])
    func refused(_ arguments: [String]) {
        #expect(ProgramRun(["learn"] + arguments).status == 2)
    }

    @Test("a journal is not replaced by what is learned of it")
    func sameFile() {
        let folder = TemporaryFolder()
        let copy = folder.write(TemporaryFolder.read(Self.good), to: "copy.jsonl")
        #expect(learn(copy, "-o", copy).status == 2)
        #expect(TemporaryFolder.read(copy) == TemporaryFolder.read(Self.good))
    }
}
