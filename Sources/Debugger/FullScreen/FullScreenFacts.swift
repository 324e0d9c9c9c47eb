import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

/// Plain values, read from the session once a stop.
struct FullScreenFacts: Equatable {
    enum Line: Equatable {
        case record(RecordSummary)
        case mark(String)
        case step(RecordSummary, StepNumbers)
    }

    /// The numbers of a step of two runs: its own, and that of the commit of either run that it makes.
    struct StepNumbers: Equatable {
        var step: Int
        var left: Int?
        var right: Int?
    }

    struct Source: Equatable {
        var path: String
        var first: Int
        var lines: [String]
        var line: Int
    }

    var bounds = 0...0
    /// The last commit that is made, or is being made.
    var position = 0
    /// How many of its changes are made; nil for all.
    var made: Int?
    var state = JSONValue.object(JSONObject())
    var record: RecordSummary?
    var changes: [StateChange] = []
    var cause: RecordSummary?
    var firings = CommitStory.Firings()
    var marks: [String] = []
    var lines: [Line] = []
    /// Whether two runs are shown side by side: the state is the right one's, and positions are steps.
    var isPaired = false
    var differences: [StateChange] = []
    /// Where both runs stand, as `left 117 of 424   right 118 of 412`.
    var standing = ""
    /// The places of what the commit changed, or of what differs since it, the one that says the most first.
    var prominent: [JSONPointer] = []
    var source: Source?
    var problem: String?
}

final class FullScreenReader {
    /// Finds the lines of a source file around one, if the file is there.
    typealias SourceFinder = (_ file: String, _ line: Int) -> FullScreenFacts.Source?

    private let session: Session
    private let paired: PairedRuns?
    private let source: SourceFinder
    private let scope = StoreScope(store: nil)
    /// The lines of the list that were read before, by where they are in the file.
    private var known: [ByteOffset: FullScreenFacts.Line] = [:]

    /// No more lines of the list are kept; what is not kept is read again.
    private static let knownLimit = 2000

    init(_ session: Session, _ paired: PairedRuns? = nil, source: @escaping SourceFinder = { _, _ in nil }) {
        self.session = session
        self.paired = paired
        self.source = source
    }

    /// If something cannot be read, a message stands in its place; `rows` lines of the list may be needed on either
    /// side.
    func facts(rows: Int) -> FullScreenFacts {
        if let paired { return facts(of: paired, rows: rows) }
        var facts = FullScreenFacts()
        let bounds = session.bounds
        facts.bounds = bounds.lower.rawValue...max(bounds.lower.rawValue, bounds.upper.rawValue)
        facts.position = session.position.commit.rawValue
        facts.made = session.position.changes
        facts.state = session.state
        do {
            try read(&facts)
            facts.prominent = facts.changes.prominent(read: isAskedAbout)
            facts.lines = try session.records(
                around: session.position.commit, before: rows, after: rows, with: .mark
            ).compactMap(line)
        } catch {
            facts.problem = ExitStatus.diagnostics(of: error, in: nil).first?.message
        }
        return facts
    }

    private func facts(of runs: PairedRuns, rows: Int) -> FullScreenFacts {
        var facts = FullScreenFacts()
        facts.isPaired = true
        facts.bounds = 0...runs.count
        facts.position = runs.index
        facts.state = runs.right.session.state
        facts.differences = runs.differences
        facts.changes = runs.made?.changes ?? []
        let made = facts.changes
        let new = facts.differences.filter { other in made.contains { $0.path.isRelated(to: other.path) } }
        facts.prominent = (new.isEmpty ? made : new).prominent { _ in false }
        facts.standing =
            "left \(runs.left.session.position.commit) of \(runs.left.session.bounds.upper)   "
            + "right \(runs.right.session.position.commit) of \(runs.right.session.bounds.upper)"
        facts.problem = runs.step.map(\.differs) == false ? nil : runs.words
        let first = max(0, runs.index - rows)
        facts.lines = (first..<min(runs.count, runs.index + rows)).compactMap { index in
            let step = runs.pairs.steps[index]
            return summary(of: runs, index).map { summary in
                .step(
                    summary,
                    .init(step: index + 1, left: step.leftCommit?.rawValue, right: step.rightCommit?.rawValue))
            }
        }
        facts.record = runs.step.flatMap { _ in summary(of: runs, runs.index - 1, isWhole: true) }
        if let place = runs.step.flatMap({ try? ($0.isLeft ? runs.left : runs.right).session.commitPlace() }),
            let line = place.line
        {
            facts.source = source(place.file, line)
        }
        return facts
    }

    /// A step as a line of the list, with its sign before the name.
    private func summary(of runs: PairedRuns, _ index: Int, isWhole: Bool = false) -> RecordSummary? {
        let step = runs.pairs.steps[index]
        let (side, position) = step.isLeft ? (runs.left, step.left) : (runs.right, step.rightCommit ?? step.right)
        guard let kept = try? side.session.journal.keptRecord(of: position), let record = try? Record(kept) else {
            return nil
        }
        var summary = isWhole ? RecordSummary(record, scope: scope) : RecordSummary(record)
        summary.name = PairedRuns.sign(of: step) + " " + summary.label
        return summary
    }

    private func isAskedAbout(_ path: JSONPointer) -> Bool {
        func isRead(_ query: Query) -> Bool {
            !query.footprint.paths.isEverything && query.footprint.paths.relation(of: path.segments) != .outside
        }
        let isReached = session.lastStop.reasons.contains {
            if case .holds(let query) = $0 { isRead(query) } else { false }
        }
        return isReached
            || session.breakpoints.contains { stop in
                if let condition = stop.condition, isRead(condition) { return true }
                switch stop.trigger {
                case .violation(let query): return isRead(query)
                case .watch(let subject): return subject.path?.isRelated(to: path) ?? false
                default: return false
                }
            }
    }

    private func read(_ facts: inout FullScreenFacts) throws {
        guard let details = try session.commitDetails() else {
            facts.record = try session.commitRecord().map { RecordSummary(try Record($0), scope: scope) }
            return
        }
        facts.record = RecordSummary(try Record(details.record), scope: scope)
        facts.changes = details.changes
        facts.marks = try details.marks.compactMap { try Record($0).text }
        facts.source = source(details.commit.at.file, details.commit.at.line)
        let commit = CommitFacts(details, session.journal, scope)
        facts.cause = commit.cause
        facts.firings = commit.firings
    }

    private func line(_ record: OwnedRecord) -> FullScreenFacts.Line? {
        if let line = known[record.offset] { return line }
        guard let read = try? Record(record) else { return nil }
        let line: FullScreenFacts.Line =
            record.kind == .mark ? .mark(read.text ?? "") : .record(RecordSummary(read))
        if known.count >= Self.knownLimit { known.removeAll() }
        known[record.offset] = line
        return line
    }
}

extension [StateChange] {
    /// Those first that say the most by themselves: what the session's stops ask about, then numbers that changed their
    /// sign, other numbers, other single values, and last what was added, removed or moved.
    func prominent(read: (JSONPointer) -> Bool) -> [JSONPointer] {
        map { (path: $0.path, rank: ($0.prominence, read($0.path))) }.enumerated()
            .sorted { a, b in
                let (left, right) = (a.element.rank, b.element.rank)
                if left.1 != right.1 { return left.1 }
                return left.0 == right.0 ? a.offset < b.offset : left.0 > right.0
            }.map(\.element.path)
    }
}

extension StateChange {
    fileprivate var prominence: Int {
        // Of what is redacted only the hash is there.
        guard case .replaced(let new, let old?) = kind, path.segments.last != "$redacted" else { return 0 }
        switch (old, new) {
        case (.number(let old), .number(let new)):
            let zero = JSONNumber(0)
            return (old < zero) != (new < zero) ? 4 : 3
        case (.object, _), (.array, _), (.null, _), (_, .object), (_, .array), (_, .null): return 1
        default: return 2
        }
    }
}

extension JSONPointer {
    func isRelated(to other: JSONPointer) -> Bool {
        let count = Swift.min(segments.count, other.segments.count)
        return JSONPointer(Array(segments.prefix(count))) == JSONPointer(Array(other.segments.prefix(count)))
    }
}
