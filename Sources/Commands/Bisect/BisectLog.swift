import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import Platform
import TimeTravel

/// The verdicts of a search, as JSON Lines: `{"kind":"bisect.step","seq":7,"verdict":"bad"}`.
///
/// With it a search that was interrupted goes on where it stood. The first line names the journal, so that no file is
/// taken for another run's.
final class BisectLog {
    private var known: [CommitNumber: Bisection.Verdict] = [:]
    private var file: AppendedFile?

    init(log: String?, resume: String?, id: String, isJournal: (String) -> Bool) throws {
        if let resume { known = try Self.read(resume, id: id) }
        guard let log else { return }
        guard !isJournal(log) else {
            throw CommandFailure(
                .usage, code: "usage.same-file", "'\(log)' is the journal itself",
                help: ["give '--log' the name of another file"])
        }
        if Self.hasContent(log) { _ = try Self.read(log, id: id, noLog: .usage) }
        do {
            var file = try AppendedFile(log)
            if file.size == 0 { try file.append(Self.heading(id) + [UInt8(ascii: "\n")]) }
            self.file = consume file
        } catch {
            throw Self.cannot("written", log, error)
        }
    }

    private static func hasContent(_ path: String) -> Bool {
        ((try? FileDescriptor.readAll(of: path)) ?? []).isEmpty == false
    }

    /// - Parameter judge: called with each state, and with the verdict that is known of it.
    func search(
        _ journal: Journal, _ range: PositionRange, reading paths: PathSet, _ options: BisectOptions,
        _ judge: @escaping (MonotoneSearch.Candidate, Bisection.Verdict?) throws -> Bisection.Verdict
    ) throws -> BisectAnswer {
        try MonotoneSearch.run(journal, range, reading: paths, options: options) { [self] candidate in
            let known = candidate.isBetween ? nil : self.known[candidate.position]
            let verdict = try judge(candidate, known)
            if known == nil, !candidate.isBetween { try note(verdict, at: candidate.position) }
            return verdict
        }
    }

    private func note(_ verdict: Bisection.Verdict, at position: CommitNumber) throws(CommandFailure) {
        known[position] = verdict
        do throws(SystemFailure) {
            try file?.append(Self.step((position, verdict.rawValue)) + [UInt8(ascii: "\n")])
        } catch {
            throw CommandFailure(.unreadable, code: "bisect.log", "the log cannot be written: \(error.text)")
        }
    }

    private static func read(
        _ path: String, id: String, noLog status: ExitStatus = .unreadable
    ) throws -> [CommitNumber: Bisection.Verdict] {
        var texts = JSONTexts()
        texts.bytes = try InputFile.whole(path, limit: lengthLimit, code: "bisect.log")
        texts.finish()
        var known: [CommitNumber: Bisection.Verdict] = [:]
        while let line = try next(in: &texts, path, status) {
            if texts.start == 0 {
                guard line["kind"]?.string == "bisect.log" else { throw noLog(path, 0, status) }
                guard let other = line["id"]?.string, UTF8Order.equal(other, id) else { throw otherJournal(path) }
                continue
            }
            guard let seq = line["seq"]?.integer, let verdict = line["verdict"]?.string.flatMap(Bisection.Verdict.init)
            else {
                throw noLog(path, texts.start, status)
            }
            known[CommitNumber(seq)] = verdict
        }
        return known
    }

    static let lengthLimit = 1 << 24

    private static func next(
        in texts: inout JSONTexts, _ path: String, _ status: ExitStatus
    ) throws(CommandFailure) -> JSONObject? {
        let value: JSONValue?
        do { value = try texts.next() } catch { throw noLog(path, texts.start, status) }
        guard let value else { return nil }
        guard case .object(let line) = value else { throw noLog(path, texts.start, status) }
        return line
    }

    private static func cannot(_ done: String, _ path: String, _ error: SystemFailure) -> CommandFailure {
        CommandFailure(
            .unreadable, code: "bisect.log", "'\(path)' cannot be \(done): \(error.text)")
    }

    private static func noLog(_ path: String, _ byte: Int, _ status: ExitStatus) -> CommandFailure {
        CommandFailure(
            status, code: "bisect.no-log", "'\(path)' is no log of a bisection",
            place: .file(path: path, line: nil, byte: byte, length: nil),
            help: ["'--log FILE' writes one, and '--resume FILE' reads it"])
    }

    private static func otherJournal(_ path: String) -> CommandFailure {
        CommandFailure(
            .usage, code: "bisect.other-journal", "'\(path)' is the log of another journal's bisection",
            help: ["give '--log' and '--resume' a file of this journal, or '--log' a new one"])
    }
}

extension BisectLog {
    static let heading = AnswerKind<String>(
        "bisect.log", "the first line of the file that bisect --log writes",
        [.always("id", "the id of the run", \.self)])

    static let step = AnswerKind<(seq: CommitNumber, verdict: String)>(
        "bisect.step", "a line of that file: what was said of a position",
        [.always("seq", "the position", \.seq), .always("verdict", #""good", "bad" or "skip""#, \.verdict)])
}
