import CommandLine
import Diagnostics
import JSONCore
import Platform

/// An invocation writes at most ten, which is what the runner of a GitHub workflow shows of one step.
struct Annotations: FindingReport {
    /// How many are written; the last one says how many there were more.
    static let limit = 10

    private let messages: MessageWriter
    private let root: SourceRoot?
    /// What a path is shown relative to that is absolute, which no runner knows.
    private let here: SourceRoot
    private var written = 0
    /// Written at the end, when it is known how many follow.
    private var held: (command: WorkflowCommand, message: String)?
    private var more = 0
    /// What is said after the annotations, of files that no workflow knows.
    private var unknownFiles: [Diagnostic] = []

    /// Annotations on standard error, where standard output stays data.
    init(_ messages: MessageWriter, _ root: SourceRoot?) {
        (self.messages, self.root) = (messages, root)
        here = root ?? SourceRoot(folder: ".")
    }

    mutating func write(_ found: FindingsOfJournal) throws {
        for finding in found.findings {
            let title = finding.invariant.map { "invariant \($0)" } ?? "first bad commit"
            if let result = finding.result { add(title, at: result.place, [result.heading] + result.details) }
            if let failure = finding.failure, let name = finding.invariant {
                add(
                    title, at: nil,
                    ["'\(name)' cannot be evaluated at \(failure.seq) of \(found.path): \(failure.message)"])
            }
        }
        for diagnostic in found.problems { add("journal", at: nil, [diagnostic.message] + diagnostic.notes) }
    }

    private mutating func add(_ title: String, at place: SourcePlace?, _ lines: [String]) {
        var command = WorkflowCommand("error")
        if let place { command.set("file", ControlCharacters.escaped(shown(place.file))) }
        command.set("line", place?.line.map(String.init))
        command.set("col", place?.line == nil ? nil : place?.column.map(String.init))
        command.set("title", ControlCharacters.escaped(title))
        let message = lines.map(ControlCharacters.escaped).joined(separator: "\n")
        if written < Self.limit - 1 {
            write(command, message)
        } else if held == nil {
            held = (command, message)
        } else {
            more += 1
        }
    }

    private mutating func shown(_ file: String) -> String {
        let shown = root == nil && !UTF8Order.begins(file, with: "/") ? file : here.shown(file)
        // What is missing below the folder of '--source-root' is reported there.
        if !Self.isHere(shown), root == nil || here.path(of: file) != nil { reportOutside(shown, file) }
        return shown
    }

    private static func isHere(_ path: String) -> Bool {
        guard let file = FileSystem.resolved(path), let folder = FileSystem.resolved(".") else { return false }
        return FileSystem.isBelow(file, folder) && (try? FileStatus(file))?.kind == .regular
    }

    private mutating func reportOutside(_ shown: String, _ file: String) {
        let found = root == nil ? here.path(of: file) : nil
        let help =
            found.map { "'\(Option.sourceRoot.typed) .' finds '\($0)'" }
            ?? "'\(Option.sourceRoot.typed) DIR' names a folder of this one that has it"
        unknownFiles.append(
            Diagnostic(
                .warning, code: "source.outside", "there is no file '\(shown)' below the current folder",
                notes: ["GitHub shows no annotation of a file that its workflow does not know"], help: [help]))
    }

    mutating func finish(_ status: ExitStatus, _ summary: CheckSummary?) {
        if let held { write(held.command, held.message + (more > 0 ? "\nand \(more) more" : "")) }
        held = nil
        for diagnostic in unknownFiles { messages.reportOnce(diagnostic) }
    }

    private mutating func write(_ command: WorkflowCommand, _ message: String) {
        written += 1
        messages.write(command.line(message) + "\n")
    }
}

/// `::error file=…,line=…,col=…,title=…::message`, with values escaped as the runner's toolkit does (`escapeData` and
/// `escapeProperty` of `@actions/core`), so that nothing of a journal can end it and begin a command.
struct WorkflowCommand {
    private let name: String
    private var properties: [(name: String, value: String)] = []

    init(_ name: String) { self.name = name }

    mutating func set(_ name: String, _ value: String?) {
        if let value { properties.append((name, value)) }
    }

    func line(_ message: String) -> String {
        let listed = properties.map { $0.name + "=" + Self.escapedProperty($0.value) }.joined(separator: ",")
        return "::" + name + (listed.isEmpty ? "" : " " + listed) + "::" + Self.escaped(message)
    }

    /// A message: what would end the line is written in percents.
    static func escaped(_ text: String) -> String {
        text.replacingScalars { $0 == "%" ? "%25" : $0 == "\r" ? "%0D" : $0 == "\n" ? "%0A" : nil }
    }

    /// A property: so is what would end the property.
    static func escapedProperty(_ text: String) -> String {
        escaped(text).replacingScalars { $0 == ":" ? "%3A" : $0 == "," ? "%2C" : nil }
    }
}
