import JSONCore
import JournalFormat
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

        /// Creates a summary before anything was merged.
        public init() {}
    }

    private let header: JournalHeader
    private var sources: [MergeSourceBox]
    private var lines = CopiedLines()
    private var summary = Summary()
    private var last = CommitNumber.zero
    private var takenStores = NameTable<Bool>()
    private var takenDerived = NameTable<Bool>()
    private var keyframes = KeyframeRule()
    /// How many of the written bytes the rule has counted.
    private var counted = 0
    /// Whether the line written last is a commit: a keyframe stands directly after one.
    private var wasCommit = false
    /// A buffer for a line that changes.
    private var changed: [UInt8] = []

    /// A source that lies in an array.
    private final class MergeSourceBox {
        let path: String
        var source: MergeSource

        init(path: String, _ source: consuming MergeSource) {
            self.path = path
            self.source = source
        }
    }

    /// Opens what is merged.
    ///
    /// - Throws: `JournalError` where a first line is not what it should be.
    public init(_ journals: [Journal]) throws {
        var headers: [JournalHeader] = []
        for journal in journals { headers.append(try journal.header()) }
        header = JournalMerge.header(of: headers)
        summary.apps = JournalMerge.distinct(headers.map { $0.app ?? "" })
        sources = []
        for run in JournalMerge.runs(journals, headers) {
            sources.append(MergeSourceBox(path: run[0].path, try MergeSource(run)))
            try sources.last?.source.advance()
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
            if sources[index].source.isWaiting { try sink.flush(&lines) }
            try sources[index].source.advance()
            writeKeyframeIfDue()
            try sink.offer(&lines)
        }
        for box in sources {
            if !box.source.isEnded { summary.cut.append(box.path) }
            summary.torn += box.source.torn
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
        for header in headers { Array((header.id + "\n").utf8).withUnsafeBytes { digest.update($0) } }
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

    private static func distinct(_ names: [String]) -> [String] {
        var seen: [String] = []
        for name in names where !seen.contains(where: { UTF8Order.equal($0, name) }) { seen.append(name) }
        return seen
    }

    /// The source whose next line is the earliest; of equal times the one that was named first.
    private func earliest() -> Int? {
        var found: (index: Int, time: Timestamp)?
        for (index, box) in sources.enumerated() {
            guard let time = box.source.next?.time, time < found?.time ?? .init(microseconds: .max) else { continue }
            found = (index, time)
        }
        return found?.index
    }

    // MARK: One line

    private mutating func take(from index: Int) throws {
        guard let line = sources[index].source.next else { return }
        wasCommit = line.record.kind == .commit
        switch line.record.kind {
        case .journal, .keyframe, .end: lines.note(line.time)
        case .gap: try takeGap(line, from: index)
        case .store, .derived, .commit, .outcome, .abort, .mark, .close, .other:
            if let places = line.commit {
                try takeCommit(line, places, from: index)
            } else {
                try takeRecord(line, from: index)
            }
        }
    }

    /// Takes a commit over by the places in its line that change.
    private mutating func takeCommit(_ line: MergeSource.Line, _ places: CommitPlaces, from index: Int) throws {
        try number(1)
        sources[index].source.numbers.add(line.record.seq.rawValue, last.rawValue)
        lines.note(line.time)
        line.record.withLine { record in
            let store = places.store(in: record.bytes)
            let name = name(ofStore: store, in: index)
            lines.count(CountedRecord(.commit, seq: last, name: name))
            let cause = places.cause(in: record.bytes)
            let newCause = cause.flatMap { sources[index].source.numbers[$0] }
            let isRenamed = !UTF8Order.equal(name, store)
            guard isRenamed || cause != newCause || line.record.seq != last else { return lines.copy(record) }
            places.write(
                record.bytes, seq: last.rawValue, store: isRenamed ? Array(JSONValue.string(name).text().utf8) : nil,
                cause: newCause, to: &changed)
            lines.write(line: changed)
        }
    }

    private mutating func takeRecord(_ line: MergeSource.Line, from index: Int) throws {
        let whole = try line.object()
        var object = whole
        var name = ""
        switch line.record.kind {
        case .commit:
            try number(1)
            sources[index].source.numbers.add(line.record.seq.rawValue, last.rawValue)
            for member in ["cause", "undoes"] { map(&object, member, in: index) }
            name = rename(&object, "store", in: index)
        case .store, .close, .abort: name = rename(&object, "store", in: index)
        case .derived: name = renameDerived(&object, in: index)
        case .outcome:
            map(&object, "commit", in: index)
            // The commit that it answers is in none of the journals.
            guard object["commit"] != nil else { return }
            renameOutcomes(&object, in: index)
        case .mark, .other, .journal, .keyframe, .end, .gap: break
        }
        lines.count(CountedRecord(line.record.kind, seq: last, name: name))
        object.set("seq", last.rawValue)
        lines.note(line.time)
        if object == whole, !line.isChanged { line.record.withLine { lines.copy($0) } } else { lines.write(object) }
    }

    /// Counts commits on.
    private mutating func number(_ count: Int) throws {
        let (next, isOver) = last.rawValue.addingReportingOverflow(count)
        guard !isOver, next <= CommitNumber.largest.rawValue else {
            throw MergeError.tooManyCommits
        }
        last = CommitNumber(next)
    }

    private mutating func takeGap(_ line: MergeSource.Line, from index: Int) throws {
        let gap = try line.record.decode { (o) throws(RecordFault) in try GapRecord(o) }
        let first = last.next
        try number(gap.lost)
        sources[index].source.numbers.add(gap.first.rawValue, first.rawValue, count: gap.lost)
        var states = JSONObject()
        for other in sources.indices where other != index {
            collect(sources[other].source.openStores, of: other, &states)
        }
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
        for other in sources.indices { collect(sources[other].source.openStores, of: other, &states) }
        keyframes.passed(bytes: lines.keyframe(at: last, states: states), isKeyframe: true)
        counted = lines.byteCount
    }

    private mutating func collect(_ stores: JSONObject, of index: Int, _ states: inout JSONObject) {
        for (store, state) in stores { states.insertAscending(state, forKey: name(ofStore: store, in: index)) }
    }

    // MARK: Names and numbers

    private mutating func name(ofStore store: String, in index: Int) -> String {
        if let known = sources[index].source.storeNames[store] { return known }
        let name = JournalMerge.freeName(store, &takenStores)
        sources[index].source.storeNames[store] = name
        if !UTF8Order.equal(name, store) { summary.renamed.append((sources[index].path, store, name)) }
        return name
    }

    private mutating func name(ofDerived derived: String, in index: Int) -> String {
        if let known = sources[index].source.derivedNames[derived] { return known }
        let name = JournalMerge.freeName(derived, &takenDerived)
        sources[index].source.derivedNames[derived] = name
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

    private mutating func rename(_ object: inout JSONObject, _ member: String, in index: Int) -> String {
        let name = name(ofStore: object[member]?.string ?? "", in: index)
        object[member] = .string(name)
        return name
    }

    private mutating func renameDerived(_ object: inout JSONObject, in index: Int) -> String {
        let name = name(ofDerived: object["name"]?.string ?? "", in: index)
        object["name"] = .string(name)
        if case .array(let inputs)? = object["inputs"] {
            object["inputs"] = .array(inputs.map { .string(pointer($0.string ?? "", in: index)) })
        }
        if case .array(let from)? = object["from"] {
            object["from"] = .array(from.map { .string(self.name(ofDerived: $0.string ?? "", in: index)) })
        }
        return name
    }

    private mutating func pointer(_ text: String, in index: Int) -> String {
        guard var pointer = try? JSONPointer(parsing: text), let store = pointer.segments.first else { return text }
        pointer.segments[0] = name(ofStore: store, in: index)
        return pointer.text
    }

    private mutating func renameOutcomes(_ object: inout JSONObject, in index: Int) {
        guard case .array(var entries)? = object["derived"] else { return }
        for place in entries.indices {
            guard case .object(var entry) = entries[place], let name = entry["name"]?.string else { continue }
            entry["name"] = .string(self.name(ofDerived: name, in: index))
            entries[place] = .object(entry)
        }
        object["derived"] = .array(entries)
    }

    /// Maps a member that is a commit's number; one that is not in the merged journal goes away.
    private func map(_ object: inout JSONObject, _ member: String, in index: Int) {
        guard let old = object[member]?.number?.integerValue else { return }
        if let new = sources[index].source.numbers[old] { object.set(member, new) } else { object[member] = nil }
    }
}
