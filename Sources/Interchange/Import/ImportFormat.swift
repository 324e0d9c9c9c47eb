public import JSONCore

/// A format that journals are made of: one whose texts need more than queries, or one that a ``FormatDefinition`` says.
public struct ImportFormat: RawRepresentable, CaseIterable, Hashable, Sendable {
    /// What it is called.
    public let rawValue: String

    private init(_ name: String) { rawValue = name }

    /// The format of a name; nil where there is none.
    public init?(rawValue: String) {
        guard Self.forms[rawValue] != nil || FormatDefinition.texts[rawValue] != nil else { return nil }
        self.rawValue = rawValue
    }

    /// JSON lines, as queries understand them.
    public static let jsonl = ImportFormat("jsonl")
    /// Rows of a table, as queries understand them.
    public static let csv = ImportFormat("csv")
    /// Whole states.
    public static let snapshots = ImportFormat("snapshots")
    /// Redux DevTools.
    public static let reduxDevtools = ImportFormat("redux-devtools")
    /// Patches of RFC 6902.
    public static let jsonPatch = ImportFormat("json-patch")
    /// Patches of immer.
    public static let immer = ImportFormat("immer")
    /// Patches of mobx-state-tree.
    public static let mobxStateTree = ImportFormat("mobx-state-tree")
    /// The edits of a text.
    public static let editingTrace = ImportFormat("editing-trace")

    /// Those whose texts need more than queries, then the definitions.
    public static let allCases: [ImportFormat] =
        [.jsonl, .csv, .snapshots, .reduxDevtools, .jsonPatch, .immer, .mobxStateTree, .editingTrace]
        + BuiltInDefinitions.all.map { ImportFormat($0.name) }

    private static let forms = [
        "jsonl": "JSON, one text a line", "csv": "rows of comma-separated values below a head",
        "snapshots": "one whole state a line", "redux-devtools": "an export of Redux DevTools, or its lifted state",
        "json-patch": "one patch of RFC 6902 a line", "immer": "one array of immer's patches a line",
        "mobx-state-tree": "one patch of 'onPatch', or an array of them, a line",
        "editing-trace": "an object with 'startContent', 'endContent' and 'txns'",
    ]

    /// What a file of the format is.
    public var form: String {
        Self.forms[rawValue] ?? FormatDefinition.texts[rawValue].map(FormatDefinition.form) ?? ""
    }

    /// Whether it wraps lines of any log, so that queries have to say what a state is.
    public var wrapsLogs: Bool { FormatDefinition.builtIn(rawValue)?.wrapsLogs ?? false }

    /// What a text looks like.
    public enum Likeness: Sendable, Equatable {
        /// A format that can be imported.
        case format(ImportFormat)
        /// A journal.
        case journal
        /// The events of a recorded page.
        case rrweb

        package var name: String {
            switch self {
            case .format(let format): "'\(format.rawValue)'"
            case .journal: "a state journal already"
            case .rrweb: "events of rrweb, which hold a page and not a state"
            }
        }
    }

    static func check(_ first: JSONValue, against format: ImportFormat) throws(ImportFault) {
        // Any JSON but a journal may be a line of a log, or a state.
        if [.jsonl, .csv, .snapshots].contains(format) {
            if isJournal(first) { throw .otherFormat(format, looksLike: .journal) }
            return
        }
        // To compile those of all formats takes a third of a second.
        if FormatDefinition.builtIn(format.rawValue)?.looks(likeFirst: first) == true { return }
        let likeness = likeness(of: first)
        switch likeness {
        case nil, .format(format)?: return
        // Those are patches of RFC 6902 where they do not say what they replaced.
        case .format(.jsonPatch)? where format == .mobxStateTree: return
        default: throw .otherFormat(format, looksLike: likeness)
        }
    }

    /// The format of a file, guessed from its first text; nil if the text does not show it.
    public static func likeness(of first: JSONValue) -> Likeness? {
        if isJournal(first) { return .journal }
        if let found = definitions.first(where: { $0.looks(likeFirst: first) }) {
            return .format(ImportFormat(found.name))
        }
        switch first {
        case .object(let members): return likeness(of: members)
        case .array(let elements): return elements.first.flatMap(likeness(ofFirst:)).map(Likeness.format)
        default: return nil
        }
    }

    /// The format of a file that is not JSON, guessed by its first lines; nil where none of them shows one.
    ///
    /// - Parameter isMost: whether more than half of the lines have to show it.
    public static func likeness(ofLines lines: [String], isMost: Bool = false) -> ImportFormat? {
        let found = definitions.first { definition in
            guard definition.isRaw else { return false }
            let count = lines.count { definition.looks(like: .string($0)) }
            return isMost ? count * 2 > lines.count : count > 0
        }
        return found.map { ImportFormat($0.name) }
    }

    private static func isJournal(_ first: JSONValue) -> Bool {
        first.object?["seq"] != nil && first.object?["kind"]?.string == "journal"
    }

    private static func likeness(of members: JSONObject) -> Likeness? {
        if members["timestamp"] != nil, members["data"]?.object != nil, members["type"]?.number != nil { return .rrweb }
        return format(of: members).map(Likeness.format)
    }

    private static func format(of members: JSONObject) -> ImportFormat? {
        if members["computedStates"]?.array != nil || members["actionsById"]?.object != nil
            || members["payload"]?.string != nil && (members.count == 1 || members["preloadedState"] != nil)
        {
            return .reduxDevtools
        }
        if members["txns"]?.array != nil, members["endContent"]?.string != nil { return .editingTrace }
        guard members["op"]?.string != nil, let path = members["path"] else { return nil }
        if path.array != nil { return .immer }
        return path.string != nil && members["oldValue"] != nil ? .mobxStateTree : nil
    }

    private static func likeness(ofFirst element: JSONValue) -> ImportFormat? {
        switch element {
        case .array(let inner): return inner.first.flatMap(likeness(ofFirst:))
        case .object(let members):
            if members["op"]?.string != nil, let path = members["path"] {
                if path.array != nil { return .immer }
                if members["oldValue"] != nil { return .mobxStateTree }
                return path.string == nil ? nil : .jsonPatch
            }
            if members["op"] == nil, members["type"]?.string != nil, members["object"] == nil { return .reduxDevtools }
            guard case .format(let format)? = likeness(of: members) else { return nil }
            return format
        default: return nil
        }
    }

    private static let definitions = BuiltInDefinitions.all.compactMap { name, _ in FormatDefinition.builtIn(name) }
}
