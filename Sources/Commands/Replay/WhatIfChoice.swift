package import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
package import JournalReading
import QueryLanguage
import TimeTravel

/// Which commits a replay leaves out: a class, because its question is asked from within the replay and counts where it
/// failed.
final class WhatIfChoice {
    private var without: CommitList
    /// Whether what these caused is left out too.
    private let takesEffects: Bool
    /// A commit stays only where this holds of the state that it makes.
    let only: ScopedQuery?
    private var failures = Unanswered()

    init?(_ typed: TypedArguments, _ scope: StoreScope) throws {
        takesEffects = typed.has(.withEffects)
        if takesEffects, !typed.has(.without) { throw UsageError.needsOne(.replay, [.without]) }
        guard typed.has(.without) || typed.has(.only) else { return nil }
        without = try typed.value(.without).map { try CommitList(parsing: $0) } ?? CommitList()
        only = try typed.value(.only).map { try ScopedQuery($0, name: "--only", scope: scope, asks: .condition) }
    }

    func check(in journal: Journal) throws { try journal.check(without) }

    /// Leaves out what the commits caused, or says that it stays.
    func followEffects(in journal: Journal, _ messages: MessageWriter) throws {
        guard !without.isEmpty else { return }
        let effects = SkippedEffects(of: without, in: journal)
        if takesEffects { without = effects.joined } else { effects.note("--with-effects").map { messages.note($0) } }
    }

    func choice(usesOld: Bool) -> Run.Choice {
        var choice = Run.Choice(without: without, usesOld: usesOld)
        guard let only else { return choice }
        guard only.typed.footprint.usesOld || !only.typed.footprint.paths.isEmpty else {
            // What the commit alone answers needs no state: there is no conflict of a commit that was not chosen.
            choice.selects = { [self] (record) throws(JournalError) in try keeps(only, record, .null, .null) }
            return choice
        }
        choice.usesOld = usesOld || only.footprint.usesOld
        choice.keeps = { [self] (record, state, old) throws(JournalError) in try keeps(only, record, state, old) }
        return choice
    }

    private func keeps(
        _ only: ScopedQuery, _ record: OwnedRecord, _ state: JSONValue, _ old: JSONValue
    ) throws(JournalError) -> Bool {
        let commit = only.footprint.usesCommit ? try Record(record) : nil
        let context = only.context(at: record.seq, commit) { old }
        do throws(QueryError) {
            return try only.whole.first(of: state, context: context)?.isTruthy ?? false
        } catch {
            failures.fail(error, at: record.seq)
            return false
        }
    }

    func reportFailures(_ messages: MessageWriter) -> ExitStatus {
        guard let only else { return .done }
        return failures.reportFailures(
            of: only, one: "that commit was left out", several: "commits that were left out", messages)
    }
}

extension Run.Conflict {
    package var message: String {
        switch effect {
        case .leftOut(.storeNotOpen(let store)): "the store '\(store)' is not open"
        case .leftOut(.patch(let error)): error.diagnostic.message
        case .applied: "another value was there than the commit says; it is applied all the same"
        }
    }

    package func text(_ scope: StoreScope) -> String {
        guard case .applied(let path, let old, let found) = effect else { return "conflict  left out: \(message)" }
        let values = "\(FittedValue.text(found, limit: 60)) is there, not \(FittedValue.text(old, limit: 60))"
        return "conflict  \(scope.text(of: path)): \(values)"
    }

    /// What was there in the place of what the commit says; nil for a commit that is left out.
    private var met: (path: JSONPointer, old: JSONValue, found: JSONValue)? {
        guard case .applied(let path, let old, let found) = effect else { return nil }
        return (path, old, found)
    }

    static let answer = AnswerKind<(conflict: Run.Conflict, record: Record, scope: StoreScope)>(
        "conflict", "a commit that met another state than it was made for, where others had not been",
        [
            .always("seq", "the number of the commit", \.conflict.record.seq),
            .always("store", "its store", .store, of: \.record),
            .always("time", "when the record was made, null where there is none", .time, of: \.record),
            .always("at", "the place in the source of the record, null where it has none", .at, of: \.record),
            .always("applied", "false where the commit does not apply and is left out") { $0.conflict.met != nil },
            .sometimes("path", "where it found another value than it says, if it is applied") { row in
                row.conflict.met.map { row.scope.text(of: $0.path) }
            },
            .sometimes("old", "what the commit says was there", \.conflict.met?.old),
            .sometimes("found", "what was there", \.conflict.met?.found),
            .always("message", "what does not fit", \.conflict.message),
        ])
}

package struct SkippedEffects {
    private static let mostNamed = 5

    private let list: CommitList
    private let effects: [(commit: CommitNumber, cause: CommitNumber)]

    /// Looks for what some commits caused; nothing is known of it where the journal is damaged, which others report.
    package init(of list: CommitList, in journal: Journal) {
        self.list = list
        effects = (try? CommitCauses(of: journal))?.effects(of: list) ?? []
    }

    package var joined: CommitList {
        effects.isEmpty ? list : ((try? CommitList(parsing: [list.text] + effects.map { "\($0.commit)" })) ?? list)
    }

    /// That it stays, with what leaves it out too; nil where nothing was caused.
    package func note(_ what: String) -> String? {
        guard !effects.isEmpty else { return nil }
        let named = effects.prefix(Self.mostNamed).map { "\($0.commit) was caused by \($0.cause)" }
        let more = effects.count - named.count
        let text = named.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        return
            "\(text) and \(effects.count == 1 ? "stays" : "stay"); '\(what)' takes \(effects.count == 1 ? "it" : "them") too"
    }
}

extension CommitList {
    package var text: String {
        ranges.map { $0.lowerBound == $0.upperBound ? "\($0.lowerBound)" : "\($0.lowerBound)..\($0.upperBound)" }
            .joined(separator: ",")
    }
}
