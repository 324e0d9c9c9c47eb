import JSONCore
import Platform
import TestSupport

@testable import CommandLine
@testable import StateInspectCLI

/// A draft as it is written, with the interpreter's reading of it.
struct DrawnJournal {
    let draft: Draft
    /// The bytes of the file, damage included.
    let text: [UInt8]
    /// What it was before it was damaged.
    let whole: PlainJournal
    /// What it is; nil where that is no journal any more.
    let damaged: PlainJournal?
    /// What is left of it behind damage that every pass notices; nil where not every pass does, or nothing is.
    let recovered: PlainJournal?

    /// Writes a draft and reads it; nil where a part of it does not hold without another that was left out.
    init?(_ draft: Draft) {
        var sound = draft
        sound.damages = []
        guard let text = DraftWriter.text(of: draft), let soundText = DraftWriter.text(of: sound),
            let whole = try? PlainJournal(soundText)
        else { return nil }
        (self.draft, self.text, self.whole) = (draft, text, whole)
        damaged = draft.damages.isEmpty ? whole : try? PlainJournal(text)
        let isNoticed = damaged == nil && draft.damages.count == 1 && draft.damages[0].isNoticed(in: soundText)
        let recovered = isNoticed ? try? PlainJournal(text, recovers: true) : nil
        self.recovered = recovered?.end == whole.end ? recovered : nil
    }
}

/// A journal and a question about it, held against the reference.
struct ReferenceCase {
    let journal: DrawnJournal
    let question: Question
    /// Another way in which it is asked; nil where its answer is held against the interpreter.
    let rephrasing: Rephrasing?
    /// What the contract says of it.
    let expected: Expectation

    init(_ journal: DrawnJournal, _ question: Question, _ rephrasing: Rephrasing? = nil) {
        (self.journal, self.question, self.rephrasing) = (journal, question, rephrasing)
        expected = rephrasing == nil ? journal.whole.answer(question) : .unspecified
    }

    var draft: Draft { journal.draft }
    /// Whether the contract leaves the answer open.
    var isOpen: Bool { if case .anything = expected.output { expected.status.count > 2 } else { false } }

    /// What went wrong, told so that it can be typed again.
    struct Difference {
        let journal: [UInt8]
        let arguments: [String]
        let fault: String
        let run: CommandRun

        /// What is wrong, without what differs from one case to another: a smaller case must have the same.
        var kind: String { String(fault.prefix { $0 != "\n" }.filter { !$0.isNumber }.prefix(30)) + messages }
        private var messages: String {
            run.messages.split(separator: "\n").filter { $0.contains("error:") }.map { $0.prefix(30) }.joined()
        }

        var text: String {
            """
            \(fault)
            --- journal
            \(String(decoding: journal, as: UTF8.self))
            --- state-inspect \(arguments.map { "'\($0)'" }.joined(separator: " "))
            --- answered, status \(run.status)
            \(String(decoding: run.output, as: UTF8.self))
            --- standard error
            \(run.messages)
            """
        }
    }

    /// Asks the command, and holds its answer against the reference; nil where they agree.
    func difference(in folder: TemporaryFolder) -> Difference? {
        folder.write(journal.text, to: "run.jsonl")
        let output = folder.path("out.jsonl")
        folder.write([], to: "out.jsonl")
        guard let arguments = arguments(journal.whole, folder, output: output) else { return nil }
        let run = CommandRun(arguments)
        let fault =
            if let rephrasing {
                rephrasing.applies(to: question, journal) ? rephrasing.fault(self, run, in: folder) : nil
            } else if draft.damages.isEmpty {
                fault(of: run, expected, output)
            } else {
                faultInDamage(of: run, output)
            }
        guard let fault else { return nil }
        return Difference(
            journal: journal.text, arguments: question.arguments("run.jsonl", output: "out.jsonl"), fault: fault,
            run: run)
    }

    /// The command line, for which a run is cut in two before it is merged; nil where it cannot be cut.
    private func arguments(_ journal: PlainJournal, _ folder: TemporaryFolder, output: String) -> [String]? {
        if question.command == .runs {
            guard let beginning = journal.beginning(question) else { return nil }
            folder.write(beginning.text, to: "out.jsonl")
        }
        guard question.command == .merge else { return question.arguments(folder.path("run.jsonl"), output: output) }
        guard let middle = journal.position(question.positions.first), middle > journal.start, middle < journal.end
        else { return nil }
        for (name, range) in [("a.jsonl", "..\(middle)"), ("b.jsonl", "\(middle)..")] {
            // Damage may be in the way.
            guard CommandRun(["slice", folder.path("run.jsonl"), range, "-o", folder.path(name)]).status == 0 else {
                return nil
            }
        }
        return ["merge", folder.path("a.jsonl"), folder.path("b.jsonl"), "-o", output]
    }

    /// What is wrong with an answer, nil if nothing is.
    private func fault(of run: CommandRun, _ expected: Expectation, _ output: String) -> String? {
        let isWriting = if case .journal = expected.output { true } else { false }
        // What was no whole journal need not become one.
        if isWriting, !draft.damages.isEmpty, CommandRun(["verify", input(of: output)]).status != 0 { return nil }
        let written = TemporaryFolder.read(output)
        if run.status == 4, question.isCondition, let claim = AbsenceClaim(run.messages) {
            let lines = question.command == .check ? 1 : 0
            if run.output.count(where: { $0 == 0x0A }) != lines { return "a refused condition has an answer" }
            return claim.fault(in: draft.damages.isEmpty ? journal.whole : journal.damaged ?? journal.whole)
        }
        if run.status == 4, expected.status.contains(4) { return nil }
        if let fault = expected.fault(in: run.output, status: run.status, written: written) { return fault }
        guard isWriting, run.status == 0 else { return nil }
        let verification = CommandRun(["verify", output])
        if verification.status == 0 { return nil }
        return "what was written does not verify: " + String(decoding: verification.output, as: UTF8.self)
    }

    private func input(of output: String) -> String { String(output.dropLast("out.jsonl".count)) + "run.jsonl" }

    /// What is wrong with an answer about a damaged journal: it is refused or inconclusive, or right for what the journal was,
    /// since a command answers for what it reads, or right for what the journal has become.
    private func faultInDamage(of run: CommandRun, _ output: String) -> String? {
        if question.recovers {
            guard let recovered = journal.recovered, recovered.bounds(question.range) != nil, !question.isLookedUp
            else { return nil }
            return fault(of: run, recovered.answer(question), output)
        }
        if [3, 4, 5].contains(run.status) { return nil }
        switch question.command {
        case .verify, .repair: return run.status == 0 && journal.damaged == nil ? "the status is 0, should be 1" : nil
        case .info, .stats, .runs: return nil
        case .log where question.all: return nil  // the lines as they are
        default: break
        }
        // What one byte makes of a line that begins and ends as it must is not looked at; nor is what a search passes over.
        if draft.damages.contains(where: { $0.kind == .flip }) || question.isLookedUp { return nil }
        guard let fault = fault(of: run, expected, output) else { return nil }
        guard let damaged = journal.damaged else { return fault }
        return self.fault(of: run, damaged.answer(question), output) == nil ? nil : fault
    }

    /// The smallest case, by leaving out one event, operation or option after another, in which they still differ.
    func shrunk(in folder: TemporaryFolder) -> ReferenceCase {
        guard let kind = difference(in: folder)?.kind else { return self }
        var smallest = self
        var (isSmaller, tries) = (true, 0)
        while isSmaller, tries < 250 {
            isSmaller = false
            for candidate in smallest.simpler {
                tries += 1
                if candidate.difference(in: folder)?.kind != kind { continue }
                smallest = candidate
                isSmaller = true
                break
            }
        }
        return smallest
    }

    private var simpler: some Sequence<ReferenceCase> {
        let questions = question.simpler.lazy.map { ReferenceCase(journal, $0, rephrasing) }
        let drafts = draft.simpler.lazy.compactMap { DrawnJournal($0) }.map { ReferenceCase($0, question, rephrasing) }
        return [AnySequence(questions), AnySequence(drafts)].joined()
    }
}

extension Draft {
    /// The same draft with one thing left out, in every way, large parts first.
    var simpler: [Draft] {
        var simpler: [Draft] = []
        func attempt(_ change: (inout Draft) -> Void) {
            var next = self
            change(&next)
            simpler.append(next)
        }
        for index in damages.indices { attempt { $0.damages.remove(at: index) } }
        if torn > 0 { attempt { $0.torn = 0 } }
        for size in [16, 6, 3] where events.count > size {
            for start in stride(from: 0, to: events.count - size, by: size) {
                attempt { $0.events.removeSubrange(start..<(start + size)) }
            }
        }
        for index in events.indices.reversed() {
            attempt { $0.events.remove(at: index) }
            guard case .commit(let commit) = events[index] else { continue }
            for part in commit.operations.indices {
                var commit = commit
                commit.operations.remove(at: part)
                attempt { $0.events[index] = .commit(commit) }
            }
        }
        if after != nil { attempt { $0.after = nil } }
        if style.spaced { attempt { $0.style.spaced = false } }
        if style.shuffled { attempt { $0.style.shuffled = false } }
        if style.escaped { attempt { $0.style.escaped = false } }
        if style.sums { attempt { $0.style.sums = false } }
        return simpler
    }
}

extension PlainJournal {
    /// What the contract says that the command answers.
    func answer(_ question: Question) -> Expectation {
        var expected = contracted(question)
        if [.log, .replay, .stats, .derived, .history, .bisect].contains(question.command), isNamingNothing(question) {
            expected.status.insert(4)
        }
        return expected
    }

    private func contracted(_ question: Question) -> Expectation {
        switch question.command {
        case .state: state(question)
        case .log: log(question)
        case .replay: replay(question)
        case .diff: diff(question)
        case .bisect: bisect(question)
        case .check: check(question)
        case .history: history(question)
        case .blame: blame(question)
        case .derived: derived(question)
        case .why: why(question)
        case .show: show(question)
        case .info: info(question)
        case .stats: stats(question)
        case .verify: verify(question)
        case .slice: slice(question)
        case .redact: redact(question)
        case .minimize: minimize(question)
        case .merge: merge(question)
        case .repair: repair(question)
        case .marks: marks(question)
        case .runs: runs(question)
        }
    }
}

/// One run of the program, mostly inside of the test's process.
struct CommandRun {
    /// All that a run has of the environment.
    static let environment = Environment(["PATH": "/usr/bin:/bin"])

    let output: [UInt8]
    let messages: String
    let status: Int32

    private static let declared: Void = CommandTable.declare(StateInspect.commands)

    init(_ arguments: [String]) {
        let (output, error) = (Kept(), Kept())
        let streams = StandardStreams(
            output: output, error: error, input: -1, childOutput: 2, terminal: Terminal(isTerminal: false, width: nil),
            errorTerminal: .none, environment: Self.environment)
        // As the program's own entry does: the deepest value that the limits allow needs more than a thread of ours has.
        Self.declared
        let outcome = LargeStack.run { Program(streams).run(arguments) }
        self.output = output.bytes
        messages = String(decoding: error.bytes, as: UTF8.self)
        status = if case .exit(let status) = outcome { status } else { -1 }
    }

    /// What a run in another process left.
    init(output: [UInt8], messages: String, status: Int32) {
        (self.output, self.messages, self.status) = (output, messages, status)
    }

    private final class Kept: ByteSink {
        private(set) var bytes: [UInt8] = []
        func write(_ bytes: ByteView) throws(OutputError) { self.bytes.append(contentsOf: bytes) }
    }
}
