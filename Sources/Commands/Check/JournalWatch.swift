package import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
package import JournalReading
import QueryLanguage
import TimeTravel

extension JournalCheck {
    /// Checks a journal that is read once, as it is written; a problem with it is part of the answer.
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

    /// A report that could not be written, which is not a problem of the journal.
    private struct Refused: Error { let error: any Error }

    private func report(_ write: () throws -> Void) throws {
        do { try write() } catch { throw Refused(error: error) }
    }

    private func finish(
        _ watch: inout InvariantWatch, _ journal: Journal, into checked: inout CheckedJournal,
        state: (InvariantDefinitions.Entry, CommitNumber) -> JSONValue?
    ) throws {
        noteEnd(of: journal.path, at: watch.lastCommit, watch.tornTail, isEnded: watch.isEnded, in: &checked)
        checked.lastCommit = watch.lastCommit.rawValue
        checked.positions = watch.lastCommit.rawValue - journal.start.rawValue + 1
        try note(watch.finish(), watch.damages, journal, in: &checked, state: state)
    }

    /// What there is to say of each invariant, once two states are known.
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
            path: path, name: name, position: event.position.rawValue, record: record,
            summary: record.map { RecordSummary($0, scope: StoreScope(store: nil)) }, value: event.value)
    }
}
