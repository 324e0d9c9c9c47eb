public import JSONCore
import JournalFormat

/// Reads any log of JSON lines, as queries say what a line means.
///
/// - Complexity: per line what the queries cost, and the difference of two states where whole ones are given.
public struct JSONLinesReader: ImportReader {
    private let mapping: LineMapping
    private var recent = RecentCommits()
    /// How many lines were passed over, since `--where` does not hold of them.
    public private(set) var otherLines = 0
    /// How many lines say nothing of a state.
    public private(set) var silentLines = 0
    /// How many lines end a store that is not open.
    public private(set) var closedBefore = 0
    /// How many causes were not found.
    public private(set) var unknownCauses = 0

    /// A reader of lines that mean this.
    public init(_ mapping: LineMapping) {
        self.mapping = mapping
        order = mapping.isPlain ? .ascending : .asWritten
    }

    /// The format.
    public var format: ImportFormat { .jsonl }
    /// How the file is divided into texts.
    public var division: TextDivision { .lines(cutsPrefix: mapping.cutsPrefix) }
    /// A query sees the members in the order of the text; where none can tell, they are read as states hold them.
    public let order: MemberOrder

    /// What there is to say of what was read, by the way.
    public var notes: [String] {
        var notes: [String] = []
        if otherLines > 0 { notes.append("'--where' does not hold of \(counted(otherLines, "line"))") }
        if silentLines > 0 {
            notes.append("\(counted(silentLines, "line")) without anything that says a state, passed over")
        }
        if closedBefore > 0 {
            notes.append("\(counted(closedBefore, "line")) that ends a store that is not open, passed over")
        }
        if unknownCauses > 0 {
            notes.append(
                "\(counted(unknownCauses, "commit")) with a cause that is not among the \(RecentCommits.limit) before it"
            )
        }
        return notes
    }

    /// Takes the next text.
    public mutating func read(_ text: JSONValue, line: Int, into run: inout ImportedRun) throws(ImportFault) {
        if let question = mapping.where, try !question.holds(text) {
            otherLines += 1
            return
        }
        let mark = try mapping.mark?.value(of: text)
        var origin = ImportedRun.Origin(at: run.location(line: line))
        origin.time = try time(of: text)
        origin.name = try mapping.name?.value(of: text).flatMap(Self.word)
        if let place = try place(of: text) { origin.at = place }
        if let mark, let words = Self.words(mark, name: origin.name) { return run.mark(words, origin) }
        let store = try store(of: text)
        if let close = mapping.close, try close.holds(text) { return try end(store, origin, &run) }
        let causeID = try mapping.cause?.value(of: text).flatMap { $0.isNull ? nil : $0 }
        origin.cause = causeID.flatMap { recent[$0] }
        let before = run.lastCommit
        try change(store, text, origin, &run)
        guard run.lastCommit > before else { return }
        if causeID != nil, origin.cause == nil { unknownCauses += 1 }
        if mapping.cause != nil {
            let id = try mapping.id?.value(of: text) ?? .number(JSONNumber(line))
            recent.note(id, run.lastCommit)
        }
    }

    /// Ends a store; that of one that never began is in logs that begin in the middle, and changes nothing.
    private mutating func end(
        _ store: String, _ origin: ImportedRun.Origin, _ run: inout ImportedRun
    ) throws(ImportFault) {
        if run.problems.isSkipping, !run.isOpen(store) {
            closedBefore += 1
        } else {
            try run.close(store, origin)
        }
    }

    /// Makes what a line says of a store's state one commit.
    private mutating func change(
        _ store: String, _ text: JSONValue, _ origin: ImportedRun.Origin, _ run: inout ImportedRun
    ) throws(ImportFault) {
        if let state = try mapping.state?.value(of: text) { return run.set(store, to: held(state), origin) }
        if let json = try mapping.patch?.value(of: text), !json.isNull {
            let patch = try JSONPatch(ofFile: held(json))
            openIfNew(store, origin, &run)
            return try run.commit(patch, to: store, origin)
        }
        var values: [(JSONPointer, JSONValue)] = []
        for (path, question) in mapping.sets {
            if let value = try question.value(of: text) { values.append((path, held(value))) }
        }
        let merge = try mapping.merge?.value(of: text)
        guard merge != nil || !values.isEmpty else {
            silentLines += 1
            return
        }
        var state = run.state(of: store) ?? mapping.initial
        if let merge { MergePatch.apply(merge, to: &state) }
        for (path, value) in values { try Self.set(value, at: path.segments[...], in: &state) }
        openIfNew(store, origin, &run)
        run.set(store, to: state, origin)
    }

    /// A value as states hold it.
    private func held(_ value: JSONValue) -> JSONValue { order == .ascending ? value : value.ascending() }

    private func openIfNew(_ store: String, _ origin: ImportedRun.Origin, _ run: inout ImportedRun) {
        if !run.isOpen(store) { run.open(store, mapping.initial, origin) }
    }

    /// Puts a value at a path, making the objects on the way.
    private static func set(
        _ value: JSONValue, at path: ArraySlice<String>, in state: inout JSONValue
    ) throws(ImportFault) {
        guard let name = path.first else {
            state = value
            return
        }
        let rest = path.dropFirst()
        if case .array(let elements) = state {
            guard let index = name == "-" ? elements.count : JSONPointer.arrayIndex(name), index <= elements.count
            else {
                throw .form(expected: "an array with an element '\(name)', or the end of one")
            }
            var element = index < elements.count ? elements[index] : .null
            try set(value, at: rest, in: &element)
            _ = state.modifyArray { array in
                if index < array.count { array[index] = element } else { array.append(element) }
            }
            return
        }
        if state.isScalar { state = .object(JSONObject()) }
        var member = state.object?[name] ?? .null
        try set(value, at: rest, in: &member)
        _ = state.modifyObject { $0.insertAscending(member, forKey: name) }
    }

    // MARK: What is said of a line

    private func store(of text: JSONValue) throws(ImportFault) -> String {
        guard let question = mapping.store else { return "state" }
        let value = try question.value(of: text) ?? .null
        guard let name = Self.word(value), !name.isEmpty else {
            throw .output(option: question.option, value, expected: "the name of a store")
        }
        return name
    }

    private func time(of text: JSONValue) throws(ImportFault) -> Timestamp? {
        guard let question = mapping.time, let value = try question.value(of: text), !value.isNull else { return nil }
        guard let moment = SourceTime.moment(of: value) else {
            throw .output(option: question.option, value, expected: "RFC 3339 or a number since 1970")
        }
        return moment
    }

    private func place(of text: JSONValue) throws(ImportFault) -> SourceLocation? {
        guard let question = mapping.at, let value = try question.value(of: text), !value.isNull else { return nil }
        guard let place = SourcePlaceText.location(of: value) else {
            throw .output(option: question.option, value, expected: "'file:line', or an object with 'file' and 'line'")
        }
        return place
    }

    /// A string, or what a number or truth value reads as.
    private static func word(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text
        case .number, .bool: value.text()
        default: nil
        }
    }

    /// What a mark says; nil where the line is none.
    private static func words(_ value: JSONValue, name: String?) -> String? {
        switch value {
        case .null, .bool(false): nil
        case .bool(true): name ?? "mark"
        case .string(let text): text
        default: value.text()
        }
    }
}

/// JSON Merge Patch, RFC 7396.
enum MergePatch {
    /// Applies a merge patch; what it puts in has ascending members.
    static func apply(_ patch: JSONValue, to value: inout JSONValue) {
        guard case .object(let members) = patch else {
            value = patch.ascending()
            return
        }
        if value.object == nil { value = .object(JSONObject()) }
        for (key, change) in members {
            _ = value.modifyObject { object in
                guard !change.isNull else {
                    _ = object.removeValue(forKey: key)
                    return
                }
                var member = object[key] ?? .null
                apply(change, to: &member)
                object.insertAscending(member, forKey: key)
            }
        }
    }
}

/// The commits that causes may name: the latest ones, so that memory is bounded whatever the length of a log.
struct RecentCommits {
    /// How many are known.
    static let limit = 1 << 16

    private var commits: [JSONValue: CommitNumber] = [:]
    private var order: [JSONValue] = []
    private var oldest = 0

    /// The commit that a line made; nil where it is not known, or not any more.
    subscript(id: JSONValue) -> CommitNumber? { commits[id] }

    /// Notes the commit of a line.
    mutating func note(_ id: JSONValue, _ commit: CommitNumber) {
        guard commits.updateValue(commit, forKey: id) == nil else { return }
        if order.count < Self.limit { return order.append(id) }
        commits[order[oldest]] = nil
        order[oldest] = id
        oldest = (oldest + 1) % Self.limit
    }
}

/// A number of things in words: `1 line`, `2 lines`.
func counted(_ number: Int, _ what: String) -> String { number == 1 ? "1 \(what)" : "\(number) \(what)s" }
