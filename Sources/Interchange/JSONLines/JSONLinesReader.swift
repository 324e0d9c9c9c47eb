public import JSONCore
import JournalFormat
import QueryLanguage

/// Reads any log of JSON lines, as queries say what a line means.
///
/// - Complexity: per line what the queries cost, and the difference of two states where whole ones are given.
public struct JSONLinesReader: ImportReader {
    private var mapping: LineMapping
    private let usesOld: Bool
    /// Whether a query asks of what a line says besides its state, which takes as long to make as a short line to read.
    private let usesCommit: Bool
    /// What the last line that said a state said, without its `$old`: a state that is held twice is copied where it changes.
    private var last = QueryContext()
    private var recent = RecentCommits()
    /// How many lines were passed over, since `--where` does not hold of them.
    public private(set) var otherLines = 0
    /// How many lines say nothing of a state.
    public private(set) var silentLines = 0
    /// How many lines end a store that is not open.
    public private(set) var closedBefore = 0
    /// How many causes were not found.
    public private(set) var unknownCauses = 0
    private var unread = UnreadParts()
    private var isReversed = false
    private let isUnordered: Bool
    /// What a definition keeps for the next text.
    private var kept = JSONValue.null
    private var transactions = RecentCommits()
    private var stores: [[JSONValue]: String] = [:]
    private var tables: Set<ByteName> = []
    /// How often there was each remark, and each record that has no state.
    private var remarks = NameTable<Int>()
    private var others = NameTable<Int>()
    private let keys: RowKeys

    /// A reader of lines that mean this.
    ///
    /// - Parameters:
    ///   - format: the format whose texts these queries understand.
    ///   - keys: the columns of primary keys, which should be those of tables that there are.
    public init(_ mapping: LineMapping, of format: ImportFormat = .jsonl, keys: RowKeys = RowKeys()) {
        self.mapping = mapping
        self.keys = keys
        self.format = format
        isUnordered = mapping.definition?.isUnordered ?? false
        usesOld = mapping.questions.contains { $0.query.footprint.usesOld }
        usesCommit = mapping.questions.contains { $0.query.footprint.usesCommit }
        order = mapping.isPlain ? .ascending : .asWritten
    }

    /// The format.
    public let format: ImportFormat
    /// The members that identify the elements of arrays, as far as the format knows them.
    public var identities: [String] { mapping.definition?.identities ?? [] }
    /// How the file is divided into texts.
    public var division: TextDivision {
        switch format {
        case .csv: .rows
        case .jsonl: mapping.definition?.division ?? .lines(cutsPrefix: mapping.cutsPrefix)
        default: mapping.definition?.division ?? .texts
        }
    }
    /// The order in which members are kept: as written where queries see lines, ascending, as in states, where none can notice.
    public let order: MemberOrder
    /// Whether a query, or what stands before a line, may say a time.
    public var saysTimes: Bool { mapping.time != nil || division == .lines(cutsPrefix: true) }

    /// Takes the records of each text from the last one on.
    public mutating func reverse() -> Bool {
        isReversed = !isUnordered
        return isReversed
    }

    /// Whether a line is a text for its definition.
    public var isRaw: Bool { mapping.definition?.isRaw ?? false }

    /// What there is to say of what was read, by the way.
    public var notes: [String] {
        func counts(_ table: NameTable<Int>) -> [(name: String, count: Int)] {
            table.map { ($0, $1) }.sorted { UTF8Order.isLess($0.name, $1.name) }
        }
        var notes = counts(remarks).map { remark in
            let words = remark.name.split(separator: " ", maxSplits: 1)
            return counted(remark.count, String(words[0])) + words.dropFirst().map { " " + $0 }.joined()
        }
        notes += counts(others).map { "\(counted($0.count, "record")) without a state: \($0.name)" }
        for table in keys.tables where !tables.contains(ByteName(table)) {
            notes.append("'--key' names the table '\(table)', of which there is no row")
        }
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

    /// The options whose queries gave something else than is meant, as far as that shows.
    public var warnings: [ImportWarning] {
        unread.warnings
            + mapping.questions.filter(\.isTyped).compactMap { $0.answers.warning(of: $0.option) }
            .filter(\.isWorthSaying)
    }

    /// Takes the next text.
    public mutating func read(_ text: JSONValue, line: Int, into run: inout ImportedRun) throws(ImportFault) {
        let whole = LineMapping.Record(text: text, number: line)
        guard mapping.each != nil else { return try read(whole, &run) }
        // What a typed '--each' makes of a text are plain values.
        let isDefined = mapping.definition != nil && mapping.each?.isTyped == false
        var context = contextOfLast(run)
        if isDefined { (context.old, context.at) = (kept, usesCommit ? JSONValue(run.location(line: line)) : .null) }
        let records = try mapping.each?.values(of: whole, context) ?? []
        if records.isEmpty { silentLines += 1 }
        let numbered = Array(records.enumerated())
        for (index, text) in isReversed ? numbered.reversed() : numbered {
            var record = LineMapping.Record(text: text, number: line)
            guard isDefined, case .object(let members) = text else {
                try run.item("record \(index + 1)", line: line) { run throws(ImportFault) in try read(record, &run) }
                continue
            }
            if let keep = members["keep"] { kept = keep }
            if let other = members["other"]?.string { Self.count(other, in: &others) }
            record.own = members["text"]
            let part = members["part"]?.string
            guard part != nil || records.count > 1 else { return try readDefined(record, members, &run) }
            try run.item(part ?? "record \(index + 1)", line: line) { run throws(ImportFault) in
                try readDefined(record, members, &run)
            }
        }
    }

    /// Takes a record that a definition makes; one that only keeps something, or is known to have no state, is counted by then.
    private mutating func readDefined(
        _ record: LineMapping.Record, _ members: JSONObject, _ run: inout ImportedRun
    ) throws(ImportFault) {
        if let error = members["error"]?.string { throw .definition(error) }
        let isKept = members["keep"] != nil && members.count == (members["part"] == nil ? 1 : 2)
        if members["other"] != nil || isKept { return }
        for case .string(let table) in members["tables"]?.array ?? [] { tables.insert(ByteName(table)) }
        try read(record, &run)
    }

    private static let namesCounted = 64

    /// Counts a name; of a file with very many names the last ones together.
    private static func count(_ name: String, in table: inout NameTable<Int>) {
        let isKnown = table[name] != nil || table.count < namesCounted
        table.update(isKnown ? name : "others", default: 0) { $0 += 1 }
    }

    /// Says what is missing at the end.
    public mutating func finish(_ run: inout ImportedRun) throws(ImportFault) {
        guard let open = kept.object?["open"]?.string else { return }
        try run.item("at the end", line: kept.object?["line"]?.number?.integerValue ?? 0) { (_) throws(ImportFault) in
            throw .definition(open)
        }
    }

    private mutating func read(
        _ record: LineMapping.Record, _ run: inout ImportedRun
    ) throws(ImportFault) {
        var context = contextOfLast(run)
        if mapping.where != nil, try mapping.where?.holds(record, context) == false {
            otherLines += 1
            return
        }
        // A mark needs no store, so a problem with its name is reported only where the name is needed.
        let store = Result { () throws(ImportFault) in try storeName(of: record, context) }
        var origin = ImportedRun.Origin(at: run.location(line: record.number))
        let open = try? store.get()
        context = QueryContext(
            old: usesOld ? open.flatMap { run.state(of: $0) } ?? .null : .null, seq: run.lastCommit.rawValue,
            store: open.map { .string($0) } ?? .null, at: usesCommit ? JSONValue(origin.at) : .null,
            prefix: run.prefix.isEmpty ? .null : .string(run.prefix))
        unread.mayBe = run.problems.isSkipping
        origin.time = try Self.aside(
            &mapping.time, of: record, context, &unread, expected: "RFC 3339 or a number since 1970",
            SourceTime.moment(of:))
        if origin.time == nil { origin.time = SourceTime.moment(in: run.prefix) }
        run.isUnordered = isUnordered
        if usesCommit { context.time = origin.time.map { .string($0.text) } ?? .null }
        origin.name = try Self.aside(&mapping.name, of: record, context, &unread, \.word)
        context.name = origin.name.map { .string($0) } ?? .null
        origin.action = try Self.aside(&mapping.action, of: record, context, &unread, \.action)
        origin.trace = try Self.aside(&mapping.trace, of: record, context, &unread, \.traceID)
        origin.span = try Self.aside(&mapping.span, of: record, context, &unread, \.traceID)
        let place = try Self.aside(
            &mapping.at, of: record, context, &unread, expected: "'file:line', or an object with 'file' and 'line'",
            SourcePlaceText.location)
        if let place { origin.at = place }
        if usesCommit { context.at = JSONValue(origin.at) }
        let mark = try mapping.mark?.value(of: record, context)
        let members = mapping.definition == nil ? nil : record.text.object
        if let mark, let words = mark.mark(named: origin.name) {
            return run.mark(words, level: members?["level"]?.string.flatMap(MarkLevel.init), origin)
        }
        let name = try store.get()
        if mapping.close != nil, try mapping.close?.holds(record, context) == true {
            // One that never began is in logs that begin in the middle, and changes nothing.
            if run.problems.isSkipping, !run.isOpen(name) { closedBefore += 1 } else { try run.close(name, origin) }
            return
        }
        let causeID = try Self.aside(&mapping.cause, of: record, context, &unread) { $0 }
        let id = mapping.cause == nil ? nil : try Self.aside(&mapping.id, of: record, context, &unread) { $0 }
        let transaction = members?["transaction"].flatMap { $0.isNull ? nil : $0 }
        origin.cause = causeID.flatMap { recent[$0] } ?? transaction.flatMap { transactions[$0] }
        if let error = members?["abort"]?.string {
            if !run.isOpen(name) { run.open(name, mapping.initial, origin) }
            return run.abort(name, error: error, origin)
        }
        let remark = try mapping.note?.value(of: record, context)?.string
        if let remark { Self.count(remark, in: &remarks) }
        let before = run.lastCommit
        guard try change(name, record, &context, origin, &run) else {
            if remark == nil { silentLines += 1 }
            return
        }
        last = context
        guard run.lastCommit > before else { return }
        if causeID != nil, origin.cause == nil { unknownCauses += 1 }
        if let transaction, origin.cause == nil { transactions.note(transaction, run.lastCommit) }
        guard mapping.cause != nil else { return }
        // A record of a definition may have several names.
        if members != nil, case .array(let ids)? = id {
            for id in ids { recent.note(id, run.lastCommit) }
        } else if members == nil || id != nil {
            recent.note(id ?? .number(JSONNumber(record.number)), run.lastCommit)
        }
    }

    // MARK: What a query sees beside the line

    private func contextOfLast(_ run: ImportedRun) -> QueryContext {
        var context = last
        context.seq = run.lastCommit.rawValue
        if usesOld, let store = last.store.string { context.old = run.state(of: store) ?? .null }
        return context
    }

    // MARK: What a line does

    /// Makes what a line says of a store's state one commit, and returns whether it says anything; `context` loses its
    /// `$old` before, so that what changes is held once.
    private mutating func change(
        _ store: String, _ record: LineMapping.Record, _ context: inout QueryContext,
        _ origin: ImportedRun.Origin, _ run: inout ImportedRun
    ) throws(ImportFault) -> Bool {
        if let state = try mapping.state?.value(of: record, context) {
            if let before = try stateBefore(store, record, context, run, ofWhole: true) {
                run.open(store, before, origin)
            }
            context.old = .null
            run.set(store, to: held(state), origin)
            return true
        }
        if let json = try mapping.patch?.value(of: record, context), !json.isNull {
            let patch = try JSONPatch(ofFile: held(json))
            if let before = try stateBefore(store, record, context, run) { run.open(store, before, origin) }
            context.old = .null
            try run.commit(patch, to: store, isNarrowed: mapping.definition != nil, origin)
            return true
        }
        var values: [(JSONPointer, JSONValue)] = []
        for index in mapping.sets.indices {
            guard let value = try mapping.sets[index].question.value(of: record, context) else { continue }
            values.append((mapping.sets[index].path, held(value)))
        }
        let merge = try mapping.merge?.value(of: record, context)
        guard merge != nil || !values.isEmpty else { return false }
        let before = try stateBefore(store, record, context, run)
        context.old = .null
        var state = before ?? run.state(of: store) ?? .null
        if let merge { state.merge(merge) }
        for (path, value) in values { try state.put(value, at: path.segments[...]) }
        if let before { run.open(store, before, origin) }
        run.set(store, to: state, origin)
        return true
    }

    private func held(_ value: JSONValue) -> JSONValue { order == .ascending ? value : value.ascending() }

    /// What a store is opened with before the commit of its first line; nil for one that is open, or that a whole state opens.
    private mutating func stateBefore(
        _ store: String, _ record: LineMapping.Record, _ context: QueryContext, _ run: ImportedRun,
        ofWhole: Bool = false
    ) throws(ImportFault) -> JSONValue? {
        guard !run.isOpen(store) else { return nil }
        if let before = try mapping.before?.value(of: record, context) { return held(before) }
        return !ofWhole || mapping.hasInitial ? mapping.initial : nil
    }

    // MARK: What is said of a line

    private mutating func storeName(
        of record: LineMapping.Record, _ context: QueryContext
    ) throws(ImportFault) -> String {
        guard let option = mapping.store?.option else { return "state" }
        let value = try mapping.store?.value(of: record, context) ?? .null
        if mapping.definition != nil, value.isNull { return "state" }
        if mapping.definition != nil, case .array(let parts) = value { return storeName(of: parts.array) }
        guard let name = value.word, !name.isEmpty else {
            throw .output(option: option, value, expected: "the name of a store")
        }
        return name
    }

    /// The name of a store that has parts, as a schema stands before a table: the last one, unless another store has that name.
    private mutating func storeName(of parts: [JSONValue]) -> String {
        if let name = stores[parts] { return name }
        let words = parts.compactMap(\.word)
        let last = words.last ?? "state"
        let isTaken = stores.values.contains { UTF8Order.equal($0, last) }
        let name = isTaken ? words.joined(separator: ".") : last
        stores[parts] = name
        return name
    }

    /// Asks for what a state can do without: where it fails, or is not read, only that is left out.
    ///
    /// - Parameter expected: what it should be; nil where anything else counts as nothing.
    private static func aside<Found>(
        _ question: inout LineMapping.Question?, of record: LineMapping.Record, _ context: QueryContext,
        _ unread: inout UnreadParts, expected: String? = nil, _ read: (JSONValue) -> Found?
    ) throws(ImportFault) -> Found? {
        do throws(ImportFault) {
            guard let value = try question?.value(of: record, context), !value.isNull else { return nil }
            if let found = read(value) { return found }
            guard let expected else { return nil }
            throw .output(option: question?.option ?? "", value, expected: expected)
        } catch {
            guard unread.mayBe else { throw error }
            unread.append(error, option: question?.option ?? "", line: record.number)
            return nil
        }
    }
}

/// What was not read of lines that stand in the journal all the same, by option.
private struct UnreadParts {
    /// Whether it may be left out.
    var mayBe = true
    private var parts: [(option: String, lines: Int, first: Int, fault: ImportFault)] = []

    var warnings: [ImportWarning] {
        parts.map { .unread(option: $0.option, lines: $0.lines, first: $0.first, $0.fault) }
    }

    mutating func append(_ fault: ImportFault, option: String, line: Int) {
        if let index = parts.firstIndex(where: { $0.option == option }) {
            parts[index].lines += 1
        } else {
            parts.append((option, 1, line, fault))
        }
    }
}

/// The commits that causes may name: the latest ones, so that memory is bounded whatever the length of a log.
struct RecentCommits {
    static let limit = 1 << 16

    private var commits: [JSONValue: CommitNumber] = [:]
    private var order: [JSONValue] = []
    private var oldest = 0

    subscript(id: JSONValue) -> CommitNumber? { commits[id] }

    mutating func note(_ id: JSONValue, _ commit: CommitNumber) {
        guard commits.updateValue(commit, forKey: id) == nil else { return }
        if order.count < Self.limit { return order.append(id) }
        commits[order[oldest]] = nil
        order[oldest] = id
        oldest = (oldest + 1) % Self.limit
    }
}

func counted(_ number: Int, _ what: String) -> String { number == 1 ? "1 \(what)" : "\(number) \(what)s" }
