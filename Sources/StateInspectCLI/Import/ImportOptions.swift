import Diagnostics
import Interchange
import JSONCore
import QueryLanguage

/// What the options of an import say.
struct ImportOptions {
    /// The options that say what a line of a log means.
    private static let lineOptions: [Option] = [
        .importStore, .state, .set, .importPatch, .merge, .each, .importWhere, .importName, .time, .importAt, .id,
        .cause,
        .mark, .close, .prefix, .strict, .suggest,
    ]
    /// The formats whose patches begin with a state that they do not say.
    private static let patchFormats: Set<ImportFormat> = [.jsonl, .jsonPatch, .immer, .mobxStateTree]
    /// The formats in which rows have a primary key.
    private static let rowFormats: Set<ImportFormat> = [.debezium, .wal2json]

    /// Every option but those of all journals that are written.
    static let all: [Option] =
        lineOptions + [.initial, .key, .branch, .importFollow, .skipBad, .preset]

    let format: ImportFormat
    /// Whether what does not fit is left out.
    let skipsBad: Bool
    /// Whether what a query gives that was not meant is an error.
    let isStrict: Bool
    /// Whether a guess is wanted, and no journal.
    let asksSuggestion: Bool
    private let keys: [String]
    private let mapping: LineMapping
    private let initial: JSONValue?

    /// Understands what was typed.
    init(_ typed: TypedArguments, _ format: ImportFormat) throws {
        self.format = format
        try Self.checkOptions(typed, format)
        skipsBad = typed.has(.skipBad) || format == .jsonl && !typed.has(.strict)
        isStrict = typed.has(.strict)
        asksSuggestion = typed.has(.suggest)
        keys = typed.value(.key).map { $0.split(separator: ",").map(String.init) } ?? []
        initial = try typed.value(.initial).map(Self.json)
        var mapping = format == .jsonl ? try Self.mapping(typed) : LineMapping()
        if let initial { mapping.initial = initial }
        self.mapping = mapping
        if format == .jsonl, !asksSuggestion, !mapping.saysStates {
            throw UsageError.needsOne(.import, [.state, .set, .patch, .merge, .suggest])
        }
    }

    /// By which members elements of arrays are matched; nil for those of the format.
    var identities: [String]? {
        if format == .kubernetes { return keys + KubernetesReader.identities }
        return keys.isEmpty || Self.rowFormats.contains(format) ? nil : keys
    }

    /// What reads the format; of 'trrack', a branch of it (``TrrackBranches``).
    func reader() throws -> any ImportReader {
        switch format {
        case .jsonl: JSONLinesReader(mapping)
        case .snapshots: SnapshotReader()
        case .reduxDevtools: ReduxReader()
        case .jsonPatch: PatchReader(.rfc6902, initial: initial)
        case .immer: PatchReader(.immer, initial: initial)
        case .mobxStateTree: PatchReader(.mobxStateTree, initial: initial)
        case .trrack: preconditionFailure("a branch of trrack is chosen first")
        case .editingTrace: EditingTraceReader()
        case .kubernetes: KubernetesReader()
        case .debezium: DebeziumReader(key: keys)
        case .wal2json: WAL2JSONReader(key: keys)
        case .itf: ITFReader()
        }
    }

    private static func checkOptions(_ typed: TypedArguments, _ format: ImportFormat) throws(UsageError) {
        if typed.has(.strict), typed.has(.skipBad) { throw .exclusive([.strict, .skipBad]) }
        for option in lineOptions + .queryValues where format != .jsonl && typed.has(option) {
            throw .value(option, typed.value(option) ?? "", expected: "left out: it is for 'import jsonl'")
        }
        if typed.has(.branch), format != .trrack {
            throw .value(
                .branch, typed.value(.branch) ?? "", expected: "left out: '\(format.rawValue)' has no branches")
        }
        if typed.has(.initial), !patchFormats.contains(format) {
            throw .value(.initial, typed.value(.initial) ?? "", expected: "left out: '\(format.rawValue)' holds states")
        }
    }

    private static func mapping(_ typed: TypedArguments) throws -> LineMapping {
        let environment = try QueryEnvironment(typed)
        func question(_ option: Option) throws -> LineMapping.Question? {
            guard let text = typed.value(option) else { return nil }
            return try compiled(text, option, environment)
        }
        var mapping = LineMapping()
        mapping.each = try question(.each)
        mapping.where = try question(.where)
        mapping.store = try store(typed, environment)
        mapping.state = try question(.state)
        mapping.patch = try question(.patch)
        mapping.merge = try question(.merge)
        mapping.name = try question(.name)
        mapping.time = try question(.time)
        mapping.at = try question(.at)
        mapping.id = try question(.id)
        mapping.cause = try question(.cause)
        mapping.mark = try question(.mark)
        mapping.close = try question(.close)
        mapping.cutsPrefix = typed.has(.prefix)
        for text in typed.all(.set) { mapping.sets.append(try set(text, environment)) }
        return mapping
    }

    private static func compiled(
        _ text: String, _ option: Option, _ environment: QueryEnvironment
    ) throws -> LineMapping.Question {
        let query = try Query(text, name: option.typed, in: environment)
        if query.form == .empty, text != "." { throw QueryWarnings.emptyCondition(option.typed) }
        return LineMapping.Question(option.typed, query)
    }

    /// A bare word is meant as a name, which is a text in a query.
    private static func store(_ typed: TypedArguments, _ environment: QueryEnvironment) throws -> LineMapping.Question?
    {
        guard let text = typed.value(.store) else { return nil }
        do { return try compiled(text, .store, environment) } catch let errors as QuerySyntaxErrors {
            guard text.utf8.allSatisfy({ ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || $0 == 0x5F || $0 == 0x2D })
            else {
                throw errors
            }
            throw UsageError.value(
                .store, text, expected: "a query, such as '.\(text)', or '\"\(text)\"' for a store of that name")
        }
    }

    /// `PATH=QUERY`.
    private static func set(
        _ text: String, _ environment: QueryEnvironment
    ) throws -> (path: JSONPointer, question: LineMapping.Question) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].contains(where: { !$0.isWhitespace }) else {
            throw UsageError.value(.set, text, expected: "a path and a query, such as '/total=.sum'")
        }
        guard let path = try PathPattern(parsing: String(parts[0]), of: .set).pointer else {
            throw UsageError.value(.set, text, expected: "one path, in which nothing stands for others")
        }
        return (path, try compiled(String(parts[1]), .set, environment))
    }

    private static func json(_ path: String) throws -> JSONValue {
        let bytes = try InputFile.whole(path, limit: JournalLimits.initialState, code: "input.unreadable")
        do throws(JSONError) { return try JSONParser.parse(bytes, order: .ascending) } catch {
            var diagnostic = error.diagnostic
            diagnostic.place = .file(path: path, line: nil, byte: error.offset, length: nil)
            throw CommandFailure(.unreadable, diagnostic)
        }
    }

    private enum JournalLimits {
        /// How many bytes the state before the first patch may have.
        static let initialState = 256 << 20
    }

    /// The error for a word that is not a format, with the nearest; for a file in its place, with what it looks like.
    static func unknownFormat(_ word: String) -> any Error {
        let known = ImportFormat.allCases.map(\.rawValue)
        var help = SimilarNames.nearest(to: word, in: known).map { "write '\($0)'" }
        if help.isEmpty, let likeness = ImportSuggestion.likeness(ofFile: word) {
            help = [likeness]
        }
        return CommandFailure(
            .usage,
            Diagnostic(
                code: "usage.argument", "FORMAT is '\(word)', should be one of the formats",
                notes: ["they are " + known.map { "'\($0)'" }.joined(separator: ", ")], help: help))
    }
}
