public import Diagnostics
import JSONCore
public import JournalFormat
public import JournalReading

/// Several journals as one, by time: runs of several processes, runs one after another, or the segments of one run.
///
/// Commits are numbered anew in the order of their times, and causes and outcomes follow. A store whose name another
/// journal has taken gets the next free one (`cart_2`), and so does a derived value. Every store keeps its own sequence
/// of states. Segments of one run, known by their `id` and `after`, are put together again under their own names; where
/// they overlap they have to say the same.
///
/// - Complexity: one pass over all journals, which may be streams; memory is that of their states, of where they take turns, and
///   16 bytes for each commit in which segments overlap.
public struct JournalMerge {
    /// What a merge did.
    public struct Summary: Sendable {
        /// How many commits there are.
        public var commits = 0
        /// The apps that the journals are of, where they are of several.
        public var apps: [String] = []
        /// The stores that have another name now.
        public var renamed: [(journal: String, old: String, new: String)] = []
        /// The journals whose runs did not end cleanly.
        public var cut: [String] = []
        /// The incomplete last records that were left out.
        public var torn: [(path: String, tail: TornTail)] = []
    }

    private let header: JournalHeader
    private var sources: [MergeSource]
    private var lines = CopiedLines()
    private var summary = Summary()
    private var last = CommitNumber.zero
    private var takenStores = NameTable<Bool>()
    private var takenDerived = NameTable<Bool>()
    private var keyframes = KeyframeRule()
    private var counted = 0
    /// Whether the line written last is a commit: a keyframe stands directly after one.
    private var wasCommit = false

    /// Opens what is merged.
    public init(_ journals: [Journal]) throws {
        var headers: [JournalHeader] = []
        for journal in journals { headers.append(try journal.header()) }
        header = JournalMerge.header(of: headers)
        summary.apps = NameTable(headers.map { $0.app ?? "" }, true).names
        sources = []
        for run in JournalMerge.runs(journals, headers) {
            sources.append(try MergeSource(run))
            try sources.last?.advance()
        }
        lines.note(header.time)
    }

    /// Writes the merged journal.
    ///
    /// - Throws: `MergeError` where segments of one run contradict each other, `JournalError` where a line is damaged; what the
    ///   sink throws.
    public mutating func write(to sink: LineSink) throws -> Summary {
        lines.compose { $0.journal(header) }
        while let index = earliest() {
            try take(from: index)
            if sources[index].isWaiting { try sink.flush(&lines) }
            try sources[index].advance()
            writeKeyframeIfDue()
            try sink.offer(&lines)
        }
        for source in sources {
            if !source.isEnded { summary.cut.append(source.path) }
            summary.torn += source.torn
        }
        if summary.cut.isEmpty { lines.end(at: last, time: lines.lastTime(or: header.time)) }
        try sink.finish(&lines)
        summary.commits = lines.commits
        return summary
    }

    // MARK: What is merged

    /// Puts the segments of one run together: those with its `id` that begin after its first commit, in their order.
    private static func runs(_ journals: [Journal], _ headers: [JournalHeader]) -> [[Journal]] {
        var runs: [[Journal]] = []
        var ids: [String] = []
        let order = journals.indices.sorted { (journals[$0].start, $0) < (journals[$1].start, $1) }
        for index in order {
            let isSegment = headers[index].after != nil
            if isSegment, let run = ids.firstIndex(where: { UTF8Order.equal($0, headers[index].id) }) {
                runs[run].append(journals[index])
            } else {
                runs.append([journals[index]])
                ids.append(headers[index].id)
            }
        }
        // Names are given in the order in which the journals were named.
        let place: (Journal) -> Int = { journal in journals.firstIndex { $0 === journal } ?? 0 }
        return runs.sorted { place($0[0]) < place($1[0]) }
    }

    private static func header(of headers: [JournalHeader]) -> JournalHeader {
        var digest = SHA256()
        for header in headers { (header.id + "\n").withBytes { digest.update($0) } }
        let id = digest.finish().prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        func same(_ values: [String?]) -> String? {
            let first = values.first ?? nil
            return values.allSatisfy { $0.map { ByteName($0) } == first.map { ByteName($0) } } ? first : nil
        }
        let labels = (headers.first?.labels ?? []).filter { label in headers.allSatisfy { $0.labels.contains(label) } }
        return JournalHeader(
            id: headers.count == 1 ? headers[0].id : id,
            time: headers.map(\.time).min() ?? Timestamp(microseconds: 0), app: same(headers.map(\.app)),
            build: same(headers.map(\.build)), recorder: "state-inspect merge", labels: labels)
    }

    /// The source whose next line is the earliest; of equal times the one that was named first.
    private func earliest() -> Int? {
        var found: (index: Int, time: Timestamp)?
        for (index, source) in sources.enumerated() {
            guard let time = source.next?.time, time < found?.time ?? .init(microseconds: .max) else { continue }
            found = (index, time)
        }
        return found?.index
    }

    // MARK: One line

    private mutating func take(from index: Int) throws {
        guard let line = sources[index].next else { return }
        wasCommit = line.record.kind == .commit
        switch line.record.kind {
        case .journal, .keyframe, .end: lines.note(line.time)
        case .gap: try takeGap(line, from: index)
        case .store, .derived, .commit, .outcome, .abort, .mark, .close, .other:
            try line.record.withLine { record in try takeRecord(record, line, from: index) }
        }
    }

    private mutating func takeRecord(_ record: RecordLine, _ line: MergeSource.MergedLine, from index: Int) throws {
        let members = try record.token()
        var (edits, name): (MemberEdits, String) = ([], "")
        func set(_ member: String, _ value: JSONValue?) {
            if members[member]?.value() != value { edits.append((member, value)) }
        }
        switch record.kind {
        case .commit:
            try number(1)
            sources[index].numbers.add(record.seq.rawValue, last.rawValue)
            edits += ["cause", "undoes"].compactMap { sources[index].numbers.edit($0, of: members) }
            fallthrough
        case .store, .close, .abort:
            name = self.name(ofStore: members["store"]?.string ?? "", in: index)
            set("store", .string(name))
        case .derived:
            name = self.name(ofDerived: members["name"]?.string ?? "", in: index)
            set("name", .string(name))
            if let inputs = members["inputs"]?.value().array {
                set("inputs", .array(inputs.map { .string(pointer($0.string ?? "", in: index)) }))
            }
            if let from = members["from"]?.value().array {
                set("from", .array(from.map { .string(self.name(ofDerived: $0.string ?? "", in: index)) }))
            }
        case .outcome:
            let commit = sources[index].numbers.edit("commit", of: members)
            // The commit that it answers may be in none of the journals.
            guard members["commit"] != nil, commit == nil || commit?.value != nil else { return }
            if let commit { edits.append(commit) }
            if let entries = members["derived"]?.value().array {
                set("derived", .array(entries.map { renamed($0, in: index) }))
            }
        case .mark, .other, .journal, .keyframe, .end, .gap: break
        }
        lines.count(CountedRecord(record.kind, seq: last, name: name))
        set("seq", .number(JSONNumber(last.rawValue)))
        if line.isTimeMoved { set("time", .string(line.time.text)) }
        lines.note(line.time)
        try lines.write(record, edits)
    }

    private mutating func number(_ count: Int) throws {
        let (next, isOver) = last.rawValue.addingReportingOverflow(count)
        guard !isOver, next <= CommitNumber.largest.rawValue else { throw MergeError.tooManyCommits }
        last = CommitNumber(next)
    }

    private mutating func takeGap(_ line: MergeSource.MergedLine, from index: Int) throws {
        let gap = try line.record.decode(GapRecord.init)
        let first = last.next
        try number(gap.lost)
        sources[index].numbers.add(gap.first.rawValue, first.rawValue, count: gap.lost)
        var states = JSONObject()
        for other in sources.indices where other != index { collect(sources[other].openStores, of: other, &states) }
        collect(gap.states, of: index, &states)
        lines.note(line.time)
        lines.count(CountedRecord(.gap, seq: last, states: states.keys))
        lines.compose { builder in
            builder.beginGap(first: first, lost: gap.lost, time: line.time, reason: gap.reason)
            for (store, state) in states { builder.append(state, of: store) }
            builder.endGap()
        }
    }

    private mutating func writeKeyframeIfDue() {
        keyframes.passed(bytes: lines.byteCount - counted, isKeyframe: false)
        counted = lines.byteCount
        guard keyframes.isDue, wasCommit else { return }
        var states = JSONObject()
        for other in sources.indices { collect(sources[other].openStores, of: other, &states) }
        keyframes.passed(bytes: lines.keyframe(at: last, states: states), isKeyframe: true)
        counted = lines.byteCount
    }

    private mutating func collect(_ stores: JSONObject, of index: Int, _ states: inout JSONObject) {
        for (store, state) in stores { states.insertAscending(state, forKey: name(ofStore: store, in: index)) }
    }

    // MARK: Names and numbers

    private mutating func name(ofStore store: String, in index: Int) -> String {
        if let known = sources[index].storeNames[store] { return known }
        let name = JournalMerge.freeName(store, &takenStores)
        sources[index].storeNames[store] = name
        if !UTF8Order.equal(name, store) { summary.renamed.append((sources[index].path, store, name)) }
        return name
    }

    private mutating func name(ofDerived derived: String, in index: Int) -> String {
        if let known = sources[index].derivedNames[derived] { return known }
        let name = JournalMerge.freeName(derived, &takenDerived)
        sources[index].derivedNames[derived] = name
        return name
    }

    private static func freeName(_ name: String, _ taken: inout NameTable<Bool>) -> String {
        var free = name
        var number = 2
        while taken[free] != nil {
            free = "\(name)_\(number)"
            number += 1
        }
        taken[free] = true
        return free
    }

    private mutating func pointer(_ text: String, in index: Int) -> String {
        guard var pointer = try? JSONPointer(parsing: text), let store = pointer.segments.first else { return text }
        pointer.segments[0] = name(ofStore: store, in: index)
        return pointer.text
    }

    private mutating func renamed(_ entry: JSONValue, in index: Int) -> JSONValue {
        guard case .object(var members) = entry, let name = members["name"]?.string else { return entry }
        members["name"] = .string(self.name(ofDerived: name, in: index))
        return .object(members)
    }
}

/// Why journals cannot be merged.
public enum MergeError: DiagnosticConvertible, Equatable {
    case tooManyCommits
    case differentSegments(String, String, id: String, commit: CommitNumber)

    /// The error in words.
    public var diagnostic: Diagnostic {
        switch self {
        case .tooManyCommits:
            Diagnostic(
                code: "merge.too-many-commits",
                "the journals have more commits together than the \(CommitNumber.largest) that one can number")
        case .differentSegments(let one, let other, let id, let commit):
            Diagnostic(
                code: "merge.different-segments",
                "'\(one)' and '\(other)' are segments of one run, and say different things of commit \(commit)",
                notes: ["both have the id '\(id)'; no more than one of them can be right"])
        }
    }
}
