public import JSONCore
public import QueryLanguage

/// What the lines of a log mean: queries, of each of which the first output of a line counts.
///
/// A query that is a plain path (`.event.state`) gives nothing on a line where that path is not there; any other says so by
/// `empty`, and by null where null cannot be meant. In all of them `$old` is the state of the line's store before it.
public struct LineMapping: Sendable {
    /// What queries are asked about; `own` is what stands in a record of a definition for those that were typed.
    struct Record {
        var text: JSONValue
        var number: Int
        var own: JSONValue?
    }

    /// A query with the option that it was given to, and what it gave so far.
    public struct Question: Sendable {
        /// The option, for messages.
        public let option: String
        /// The query.
        public let query: Query
        private let path: [String]?
        /// Whether lines that do not answer it are worth a warning: it was asked by a person.
        public var isTyped = true
        private(set) var answers: QuestionAnswers

        /// A question of an option.
        public init(_ option: String, _ query: Query, isTyped: Bool = true) {
            self.option = option
            self.query = query
            self.isTyped = isTyped
            path = Self.plainPath(query.text)
            answers = QuestionAnswers(of: query)
        }

        var isPlainPath: Bool { path != nil }

        mutating func value(
            of line: Record, _ context: QueryContext
        ) throws(ImportFault) -> JSONValue? {
            if let path, let found = Self.look(up: path, in: asked(line)) {
                note(isAny: found.value.map { !$0.isNull } ?? false, line)
                return found.value
            }
            var (first, count) = (JSONValue?.none, 0)
            try evaluate(asked(line), context) { output in
                if first == nil { first = output }
                count += 1
                return count < 2
            }
            note(isAny: first.map { !$0.isNull } ?? false, isSeveral: count > 1, line)
            return first
        }

        mutating func values(
            of line: Record, _ context: QueryContext
        ) throws(ImportFault) -> [JSONValue] {
            var outputs: [JSONValue] = []
            try evaluate(asked(line), context) { output in
                outputs.append(output)
                return true
            }
            note(isAny: outputs.contains { !$0.isNull }, line)
            return outputs
        }

        mutating func holds(
            _ line: Record, _ context: QueryContext
        ) throws(ImportFault) -> Bool {
            var holds = false
            try evaluate(asked(line), context) { output in
                holds = output.isTruthy
                return !holds
            }
            note(isAny: holds, line)
            return holds
        }

        private func asked(_ line: Record) -> JSONValue { isTyped ? line.own ?? line.text : line.text }

        private mutating func note(isAny: Bool, isSeveral: Bool = false, _ line: Record) {
            if isTyped { answers.note(isAny: isAny, isSeveral: isSeveral, asked(line), line.number) }
        }

        private func evaluate(
            _ line: JSONValue, _ context: QueryContext, each: (JSONValue) -> Bool
        ) throws(ImportFault) {
            do throws(QueryError) { try query.evaluate(line, context: context, each: each) } catch {
                throw isTyped ? .query(option: option, error) : .definition(error.message)
            }
        }

        /// What is at the end of the path; nil where the query has to be asked, since it fails there.
        private static func look(up path: [String], in line: JSONValue) -> (value: JSONValue?, Void)? {
            var value = line
            for name in path {
                switch value {
                case .object(let members):
                    guard let member = members[name] else { return (nil, ()) }
                    value = member
                case .null: return (nil, ())
                default: return nil
                }
            }
            return (value, ())
        }

        /// The names of `.a.b`; nil for any other query, `.` too.
        private static func plainPath(_ text: String) -> [String]? {
            let trimmed = text.drop(while: \.isWhitespace)
            guard trimmed.first == ".", trimmed.count > 1 else { return nil }
            var names: [String] = []
            for part in trimmed.dropFirst().split(separator: ".", omittingEmptySubsequences: false) {
                guard let first = part.utf8.first, !(0x30...0x39).contains(first),
                    part.utf8.allSatisfy({
                        ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || (0x30...0x39).contains($0) || $0 == 0x5F
                    })
                else { return nil }
                names.append(String(part))
            }
            return names
        }
    }

    /// What the records of a line are, each of which the other queries are asked about; nil where a line is one.
    public var each: Question?
    /// Which records count; nil for all.
    public var `where`: Question?
    /// The name of the store that a line is about; nil for one store, `state`.
    public var store: Question?
    /// The store's whole new state.
    public var state: Question?
    /// What the store was before the line, so that the first line of a store is a commit.
    public var before: Question?
    /// A patch of RFC 6902 for the store.
    public var patch: Question?
    /// A merge patch of RFC 7396 for the store.
    public var merge: Question?
    /// Values at paths of the store.
    public var sets: [(path: JSONPointer, question: Question)] = []
    /// What the commit is called.
    public var name: Question?
    /// The action that made it: a name, or an object with `type`, whose other members are what it carried.
    public var action: Question?
    /// The trace of OpenTelemetry that it was made in.
    public var trace: Question?
    /// The span of that trace.
    public var span: Question?
    /// When it was made.
    public var time: Question?
    /// Where.
    public var at: Question?
    /// What names a line for the `cause` of others; nil for its number.
    public var id: Question?
    /// The line that made this one happen.
    public var cause: Question?
    /// What a line says that is a mark.
    public var mark: Question?
    /// Whether a line ends its store.
    public var close: Question?
    /// A remark that is counted.
    public var note: Question?
    /// What makes the records that are asked; nil where a line, or what `each` makes of it, is all that there is.
    public var definition: FormatDefinition?
    /// What every store is before its first patch.
    public var initial: JSONValue = .object(JSONObject())
    /// Whether that was said, so that it counts also where lines have whole states.
    public var hasInitial = false
    /// Whether text before a line's first `{` is cut off.
    public var cutsPrefix = false

    /// Nothing is said.
    public init() {}

    var questions: [Question] {
        Self.parts.compactMap { self[keyPath: $0.path] } + sets.map(\.question)
    }

    /// What may be asked once, by the name of the option and of the definition.
    package static let parts: [(name: String, path: any WritableKeyPath<LineMapping, Question?> & Sendable)] = [
        ("each", \.each), ("where", \.where), ("store", \.store), ("state", \.state), ("before", \.before),
        ("patch", \.patch), ("merge", \.merge), ("name", \.name), ("action", \.action), ("trace", \.trace),
        ("span", \.span), ("time", \.time), ("at", \.at), ("id", \.id), ("cause", \.cause), ("mark", \.mark),
        ("close", \.close), ("note", \.note),
    ]

    /// Whether every query is a plain path, whose values do not depend on the order of members.
    var isPlain: Bool { questions.allSatisfy(\.isPlainPath) }

    /// Whether anything says what a state is.
    public var saysStates: Bool { state != nil || patch != nil || merge != nil || !sets.isEmpty }
}

struct QuestionAnswers: Sendable {
    fileprivate static let namesKept = 64
    private var lines = 0
    /// The line that was asked about last: `--each` makes several records of one.
    private var latest = 0
    private var isAny = false
    private var several: (count: Int, first: Int, latest: Int)?
    /// The paths that it reads and that no line had so far; dropped once it gave anything.
    private var absent: [AbsentPath]

    fileprivate struct AbsentPath {
        let path: [String]
        var depth = -1
        var names: [String] = []

        /// Whether a line has it; one that has more of it than those before says which names stand beside what is missing.
        mutating func isFound(in line: JSONValue) -> Bool {
            var value = line
            for (depth, name) in path.enumerated() {
                guard case .object(let members) = value else {
                    // An element, or what a condition meets: nothing is known of names there.
                    return !value.isScalar
                }
                guard let member = members[name] else {
                    note(members, at: depth)
                    return false
                }
                value = member
            }
            return true
        }

        private mutating func note(_ members: JSONObject, at depth: Int) {
            guard depth >= self.depth else { return }
            if depth > self.depth { (self.depth, names) = (depth, []) }
            for (name, _) in members
            where names.count < QuestionAnswers.namesKept && !names.contains(where: { UTF8Order.equal($0, name) }) {
                names.append(name)
            }
        }
    }

    init(of query: Query) {
        // The paths of `$old` are among those of the footprint, and are not looked for in a line.
        let patterns = query.footprint.usesOld ? [] : query.footprint.paths.patterns
        absent = patterns.compactMap { pattern in
            let segments = (try? JSONPointer(parsing: pattern))?.segments.prefix { !UTF8Order.equal($0, "*") } ?? []
            return segments.isEmpty ? nil : AbsentPath(path: Array(segments))
        }
    }

    /// - Parameter isAny: whether it gave anything but null, or true where it is a condition.
    mutating func note(isAny: Bool, isSeveral: Bool, _ text: JSONValue, _ number: Int) {
        if number != latest { lines += 1 }
        latest = number
        if isAny, !self.isAny {
            self.isAny = true
            absent = []
        }
        for index in absent.indices.reversed() where absent[index].isFound(in: text) { absent.remove(at: index) }
        guard isSeveral, several?.latest != number else { return }
        several = ((several?.count ?? 0) + 1, several?.first ?? number, number)
    }

    func warning(of option: String) -> ImportWarning? {
        if let several { return .several(option: option, lines: several.count, first: several.first) }
        guard lines > 0, !isAny else { return nil }
        let missing = absent.first.map { absent in
            ImportWarning.Missing(path: absent.path, depth: max(0, absent.depth), names: absent.names)
        }
        return .nothing(option: option, lines: lines, missing)
    }
}
