import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

struct HistoryCommand: JournalCommand {
    static let definition = CommandDefinition(
        name: .history, summary: "each change of one value",
        synopsis: ["JOURNAL PATH... [OPTIONS]", "JOURNAL QUERY [OPTIONS]"],
        operands: [.required("JOURNAL", .file), .repeated("PATH|QUERY", .path)],
        options: .filters + [.maxCount, .reverse, .recover, .cite] + .queryValues,
        details: [
            """
            Prints a line each time the value at a path, or a query's first output, differs from the one before: \
            the commit, what was there and what is there. What begins with '/' is a path, and so is what names \
            one place, as '.cart.total' and 'cart.items[0]'; with '*' or '**' in it, and of several paths, each place \
            that matches has its own lines.
            """
        ],
        examples: [
            .init(
                line: "state-inspect history samples/checkout.jsonl /cart/total", purpose: "every total there was"),
            .init(
                line: "state-inspect history samples/checkout.jsonl '.cart.items | length' --reverse -n 3",
                purpose: "the last three changes of the number of items"),
        ],
        answers: [HistoryPrinter.answer.definition])

    private enum Followed {
        case paths([PathPattern])
        case query(ScopedQuery)
    }

    private(set) var subject: JournalSubject
    private let followed: Followed
    private let order: ListOrder

    init(_ typed: TypedArguments) throws {
        subject = try JournalSubject(typed)
        followed = try Self.followed(Array(typed.operands.dropFirst()), subject.scope)
        order = try ListOrder(typed)
        if case .query(let query) = followed { subject.queries = [query] }
    }

    /// A single operand is a path if it names one place or cannot be read as a query; several are paths.
    private static func followed(_ texts: [String], _ scope: StoreScope) throws -> Followed {
        guard texts.count == 1, !texts[0].isEmpty,
            !UTF8Order.begins(texts[0], with: "/") || BarePath.isQuery(texts[0], scope)
        else {
            return .paths(try scope.patterns(operands: texts))
        }
        // What has a sign of the query language besides dots, brackets and quotes is none of the paths that name one place.
        let isPlain = !texts[0].unicodeScalars.contains { " |,;()=<>+-*%{}?$@:#'!&~\t\n".unicodeScalars.contains($0) }
        let typed = isPlain ? try? PathPattern(parsing: texts[0], operand: "PATH") : nil
        let path = typed.flatMap { $0.pointer == nil ? nil : $0 }
        if let path, UTF8Order.begins(texts[0], with: ".") || isAtTop(path, scope) {
            return .paths([scope.whole(path)])
        }
        do {
            return .query(try ScopedQuery(texts[0], name: "query", scope: scope))
        } catch {
            guard let path else { throw error }
            return .paths([scope.whole(path)])
        }
    }

    /// Whether a path without its first sign begins at a member of the state, and no query reads so.
    private static func isAtTop(_ path: PathPattern, _ scope: StoreScope) -> Bool {
        guard case .key(let name)? = path.steps.steps.first, let paths = scope.environment.paths?(name),
            paths.first?.segments.count == 1
        else { return false }
        return (try? Query(name, in: scope.naming(nil).environment)) == nil
    }

    func answer(_ asked: AskedJournal) throws -> Answered {
        let (journal, filter) = (asked.journal, subject.filter)
        let range = asked.range
        var printer = HistoryPrinter(order, subject.scope, showsPaths, asked.context)
        printer.cite = { [followed] change in
            switch followed {
            case .query(let query): try asked.context.cite(change.position, reading: query, of: journal)
            case .paths: try asked.context.cite(change.position, change.path, change.value, of: journal)
            }
        }
        let history = try History(historySubject, range, in: journal, recover: subject.recovers)
        var unchanged = unseen
        var shown = 0
        do {
            while !printer.isFull, let changes = try history.next() {
                for change in changes { unchanged.removeAll { $0.isMatch(change.path) } }
                for change in changes where try filter.passes(changing: change.record, in: journal) {
                    try printer.take(change)
                    shown += 1
                }
            }
        } catch {
            // What stands before the damage is part of the answer.
            try printer.finish()
            throw error
        }
        try printer.finish()
        if shown > Self.fewChanges { try noteLongArray(journal, range, asked.messages) }
        // What was lost may have had it.
        if !printer.isFull, history.unanswered.lost == 0 {
            for path in unchanged { try checkIsThere(path, journal, range) }
        }
        return Answered(
            damages: history.damages, unanswered: history.unanswered,
            lost: .positions("what changed there is not known"),
            failed: subject.queries.first.map { ($0, "that position says nothing", "positions that say nothing") })
    }

    /// More changes of one place in a long array are most likely those of elements that moved through it.
    private static let fewChanges = 20
    private static let longArray = 100

    /// Says that what was listed is a position in a long array, at which other elements come to stand when it changes.
    private func noteLongArray(_ journal: Journal, _ range: PositionRange, _ messages: MessageWriter) throws {
        guard isPossible, case .paths(let paths) = followed, paths.count == 1, let pointer = paths[0].pointer else {
            return
        }
        var value = try? journal.state(at: range.upper, pruning: paths[0].paths).value
        for (depth, segment) in pointer.segments.enumerated() {
            if case .array(let elements)? = value, elements.count >= Self.longArray, depth > 0 {
                let array = subject.scope.text(of: JSONPointer(Array(pointer.segments[..<depth])))
                messages.warn(
                    code: "history.long-array",
                    "element \(segment) of '\(array)' is a place among \(elements.count), not one element",
                    notes: ["what is added, removed or moved before it brings another element there"],
                    help: Advice(subject.path, subject.scope).help(
                        .blame, [subject.scope.pattern(of: pointer)], to: "follows the element that is there now"))
                return
            }
            if case .array(let elements)? = value {
                value = Int(segment).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
            } else {
                value = value?.object?[segment]
            }
        }
    }

    private var isPossible: Bool { Advice(subject.path).isPossible }

    private var unseen: [PathPattern] {
        guard case .paths(let paths) = followed else { return [] }
        return paths
    }

    private func checkIsThere(_ path: PathPattern, _ journal: Journal, _ range: PositionRange) throws {
        let before = try journal.state(at: range.lower, pruning: path.paths).value
        guard path.matches(in: before).isEmpty else { return }
        let state = try journal.state(at: range.upper).value
        throw CommandFailure(
            .notThere, code: "history.no-such-path",
            "nothing is at '\(subject.scope.text(of: path))' at any position from \(range.lower) to \(range.upper)",
            help: NearestPath.help(for: path, in: state, subject.scope))
    }

    private var showsPaths: Bool {
        guard case .paths(let paths) = followed else { return false }
        return paths.count > 1 || paths[0].pointer == nil
    }

    private var historySubject: HistorySubject {
        switch followed {
        case .query(let query): .query(query.whole)
        case .paths(let paths): .places(PathMatcher(paths.map(\.steps)))
        }
    }
}

struct HistoryPrinter {
    private let scope: StoreScope
    private let showsPaths: Bool
    private let context: CommandContext
    private let story: CommitStory
    private var columns: CommitLine
    private var list: LineList<History.Change>
    var cite: ((History.Change) throws -> Citation?)?

    init(_ order: ListOrder, _ scope: StoreScope, _ showsPaths: Bool, _ context: CommandContext) {
        list = LineList(order)
        (self.scope, self.showsPaths, self.context) = (scope, showsPaths, context)
        story = CommitStory(context)
        let width = context.terminal.width
        columns = CommitLine(width: width, rest: width.map { $0 / 2 } ?? 0)
    }

    var isFull: Bool { list.isFull }

    mutating func take(_ change: History.Change) throws { try print(list.take(change)) }
    mutating func finish() throws { try print(list.flush()) }

    private mutating func print(_ changes: [History.Change]) throws {
        let records = try changes.map { try Record($0.record) }
        if context.format == .human {
            for (change, record) in zip(changes, records) {
                let path = showsPaths ? DisplayWidth.of(ControlCharacters.escaped(scope.text(of: change.path))) + 2 : 0
                columns.measure(
                    RecordSummary(record).withoutCause, followedBy: path + story.wantedWidth(of: effect(change)))
            }
        }
        for (change, record) in zip(changes, records) {
            context.output.fit?.commit = record.seq.rawValue
            let citation = try cite?(change)
            switch context.format {
            case .json:
                let path = showsPaths ? scope.text(of: change.path) : nil
                try context.writeJSON(Self.answer((change, record, path)), citation)
            case .human: try context.writeRow(line(change, record))
            }
        }
    }

    /// As `118  12:00:03.482  cart  applyDiscount(_:)  Shop/Cart.swift:42  12 → -3`.
    private mutating func line(_ change: History.Change, _ record: Record) -> StoryLine {
        var line = columns.padded(RecordSummary(record).withoutCause) + "  "
        if showsPaths { line += "\(scope.text(of: change.path), .path)  " }
        return line + story.effect(effect(change), after: line.columns)
    }

    private func effect(_ change: History.Change) -> StateChange.ChangeKind {
        switch (change.old, change.value) {
        case (let old, let value?): old.map { .replaced(value, old: $0) } ?? .added(value)
        case (let old, nil): .removed(old)
        }
    }

    static let answer = AnswerKind<(change: History.Change, record: Record, path: String?)>(
        "change", "one change of the value that is followed",
        [
            .always("seq", "the position after the change") { $0.change.position },
            .always("store", "the store of the record, null for a gap", .store, of: { $0.record }),
            .sometimes("path", "where it is, for a path with wildcards") { $0.path },
            .sometimes("old", "the value before, missing where there was none") { $0.change.old },
            .sometimes("value", "the value after, missing where there is none") { $0.change.value },
            .always("time", "when the record was made, null where there is none", .time, of: { $0.record }),
            .always("at", "the place in the source of the record, null where it has none", .at, of: { $0.record }),
        ])
}
