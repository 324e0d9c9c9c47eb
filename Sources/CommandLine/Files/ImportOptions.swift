import Diagnostics
package import Interchange
import JSONCore
import QueryLanguage

package struct ImportOptions {
    /// The options that say what a line of a log means.
    package static let lineOptions: [Option] = [
        .importStore, .state, .before, .set, .importPatch, .merge, .each, .importWhere, .importName, .importAction, .time,
        .importAt, .importTrace, .span, .id, .cause, .mark, .close, .strict, .suggest, .prefix,
    ]
    /// The formats whose texts are understood by queries.
    private static let queryFormats: Set<ImportFormat> = [.jsonl, .csv, .otlp, .messages]
    /// The formats whose patches begin with a state that they do not say.
    private static let patchFormats: Set<ImportFormat> = [.jsonl, .jsonPatch, .immer, .mobxStateTree]
    /// The formats in which rows have a primary key.
    private static let rowFormats: Set<ImportFormat> = [.debezium, .wal2json]

    package static let all: [Option] =
        lineOptions + [.initial, .key, .branch, .importFollow, .skipBad, .preset]

    package let format: ImportFormat
    package let skipsBad: Bool
    /// Whether what a query gives that was not meant is an error.
    package let isStrict: Bool
    /// Whether a guess is wanted, and no journal.
    package let asksSuggestion: Bool
    /// The members of array elements, and the columns of primary keys, that identify them.
    private let keys: RowKeys
    private let mapping: LineMapping
    private let initial: JSONValue?

    package init(_ typed: TypedArguments, _ format: ImportFormat) throws {
        self.format = format
        try Self.checkOptions(typed, format)
        skipsBad = typed.has(.skipBad) || Self.queryFormats.contains(format) && !typed.has(.strict)
        isStrict = typed.has(.strict)
        asksSuggestion = typed.has(.suggest)
        keys = try Self.keys(typed, format)
        initial = try typed.value(.initial).map(Self.json)
        var mapping =
            Self.queryFormats.contains(format)
            ? try Self.mapping(BuiltInQueries.applied(to: typed, format), as: typed) : LineMapping()
        mapping.initial = initial ?? BuiltInQueries.initial(of: format)
        mapping.hasInitial = initial != nil
        self.mapping = mapping
        if Self.queryFormats.contains(format), !asksSuggestion, !mapping.saysStates {
            throw UsageError.needsOne(.import, [.state, .set, .patch, .merge, .suggest])
        }
    }

    package var identities: [String]? {
        if format == .kubernetes { return keys.columns + KubernetesReader.identities }
        return keys.columns.isEmpty || Self.rowFormats.contains(format) ? nil : keys.columns
    }

    /// What reads the format; of 'trrack', a branch of it (``TrrackBranches``).
    package func reader() throws -> any ImportReader {
        switch format {
        case .jsonl, .csv, .otlp, .messages: JSONLinesReader(mapping, of: format)
        case .snapshots: SnapshotReader()
        case .reduxDevtools: ReduxReader()
        case .jsonPatch: PatchReader(.rfc6902, initial: initial)
        case .immer: PatchReader(.immer, initial: initial)
        case .mobxStateTree: PatchReader(.mobxStateTree, initial: initial)
        case .trrack: preconditionFailure("a branch of trrack is chosen first")
        case .editingTrace: EditingTraceReader()
        case .kubernetes: KubernetesReader()
        case .debezium: DebeziumReader(keys: keys)
        case .wal2json: WAL2JSONReader(keys: keys)
        case .itf: ITFReader()
        }
    }

    private static func checkOptions(_ typed: TypedArguments, _ format: ImportFormat) throws(UsageError) {
        if typed.has(.strict), typed.has(.skipBad) { throw .exclusive([.strict, .skipBad]) }
        for option in lineOptions + .queryValues where !queryFormats.contains(format) && typed.has(option) {
            throw .value(option, typed.value(option) ?? "", expected: "left out: it is for 'import jsonl'")
        }
        if typed.has(.prefix), format != .jsonl {
            throw .value(.prefix, "", expected: "left out: it is for 'import jsonl'")
        }
        if typed.has(.branch), format != .trrack {
            throw .value(
                .branch, typed.value(.branch) ?? "", expected: "left out: '\(format.rawValue)' has no branches")
        }
        if typed.has(.initial), !patchFormats.union(queryFormats).contains(format) {
            throw .value(.initial, typed.value(.initial) ?? "", expected: "left out: '\(format.rawValue)' holds states")
        }
    }

    /// `NAME`, or `COLUMN,COLUMN` of rows, which may stand after `TABLE=`.
    private static func keys(_ typed: TypedArguments, _ format: ImportFormat) throws(UsageError) -> RowKeys {
        var keys = RowKeys()
        for text in typed.all(.key) {
            let parts = Self.parts(of: text, at: "=", maxSplits: 1)
            let columns = Self.parts(of: parts.last ?? "", at: ",")
            if parts.count == 2, rowFormats.contains(format) {
                keys.ofTable[ByteName(parts[0])] = columns
            } else if rowFormats.contains(format), !keys.columns.isEmpty {
                throw .value(.key, text, expected: "'TABLE=\(text)', where there are several")
            } else {
                keys.columns += columns
            }
        }
        return keys
    }

    private static func mapping(_ typed: TypedArguments, as person: TypedArguments) throws -> LineMapping {
        let environment = try QueryEnvironment(typed)
        func question(_ option: Option) throws -> LineMapping.Question? {
            guard let text = typed.value(option) else { return nil }
            var question = try compiled(text, option, environment)
            question.isTyped = person.has(option)
            return question
        }
        var mapping = LineMapping()
        mapping.each = try question(.each)
        mapping.where = try question(.where)
        mapping.store = try store(typed, environment)
        mapping.store?.isTyped = person.has(.store)
        mapping.state = try question(.state)
        mapping.before = try question(.before)
        mapping.patch = try question(.patch)
        mapping.merge = try question(.merge)
        mapping.name = try question(.name)
        mapping.action = try question(.action)
        mapping.trace = try question(.trace)
        mapping.span = try question(.span)
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
        LineMapping.Question(option.typed, try Query(text, name: option.typed, in: environment))
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

    /// The parts of a text, cut at an ASCII character, also where a combining mark follows.
    private static func parts(of text: String, at separator: Unicode.Scalar, maxSplits: Int = .max) -> [String] {
        text.unicodeScalars.split(separator: separator, maxSplits: maxSplits).map { String($0) }
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
        if let merge = ComputedPath(path)?.merge(of: String(parts[1])) {
            throw CommandFailure(
                .usage, code: "usage.option-value",
                "'\(Option.set.typed)' is '\(text)', should be a path of names as they are",
                notes: ["a name that a value of the line makes is written in '\(Option.merge.typed)'"],
                help: ["write \(Option.merge.typed) \(ShellQuoting.quoted(merge))"])
        }
        return (path, try compiled(String(parts[1]), .set, environment))
    }

    private static func json(_ path: String) throws -> JSONValue {
        let bytes = try InputFile.whole(path, limit: initialLimit, code: "input.unreadable")
        do throws(JSONError) { return try JSONParser.parse(bytes, order: .ascending) } catch {
            var diagnostic = error.diagnostic
            diagnostic.place = .file(path: path, line: nil, byte: error.offset, length: nil)
            throw CommandFailure(.unreadable, diagnostic)
        }
    }

    private static let initialLimit = 256 << 20
}

/// A path as people write it whose names are to be made of values of the line: `/acc/{id}`, `/acc/\(.id)`, `/acc/$id`.
///
/// A path has names as they are, so that such a one would make a member called `{id}`.
struct ComputedPath {
    private let segments: [NamePart]

    private enum NamePart {
        case name(String)
        case query(String)
    }

    init?(_ path: JSONPointer) {
        segments = path.segments.map { name in Self.query(of: name).map(NamePart.query) ?? .name(name) }
        guard segments.contains(where: { if case .query = $0 { true } else { false } }) else { return nil }
    }

    func merge(of value: String) -> String {
        let value = value.drop { $0 == " " }
        let isPath = value.wholeMatch(of: /[A-Za-z0-9_.$]+/) != nil
        return segments.reversed().reduce(isPath ? String(value) : "(\(value))") { inner, segment in
            switch segment {
            case .name(let name): "{\(Self.key(name)): \(inner)}"
            case .query(let query): "{(\(query)): \(inner)}"
            }
        }
    }

    private static func key(_ name: String) -> String {
        name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) == nil ? JSONValue.string(name).text() : name
    }

    private static func query(of name: String) -> String? {
        if let found = name.wholeMatch(of: #/(?:\$|:)([A-Za-z_][A-Za-z0-9_]*)|<([^<>]+)>|\((.+)\)/#),
            let inner = found.1 ?? found.2 ?? found.3
        {
            return "\(path(inner)) | tostring"
        }
        guard let found = name.firstMatch(of: #/\\\(([^)]+)\)|\$?\{+([^{}]+)\}+/#), let inner = found.1 ?? found.2
        else {
            return nil
        }
        let (before, after) = (name[..<found.range.lowerBound], name[found.range.upperBound...])
        if before.isEmpty, after.isEmpty { return "\(path(inner)) | tostring" }
        func text(_ part: Substring) -> String { String(JSONValue.string(String(part)).text().dropFirst().dropLast()) }
        return "\"\(text(before))\\(\(path(inner)))\(text(after))\""
    }

    /// A bare word is a member of the line.
    private static func path(_ inner: Substring) -> String {
        let inner = inner.drop { $0 == " " }
        return inner.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*/) == nil
            ? String(inner) : ".\(inner)"
    }
}
