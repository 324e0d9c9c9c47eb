import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

extension JournalCheck {
    /// Checks a journal that is read once, as it is written; a problem with it is part of the answer.
    ///
    /// - Parameters:
    ///   - messages: receives warnings about the invariants before a wait; nil to report them at the end.
    ///   - each: called for each invariant that does not hold any more, as soon as that is known.
    func watch(
        _ journal: Journal, _ messages: MessageWriter? = nil, each: (CheckedJournal.Event) throws -> Void = { _ in }
    ) throws -> CheckedJournal {
        var checked = CheckedJournal(path: journal.path)
        var states = NameTable<JSONValue>()
        do {
            let invariants = isOneOfMany ? definitions.ownInvariants : definitions.invariants
            var watch = try InvariantWatch(journal, invariants, recover: recovers)
            let start = watch.state
            var warned = false
            var events: [InvariantWatch.Event]? = try watch.begin()
            while let found = events {
                for event in found {
                    let name = definitions.entries[event.index].invariant.name
                    if states[name] == nil { states[name] = event.state }
                    try report { try each(try self.event(event, named: name, journal.path)) }
                }
                if watch.isWaiting, let messages {
                    progress.hide()
                    if !warned { for warning in warnings(start, watch) { messages.reportOnce(warning) } }
                    warned = true
                }
                events = try watch.next()
            }
            if !warned { checked.messages += warnings(start, watch) }
            try finish(&watch, journal, into: &checked) { entry, _ in states[entry.invariant.name] }
        } catch let refused as Refused {
            throw refused.error
        } catch {
            fail(&checked, error)
        }
        return checked
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
        try note(watch.answers(), watch.damages, journal, in: &checked, state: state)
    }

    /// What there is to say of the invariants, once two states are known.
    private func warnings(_ start: JSONValue, _ watch: borrowing InvariantWatch) -> [Diagnostic] {
        let warnings = QueryWarnings(
            [(watch.start, start), (watch.lastCommit, watch.state)], StoreScope(store: nil))
        return definitions.entries.flatMap { warnings.diagnostics(of: $0.invariant.query, asks: .condition) }
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
