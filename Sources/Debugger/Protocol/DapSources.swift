import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import Platform
import TimeTravel

/// Files as the journal names them, as an editor opens them, and as text where they are not there.
final class DapSources {
    private let roots: [SourceRoot]
    private var found: [ByteName: String?] = [:]
    /// Files without one on disk, by their number less one.
    private var made: [String] = []

    private static let lineLimit = 50_000
    /// No longer file is read, in bytes.
    private static let byteLimit = 16 << 20

    /// None for the present folder.
    init(_ folders: [String]) { roots = (folders.isEmpty ? ["."] : folders).map { SourceRoot(folder: $0) } }

    /// The path as the system names it; nil where the file is not there.
    func path(of file: String) -> String? {
        if let known = found[ByteName(file)] { return known }
        let path = roots.lazy.compactMap { root in
            root.path(of: file).flatMap { _ in FileSystem.resolved(root.shown(file)) }
        }.first
        found[ByteName(file)] = .some(path)
        return path
    }

    func source(_ file: String) -> DapSource {
        let name = ControlCharacters.escaped(file.split(separator: "/").last.map(String.init) ?? file)
        if let path = path(of: file) { return DapSource(name: name, path: path) }
        let index = made.firstIndex { UTF8Order.equal($0, file) } ?? made.count
        if index == made.count { made.append(file) }
        return DapSource(name: name, path: file, reference: index + 1)
    }

    /// The file as the journal names it; nil where none of `files` is it.
    func file(_ source: DapArguments, among files: [String]) throws(DapError) -> String? {
        if let number = try source.integer("sourceReference"), number > 0 {
            guard made.indices.contains(number - 1) else { throw DapError("there is no source \(number)") }
            return made[number - 1]
        }
        let name = try source.string("name")
        guard let path = try source.string("path") ?? name else { return nil }
        if files.contains(where: { UTF8Order.equal($0, path) }) { return path }
        let whole = FileSystem.resolved(path) ?? path
        if let file = files.first(where: { self.path(of: $0).map { UTF8Order.equal($0, whole) } ?? false }) {
            return file
        }
        // A file that lies elsewhere.
        return files.first { SourceRoot.isFile(whole, named: $0) }
    }

    /// - Parameter lines: the lines of the file that committed.
    func text(of file: String, _ lines: [SourceLines.Line]) throws -> String {
        if let path = path(of: file) {
            let bytes = try InputFile.whole(path, limit: DapSources.byteLimit, code: "dap.no-source")
            return String(decoding: bytes, as: UTF8.self)
        }
        var texts: [String] = []
        for line in lines.sorted(by: { $0.line < $1.line }) where line.line <= DapSources.lineLimit {
            while texts.count < line.line - 1 { texts.append("") }
            let count = line.commits.counted("commit")
            texts.append("// \(ControlCharacters.escaped(line.function))  \(count), the last is \(line.last)")
        }
        return texts.map { $0 + "\n" }.joined()
    }
}

extension DapAdapter {
    private static let patience = Duration.milliseconds(40)

    /// Reads for a moment, so that a short journal is known.
    func readLines() throws {
        // What goes on holds the journal; what is known has to do.
        guard work == nil else { return }
        let run = try opened()
        let begin = ContinuousClock.now
        while !run.lines.isComplete, ContinuousClock.now - begin < DapAdapter.patience { try run.lines.advance() }
    }

    /// Requests are answered meanwhile.
    func readAllLines() throws {
        let run = try opened()
        guard !run.lines.isComplete else {
            checkAgain()
            return
        }
        try interruptible("reading the journal's places") {
            while !run.lines.isComplete {
                try run.lines.advance()
                if isInterrupted(), work?.end != .changed { return }
                let (first, last) = (run.session.bounds.lower, run.session.bounds.upper)
                show(SessionProgress(position: run.lines.position, origin: first, limit: last))
            }
        }
        checkAgain()
    }

    /// Reads on while no request waits; returns whether there is more.
    func readOn() -> Bool {
        guard let run, phase > .initialized, phase < .ended, !run.lines.isComplete else { return false }
        do { try run.lines.advance() } catch { return false }
        if run.lines.isComplete { checkAgain() }
        return !run.lines.isComplete
    }

    func source(_ arguments: DapArguments) throws -> JSONValue {
        let run = try opened()
        var source = try arguments.arguments("source")?.object ?? JSONObject()
        if let number = try arguments.integer("sourceReference"), number > 0 {
            source["sourceReference"] = .number(number)
        }
        guard let file = try run.sources.file(DapArguments(object: source), among: run.files) else {
            throw DapError("no commit was made in this file")
        }
        let lines = run.lines.lines.filter { UTF8Order.equal($0.file, file) }
        return ["content": .string(try run.sources.text(of: file, lines))]
    }

    func loadedSources() throws -> JSONValue {
        let run = try opened()
        try readAllLines()
        return ["sources": .array(run.files.map { run.sources.source($0).json })]
    }

    func breakpointLocations(_ arguments: DapArguments) throws -> JSONValue {
        let first = try arguments.require("line", arguments.place("line"))
        let last = max(first, try arguments.place("endLine") ?? first)
        try readAllLines()
        let numbers = try lines(of: arguments).map { $0.line - 1 + client.firstLine }.filter {
            (first...last).contains($0)
        }
        return ["breakpoints": .array(numbers.sorted().map { ["line": .number($0)] })]
    }

    private func lines(of arguments: DapArguments) throws -> [SourceLines.Line] {
        let run = try opened()
        let source = try arguments.require("source", arguments.arguments("source"))
        guard let file = try run.sources.file(source, among: run.files) else { return [] }
        return run.lines.lines.filter { UTF8Order.equal($0.file, file) }
    }

    func gotoTargets(_ arguments: DapArguments) throws -> JSONValue {
        let run = try opened()
        let number = try arguments.require("line", arguments.place("line")) - client.firstLine + 1
        try readAllLines()
        guard let line = try lines(of: arguments).first(where: { $0.line == number }) else { return ["targets": []] }
        let session = run.session
        let here = session.position.commit
        let trigger = StopTrigger.source(file: line.file, line: line.line)
        func nearest(_ direction: SessionDirection) throws -> CommitNumber? {
            try session.journal.nearestCommit(
                at: trigger, from: here, direction, without: session.skipped, isInterrupted: isInterrupted)
        }
        var targets: [(name: String, commit: CommitNumber)] = []
        try interruptible("the commits of line \(number)") {
            let found = [
                ("next", try here < line.last ? nearest(.forward) : nil),
                ("previous", try here > line.first ? nearest(.backward) : nil), ("first", line.first),
                ("last", line.last),
            ]
            if work?.end != nil { throw DapError.cancelled }
            for (name, commit) in found {
                guard let commit, !targets.contains(where: { $0.commit == commit }) else { continue }
                targets.append((name, commit))
            }
        }
        let shown = targets.map { name, commit -> JSONValue in
            [
                "id": .number(references.add(target: commit)), "label": .string("\(name): commit \(commit)"),
                "line": .number(number - 1 + client.firstLine),
            ]
        }
        return ["targets": .array(shown)]
    }
}
