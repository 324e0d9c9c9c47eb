public import JSONCore
public import QueryLanguage

/// A format as a file of jq says it: what a line means, in definitions that are called like the options of `import jsonl`.
///
/// state-inspect-formats(7) says what a definition has. Besides, a record's `tables` are its names for `--key`.
public struct FormatDefinition: Sendable {
    /// What it is called.
    public let name: String
    /// What a file of the format is, as the first line of the file says it.
    public let form: String
    private let definitions: Definitions
    private let environment: QueryEnvironment
    private let settings: JSONObject
    private let shows: Query?

    /// A definition from its text.
    ///
    /// - Parameters:
    ///   - keys: the columns of primary keys, which it sees as `$keys`.
    ///   - environment: the values and functions that it may name besides.
    /// - Throws: the problems of its text.
    public init(
        _ text: String, name: String, keys: RowKeys = RowKeys(), in environment: QueryEnvironment = .empty
    ) throws(QuerySyntaxErrors) {
        self.name = name
        form = Self.form(of: text)
        var environment = environment
        environment.readsLines = true
        environment.name("keys", keys.json)
        environment.add(try Definitions(text: BuiltInDefinitions.shared, name: "shared", in: environment))
        definitions = try Definitions(text: text, name: name, in: environment)
        environment.add(definitions)
        self.environment = environment
        shows = definitions.query(named: "looks")
        settings = (try? definitions.query(named: "settings")?.first(of: .null))??.object ?? JSONObject()
    }

    /// A definition that is built in; nil where there is none of that name.
    public static func builtIn(
        _ name: String, keys: RowKeys = RowKeys(), in environment: QueryEnvironment = .empty
    ) -> FormatDefinition? {
        guard let text = texts[name] else { return nil }
        return try? FormatDefinition(text, name: name, keys: keys, in: environment)
    }

    static let texts = Dictionary(uniqueKeysWithValues: BuiltInDefinitions.all.map { ($0.name, $0.text) })

    static func form(of text: String) -> String {
        let head = text.prefix { !$0.isNewline }.drop { $0 == "#" || $0 == " " }
        return String(head.split(separator: ": ", maxSplits: 1).last ?? "")
    }

    /// Whether the first text of a file, or its first element, shows this format.
    func looks(likeFirst text: JSONValue) -> Bool { looks(like: text) || text.array?.first.map(looks(like:)) ?? false }

    /// Whether a text shows this format; false where the definition does not say what does.
    func looks(like text: JSONValue) -> Bool {
        (try? shows?.first(of: text)) == .bool(true)
    }

    /// The queries that the definition says.
    public func mapping() -> LineMapping {
        var mapping = LineMapping()
        mapping.definition = self
        let isEach = definitions.zeroArgumentNames.contains("each")
        let each = isEach ? definitions.query(named: "each") : try? Query("each($old)", in: environment)
        mapping.each = each.map { .init("each", $0, isTyped: false) }
        for part in LineMapping.parts where part.name != "each" {
            let isMember = each != nil && part.name != "where"
            let query = definitions.query(named: part.name) ?? (isMember ? try? Query("." + part.name) : nil)
            mapping[keyPath: part.path] = query.map { .init(part.name, $0, isTyped: false) }
        }
        mapping.initial = settings["initial"] ?? mapping.initial
        return mapping
    }

    /// The lines of a log that texts wrap.
    public func wrapped(in texts: [JSONValue]) -> [JSONValue] {
        var (context, lines) = (QueryContext(), [JSONValue]())
        let each = mapping().each?.query
        for text in texts {
            for record in (try? each?.all(of: text, context: context)) ?? [] {
                if let keep = record.object?["keep"] { context.old = keep }
                if let line = record.object?["text"] { lines.append(line) }
            }
        }
        return lines
    }

    // MARK: How the file is read

    /// How it is divided; nil where its format says that.
    var division: TextDivision? {
        switch settings["division"]?.string {
        case "lines"?, "raw"?: .lines(cutsPrefix: false)
        case "prefixed"?: .lines(cutsPrefix: true)
        default: nil
        }
    }
    /// Whether a line is a text, also where it is JSON.
    var isRaw: Bool { settings["division"]?.string.map { UTF8Order.equal($0, "raw") } ?? false }
    /// Whether records come in any order, so that an earlier time than that of the record before is left out.
    var isUnordered: Bool { settings["unordered"] == .bool(true) }
    /// The members that identify the elements of arrays.
    public var identities: [String] { settings["identities"]?.array?.compactMap(\.string) ?? [] }
    /// Whether `--key` names the columns of primary keys.
    public var hasRows: Bool { settings["rows"] == .bool(true) }
    /// Whether it wraps lines of any log, so that queries have to say what a state is.
    public var wrapsLogs: Bool { settings["wraps"] == .bool(true) }
}

/// The columns of primary keys that a file does not say.
public struct RowKeys: Sendable, Equatable {
    /// Those of every table that is not named; none for `id`.
    public var columns: [String]
    /// Those of a table, by its name, or with its schema in front: `public.orders`.
    public var ofTable: [ByteName: [String]]

    /// The columns of a key; `id` of every table unless given.
    public init(columns: [String] = [], ofTable: [ByteName: [String]] = [:]) {
        self.columns = columns
        self.ofTable = ofTable
    }

    var tables: [String] { ofTable.keys.sorted().map(\.text) }

    var json: JSONValue {
        var tables = JSONObject()
        for (table, columns) in ofTable { tables[table.text] = .array(columns.map { .string($0) }) }
        return ["columns": .array(columns.map { .string($0) }), "tables": .object(tables)]
    }
}
