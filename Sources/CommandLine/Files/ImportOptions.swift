import Diagnostics
package import Interchange
import JSONCore
import QueryLanguage

package struct ImportOptions {
    /// The options that say what a line of a log means.
    package static let lineOptions: [Option] = [
        .importStore, .state, .before, .set, .importPatch, .merge, .each, .importWhere, .importName, .importAction,
        .time,
        .importAt, .importTrace, .span, .id, .cause, .mark, .close, .strict, .suggest, .prefix,
    ]
    /// The formats whose patches begin with a state that they do not say.
    private static let patchFormats: Set<ImportFormat> = [.jsonPatch, .immer, .mobxStateTree]

    package static let all: [Option] =
        lineOptions + [.initial, .key, .importFollow, .skipBad, .preset]

    package let format: ImportFormat
    private let isOfQueries: Bool
    package let skipsBad: Bool
    /// Whether what a query gives that was not meant is an error.
    package let isStrict: Bool
    package let asksSuggestion: Bool
    /// The members of array elements, and the columns of primary keys, that identify them.
    private let keys: RowKeys
    private let mapping: LineMapping
    private let definition: FormatDefinition?
    private let initial: JSONValue?

    package init(_ typed: TypedArguments, _ format: ImportFormat) throws {
        self.format = format
        definition = FormatDefinition.builtIn(format.rawValue)
        isOfQueries = format == .jsonl || format == .csv || definition != nil
        try Self.checkOptions(typed, format, isOfQueries)
        skipsBad = typed.has(.skipBad) || isOfQueries && !typed.has(.strict)
        isStrict = typed.has(.strict)
        asksSuggestion = typed.has(.suggest)
        keys = try Self.keys(typed, hasRows: definition?.hasRows ?? false)
        initial = try typed.value(.initial).map(Self.json)
        var environment = try QueryEnvironment(typed)
        environment.readsLines = true
        let own = try ImportPreset.definition(of: typed, keys: keys, environment)
        let definition = own ?? FormatDefinition.builtIn(format.rawValue, keys: keys, in: environment)
        var mapping = definition?.mapping() ?? LineMapping()
        try Self.add(typed, to: &mapping, environment)
        mapping.initial = initial ?? mapping.initial
        mapping.hasInitial = initial != nil
        self.mapping = mapping
        if isOfQueries, !asksSuggestion,
            !mapping.saysStates || definition?.wrapsLogs == true && !Self.stateOptions.contains(where: typed.has)
        {
            throw UsageError.needsOne(.import, [.state, .set, .patch, .merge, .suggest])
        }
    }

    package var identities: [String]? {
        let known = definition?.identities ?? []
        let typed = definition?.hasRows == true ? [] : keys.columns
        return known.isEmpty && typed.isEmpty ? nil : typed + known
    }

    package func reader() throws -> any ImportReader {
        switch format {
        case .snapshots: SnapshotReader()
        case .reduxDevtools: ReduxReader()
        case .jsonPatch: PatchReader(.rfc6902, initial: initial)
        case .immer: PatchReader(.immer, initial: initial)
        case .mobxStateTree: PatchReader(.mobxStateTree, initial: initial)
        case .editingTrace: EditingTraceReader()
        default: JSONLinesReader(mapping, of: format, keys: keys)
        }
    }

    private static let stateOptions: [Option] = [.state, .set, .importPatch, .merge]

    private static func checkOptions(
        _ typed: TypedArguments, _ format: ImportFormat, _ isOfQueries: Bool
    ) throws(UsageError) {
        if typed.has(.strict), typed.has(.skipBad) { throw .exclusive([.strict, .skipBad]) }
        for option in lineOptions + .queryValues where !isOfQueries && typed.has(option) {
            throw .value(option, typed.value(option) ?? "", expected: "left out: it is for 'import jsonl'")
        }
        if typed.has(.prefix), format != .jsonl {
            throw .value(.prefix, "", expected: "left out: it is for 'import jsonl'")
        }
        if typed.has(.initial), !isOfQueries, !patchFormats.contains(format) {
            throw .value(.initial, typed.value(.initial) ?? "", expected: "left out: '\(format.rawValue)' holds states")
        }
    }

    /// `NAME`, or `COLUMN,COLUMN` of rows, which may stand after `TABLE=`.
    private static func keys(_ typed: TypedArguments, hasRows: Bool) throws(UsageError) -> RowKeys {
        var keys = RowKeys()
        for text in typed.all(.key) {
            let parts = Self.parts(of: text, at: "=", maxSplits: 1)
            let columns = Self.parts(of: parts.last ?? "", at: ",")
            if parts.count == 2, hasRows {
                keys.ofTable[ByteName(parts[0])] = columns
            } else if hasRows, !keys.columns.isEmpty {
                throw .value(.key, text, expected: "'TABLE=\(text)', where there are several")
            } else {
                keys.columns += columns
            }
        }
        return keys
    }

    /// What was typed counts more than what a definition says; a state that was typed is all that says one.
    private static func add(
        _ typed: TypedArguments, to mapping: inout LineMapping, _ environment: QueryEnvironment
    ) throws {
        if stateOptions.contains(where: typed.has) {
            (mapping.state, mapping.patch, mapping.merge, mapping.note) = (nil, nil, nil, nil)
        }
        for part in LineMapping.parts {
            guard let option = lineOptions.first(where: { $0.typed == "--" + part.name }),
                let text = typed.value(option)
            else { continue }
            mapping[keyPath: part.path] =
                part.name == "store" ? try store(text, environment) : try compiled(text, option, environment)
        }
        mapping.cutsPrefix = typed.has(.prefix)
        for text in typed.all(.set) { mapping.sets.append(try set(text, environment)) }
    }

    private static func compiled(
        _ text: String, _ option: Option, _ environment: QueryEnvironment
    ) throws -> LineMapping.Question {
        LineMapping.Question(option.typed, try Query(text, name: option.typed, in: environment))
    }

    /// A bare word is meant as a name, which is a text in a query.
    private static func store(_ text: String, _ environment: QueryEnvironment) throws -> LineMapping.Question {
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

/// A path with names to be made of values of the line: `/acc/{id}`, `/acc/\(.id)`, `/acc/$id`; a path has names as they
/// are, so that such a one would make a member called `{id}`.
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
