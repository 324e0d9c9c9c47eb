package import CommandLine
import Diagnostics
package import JSONCore
package import JournalFormat
package import JournalReading
import QueryLanguage
package import TimeTravel

/// A check writes nothing, so several can be at work at once.
package struct JournalCheck: Sendable {
    /// Consumers of SARIF take 10,000; what a person follows is less.
    static let historyLength = 50
    /// How many parts of a state are kept for each of them, and how many bytes of each.
    static let stateParts = 32
    static let partLength = 400

    let definitions: InvariantDefinitions
    let recovers: Bool
    private let journals: JournalOpener
    let progress: Progress
    private let keepsHistory: Bool
    let isOneOfMany: Bool
    private let countsPlaces: Bool
    private let range: RangeText

    package init(
        _ definitions: InvariantDefinitions, _ context: CommandContext, recovers: Bool, keepsHistory: Bool = false,
        isOneOfMany: Bool = false, countsPlaces: Bool = false, range: RangeText = RangeText()
    ) {
        (journals, progress) = (context.journals, context.progress)
        (self.definitions, self.recovers, self.keepsHistory) = (definitions, recovers, keepsHistory)
        (self.isOneOfMany, self.countsPlaces, self.range) = (isOneOfMany, countsPlaces, range)
    }

    /// A problem with the journal is part of the answer.
    package func run(_ path: String) -> CheckedJournal {
        checked(path) { checked in
            // A pipe that is not kept from the beginning cannot be asked what caused a violation.
            if !JournalFiles.isReadOnce(path), !keepsHistory, !countsPlaces {
                let journal = try open(path, .sequential)
                guard !journal.isSeekable else { return try check(journal, into: &checked) }
                // A packed journal in which all holds need not be unpacked into a file.
                checked = try watch(journal)
                guard checked.status == .violated else { return }
                checked = CheckedJournal(path: path)
            }
            try check(try open(path, .random), into: &checked)
        }
    }

    private func open(_ path: String, _ access: Journal.Access) throws -> Journal {
        let journal = try journals.open(path, access, recovers: recovers)
        return recovers ? journal.recovering() : journal
    }

    package func run(_ journal: Journal) -> CheckedJournal { checked(journal.path) { try check(journal, into: &$0) } }

    private func checked(_ path: String, _ check: (inout CheckedJournal) throws -> Void) -> CheckedJournal {
        var checked = CheckedJournal(path: path)
        do {
            try check(&checked)
        } catch {
            fail(&checked, error)
        }
        return checked
    }

    func fail(_ checked: inout CheckedJournal, _ error: any Error) {
        checked.verdicts = []
        checked.problem = (ExitStatus.of(error), ExitStatus.diagnostics(of: error, in: .check, recovers: recovers))
    }

    private func check(_ journal: Journal, into checked: inout CheckedJournal) throws {
        let tail = try journal.tail()
        noteEnd(of: journal.path, at: tail.lastCommit, tail.torn, isEnded: tail.isEnded, in: &checked)
        let range = try journal.range(range)
        checked.lastCommit = range.upper.rawValue
        checked.positions = range.count + 1
        let warnings = QueryWarnings(
            journal, range, StoreScope(store: nil), of: definitions.entries.map(\.invariant.query))
        for (index, entry) in definitions.entries.enumerated() {
            let found = warnings.diagnostics(of: entry.invariant.query, asks: .condition)
            checked.absent[index] = QueryWarnings.absence(in: found)?.message
            checked.messages += found
        }
        let (answers, damages) = try InvariantScan.run(
            journal, range, isOneOfMany ? definitions.ownInvariants : definitions.invariants, recover: recovers,
            threads: isOneOfMany ? 1 : nil, countsPlaces: countsPlaces)
        try note(answers, damages, journal, in: &checked) { entry, position in
            try? journal.state(at: position, pruning: entry.invariant.query.footprint.paths).value
        }
    }

    package func note(
        _ answers: [InvariantAnswer], _ damages: [JournalError], _ journal: Journal, in checked: inout CheckedJournal,
        state: (InvariantDefinitions.DefinedInvariant, CommitNumber) -> JSONValue?
    ) throws {
        checked.messages += damages.map(\.warning)
        let lost = answers.first?.unanswered
        if let warning = lost?.lostWarning(in: journal.path, "no invariant was held against them") {
            checked.messages.append(warning)
        }
        for (index, (entry, answer)) in zip(definitions.entries, answers).enumerated() {
            if let message = checked.absent[index] {
                checked.verdicts.append(checked.unanswered(entry.invariant.name, message))
                continue
            }
            if let failure = answer.unanswered.firstFailure {
                checked.failures.append(warning(of: failure, answer.unanswered.failed, entry, journal))
            }
            checked.verdicts.append(try verdict(answer, entry, journal, &checked.messages, state))
        }
    }

    /// What came after the end of a torn run is not known to hold.
    func noteEnd(
        of path: String, at last: CommitNumber, _ torn: TornTail?, isEnded: Bool, in checked: inout CheckedJournal
    ) {
        if let torn {
            checked.messages.append(torn.warning(path: path))
        } else if !isEnded {
            checked.messages.append(
                Diagnostic(
                    .warning, code: "check.no-end", "'\(path)' has no end",
                    notes: [
                        "the program is still running, or stopped; what it did after commit \(last) is not checked"
                    ]))
        }
    }

    private func verdict(
        _ answer: InvariantAnswer, _ entry: InvariantDefinitions.DefinedInvariant, _ journal: Journal,
        _ messages: inout [Diagnostic], _ state: (InvariantDefinitions.DefinedInvariant, CommitNumber) -> JSONValue?
    ) throws -> CheckedJournal.InvariantVerdict {
        var verdict = CheckedJournal.InvariantVerdict(
            name: entry.invariant.name, positions: answer.positions, unanswered: answer.unanswered.count)
        if let failure = answer.unanswered.firstFailure {
            verdict.failure = .init(
                seq: failure.position.rawValue, message: failure.error.diagnostic.message,
                positions: answer.unanswered.failed)
        }
        if let violation = answer.violation {
            if violation.crossesGap { messages.append(gapWarning(entry.invariant.name, violation, journal)) }
            verdict.violation = try self.violation(violation, entry.invariant, journal)
            messages += verdict.violation?.facts?.warnings ?? []
            if let state = state(entry, violation.position) {
                messages += absentPaths(in: state, entry)
            }
        }
        return verdict
    }

    private func violation(
        _ found: InvariantAnswer.Violation, _ invariant: Invariant, _ journal: Journal
    ) throws -> CheckedJournal.Violation {
        let record = try found.first.map { (record) throws(JournalError) in try Record(record) }
        let scope = StoreScope(store: nil)
        // A member of a wrong type is for 'verify' to report; the violation stands without it.
        let details = found.first.flatMap {
            $0.kind == .commit && journal.isSeekable ? try? CommitDetails($0.seq, in: journal) : nil
        }
        let summary = record.map { RecordSummary($0, scope: scope) }
        let paths = invariant.query.footprint.paths
        return CheckedJournal.Violation(
            record: record,
            facts: details.map { CommitFacts($0, journal, scope) },
            position: found.position.rawValue, last: found.last.rawValue, positions: found.positions,
            ranges: found.ranges, value: found.value, candidates: found.candidates.map(\.rawValue),
            changed: summary.flatMap { Self.changed($0.changes, in: paths) },
            places: try found.places.map { place in
                CheckedJournal.CountedPlace(
                    place: try place.record.flatMap { SourcePlace(try Record($0)) }, isStart: place.record == nil,
                    times: place.times, first: place.first.rawValue, last: place.last.rawValue)
            },
            history: keepsHistory
                ? Finding.HistoryStep.last(through: found.position, by: found.first, reading: paths, in: journal) : [])
    }

    /// The first changed path that the invariant reads; the first changed path if none matches.
    private static func changed(_ changes: [StateChange], in paths: PathSet) -> String? {
        (changes.first { paths.relation(of: $0.path.segments) != .outside } ?? changes.first)?.path.text
    }

    private func absentPaths(in state: JSONValue, _ entry: InvariantDefinitions.DefinedInvariant) -> [Diagnostic] {
        let (query, scope) = (entry.invariant.query, StoreScope(store: nil, entry.environment))
        guard entry.file == nil else {
            return AbsentPaths(of: ScopedQuery(condition: query), isBad: false, in: state, scope).warnings.map {
                warning in
                var warning = warning
                (warning.notes, warning.help) = (warning.notes + ["in '\(entry.invariant.name)'"], [])
                return warning
            }
        }
        guard let typed = try? ScopedQuery(query.text, name: "--invariant", scope: scope) else { return [] }
        let prefix = entry.invariant.name + "="
        return AbsentPaths(of: typed, isBad: false, in: state, scope, prefix: prefix).warnings
    }

    private func warning(
        of failure: Unanswered.Failure, _ count: Int, _ entry: InvariantDefinitions.DefinedInvariant, _ journal: Journal
    ) -> Diagnostic {
        var diagnostic = failure.error.diagnostic
        diagnostic.severity = .warning
        let query = entry.invariant.query
        let suffix = ", at commit \(failure.position.rawValue) of \(journal.path)"
        if entry.file == nil {
            diagnostic.place = .source(
                SourceExcerpt(
                    name: query.name, text: query.text, marks: [.init(0..<query.text.utf8.count)], suffix: suffix))
        } else {
            diagnostic.notes.append("in '\(entry.invariant.name)'" + suffix)
        }
        let found = count == 1 ? "that position" : "that is the first of \(count) positions that"
        diagnostic.notes.append(found + " cannot be judged")
        return diagnostic
    }

    private func gapWarning(
        _ name: String, _ violation: InvariantAnswer.Violation, _ journal: Journal
    ) -> Diagnostic {
        Diagnostic(
            .warning, code: "check.gap",
            "commits of '\(journal.path)' were lost directly before '\(name)' is violated at \(violation.position.rawValue)",
            notes: ["which of the lost commits it was is not known"])
    }

    /// The journal is read once, as it is written; a problem with it is part of the answer.
    package func watch(
        _ journal: Journal, _ messages: MessageWriter? = nil, each: (CheckedJournal.Event) throws -> Void = { _ in }
    ) throws -> CheckedJournal {
        var checked = CheckedJournal(path: journal.path)
        var states = NameTable<JSONValue>()
        do {
            let invariants = isOneOfMany ? definitions.ownInvariants : definitions.invariants
            var watch = try InvariantWatch(journal, invariants, recover: recovers)
            let start = watch.state
            var met = invariants.map { Self.unmet(by: $0.query, in: start) }
            // What is violated by an invariant that reads what was nowhere so far: it may be about null.
            var held: [InvariantWatch.Event] = []
            func write(_ events: [InvariantWatch.Event]) throws {
                for event in events {
                    let name = definitions.entries[event.index].invariant.name
                    try report { try each(try self.event(event, named: name, journal.path)) }
                }
            }
            var warned = false
            var events: [InvariantWatch.Event]? = try watch.begin()
            while let found = events {
                if let record = watch.record { for index in met.indices { try met[index].note(record) } }
                for event in found {
                    let name = definitions.entries[event.index].invariant.name
                    if states[name] == nil { states[name] = event.state }
                }
                held += found
                try write(held.filter { met[$0.index].areAll })
                held.removeAll { met[$0.index].areAll }
                if watch.isWaiting, let messages {
                    progress.hide()
                    if !warned { for warning in warnings(start, watch).joined() { messages.reportOnce(warning) } }
                    warned = true
                }
                events = try watch.next()
            }
            for (index, found) in warnings(start, watch, watch.damages.isEmpty ? met : nil).enumerated() {
                checked.absent[index] = QueryWarnings.absence(in: found)?.message
                checked.messages += warned ? found.filter { $0.severity == .error } : found
            }
            try write(held.filter { checked.absent[$0.index] == nil })
            try finish(&watch, journal, into: &checked) { entry, _ in states[entry.invariant.name] }
        } catch let refused as Refused {
            throw refused.error
        } catch {
            fail(&checked, error)
        }
        return checked
    }

    /// The paths that a query reads and that are not there in the first state, to be met later.
    private static func unmet(by query: Query, in start: JSONValue) -> MetPaths {
        let paths = query.footprint.paths
        guard !paths.isEmpty, !paths.isEverything else { return MetPaths([], StoreScope(store: nil)) }
        let absent = MetPaths.absent(paths, in: [start])
        return MetPaths(absent.flatMap { MetPaths.parts(of: $0, absentIn: [start]) }, StoreScope(store: nil))
    }

    /// Not a problem of the journal: a report that could not be written.
    private struct Refused: Error { let error: any Error }

    private func report(_ write: () throws -> Void) throws {
        do { try write() } catch { throw Refused(error: error) }
    }

    private func finish(
        _ watch: inout InvariantWatch, _ journal: Journal, into checked: inout CheckedJournal,
        state: (InvariantDefinitions.DefinedInvariant, CommitNumber) -> JSONValue?
    ) throws {
        noteEnd(of: journal.path, at: watch.lastCommit, watch.tornTail, isEnded: watch.isEnded, in: &checked)
        checked.lastCommit = watch.lastCommit.rawValue
        checked.positions = watch.lastCommit.rawValue - journal.start.rawValue + 1
        try note(watch.finish(), watch.damages, journal, in: &checked, state: state)
    }

    private func warnings(
        _ start: JSONValue, _ watch: borrowing InvariantWatch, _ met: [MetPaths]? = nil
    ) -> [[Diagnostic]] {
        let states = [(watch.start, start), (watch.lastCommit, watch.state)]
        return definitions.entries.enumerated().map { index, entry in
            QueryWarnings(states, StoreScope(store: nil), met: met?[index])
                .diagnostics(of: entry.invariant.query, asks: .condition)
        }
    }

    private func event(
        _ event: InvariantWatch.Event, named name: String, _ path: String
    ) throws -> CheckedJournal.Event {
        let record = try event.record.map { (record) throws(JournalError) in try Record(record) }
        return CheckedJournal.Event(
            path: path, name: name, position: event.position.rawValue, record: record, value: event.value)
    }
}
