package import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
package import TimeTravel

struct DerivedCommand: JournalCommand {
    static let definition = CommandDefinition(
        name: .derived, summary: "which derived values would have fired", synopsis: ["JOURNAL [POS] [OPTIONS]"],
        operands: [.required("JOURNAL", .file)],
        options: [.at, .define, .derivedDefinitions, .summary, .check, .why] + .filters
            + [.maxCount, .reverse, .recover, .derivedAll, .cite, .arg, .argjson],
        details: [
            """
            Reports for each commit which derived values would have fired. They come from '--define', from a file \
            of definitions and from the journal's own records.
            """
        ],
        examples: [
            .init(
                line: "state-inspect derived samples/checkout.jsonl --define 'total=.cart.total' --summary",
                purpose: "how often the total changed")
        ],
        answers: [
            DerivedPrinter.answer.definition, DerivedPrinter.summary.definition, DerivedWhy.answer.definition,
            DerivedCheck.difference.definition, DerivedCheck.answer.definition,
        ])

    private(set) var subject: JournalSubject
    private let position: PositionText?
    private let definitions: DerivedDefinitions
    private let isWhole: Bool
    private let isSummary: Bool
    private let isChecking: Bool
    private let asked: String?
    private let order: ListOrder
    private var filter: CommitFilter { subject.filter }

    init(_ typed: TypedArguments) throws {
        if typed.has(.at), typed.has(.range) { throw UsageError.exclusive([.at, .range]) }
        asked = typed.value(.why)
        position = try typed.value(.at).map { try PositionText(parsing: $0) } ?? (asked == nil ? nil : .end(minus: 0))
        subject = try JournalSubject(typed)
        definitions = try DerivedDefinitions(typed, subject.scope)
        isWhole = typed.has(.derivedAll)
        isSummary = typed.has(.summary)
        isChecking = typed.has(.check)
        try Self.checkForm(typed)
        order = try ListOrder(typed)
        if let position { subject.part = .commit(position) }
        if asked != nil { subject.filterUse = .none }
    }

    private static func checkForm(_ typed: TypedArguments) throws(UsageError) {
        let forms: [Option] = [.summary, .check, .why].filter(typed.has)
        if forms.count > 1 { throw .exclusive(forms) }
        if typed.has(.check), typed.has(.reverse) { throw .exclusive([.check, .reverse]) }
        if typed.has(.why), typed.has(.range) { throw .exclusive([.why, .range]) }
    }

    func answer(_ asked: AskedJournal) throws -> Answered {
        let (journal, range, context) = (asked.journal, asked.range, asked.context)
        // What is declared after the range was not there in it.
        let declared = try journal.declaredDerivedValues(
            through: self.asked == nil ? range.upper : nil, recover: subject.recovers)
        for damage in declared.damages { asked.messages.report(damage.warning) }
        let values = definitions.values(declared: declared.values)
        if values.isEmpty {
            asked.messages.note("'\(subject.path)' declares no derived values; '--define NAME=QUERY' defines one")
        }
        if let name = self.asked {
            try DerivedWhy(name, at: range, of: values, in: journal, filter.scope)
                .write(context, context.cite(range.upper, of: journal))
            return .lookedUp(.done)
        }
        return try isChecking
            ? check(values, asked, declared.damages) : list(values, asked, declared.damages)
    }

    private func list(
        _ values: [DerivedValue], _ asked: AskedJournal, _ reported: [JournalError]
    ) throws -> Answered {
        var printer = DerivedPrinter(isSummary ? nil : order, asked.context)
        printer.cite = { try asked.context.cite($0.seq, of: asked.journal) }
        let firings = try DerivedFirings(
            asked.journal, asked.range, values: values, everyCommit: isWhole || (isSummary && !filter.passesAll),
            recover: subject.recovers)
        while !printer.isFull, let position = try firings.next() {
            for firing in position where try isWanted(firing, asked.journal) { try printer.take(firing) }
        }
        let positions = filter.passesAll ? asked.range.count - firings.lost.count : nil
        try printer.finish(values, positions: positions, lost: firings.lost.count)
        return answered(.done, firings, reported, asked.messages)
    }

    /// What the firings come to: a definition that fails is null there, but one that never has a value says nothing.
    private func answered(
        _ status: ExitStatus, _ firings: DerivedFirings, _ reported: [JournalError], _ messages: MessageWriter
    ) -> Answered {
        for failing in firings.failures {
            var diagnostic = failing.failure.error.diagnostic
            diagnostic.severity = .warning
            diagnostic.notes.append(
                "in '\(failing.name)' at \(failing.failure.position)"
                    + (failing.positions > 1 ? ", the first of \(failing.positions) positions" : "")
                    + ", where its value counts as null")
            messages.report(diagnostic)
        }
        return Answered(
            status.or(firings.isAnyWithoutValue ? .inconclusive : .done),
            damages: firings.damages.filter { !reported.contains($0) },
            unanswered: firings.lost, lost: .positions("what fired there is not known"))
    }

    private func check(
        _ values: [DerivedValue], _ asked: AskedJournal, _ reported: [JournalError]
    ) throws -> Answered {
        var check = DerivedCheck(values, order, asked.context)
        let firings = try DerivedFirings(
            asked.journal, asked.range, values: values, everyCommit: true, comparing: true, recover: subject.recovers)
        while let position = try firings.next() {
            for firing in position where firing.recorded != nil {
                if try filter.passes(changing: firing.record, in: asked.journal) { try check.take(firing) }
            }
        }
        for value in values { check.note(incomparable: firings.incomparable(value.name), of: value.name) }
        return answered(try check.finish(subject.path), firings, reported, asked.messages)
    }

    private func isWanted(_ firing: DerivedFiring, _ journal: Journal) throws -> Bool {
        guard isWhole || isSummary || firing.outcome == .fired || firing.outcome == .recomputed else { return false }
        return try filter.passes(changing: firing.record, in: journal)
    }
}

/// `--definitions`, then `--define`, then what the app declared; a definition with the name of a declared value takes
/// its place; of two in files with one name the later counts.
package struct DerivedDefinitions {
    private var defined: [DerivedValue] = []
    /// What `--define` defines, to be learned about.
    package private(set) var members: [DerivedMembers.Definition] = []

    package init(_ typed: TypedArguments, _ scope: StoreScope) throws {
        for file in scope.environment.definitions { try addAll(of: file, scope) }
        for text in typed.all(.define) { try add(text, scope) }
    }

    /// The values to follow, each after those that it reads.
    package func values(declared: [DerivedValue]) -> [DerivedValue] {
        declared.filter { value in !defined.contains { UTF8Order.equal($0.name, value.name) } } + defined
    }

    private mutating func addAll(of file: Definitions, _ scope: StoreScope) throws {
        for name in file.zeroArgumentNames {
            let query = try Query(scope.asked(name), name: name, in: scope.environment)
            let own = file.ownPaths(of: name)
            let inputs = scope.store.map { own.below($0) } ?? own
            try add(DerivedValue(name: name, query: query, inputs: inputs, from: file.callees(of: name)))
        }
    }

    private mutating func add(_ text: String, _ scope: StoreScope) throws {
        let typed = try NamedQuery(
            parsing: text, of: .define, example: "total=.cart.total", taken: defined.map(\.name))
        // Compiled as it was typed first, so that problems are reported at their place in the typed text.
        let own = try Query(typed.query, name: typed.name, in: scope.environment)
        let query =
            scope.store == nil ? own : try Query(scope.asked(typed.query), name: typed.name, in: scope.environment)
        try add(DerivedValue(name: typed.name, query: query))
        members.append(DerivedMembers.Definition(name: typed.name, query: query, text: scope.asked(typed.query)))
    }

    private mutating func add(_ value: DerivedValue) throws(CommandFailure) {
        if case .query(let query) = value.formula, query.footprint.usesOld || query.footprint.usesCommit {
            throw CommandFailure(
                .usage, code: "derived.context", "the derived value '\(value.name)' asks about the commit or '$old'",
                notes: ["a derived value is made of the state alone"])
        }
        defined.removeAll { UTF8Order.equal($0.name, value.name) }
        defined.append(value)
    }
}

extension StoreScope {
    /// A query as it is asked of the whole state: under `--store` that store's part is put before it.
    package func asked(_ query: String) -> String {
        guard let store else { return query }
        return ".[\(JSONValue.string(store).text())] | (\(query)\n)"
    }
}
