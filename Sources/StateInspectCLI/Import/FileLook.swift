import Interchange
import JSONCore
import JournalReading
import Platform

/// What a file that is not a journal looks like, and the command that makes a journal of it.
struct FileLook {
    /// What it is, after "it looks like".
    let what: String
    /// A command line to paste; nil where no journal can be made of it.
    private(set) var command: String?
    /// What speaks for the options of the command.
    private(set) var reasons: [String] = []

    private let path: String

    /// How much of a file is looked at.
    private static let limit = 8 << 20

    /// Looks at the beginning of a file; nil where it shows nothing, or cannot be read.
    init?(_ path: String) {
        guard let (bytes, isWhole) = try? Self.head(of: path) else { return nil }
        self.init(path, bytes, isWhole: isWhole)
    }

    /// Looks at what was typed in the place of a journal; standard input is gone by then.
    init?(ofNoJournal path: String) {
        guard path != "-", (try? FileStatus(path))?.kind == .regular else { return nil }
        self.init(path)
    }

    /// Looks at the beginning of a file.
    init?(_ path: String, _ bytes: [UInt8], isWhole: Bool) {
        guard let sample = TextSample.of(bytes, isWhole: isWhole), let first = sample.values.first else { return nil }
        self.path = path
        if let what = Self.stateless(first) {
            self.what = what
            return
        }
        let whole: JSONValue = sample.form == .array ? .array(sample.values) : first
        switch sample.form == .rows ? nil : ImportFormat.likeness(of: whole) {
        case .format(let format)?:
            what = "'\(format.rawValue)', \(format.form)"
            command = importing(format)
        case .journal? where sample.form == .lines: return nil
        case .journal?:
            what = "a journal whose records are spread over several lines, as 'jq .' prints them; 'jq -c' would not"
            command = query(".") + " > " + ShellQuoting.quoted(journalName)
        case .rrweb?: what = "events of rrweb, which hold a page and not a state"
        case nil:
            what = Self.name(sample.form)
            suggest(sample)
        }
    }

    /// The first bytes, and whether they are all.
    static func head(of path: String) throws -> (bytes: [UInt8], isWhole: Bool) {
        let input = try ByteInput(path)
        var bytes: [UInt8] = []
        while try input.read(commits: 0, { bytes.append(contentsOf: $0) }) {
            if bytes.count >= limit { return (bytes, false) }
        }
        return (bytes, true)
    }

    /// The help lines of a message about the file.
    var help: [String] {
        guard let command else { return [] }
        return [command]
    }

    private static func name(_ form: TextSample.Form) -> String {
        switch form {
        case .lines: "a log of JSON lines"
        case .prefixedLines: "a log of JSON lines with other text before"
        case .texts: "JSON texts over several lines"
        case .array: "an array of records"
        case .rows: "a table of comma-separated values"
        }
    }

    /// What has no states to make a journal of, such as what this program writes for other tools.
    private static func stateless(_ first: JSONValue) -> String? {
        guard let members = first.object else { return nil }
        if members["traceEvents"] != nil { return "a trace for Perfetto, which has no states" }
        if members["resourceSpans"] != nil { return "spans of OpenTelemetry, which have no states: 'otlp' is its logs" }
        if ["seq", "store", "op", "path", "old", "value"].allSatisfy({ members[$0] != nil }), members["kind"] == nil {
            return "the changes that 'export csv' writes, which say no state to begin with"
        }
        if ["_change_type", "_commit_version", "path"].allSatisfy({ members[$0] != nil }) {
            return "the changes that 'export changes' writes, which say no state to begin with"
        }
        return nil
    }

    private static let ownHead = ["seq", "time", "store", "name", "file", "line", "function"]

    // MARK: Commands

    private func importing(_ format: ImportFormat, _ options: [String] = []) -> String {
        ImportAdvice(path).command(format, options + ["-o", journalName])
    }

    private func query(_ query: String) -> String {
        let words = UTF8Order.begins(path, with: "-") && path != "-" ? ["--", query, path] : [query, path]
        return ShellQuoting.line(["state-inspect", CommandName.query.rawValue] + words)
    }

    private mutating func suggest(_ sample: TextSample) {
        var suggestion = LineSuggestion()
        for value in sample.values { suggestion.note(value) }
        let guesses = suggestion.guesses
        reasons = guesses.map { "--\($0.option) \($0.value): \($0.reason)" }
        var options = guesses.flatMap { ["--" + $0.option, $0.value] }
        if sample.form == .rows,
            sample.values[0].object?.keys.prefix(Self.ownHead.count).elementsEqual(Self.ownHead) == true
        {
            // What 'export csv --select' writes: the values of a query, after the commit and its place.
            let members = Self.ownHead.map { "." + $0 }.joined(separator: ", ")
            options = ["--state", "del(\(members))", "--name", ".name", "--time", ".time", "--at", "."]
            reasons = ["the first columns are those of 'export csv'"]
        }
        switch sample.form {
        case .lines: command = importing(.jsonl, options)
        case .prefixedLines: command = importing(.jsonl, [Option.prefix.typed] + options)
        case .rows: command = importing(.csv, options)
        case .texts, .array:
            let imported = ImportAdvice("-").command(.jsonl, options + ["-o", journalName])
            command = query(sample.form == .array ? ".[]" : ".") + " | " + imported
        }
    }

    /// A name for the journal, which is not that of the file.
    private var journalName: String {
        let name = path == "-" ? "run" : path.split(separator: "/").last.map(String.init) ?? "run"
        let stem = name.split(separator: ".").first.map(String.init) ?? "run"
        let journal = stem + ".jsonl"
        return path != "-" && UTF8Order.begins(name, with: journal) ? stem + ".journal.jsonl" : journal
    }
}
