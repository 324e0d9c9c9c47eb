import CommandLine
import JSONCore

/// A tool of the server: a command, and what of it can be asked.
struct ToolDefinition: Sendable {
    let name: String
    let summary: String
    let arguments: [ToolArgument]

    let command: CommandName

    static let all: [ToolDefinition] = [
        ToolDefinition(
            name: "info", summary: "What a journal holds; without 'journal', every journal there is. Begin here.",
            arguments: [.journal(isRequired: false), .cursor], command: .info),
        ToolDefinition(
            name: "find", summary: "Commits by filters, oldest first, with their changes.",
            arguments: [
                .journal, .position(.from, "after this position"), .position(.to, "up to this one"), .option(.store),
                .option(.path), .option(.source), .option(.function), .option(.name), .option(.action), .option(.trace),
                .option(.where), .number(.maxCount, "at most so many"), .flag(.reverse), .flag(.recover), .cursor,
                .range,
            ], command: .log),
        ToolDefinition(
            name: "state", summary: "The state after a commit, or a jq query of it.",
            arguments: [
                .journal, .position(.at, "'end' unless given").also("pos"), .option(.select), .option(.store),
                .flag(.recover), .cursor,
            ],
            command: .state),
        ToolDefinition(
            name: "diff", summary: "What differs between two positions, or where two runs part ('other').",
            arguments: [
                .journal.also("left"), .position(.from, "'start' unless given"), .position(.to, "'end' unless given"),
                ToolArgument("other", .text, "the journal of another run").also("right"), .option(.store),
                .option(.ignore), .range,
            ], command: .diff),
        ToolDefinition(
            name: "bisect", summary: "The commit that made the state bad, with its source line.",
            arguments: [
                .journal, .option(.bad, "jq query, true of a bad state"),
                .option(.good, "jq query, true of a good state; one of the two"), .position(.from, "the good end"),
                .position(.to, "the bad end"), .option(.store), .option(.path), .flag(.recover),
            ], command: .bisect),
        ToolDefinition(
            name: "origin",
            summary: "Where a value comes from, hop by hop; 'basis' is 'inferred' where equality says so.",
            arguments: [
                .journal, ToolArgument("path", .text, "JSON Pointer", isRequired: true),
                .position(.at, "'end' unless given"), .option(.store), .number(.maxHops, "follow so many hops"),
            ], command: .origin),
        ToolDefinition(
            name: "why",
            summary:
                "The chain of causes of the commit 'at'; with 'why', why that derived value fired there or did not.",
            arguments: [
                .journal, .position(.at, "the commit", isRequired: true).also("pos"),
                ToolArgument("why", .text, "a derived value"),
                ToolArgument("define", .texts, "derived values, NAME=QUERY"),
            ], command: .why),
        ToolDefinition(
            name: "check", summary: "Which invariants hold at every position, and what began each violation.",
            arguments: [
                ToolArgument("journals", .texts, "as 'info' lists them", isRequired: true).also("journal"),
                ToolArgument("invariants", .texts, "NAME=QUERY, true where it holds", isRequired: true)
                    .also(Option.invariant.name),
                .flag(.recover), .cursor,
            ], command: .check),
    ]

    static func named(_ name: String) -> ToolDefinition? { all.first { $0.name == name } }

    /// Arguments left out by null go away, aliases become the tool's names, and what is not known stays as it is.
    func named(_ given: JSONObject) -> JSONObject {
        var named = JSONObject()
        for argument in arguments {
            if let value = given[argument.name], value != .null { named[argument.name] = value }
        }
        for (name, value) in given where !arguments.contains(where: { UTF8Order.equal($0.name, name) }) {
            let meant = arguments.first { $0.isCalled(name) }?.name
            if meant != nil, value == .null { continue }
            // Two values of one argument are refused by the name that the tool has not.
            named[meant.flatMap { named[$0] == nil ? $0 : nil } ?? name] = value
        }
        return named
    }

    var json: JSONValue {
        let required = arguments.filter(\.isRequired).map { JSONValue.string($0.name) }
        var properties = JSONObject()
        for argument in arguments where argument.isListed { properties[argument.name] = argument.schema }
        return .members([
            "name": .string(name), "description": .string(summary),
            "inputSchema": .members([
                "type": "object", "properties": .object(properties),
                "required": required.isEmpty ? nil : .array(required), "additionalProperties": false,
            ]),
            "outputSchema": Self.outputSchema, "annotations": ["readOnlyHint": true, "openWorldHint": false],
        ])
    }

    private static let outputSchema: JSONValue = [
        "type": "object",
        "properties": ["answers": ["type": "array", "items": ["type": "object"]], "cursor": ["type": "string"]],
        "required": ["answers"],
    ]
}

struct ToolArgument: Sendable {
    enum Kind: Sendable {
        case text, texts, number, flag
        /// A position: its text; its number is taken too.
        case position
    }

    let name: String
    let kind: Kind
    let meaning: String
    let isRequired: Bool
    /// Whether the list of tools has it; what it says can be said by those that are listed.
    private(set) var isListed = true
    /// What the command calls it, where the tool has another name.
    private var others: [String] = []

    init(_ name: String, _ kind: Kind, _ meaning: String, isRequired: Bool = false) {
        (self.name, self.kind, self.meaning, self.isRequired) = (name, kind, meaning, isRequired)
    }

    static let journal = journal(isRequired: true)
    static let range: ToolArgument = {
        var range = ToolArgument(Option.range.name, .text, Option.range.summary)
        range.isListed = false
        return range
    }()
    static let cursor = ToolArgument("cursor", .text, "of the answer before")

    static func journal(isRequired: Bool) -> ToolArgument {
        ToolArgument("journal", .text, "as 'info' lists it", isRequired: isRequired)
    }

    func also(_ name: String) -> ToolArgument {
        var argument = self
        argument.others.append(name)
        return argument
    }

    /// Whether a call may mean it by a name: the command's, its letter, or its own as `maxCount` or `max_count`.
    fileprivate func isCalled(_ name: String) -> Bool {
        let plain = name.replacingScalars { scalar in
            scalar == "_" ? "-" : ("A"..."Z").contains(scalar) ? "-" + String(scalar).lowercased() : nil
        }
        return ([self.name] + others).contains { UTF8Order.equal($0, plain) }
    }

    static func option(_ option: Option, _ meaning: String? = nil) -> ToolArgument {
        ToolArgument(option.name, option.isRepeatable ? .texts : .text, meaning ?? option.summary)
    }

    static func number(_ option: Option, _ meaning: String) -> ToolArgument {
        let argument = ToolArgument(option.name, .number, meaning)
        return option.short.map { argument.also(String($0)) } ?? argument
    }

    static func flag(_ option: Option) -> ToolArgument { ToolArgument(option.name, .flag, option.summary) }

    static func position(_ option: Option, _ meaning: String, isRequired: Bool = false) -> ToolArgument {
        ToolArgument(option.name, .position, meaning, isRequired: isRequired)
    }

    fileprivate var schema: JSONValue {
        switch kind {
        case .text: ["type": "string", "description": .string(meaning)]
        case .texts: ["type": "array", "items": ["type": "string"], "description": .string(meaning)]
        case .number: ["type": "integer", "minimum": 0, "description": .string(meaning)]
        case .flag: ["type": "boolean", "description": .string(meaning)]
        case .position: ["type": "string", "description": .string(meaning + ", as '118'")]
        }
    }

    /// Nil where the value is of another type.
    func words(of value: JSONValue) -> [String]? {
        switch (kind, value) {
        case (.text, .string(let text)), (.position, .string(let text)): return [text]
        case (.texts, .string(let text)): return [text]
        case (.texts, .array(let elements)):
            let texts = elements.compactMap(\.string)
            return texts.count == elements.count ? texts : nil
        case (.number, .number(let number)), (.position, .number(let number)):
            return number.integerValue.flatMap { $0 >= 0 ? ["\($0)"] : nil }
        case (.number, .string(let text)): return Int(text).flatMap { $0 >= 0 ? ["\($0)"] : nil }
        case (.flag, .bool(let isSet)): return isSet ? [""] : []
        // Some models write every value as a text.
        case (.flag, .string("true")): return [""]
        case (.flag, .string("false")): return []
        default: return nil
        }
    }

    var expected: String {
        switch kind {
        case .text: "a string"
        case .texts: "an array of strings"
        case .number: "a whole number from 0"
        case .flag: "true or false"
        case .position: "a string or a whole number from 0"
        }
    }
}
