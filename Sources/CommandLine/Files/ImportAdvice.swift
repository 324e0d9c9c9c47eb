import Diagnostics
package import Interchange
import JSONCore
import JournalReading
import Platform

package struct ImportAdvice {
    private let file: String

    package init(_ file: String) { self.file = file }

    /// Standard input is read where no file is named.
    package func command(_ format: ImportFormat, _ typed: [String] = [], output: String? = nil) -> String {
        let options = typed + (output.map { Advice.words(of: (.output, $0)) } ?? [])
        return Advice.line(.import, [format.rawValue] + (isStandardInput ? [] : [file]), options)
    }

    package func help(for likeness: ImportFormat.Likeness?) -> [String] {
        // What came from standard input is gone.
        guard let look = FileLook(ofNoJournal: file) else {
            guard case .format(let format)? = likeness else { return [] }
            return ["it looks like '\(format.rawValue)': write 'import \(format.rawValue)'"]
        }
        return look.help.isEmpty ? ["it looks like \(look.what)"] : look.help
    }

    package func help(for fault: ImportFault) -> [String] {
        switch fault {
        case .otherFormat(_, .format(let format)?) where isStandardInput: ["write 'import \(format.rawValue)'"]
        case .otherFormat(_, .journal?): ["every command reads it as it is"]
        case .otherFormat(let format, _) where format == .jsonl: []
        case .otherFormat: isStandardInput ? [] : FileLook(ofNoJournal: file)?.help ?? []
        case .encoding(let name) where UTF8Order.begins(name, with: "UTF-"):
            isStandardInput
                ? ["put 'iconv -f \(name) -t UTF-8' before it"]
                : [Advice.sentence(rewritten(from: name), "writes it so")]
        case .encoding(let name):
            name.contains("archive") || name.contains("packed") ? ["unpack it, and name a file in it"] : []
        case .newestFirst:
            [
                isStandardInput
                    ? "put 'tac' before it, which turns lines round, or name a file, which is read from its end"
                    : "turn it round first, as 'tac \(ShellQuoting.inSentence(argument: file)) | …' does with lines"
            ]
        case .item(_, let fault): help(for: fault)
        default: []
        }
    }

    /// Why a file that is typed without a format is not imported; nil where there is no such file.
    package var unrecognised: CommandFailure? {
        guard (try? FileStatus(file))?.kind == .regular, let (bytes, _) = try? FileLook.head(of: file) else {
            return nil
        }
        var note = "no line of it is JSON, or ends in JSON after other text"
        var help = ["write the format before the file, as '\(command(.csv))' does"]
        if bytes.isEmpty {
            (note, help) = ("there is nothing in it", [])
        } else if let look = FileLook(file) {
            (note, help) = ("it looks like \(look.what)", look.help)
        } else if (try? Journal.open(file, access: .sequential)) != nil {
            let likeness = ImportFormat.Likeness.journal
            note = "it looks like \(likeness.name)"
            help = self.help(for: .otherFormat(.jsonl, looksLike: likeness))
        }
        return CommandFailure(
            .usage, code: "usage.argument", "'\(file)' has none of the formats", notes: [note], help: help)
    }

    package func rewritten(from encoding: String) -> String {
        ShellQuoting.line(
            ["iconv", "-f", encoding, "-t", "UTF-8"] + (UTF8Order.begins(file, with: "-") ? ["--", file] : [file]))
    }

    /// An import calls standard input 'stdin', which only a file of that name says otherwise.
    private var isStandardInput: Bool { file == "-" || file == "stdin" && FileSystem.resolved(file) == nil }

    /// It has a line that reads all files; nil where there is none, or an operand is not a file.
    static func severalFiles(_ typed: TypedArguments, _ arguments: [String]) -> CommandFailure? {
        let format = typed.operands.first.flatMap {
            FormatNames.format($0, ImportFormat.allCases.map(\.rawValue)) ?? $0
        }
        .flatMap(ImportFormat.init(rawValue:))
        let files = Array(typed.operands.dropFirst(format == nil ? 0 : 1))
        guard files.count > 1, format != .snapshots, files.allSatisfy({ (try? FileStatus($0))?.kind == .regular }),
            format != nil || !areSnapshots(files)
        else { return nil }
        return CommandFailure(
            .usage, code: "usage.extra-argument", "'import' reads one file, and here are \(files.count)",
            help: command(files, format, typed, arguments).map { [$0] }
                ?? ["import each of them: 'state-inspect merge JOURNAL…' puts journals together"])
    }

    /// Files go by the numbers in their names; nil where one holds no JSON texts that are states.
    package static func snapshots(_ files: [String], output: String) -> String? {
        let files = files.sorted(by: isBefore)
        let tried = files.prefix(triedCount).compactMap { try? FileLook.head(of: $0) }
        let texts = tried.flatMap { $0.bytes + [UInt8(ascii: "\n")] }
        guard tried.allSatisfy(\.isWhole), let values = try? values(of: texts), values.count >= tried.count,
            values.allSatisfy({ !$0.isScalar && ImportFormat.likeness(of: $0) != .journal })
        else { return nil }
        return Advice.line(
            .import, [ImportFormat.snapshots.rawValue] + files, Advice.words(of: (.output, FreeName.of(output))))
    }

    package static func areSnapshots(_ files: [String]) -> Bool {
        files.allSatisfy { UTF8Order.ends($0, with: ".json") }
            && files.prefix(triedCount).allSatisfy { file in
                guard let head = try? FileLook.head(of: file) else { return false }
                guard head.isWhole, let values = try? values(of: head.bytes), values.count == 1 else {
                    return !head.isWhole
                }
                return !values[0].isScalar && ImportFormat.likeness(of: values[0]) == nil
            }
    }

    /// Nil for what is not a folder.
    package static func states(inFolder folder: String) -> [String]? {
        guard (try? FileStatus(folder))?.kind == .directory, let names = try? FileSystem.names(in: folder) else {
            return nil
        }
        let texts = names.filter { UTF8Order.ends($0, with: ".json") && !UTF8Order.begins($0, with: ".") }
        return texts.isEmpty ? nil : texts.sorted(by: isBefore).map { JournalFiles.joined(folder, $0) }
    }

    private static let triedCount = 16

    private static func values(of bytes: [UInt8]) throws -> [JSONValue] {
        var texts = JSONTexts()
        texts.bytes = bytes
        return try texts.rest()
    }

    private static func command(
        _ files: [String], _ format: ImportFormat?, _ typed: TypedArguments, _ arguments: [String]
    ) -> String? {
        let output = typed.value(.output) ?? "run.jsonl"
        let looks = files.prefix(triedCount).map { FileLook($0)?.plainImport }
        let isOfLines = looks.allSatisfy { $0?.format != nil && $0?.format != .csv }
        if format == nil || !isOfLines {
            return format == .csv ? nil : snapshots(files, output: output)
        }
        guard let format, let plain = looks[0] else { return nil }
        let all =
            "cat " + ShellQuoting.line(files.contains { UTF8Order.begins($0, with: "-") } ? ["--"] + files : files)
            + " | "
        // What was typed is kept where it says what a state is.
        var one = typed
        one.operands = [format.rawValue, "-"]
        if (try? CommandTable.type(of: .import).init(one)) != nil {
            return all + Advice.line(arguments.filter { !files.contains($0) })
        }
        return all + ImportAdvice("-").command(plain.format, plain.options, output: FreeName.of(output))
    }

    /// Whether a name stands before another one, numbers in them by their size.
    package static func isBefore(_ left: String, _ right: String) -> Bool {
        let (left, right) = (pieces(left), pieces(right))
        for (one, other) in zip(left, right) where one != other {
            if let one = Int(one), let other = Int(other), one != other { return one < other }
            return one < other
        }
        return left.count < right.count
    }

    private static func pieces(_ name: String) -> [String] {
        var pieces: [String] = []
        var wasNumber: Bool?
        for character in name {
            let isNumber = character.isASCII && character.isNumber
            if isNumber == wasNumber {
                pieces[pieces.count - 1].append(character)
            } else {
                pieces.append("\(character)")
            }
            wasNumber = isNumber
        }
        return pieces
    }
}

/// The common names of formats, of the tools that read and write them.
package enum FormatNames {
    private static let names: [String: String] = [
        "redux": "redux-devtools", "devtools": "redux-devtools", "reduxdevtools": "redux-devtools",
        "perfetto": "chrome-trace", "chrome": "chrome-trace", "trace": "chrome-trace",
        "patch": "json-patch", "jsonpatch": "json-patch", "rfc6902": "json-patch",
        "json": "jsonl", "ndjson": "jsonl", "log": "jsonl", "logs": "jsonl", "jsonlines": "jsonl",
        "pino": "jsonl", "bunyan": "jsonl", "tsv": "csv", "excel": "csv", "table": "csv",
        "opentelemetry": "otlp", "otel": "otlp", "agent": "messages", "chat": "messages", "openai": "messages",
        "mst": "mobx-state-tree", "mobx": "mobx-state-tree", "kubectl": "kubernetes", "k8s": "kubernetes",
        "elastic": "elasticsearch", "opensearch": "elasticsearch", "bulk": "elasticsearch", "kafka": "debezium",
        "postgres": "wal2json", "tla": "itf", "apalache": "itf", "quint": "itf",
        "test": "swift-test", "swift": "swift-test", "states": "snapshots", "snapshot": "snapshots",
    ]

    package static func unknown(_ word: String, _ known: [String]) -> CommandFailure {
        let near = SimilarNames.nearest(to: word, in: known + names.filter { known.contains($0.value) }.keys.sorted())
        let formats = near.map { names[$0] ?? $0 }
        let help = formats.enumerated().filter { formats.firstIndex(of: $0.element) == $0.offset }.map {
            "write '\($0.element)'"
        }
        return CommandFailure(
            .usage, code: "usage.argument", "FORMAT is '\(word)', should be one of the formats",
            notes: ["they are " + UsageError.quoted(known)], help: help)
    }

    /// Nil where no format has that common name, or the command has not that format.
    package static func format(_ word: String, _ known: [String]) -> String? {
        names[word.lowercased().filter { $0 != "-" && $0 != "_" }].flatMap { known.contains($0) ? $0 : nil }
    }
}
