import Foundation
import Platform
import TestSupport

/// A draft as it is written, with what happened to its bytes.
struct BrokenJournal {
    let draft: Draft
    let blemishes: [Blemish]
    /// The bytes of the file.
    let text: [UInt8]
    /// The beginning of the same run, as it was before anything happened to the file.
    let beginning: [UInt8]

    /// Writes a draft; nil where a part of it does not hold without another that was left out.
    init?(_ draft: Draft, _ blemishes: [Blemish]) {
        guard let text = DraftWriter.text(of: draft) else { return nil }
        (self.draft, self.blemishes) = (draft, blemishes)
        self.text = blemishes.reduce(text) { $1.applied(to: $0) }
        var first = draft
        first.events.removeLast(draft.events.count / 3)
        (first.damages, first.torn) = ([], 0)
        beginning = DraftWriter.text(of: first) ?? text
    }

    /// Whether each of its lines is JSON.
    var isJSON: Bool { text.split(separator: 0x0A).allSatisfy { (try? PlainJSON.parse(Array($0))) != nil } }

    /// The same with one thing left out, in every way.
    var simpler: some Sequence<BrokenJournal> {
        let cleaner = blemishes.indices.map { index in
            var blemishes = blemishes
            blemishes.remove(at: index)
            return (draft, blemishes)
        }
        return (cleaner + draft.simpler.map { ($0, blemishes) }).lazy.compactMap { BrokenJournal($0, $1) }
    }
}

/// A journal and a command line that are put to this program and to another.
struct Trial {
    let journal: BrokenJournal
    /// The command line, with files named as in `CommandLines.File`.
    let words: [String]

    /// What a program made of it.
    struct Answer {
        let run: CommandRun
        let written: [UInt8]
    }

    /// Where two answers differ.
    struct Difference {
        /// The first line that differs, of the other program and of this one.
        let expected: String
        let got: String
        let place: String
        /// What differs, without what is another in each case.
        let kind: String
        /// Whether this program ends with status 0 where the other one does not.
        let isGreener: Bool
    }

    /// Where the programs differ; nil where they agree.
    func difference(_ program: OtherProgram, in folder: TemporaryFolder) throws -> Difference? {
        try difference(answers(program, in: folder))
    }

    /// Puts it to both programs.
    func answers(_ program: OtherProgram, in folder: TemporaryFolder) throws -> (expected: Answer, got: Answer) {
        folder.write(journal.beginning, to: CommandLines.File.beginning.rawValue)
        folder.write(journal.text, to: CommandLines.File.journal.rawValue)
        let arguments = words.map { word in CommandLines.File(rawValue: word).map { folder.path($0.rawValue) } ?? word }
        let expected = try answer(in: folder) { try program.run(arguments) }
        let got = answer(in: folder) { CommandRun(arguments) }
        return (expected, got)
    }

    /// An answer of a program that finds an empty file where it writes.
    private func answer(in folder: TemporaryFolder, _ run: () throws -> CommandRun) rethrows -> Answer {
        let output = CommandLines.File.output.rawValue
        folder.write([], to: output)
        return Answer(run: try run(), written: TemporaryFolder.read(folder.path(output)))
    }

    /// Where two answers differ first; nil where they are the same.
    func difference(_ answers: (expected: Answer, got: Answer)) -> Difference? {
        let (expected, got) = answers
        let parts = [
            ("output", comparable(expected.run.output), comparable(got.run.output)),
            ("messages", Array(expected.run.messages.utf8), Array(got.run.messages.utf8)),
            ("status", Array("\(expected.run.status)".utf8), Array("\(got.run.status)".utf8)),
            ("file", comparable(expected.written), comparable(got.written)),
        ]
        let isGreener = got.run.status == 0 && expected.run.status != 0
        guard let (part, expected, got) = parts.first(where: { $0.1 != $0.2 }) else { return nil }
        let start = zip(expected, got).prefix { $0 == $1 }.count
        let line = (expected[..<start].lastIndex(of: 0x0A) ?? -1) + 1
        let texts = [expected, got].map { Self.shown($0[max(line, start - 80)...].prefix { $0 != 0x0A }.prefix(400)) }
        let kinds = [expected, got].map { Self.shown($0[start...].prefix(24)).filter { !$0.isNumber } }
        return Difference(
            expected: texts[0], got: texts[1], place: "\(part), line \(expected[..<line].count { $0 == 0x0A } + 1)",
            kind: ([words.first ?? "", part] + kinds).joined(separator: "|"), isGreener: isGreener)
    }

    /// An answer without what each run draws anew: the key of the hashes of 'redact', the number of a run that 'import' makes.
    ///
    /// They are counted in the order in which they come, and the sums over them are left out.
    private func comparable(_ answer: [UInt8]) -> [UInt8] {
        guard ["redact", "import"].contains(words.first) else { return answer }
        var numbers: [String: Int] = [:]
        let text = String(decoding: answer, as: UTF8.self).replacing(/"sum":"[0-9a-f]{8}"/, with: "")
        return Array(
            text.replacing(/[0-9a-f]{16}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/) { match in
                let drawn = String(match.output)
                if numbers[drawn] == nil { numbers[drawn] = numbers.count }
                return "(drawn \(numbers[drawn] ?? 0))"
            }.utf8)
    }

    /// Bytes as text, where those that are no character or hidden are written as numbers.
    static func shown(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.map { scalar in
            let isHidden = scalar.value != 0x0A && scalar.value < 0x20 || scalar == "\u{FFFD}" || scalar == "\u{FEFF}"
            return isHidden ? "<\(String(scalar.value, radix: 16))>" : String(scalar)
        }.joined()
    }

    /// The smallest trial, by leaving out one part of the draft after another, in which they differ in the same way.
    func shrunk(_ difference: Difference, _ program: OtherProgram, in folder: TemporaryFolder) throws -> Trial {
        var smallest = self
        var (isSmaller, tries) = (true, 0)
        while isSmaller, tries < 250 {
            isSmaller = false
            for journal in smallest.journal.simpler {
                let candidate = Trial(journal: journal, words: words)
                tries += 1
                guard try candidate.difference(program, in: folder)?.kind == difference.kind else { continue }
                smallest = candidate
                isSmaller = true
                break
            }
        }
        return smallest
    }
}

/// The program that the environment names, built of an earlier commit.
struct OtherProgram {
    /// Nil where `STATE_INSPECT_BEFORE` is not set.
    static let ofRun = ProcessInfo.processInfo.environment["STATE_INSPECT_BEFORE"].map { OtherProgram(path: $0) }

    private let path: String
    /// Files, not pipes: a full pipe would stop it.
    private let answers = TemporaryFolder()

    private init(path: String) { self.path = path }

    /// The same program for another thread.
    var copy: OtherProgram { OtherProgram(path: path) }

    /// Runs it as `CommandRun` runs this one.
    func run(_ arguments: [String]) throws -> CommandRun {
        let files = ["output", "messages"].map { answers.write([], to: $0) }
        let handles = try files.map { try FileHandle(forWritingTo: URL(fileURLWithPath: $0)) }
        let process = try ChildProcess.start(
            [path] + arguments, environment: CommandRun.environment, input: .nothing,
            output: .descriptor(handles[0].fileDescriptor), error: .descriptor(handles[1].fileDescriptor))
        let ending = process.wait()
        for handle in handles { try handle.close() }
        let messages = String(decoding: TemporaryFolder.read(files[1]), as: UTF8.self)
        let status =
            switch ending {
            case .status(let status): status
            case .signal(let signal): -signal
            }
        return CommandRun(output: TemporaryFolder.read(files[0]), messages: messages, status: status)
    }
}
