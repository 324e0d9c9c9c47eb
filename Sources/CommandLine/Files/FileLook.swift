import Diagnostics
package import Interchange
import JSONCore
import JournalFormat
import JournalReading
import Platform

/// What a file that is not a journal looks like, and the command that makes a journal of it.
package struct FileLook {
    package private(set) var what = ""
    /// Whether it is a format of bytes, of which no line is worth a message.
    private(set) var isForeign = false
    /// A command line to paste, which was tried on the beginning of the file; nil where no journal can be made of it.
    package private(set) var command: String?
    package private(set) var reasons: [String] = []
    package private(set) var help: [String] = []
    package private(set) var columns: String?
    /// The format and the options of the import, where the file can be imported as it is.
    package private(set) var plainImport: (format: ImportFormat, options: [String])?
    private let path: String
    private let bytes: [UInt8]
    private let isWhole: Bool

    /// How much of a file is looked at, and how much of it an import is tried on.
    private static let limit = 8 << 20
    private static let triedLimit = 1 << 20

    /// Looks at the beginning of a file; nil where it shows nothing, or cannot be read.
    package init?(_ path: String) {
        guard let (bytes, isWhole) = try? Self.head(of: path) else { return nil }
        self.init(path, bytes, isWhole: isWhole)
    }

    /// What was typed in the place of a journal; standard input is gone by then.
    package init?(ofNoJournal path: String) {
        guard path != "-", (try? FileStatus(path))?.kind == .regular else { return nil }
        self.init(path)
    }

    package init?(_ path: String, _ bytes: [UInt8], isWhole: Bool) {
        (self.path, self.isWhole) = (path, isWhole)
        if let name = FileSignature.name(of: bytes) {
            (what, isForeign, self.bytes) = (name, true, bytes)
            help = ImportAdvice(path).help(for: .encoding(FileSignature.encoding(of: bytes) ?? name))
            return
        }
        let texts = FileTexts(path, bytes, isWhole: isWhole)
        self.bytes = texts.bytes
        // Among lines of other text one may be the first that shows a format.
        let lines = Self.lines(of: texts.bytes, atMost: texts.sample == nil ? 2000 : 50)
        if texts.front == nil, let format = ImportFormat.likeness(ofLines: lines, isMost: texts.sample != nil) {
            suggest(format, lines.map { .string($0) })
            help = command.map { [$0] } ?? []
            return
        }
        guard let sample = texts.sample, let first = sample.values.first else { return nil }
        let names = Self.columns(of: sample.values)
        if !names.isEmpty {
            columns = "its \(sample.form == .rows ? "columns" : "members") are \(UsageError.quoted(names))"
        }
        if let what = Self.stateless(first) {
            self.what = what
            return
        }
        let whole: JSONValue = sample.form == .array ? .array(sample.values) : first
        let likeness = sample.form == .rows ? nil : ImportFormat.likeness(of: whole)
        switch likeness {
        case .journal? where sample.form == .lines: return nil
        case .journal?:
            what = "a journal whose records are spread over several lines, as 'jq .' prints them; 'jq -c' would not"
            command = texts.query.map { $0 + " > " + ShellQuoting.quoted(journalName) }
        case .rrweb?: what = "events of rrweb, which hold a page and not a state"
        case .format(let format)? where texts.front == nil && (format.wrapsLogs || works(format)):
            suggest(format, sample.values)
        case .format?, nil:
            what = Self.name(sample.form)
            suggest(sample, texts)
        }
        help = command.map { [$0] } ?? []
    }

    package static func head(of path: String) throws -> (bytes: [UInt8], isWhole: Bool) {
        let input = try ByteInput(path)
        var bytes: [UInt8] = []
        while try input.read(commits: 0, { bytes.append(contentsOf: $0) }) {
            if bytes.count >= limit { return (bytes, false) }
        }
        return (bytes, true)
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
        if ["seq", "store", "op", "path"].allSatisfy({ members[$0] != nil }), members["kind"] == nil,
            members["old"] != nil || members["value"] != nil
        {
            return "the changes that 'export csv' writes, which say no state to begin with"
        }
        if ["_change_type", "_commit_version", "path"].allSatisfy({ members[$0] != nil }) {
            return "the changes that 'export changes' writes, which say no state to begin with"
        }
        return nil
    }

    private static let columnCount = 20

    private static func columns(of values: [JSONValue]) -> [String] {
        var names = NameTable<Bool>()
        for value in values {
            for (name, _) in value.object ?? JSONObject() where names.count < columnCount { names[name] = true }
        }
        return names.map { name, _ in name }
    }

    private static let ownHead = ["seq", "time", "store", "name", "file", "line", "function"]

    private mutating func suggest(_ format: ImportFormat, _ options: [String] = []) {
        plainImport = (format, options)
        command = ImportAdvice(path).command(format, options, output: journalName)
    }

    /// A format, and where texts wrap the lines of a log, what those mean.
    private mutating func suggest(_ format: ImportFormat, _ texts: [JSONValue]) {
        what = "'\(format.rawValue)', \(format.form)"
        guard format.wrapsLogs else { return suggest(format) }
        let lines = FormatDefinition.builtIn(format.rawValue)?.wrapped(in: texts) ?? []
        if lines.isEmpty { what += ", in which no line is JSON that could have a state" }
        let guesses = LineSuggestion.guesses(about: lines)
        let options = guesses.flatMap { ["--" + $0.option, $0.value] }
        guard works(format, options) else { return }
        reasons = guesses.map { "--\($0.option) \($0.value): \($0.reason)" }
        suggest(format, options)
    }

    private mutating func suggest(_ sample: TextSample, _ texts: FileTexts) {
        let guesses = LineSuggestion.guesses(about: sample.values)
        var reasons = guesses.map { "--\($0.option) \($0.value): \($0.reason)" }
        var options = guesses.flatMap { ["--" + $0.option, $0.value] }
        if sample.form == .rows,
            // Of a commit without a place, which has empty cells, the first three are there.
            sample.values[0].object?.keys.prefix(3).elementsEqual(Self.ownHead.prefix(3)) == true
        {
            // What 'export csv --select' writes: the values of a query, after the commit and its place.
            let members = Self.ownHead.map { "." + $0 }.joined(separator: ", ")
            options = ["--state", "del(\(members))", "--name", ".name", "--time", ".time", "--at", "."]
            reasons = ["the first columns are those of 'export csv'"]
        }
        let front = sample.form == .texts || sample.form == .array ? texts.query : texts.front
        let format: ImportFormat = sample.form == .rows ? .csv : .jsonl
        if sample.form == .prefixedLines { options.insert(Option.prefix.typed, at: 0) }
        if let front {
            let isQueried = front != texts.front || texts.isQueried
            guard works(format, options, on: isQueried ? Self.lines(of: sample.values) : bytes) else { return }
            command = front + " | " + ImportAdvice("-").command(format, options, output: journalName)
        } else if sample.form != .texts, sample.form != .array, works(format, options) {
            suggest(format, options)
        }
        if command != nil { self.reasons = reasons }
    }

    private static func lines(of bytes: [UInt8], atMost count: Int) -> [String] {
        bytes.prefix(triedLimit).split(separator: UInt8(ascii: "\n"), maxSplits: count).prefix(count).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private static func lines(of values: [JSONValue]) -> [UInt8] {
        values.flatMap { Array($0.text().utf8) + [UInt8(ascii: "\n")] }
    }

    private func works(_ format: ImportFormat, _ options: [String] = []) -> Bool {
        works(format, options, on: bytes)
    }

    private func works(_ format: ImportFormat, _ typed: [String], on bytes: [UInt8]) -> Bool {
        ImportTrial(format, typed)?.makesStores(
            of: bytes.prefix(Self.triedLimit), isWhole: isWhole && bytes.count <= Self.triedLimit) ?? false
    }

    private var journalName: String { FreeName.of(stem + ".jsonl") }

    private var stem: String {
        let name = path == "-" ? "run" : path.split(separator: "/").last.map(String.init) ?? "run"
        let stem = name.drop { $0 == "-" || $0 == "." }.split(separator: ".").first.map(String.init) ?? "run"
        return path != "-" && UTF8Order.begins(name, with: stem + ".jsonl") ? stem + ".journal" : stem
    }
}

struct ImportTrial {
    private let options: ImportOptions

    init?(_ format: ImportFormat, _ typed: [String]) {
        var parser = ArgumentParser([CommandName.import.rawValue, format.rawValue] + typed)
        guard parser.problem() == nil, let options = try? ImportOptions(parser.typed, format) else { return nil }
        self.options = options
    }

    /// Whether the texts are imported, and say a state; true of texts that are longer than what is known of them.
    func makesStores(of bytes: some Sequence<UInt8>, isWhole: Bool) -> Bool {
        guard let reader = try? options.reader() else { return false }
        var work = JournalImport(
            reader, of: "file", time: Timestamp(microseconds: 0), skipsBad: options.skipsBad,
            identities: options.identities)
        do {
            try Array(bytes).withBytes { try work.read($0) }
            if !isWhole, work.texts == 0 { return true }
            if isWhole { try work.finish() }
        } catch let error as ImportError where error.fault == .newestFirst {
            // The import reads the file from its end.
            return true
        } catch { return false }
        return !work.run.totals.commits.isEmpty
    }
}
