import Foundation
import Interchange
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import TimeTravel

/// Cases of a log that no Swift program wrote: windows of a trace, one of them damaged.
struct ForeignCases {
    /// What a ranking names.
    enum Unit: String, CaseIterable {
        /// A line of the trace: the damage is in one.
        case line
        /// An event of a node, such as `nodeB Commit`, which other windows have too.
        case place
    }

    private static let length = 400
    private static let variants = 100
    private static let file = "etcd-raft-trace.ndjson"

    private let trace: RaftTrace
    private let unit: Unit
    private let runs: Int
    private let invariants: [Invariant]

    init(_ trace: RaftTrace, _ unit: Unit, runs: Int) throws {
        self.trace = trace
        self.unit = unit
        self.runs = runs
        invariants = try RaftTrace.invariants.map { Invariant(name: $0, query: try Query($0)) }
    }

    /// Makes the cases one after another: the journals of one are gone before the next begins, unless they are kept.
    ///
    /// - Parameter each: takes a case; nil where no rule breaks after the damage.
    /// - Throws: where the undamaged trace breaks a rule.
    func make(keep folder: String?, _ each: (BugCase?) throws -> Void) throws {
        for number in 1...Self.variants {
            let own = TemporaryFolder()
            var random = SeededGenerator(seed: UInt64(number))
            let start = below(trace.events.count - Self.length, &random)
            let kind = TraceWindow.kinds[number % TraceWindow.kinds.count]
            var damaged = window(start)
            guard damaged.damage(kind, &random) else { continue }
            try each(bugCase(number, kind, damaged, start, in: folder ?? own.path))
            withExtendedLifetime(own) {}
        }
    }

    private func window(_ start: Int) -> TraceWindow { TraceWindow(trace.events[start..<start + Self.length]) }

    private func bugCase(
        _ number: Int, _ kind: Mutant.Kind, _ damaged: TraceWindow, _ start: Int, in folder: String
    ) throws -> BugCase? {
        let bad = try play(damaged, "\(folder)/\(unit)-\(number)-bad.jsonl")
        guard let guilty = guilty(damaged), let symptom = bad.symptom, let end = bad.facts.symptomAt,
            let first = bad.facts.commits.first(where: { $0.place.function == guilty }), first.number <= end
        else { return nil }
        // No good run overlaps the damaged one: beside its own undamaged window, a comparison of the two would be enough.
        let others = stride(from: 0, to: trace.events.count - Self.length, by: Self.length)
            .filter { abs($0 - start) >= Self.length }
        let good = try others.prefix(runs).map { other in
            let played = try play(window(other), "\(folder)/\(unit)-\(number)-good-\(other).jsonl")
            if let symptom = played.symptom { throw Unsound(line: other, symptom: symptom) }
            return played
        }
        let mutant = Mutant(file: Self.file, line: 0, column: 0, kind: kind, function: guilty, isByHand: false)
        return BugCase(
            number: number, mutant: mutant, symptom: symptom, bad: [bad.facts], good: good.map(\.facts),
            paths: ([bad.path], good.map(\.path)), harmless: 0, distance: end - first.number)
    }

    /// A rule does not hold of the undamaged trace.
    struct Unsound: Error {
        let line: Int
        let symptom: String
    }

    private func guilty(_ window: TraceWindow) -> String? {
        window.lines.first(where: \.isGuilty).map { place(of: $0, in: window).function }
    }

    /// Where two lines are guilty, they have one name.
    private func place(of line: TraceWindow.Line, in window: TraceWindow) -> Place {
        let event = line.event
        if unit == .place { return Place(file: Self.file, line: 0, function: "\(event.node) \(event.name)") }
        let named = line.isGuilty ? window.lines.first(where: \.isGuilty)?.event.line : nil
        let isCopy = line.isGuilty && window.lines.count { $0.event.line == event.line } > 1
        return Place(
            file: Self.file, line: event.line, function: "line \(named ?? event.line)\(isCopy ? " again" : "")")
    }

    private func play(
        _ window: TraceWindow, _ path: String
    ) throws -> (path: String, facts: RunFacts, symptom: String?) {
        var lines: [UInt8] = []
        for line in window.lines {
            let place = place(of: line, in: window)
            let at = "{\"file\":\"\(place.file)\",\"line\":\(place.line),\"function\":\"\(place.function)\"}"
            lines += "{\"at\":\(at),\(line.text.dropFirst())\n".utf8
        }
        var work = JournalImport(
            JSONLinesReader(try RaftTrace.mapping()), of: Self.file, time: Timestamp(microseconds: 0), skipsBad: false)
        try lines.withBytes { try work.read($0) }
        try work.finish()
        try Data(work.takeLines()).write(to: URL(fileURLWithPath: path))
        let journal = try Journal.open(path, access: .random)
        let first = try journal.firstViolation(of: invariants)
        return (path, try RunFacts(journal, symptomAt: first?.position.rawValue, first?.name), first?.name)
    }
}
