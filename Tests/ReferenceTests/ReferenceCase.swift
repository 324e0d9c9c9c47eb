import JSONCore
import TestSupport

/// A journal and a question about it, held against the reference.
struct ReferenceCase {
    var draft: Draft
    var question: Question

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

    /// Asks the command, and holds its answer against the reference; nil where they agree, or the draft does not hold.
    func difference(in folder: TemporaryFolder) -> Difference? {
        var sound = draft
        sound.damages = []
        guard let text = DraftWriter.text(of: draft), let whole = DraftWriter.text(of: sound),
            let journal = try? PlainJournal(whole)
        else { return nil }
        folder.write(text, to: "run.jsonl")
        let output = folder.path("out.jsonl")
        folder.write([], to: "out.jsonl")
        guard let arguments = arguments(journal, folder, output: output) else { return nil }
        let run = CommandRun(arguments)
        let fault =
            draft.damages.isEmpty
            ? fault(of: run, journal, output: output) : faultInDamage(of: run, journal, text, output: output)
        guard let fault else { return nil }
        return Difference(
            journal: text, arguments: question.arguments("run.jsonl", output: "out.jsonl"), fault: fault, run: run)
    }

    /// The command line, for which a run is cut in two before it is merged; nil where it cannot be cut.
    private func arguments(_ journal: PlainJournal, _ folder: TemporaryFolder, output: String) -> [String]? {
        guard question.command == .merge else { return question.arguments(folder.path("run.jsonl"), output: output) }
        guard let middle = journal.position(question.positions.first), middle > journal.start, middle < journal.end
        else { return nil }
        for (name, range) in [("a.jsonl", "..\(middle)"), ("b.jsonl", "\(middle)..")] {
            _ = CommandRun(["slice", folder.path("run.jsonl"), range, "-o", folder.path(name)])
        }
        return ["merge", folder.path("a.jsonl"), folder.path("b.jsonl"), "-o", output]
    }

    /// What is wrong with an answer about a journal, nil if nothing is.
    private func fault(of run: CommandRun, _ journal: PlainJournal, output: String) -> String? {
        let expected = journal.answer(question)
        let written = TemporaryFolder.read(output)
        if run.status == 4, expected.status.contains(4) { return nil }
        if let fault = expected.fault(in: run.output, status: run.status, written: written) { return fault }
        guard case .journal = expected.output, run.status == 0 else { return nil }
        let verification = CommandRun(["verify", output])
        if verification.status == 0 { return nil }
        return "what was written does not verify: " + String(decoding: verification.output, as: UTF8.self)
    }

    /// What is wrong with an answer about a damaged journal: it is refused or inconclusive, or right for what the journal was,
    /// since a command answers for what it reads, or right for what the journal has become.
    private func faultInDamage(
        of run: CommandRun, _ whole: PlainJournal, _ text: [UInt8], output: String
    ) -> String? {
        if run.status == 3 || run.status == 5 { return nil }
        let damaged = try? PlainJournal(text)
        switch question.command {
        case .verify, .repair: return run.status == 0 && damaged == nil ? "the status is 0, should be 1" : nil
        case .info, .stats: return nil
        default: break
        }
        // What one byte more or less makes of a record that still is one, is in part of the file only.
        if damaged != nil, draft.damages.contains(where: { $0.kind == .flip }) { return nil }
        guard let fault = fault(of: run, whole, output: output) else { return nil }
        guard let damaged else { return fault }
        return self.fault(of: run, damaged, output: output) == nil ? nil : fault
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

    private var simpler: [ReferenceCase] {
        var simpler = question.simpler.map { ReferenceCase(draft: draft, question: $0) }
        func attempt(_ change: (inout ReferenceCase) -> Void) {
            var next = self
            change(&next)
            simpler.append(next)
        }
        for index in draft.damages.indices { attempt { $0.draft.damages.remove(at: index) } }
        if draft.torn > 0 { attempt { $0.draft.torn = 0 } }
        for size in [16, 6, 3] where draft.events.count > size {
            for start in stride(from: 0, to: draft.events.count - size, by: size) {
                attempt { $0.draft.events.removeSubrange(start..<(start + size)) }
            }
        }
        for index in draft.events.indices.reversed() {
            attempt { $0.draft.events.remove(at: index) }
            guard case .commit(let commit) = draft.events[index] else { continue }
            for part in commit.operations.indices {
                var commit = commit
                commit.operations.remove(at: part)
                attempt { $0.draft.events[index] = .commit(commit) }
            }
        }
        if draft.after != nil { attempt { $0.draft.after = nil } }
        if draft.style.spaced { attempt { $0.draft.style.spaced = false } }
        if draft.style.shuffled { attempt { $0.draft.style.shuffled = false } }
        if draft.style.escaped { attempt { $0.draft.style.escaped = false } }
        if draft.style.sums { attempt { $0.draft.style.sums = false } }
        return simpler
    }
}

extension PlainJournal {
    /// What the contract says that the command answers.
    func answer(_ question: Question) -> Expectation {
        var expected = contracted(question)
        if [.log, .replay, .stats].contains(question.command), isNamingNothing(question) { expected.status.insert(4) }
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
        }
    }
}
