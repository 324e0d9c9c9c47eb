package import JSONCore
public import JournalFormat

/// Makes a journal in which the values at some paths are replaced by keyed hashes, wherever they stand.
///
/// States, patches with their `old`, keyframes and gaps are redacted by path. What has no path of the state, a payload, an
/// outcome, a mark, an error, is redacted by what it says: a scalar that was redacted anywhere in the journal, if it has four
/// bytes or more, and members of a payload or an outcome whose name ends one of the paths. A derived value that reads what is
/// redacted is redacted itself.
///
/// - Complexity: two passes; memory is that of the state and of the distinct scalars that are redacted.
public struct JournalRedaction {
    private let journal: Journal
    private let values: RedactedValues
    private var texts: RedactedTexts
    private var stores = JSONObject()
    private var lines = CopiedLines()
    /// Chooses the commits that may touch a match.
    private var touching: RecordFilter
    /// Whether the texts of members `at` that were met lately are locations.
    private var locations = RecentTexts<Bool>(capacity: 512)
    /// How many lines were written anew.
    private var changed = 0

    /// What a redaction did.
    public struct Summary: Sendable {
        /// How many lines were written anew.
        public var changed: Int
        /// What the journal ended in that is not whole; it was left out.
        public var torn: TornTail?
        /// Which of the paths, by their places in the list, match nothing in the whole journal.
        public var unmet: [Int]
    }

    /// A redaction of the values at and below some paths.
    ///
    /// - Parameters:
    ///   - paths: from the whole state; the whole state itself stands for each of its stores.
    ///   - key: what the values are hashed under; mostly one that nobody knows.
    package init(_ journal: Journal, _ paths: [PathSteps], key: RedactionKey = .random()) {
        self.journal = journal
        var matcher = PathMatcher(paths)
        if matcher.isMatch(matcher.root) { matcher = PathMatcher([PathSteps([.one])]) }
        values = RedactedValues(matcher, key)
        texts = RedactedTexts(values, paths)
        touching = RecordFilter(touching: matcher.paths, kinds: [.commit])
    }

    /// Writes the redacted journal.
    ///
    /// - Throws: `JournalError` where a line is damaged; what the sink throws.
    public mutating func write(
        to sink: LineSink, progress: (_ bytes: Int, _ commits: Int) -> Void = { _, _ in }
    ) throws -> Summary {
        try collect()
        var reader = journal.records()
        var count = 0
        while let line = try reader.next() {
            try line.checkSum()
            if try passOver(line) { lines.copy(line) } else { try take(line) }
            try sink.offer(&lines)
            count &+= 1
            if count & 4095 == 0 { progress(reader.offset.rawValue, reader.lastCommit.rawValue) }
        }
        try sink.finish(&lines)
        return Summary(changed: changed, torn: reader.tornTail, unmet: texts.unmet)
    }

    private mutating func take(_ line: RecordLine) throws(JournalError) {
        let object = try line.object()
        let redacted = try redacted(object, line)
        if redacted == object {
            lines.copy(line)
        } else {
            lines.write(redacted)
            changed += 1
        }
    }

    /// Finds everything that is going to be redacted by path.
    private mutating func collect() throws {
        var reader = journal.records()
        var filter = RecordFilter(
            touching: values.paths.paths, kinds: [.store, .commit, .keyframe, .gap, .derived])
        while let line = try reader.next(matching: &filter) { texts.collect(try line.object(), line.kind) }
    }

    // MARK: Lines that stay

    /// Goes on behind a line that is certain to stay as it is, without parsing it; false, with nothing done, for all others.
    ///
    /// That takes a line that is written as our writer writes, so that no member is hidden in it, and either a kind that holds
    /// no values, or a commit whose patch touches nothing that matches, by every one of its paths, and whose name and action
    /// hold none of the secrets. Only its patch is still applied.
    private mutating func passOver(_ line: RecordLine) throws(JournalError) -> Bool {
        switch line.kind {
        case .derived, .close, .end: return CompactLine(line) != nil
        case .commit: break
        default: return false
        }
        guard !touching.mayMatter(line), let compact = CompactLine(line), let commit = CommitText(compact),
            isLocation(commit.at), texts.leavesNames(of: compact)
        else { return false }
        let store = String(decoding: commit.store, as: UTF8.self)
        let applied: Void? = try stores.modify(store) { (state: inout JSONValue) throws(JournalError) in
            try line.applyPatch(to: &state)
        }
        guard applied != nil else {
            throw JournalError(
                path: journal.path,
                .damage(
                    JournalDamage(
                        line: line.number, offset: line.offset, reason: .storeNotOpen(commit: line.seq, store: store))))
        }
        return true
    }

    private mutating func isLocation(_ text: UnsafeRawBufferPointer) -> Bool {
        if let known = locations.value(of: text) { return known }
        let isLocation = SourceLocation(text: text) != nil
        locations.keep(isLocation, of: text)
        return isLocation
    }

    // MARK: One record

    private mutating func redacted(_ record: JSONObject, _ line: RecordLine) throws(JournalError) -> JSONObject {
        var object = record
        switch line.kind {
        case .store:
            let store = record["store"]?.string ?? ""
            let state = record["state"] ?? .null
            stores[store] = state.ascending()
            object["state"] = values.redacted(state, at: [store])
        case .commit: try redactPatch(&object, line)
        case .keyframe: object["states"] = states(record)
        case .gap:
            object["states"] = states(record)
            if case .object(let states)? = record["states"].map({ $0.ascending() }) { stores = states }
        default: break
        }
        texts.redact(&object, line.kind)
        return object
    }

    private func states(_ record: JSONObject) -> JSONValue? {
        guard case .object(var states)? = record["states"] else { return record["states"] }
        for (store, state) in states { states[store] = values.redacted(state, at: [store]) }
        return .object(states)
    }

    private mutating func redactPatch(_ object: inout JSONObject, _ line: RecordLine) throws(JournalError) {
        let commit: CommitRecord
        func damage(_ reason: JournalDamage.Reason) -> JournalError {
            JournalError(
                path: journal.path, .damage(JournalDamage(line: line.number, offset: line.offset, reason: reason)))
        }
        do throws(RecordFault) { commit = try CommitRecord(object) } catch { throw damage(.record(error)) }
        let values = values
        let store = commit.store
        let patch: JSONPatch??
        do throws(PatchError) {
            patch = try stores.modify(store) { (state: inout JSONValue) throws(PatchError) in
                try RedactedPatch.of(commit.patch, values, store: store, state: &state)
            }
        } catch {
            throw damage(.patch(commit: line.seq, store: store, error))
        }
        guard let patch else { throw damage(.storeNotOpen(commit: line.seq, store: store)) }
        if let patch { object["patch"] = patch.json }
    }
}
