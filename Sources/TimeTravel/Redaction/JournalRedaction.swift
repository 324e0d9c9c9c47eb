package import JSONCore
package import JournalFormat
public import JournalReading

/// Makes a journal in which the values at some paths are replaced by keyed hashes, and nothing else says them.
///
/// States, patches with their `old`, keyframes and gaps are redacted by path. What any position has at such a path is then
/// searched for in everything else: a text of four bytes or more is replaced wherever it stands, in other values, names, marks,
/// errors and payloads, and so is a number of four digits or more. Members of a payload or an outcome whose name ends one of the
/// paths are redacted, and so is the outcome of a derived value that may read what is redacted.
///
/// Numbers and times that the format itself needs stay, and so do shorter texts, plain names of members, and anything that a
/// program made of a secret.
///
/// - Complexity: two passes; memory is that of the state and of the distinct scalars that are redacted, the first 256 bytes of
///   each.
public struct JournalRedaction {
    private let journal: Journal
    private let values: RedactedValues
    private let texts: RedactedTexts
    private let filter: SecretFilter
    private let derivedSecrets: NameTable<Bool>
    /// Which of the paths, by their places in the list, match nothing in the whole journal.
    public let unmet: [Int]
    private var run: PositionState
    private var lines = CopiedLines()
    private var touching: RecordFilter
    private var places = RecentTexts<Bool>(capacity: 512)
    private var changed = 0

    /// What a redaction did.
    public struct Written: Sendable {
        /// How many lines were written anew.
        public var changed: Int
        /// What the journal ended in that is not whole; it was left out.
        public var torn: TornTail?
    }

    /// - Parameters:
    ///   - paths: from the whole state; the whole state itself stands for each of its stores.
    ///   - key: what the values are hashed under; mostly a random one.
    package init(_ journal: Journal, _ paths: [PathSteps], key: RedactionKey = .random()) throws(JournalError) {
        self.journal = journal
        run = PositionState(start: journal.start)
        var matcher = PathMatcher(paths, comparesText: true)
        if matcher.isMatch(matcher.root) { matcher = PathMatcher([PathSteps([.one])]) }
        var survey = RedactionSurvey(matcher, paths)
        try survey.read(journal)
        let names = JournalRedaction.lastNames(of: paths)
        values = RedactedValues(matcher, key)
        texts = RedactedTexts(values, survey.secrets, names: names)
        filter = SecretFilter(survey.secrets, names: names)
        derivedSecrets = survey.derivedSecrets()
        unmet = survey.unmet
        touching = RecordFilter(touching: matcher.paths, kinds: [.commit])
    }

    private static func lastNames(of paths: [PathSteps]) -> [String] {
        paths.compactMap { path in
            guard case .key(let name)? = path.steps.last, JSONPointer.arrayIndex(name) == nil, path.steps.count > 1
            else { return nil }
            return name
        }
    }

    /// Writes the redacted journal.
    public mutating func write(to sink: LineSink) throws -> Written {
        var reader = journal.records()
        while let line = try reader.next() {
            if try passOver(line) { lines.copy(line) } else { try take(line) }
            try sink.offer(&lines)
        }
        try sink.finish(&lines)
        return Written(changed: changed, torn: reader.tornTail)
    }

    /// Copies a line in which nothing is redacted, if no member in it stands twice: the first would be copied unseen.
    private mutating func take(_ line: RecordLine) throws(JournalError) {
        let object = try line.object()
        let redacted = try redacted(object, line)
        if redacted == object, line.isAsWritten { return lines.copy(line) }
        lines.write(redacted)
        changed += 1
    }

    package func redacted(_ state: JSONValue) -> JSONValue { texts.masked(values.redacted(state, at: [])) }

    // MARK: Lines that stay

    /// False, with nothing done, unless the line is certain to stay as it is: written as our writer writes, so that no
    /// member is hidden in it, without a secret, and without values or with a patch that touches nothing that matches.
    ///
    /// Only its patch is still applied, and nothing is parsed.
    private mutating func passOver(_ line: RecordLine) throws(JournalError) -> Bool {
        switch line.kind {
        case .derived, .end: return line.isAsWritten && !filter.mayMatter(line.bytes)
        case .commit: break
        case .journal, .store, .outcome, .abort, .mark, .keyframe, .gap, .close, .other: return false
        }
        guard !touching.mayMatter(line), line.isAsWritten, !filter.mayMatter(line.bytes),
            (try? CheckedCommit(line, &places)) != nil
        else { return false }
        var log = ApplyLog(order: .asWritten)
        try run.apply(line, &log)
        return true
    }

    // MARK: One record

    private mutating func redacted(_ record: JSONObject, _ line: RecordLine) throws(JournalError) -> JSONObject {
        var object = record
        switch line.kind {
        case .store:
            let store = record["store"]?.string ?? ""
            let state = record["state"] ?? .null
            run.advance(to: line.seq)
            run.open(store, state.ascending())
            object["state"] = texts.redacted(state, of: store)
        case .commit: try redactPatch(&object, line)
        case .close:
            run.advance(to: line.seq)
            run.close(try line.storeName())
        case .keyframe: object["states"] = states(record)
        case .gap:
            object["states"] = states(record)
            if case .object(let states)? = record["states"].map({ $0.ascending() }) {
                run.restart(with: states, at: line.seq)
            }
        case .journal, .derived, .outcome, .abort, .mark, .end, .other: break
        }
        return texts.masked(object, line.kind) { derivedSecrets[$0] != false }
    }

    private func states(_ record: JSONObject) -> JSONValue? {
        guard case .object(let states)? = record["states"] else { return record["states"].map(values.hash) }
        return .object(JSONObject(states.map { (texts.masked($0.key), texts.redacted($0.value, of: $0.key)) }))
    }

    private mutating func redactPatch(_ object: inout JSONObject, _ line: RecordLine) throws(JournalError) {
        let commit: CommitRecord
        do throws(RecordFault) { commit = try CommitRecord(object) } catch { throw line.damage(.record(error)) }
        let (values, texts, store) = (values, texts, commit.store)
        let patch: JSONPatch?
        do throws(PatchError) {
            run.begin(line.seq)
            patch = try run.modifyStore(store) { (state: inout JSONValue) throws(PatchError) in
                try RedactedPatch.of(commit.patch, values, texts, store: store, state: &state)
            }
        } catch {
            throw line.damage(.patch(commit: line.seq, store: store, error))
        }
        guard let patch else { throw line.damage(.storeNotOpen(commit: line.seq, store: store)) }
        // Unknown members of operations are copied where the patch is written anew.
        object["patch"] = patch == commit.patch ? masked(patch, in: object["patch"]) : patch.json
    }

    private func masked(_ patch: JSONPatch, in written: JSONValue?) -> JSONValue? {
        guard case .array(let operations)? = written else { return written }
        return .array(
            zip(patch.operations, operations).map { operation, written in
                let known = operation.json
                return .object(
                    JSONObject(
                        (written.object ?? known).map { name, value in
                            known[name] == nil ? (texts.masked(name), texts.maskedMember(name, value)) : (name, value)
                        }))
            })
    }
}
