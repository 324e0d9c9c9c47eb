import JSONCore
import QueryLanguage

/// What a query gives at a position.
struct Evaluation {
    var outputs: [PlainJSON]
    /// Whether it ended with an error.
    var failed: Bool

    /// Whether a condition holds: any output is neither false nor null; nil where that is not known.
    var isTrue: Bool? { outputs.contains(where: Self.isTruth) ? true : failed ? nil : false }
    /// Whether an invariant holds: there are outputs, and each is neither false nor null.
    var holds: Bool? { outputs.contains { !Self.isTruth($0) } ? false : failed ? nil : !outputs.isEmpty }
    /// The first output, nil where there is none.
    var first: PlainJSON? { outputs.first }

    static func isTruth(_ value: PlainJSON) -> Bool { value != .null && value != .bool(false) }
}

extension PlainJournal {
    /// The values of the variables at a position: of a commit that was lost only its number is known.
    func context(at position: Int, store: String?) -> QueryContext {
        guard position > start else { return QueryContext(seq: 0) }
        let old = Self.seen(before(position), store).queried
        guard let commit = commits[position] else { return QueryContext(old: old, seq: position) }
        return QueryContext(
            old: old, seq: position, store: commit["store"].queried, at: commit["at"].queried,
            name: commit.name.queried,
            time: commit["time"].queried)
    }

    /// The last state before a position: where commits were lost, that before them.
    func before(_ position: Int) -> PlainJSON {
        (start..<position).reversed().lazy.compactMap { states[$0] }.first ?? .null
    }

    /// Evaluates a query on a whole state, as at a position.
    ///
    /// - Parameter old: the whole state at the position before, where that is another than the journal's.
    func evaluate(
        _ query: Query, on state: PlainJSON, at position: Int, store: String?, old: PlainJSON? = nil
    ) -> Evaluation {
        var evaluation = Evaluation(outputs: [], failed: false)
        var context = context(at: position, store: store)
        if let old { context.old = Self.seen(old, store).queried }
        do {
            try query.evaluate(Self.seen(state, store).queried, context: context) { value in
                evaluation.outputs.append(PlainJSON(value))
                return true
            }
        } catch { evaluation.failed = true }
        return evaluation
    }

    /// Evaluates a query at a position; nil where there is no state.
    func evaluate(_ query: Query, at position: Int, store: String?) -> Evaluation? {
        states[position].map { evaluate(query, on: $0, at: position, store: store) }
    }

    /// The number of a position; nil where there is none, or it has no state.
    func position(_ position: Question.Position?) -> Int? {
        let number: Int?
        switch position {
        case nil, .end: number = end
        case .start: number = start
        case .number(let value): number = value
        case .beforeEnd(let count): number = end - count
        case .mark(let text): number = marks.first { Self.contains($0["text"].string ?? "", text) }?.seq
        case .time(let time):
            number =
                records.last { ($0.kind == "commit" || $0.kind == "gap") && ($0["time"].string ?? "~") <= time }?.seq
                ?? start
        }
        guard let number, states[number] != nil else { return nil }
        return number
    }

    private static func contains(_ text: String, _ part: String) -> Bool {
        let (text, part) = (Array(text.utf8), Array(part.utf8))
        return text.count >= part.count
            && (0...(text.count - part.count)).contains { text[$0..<($0 + part.count)].elementsEqual(part) }
    }

    /// The ends of a range; nil where one is not there.
    func bounds(_ range: Question.Range?) -> ClosedRange<Int>? {
        guard let from = position(range?.from ?? .start), let to = position(range?.to), from <= to else { return nil }
        return from...to
    }

    /// Whether commits were lost in a range.
    func hasGap(in range: ClosedRange<Int>) -> Bool { range.dropFirst().contains { commits[$0] == nil } }

    /// Whether a commit passes the filters; nil where `--where` fails.
    func passes(_ record: PlainRecord, _ question: Question) -> Bool? {
        if let store = question.store, record.store.map({ PlainKey($0) }) != PlainKey(store) { return false }
        if let path = question.filterPath {
            let touched = touched[record.seq] ?? []
            let paths = question.store == nil ? touched : touched.map { Array($0.dropFirst()) }
            let isTouched =
                path.hasInnerAny
                ? isTouched(path, by: touched, record, question.store) : paths.contains(where: path.isTouched)
            if !isTouched { return false }
        }
        let at = record["at"].object
        if let source = question.source {
            let parts = source.split(separator: ":")
            guard let file = at?["file"]?.string, file == parts[0] || file.hasSuffix("/" + parts[0]) else {
                return false
            }
            if parts.count > 1, at?["line"]?.number?.text != String(parts[1]) { return false }
        }
        if let name = question.name, !PlainGlob.matches(name, record.name.string) { return false }
        if let action = question.action, !PlainGlob.matches(action, record["action"].object?["type"]?.string) {
            return false
        }
        if let function = question.function {
            guard let made = at?["function"]?.string, made == function || made.hasPrefix(function + "(") else {
                return false
            }
        }
        guard let condition = question.condition, let query = try? Query(condition) else { return true }
        return evaluate(query, at: record.seq, store: question.store)?.isTrue
    }

    /// Whether a record passes that changed a value: with `--store` alone also the store's opening, a gap after which it is
    /// another, the keyframe after damage, and the commit with which it ended.
    func passes(changing record: PlainRecord, _ question: Question) -> Bool? {
        guard question.isFiltering else { return true }
        let passes = record.kind == "commit" ? passes(record, question) : false
        var rest = question
        rest.store = nil
        guard passes == false, let store = question.store, !rest.isFiltering else { return passes }
        let old = before(record.seq)
        switch record.kind {
        case "store": return record.store.map { PlainKey($0) } == PlainKey(store)
        case "keyframe": return true  // the other side of damage: what changed the store on the way is not known
        case "gap": return Self.seen(old, store) != states[record.seq].map { Self.seen($0, store) }
        default: return old.object?[store] != nil && steps[record.seq]?.first?.state.object?[store] == nil
        }
    }

    /// Whether a commit touches a pattern with a `**` before its end: above the `**` always, at or below it where the values
    /// before or after hold a match that it touches.
    private func isTouched(
        _ path: PlainPattern, by changes: [[PlainKey]], _ record: PlainRecord, _ store: String?
    ) -> Bool {
        guard let name = record.store, var state = before[record.seq] else { return false }
        let head = PlainPattern(Array(path.steps.prefix { $0 != .any }))
        var places: [[PlainKey]] = []
        for operation in [nil] + record.patch.map(Optional.some) {
            if let operation { state = (try? PlainPatch.applied([operation], to: state)) ?? state }
            places += PlainPointer.places(in: state, below: [PlainKey(name)]).map(\.path)
        }
        let scope = store == nil ? 0 : 1
        let matches = places.map { Array($0.dropFirst(scope)) }.filter(path.matches)
        return changes.map { Array($0.dropFirst(scope)) }.contains { change in
            if change.count < head.steps.count { return head.isTouched(by: change) }
            return matches.contains { $0.starts(with: change) || change.starts(with: $0) }
        }
    }

    /// The commits in a range that pass the filters, in the order that is asked for, and whether `--where` failed at one;
    /// `-n` ends it.
    func filtered(_ range: ClosedRange<Int>, _ question: Question) -> (commits: [PlainRecord], failed: Bool) {
        var (passing, failed): ([PlainRecord], Bool) = ([], false)
        for position in question.isReverse ? range.dropFirst().reversed() : Array(range.dropFirst()) {
            guard let record = commits[position] else { continue }
            guard let passes = passes(record, question) else {
                failed = true
                continue
            }
            if passes { passing.append(record) }
        }
        return (passing, failed)
    }
}

extension PlainJournal {
    /// Whether a filter names nothing in the whole journal, which is a slip of the one who typed it: status 4.
    func isNamingNothing(_ question: Question) -> Bool {
        func isNothing(_ only: Question) -> Bool {
            if let path = only.filterPath, !isAnywhere(path, only.store) { return true }
            return !commits.values.contains { passes($0, only) == true }
        }
        var (path, source, function) = (Question(command: .log), Question(command: .log), Question(command: .log))
        (path.filterPath, path.store) = (question.filterPath, question.store)
        source.source = question.source
        function.function = question.function
        var (name, action) = (Question(command: .log), Question(command: .log))
        name.name = question.name
        action.action = question.action
        return [path, source, function, name, action].contains(where: isNothing)
    }
}

extension PlainJournal {
    /// Whether there is something at a path at any position.
    private func isAnywhere(_ path: PlainPattern, _ store: String?) -> Bool {
        states.values.contains { state in
            PlainPointer.places(in: Self.seen(state, store)).contains { path.matches($0.path) }
        }
    }
}

/// A pattern of names: `*` is any text, `?` one character.
enum PlainGlob {
    static func matches(_ pattern: String, _ text: String?) -> Bool {
        text.map { matches(Array(pattern.unicodeScalars)[...], Array($0.unicodeScalars)[...]) } ?? false
    }

    private static func matches(_ pattern: ArraySlice<Unicode.Scalar>, _ text: ArraySlice<Unicode.Scalar>) -> Bool {
        switch pattern.first {
        case nil: text.isEmpty
        case "*": matches(pattern.dropFirst(), text) || (!text.isEmpty && matches(pattern, text.dropFirst()))
        case "?": !text.isEmpty && matches(pattern.dropFirst(), text.dropFirst())
        case let scalar: text.first == scalar && matches(pattern.dropFirst(), text.dropFirst())
        }
    }
}

// The only place where the interpreter meets the product's values: its queries are those of the query language.

extension PlainJSON {
    /// What a query gave.
    init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let number):
            let isComputed = if case .double = number.storage { true } else { false }
            self = .number(PlainNumber(number.text, isComputed: isComputed))
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map { PlainJSON($0) })
        case .object(let members): self = .object(PlainObject(members.map { ($0.key, PlainJSON($0.value)) }))
        }
    }

    /// What a query is asked about.
    var queried: JSONValue {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let number):
            .number(number.isComputed ? JSONNumber(Double(number.text) ?? .nan) : JSONNumber(literal: number.text))
        case .string(let text): .string(text)
        case .array(let elements): .array(elements.map(\.queried))
        case .object(let members): .object(JSONObject(members.map { (key: $0.key, value: $0.value.queried) }))
        }
    }
}
