internal import Diagnostics
internal import JSONCore
internal import JournalFormat
internal import StateEncoding

extension JournalComposer {
    mutating func compose(_ commit: PendingCommit) {
        commit.track.latest = (commit.version, commit.number)
        guard commit.track.isEncoded, recoverIfPossible() else { return deferCommit(commit) }
        if commit.action?.payload != nil { return composeRedacted(commit) }
        begin(commit, commit.action.map { encode($0, of: commit.track) })
        let patchStart = lines.bytes.count
        do throws(StateEncodingError) {
            try commit.advance(appendingPatchTo: &lines.bytes)
        } catch {
            lines.abandonRecord()
            return skipUnencodable(commit, error)
        }
        spreadRedaction(of: commit.track)
        finish(commit, patchStart: patchStart)
    }

    /// Composes a commit whose action may carry what its patch redacts: the patch is made first, to know what that is.
    private mutating func composeRedacted(_ commit: PendingCommit) {
        var patch: [UInt8] = []
        do throws(StateEncodingError) {
            try commit.advance(appendingPatchTo: &patch)
        } catch {
            return skipUnencodable(commit, error)
        }
        spreadRedaction(of: commit.track)
        let redaction = payloadRedaction
        begin(commit, commit.action.map { encode($0, of: commit.track, redaction) })
        let patchStart = lines.bytes.count
        lines.bytes.append(contentsOf: patch)
        finish(commit, patchStart: patchStart)
    }

    private mutating func begin(_ commit: PendingCommit, _ action: EncodedAction?) {
        lines.beginCommit(
            head(of: commit), seq: commit.number, version: commit.version, time: commit.time, name: commit.name,
            action: action, cause: commit.cause,
            trace: commit.trace?.trace, span: commit.trace?.span, undoes: commit.undoes)
    }

    private mutating func head(of commit: PendingCommit) -> CommitHead {
        let (name, location) = (commit.track.name, commit.location)
        let slot = (location.mixed &+ name.utf8.count &* 7) & (heads.count - 1)
        if let (place, head) = heads[slot], place.isIdentical(to: location), UTF8Order.equal(head.store, name) {
            return head
        }
        let head = CommitHead(store: name, at: location.source)
        heads[slot] = (location, head)
        return head
    }

    private mutating func finish(_ commit: PendingCommit, patchStart: Int) {
        commit.keep(patch: lines.bytes[patchStart...])
        lines.endRecord()
        position = commit.number
        endsWithCommit = true
        pendingCloses = 0
        if isKeyframeDue { flush() }
    }

    /// The action for its record; without a payload that has no JSON form, which is reported.
    private mutating func encode(
        _ action: CommitAction, of track: StoreTrack, _ redaction: PayloadRedaction? = nil
    ) -> EncodedAction {
        do throws(StateEncodingError) {
            guard let shown = try payload(of: action, redaction) else { return EncodedAction(type: action.type) }
            guard let name = action.caseName else { return EncodedAction(type: action.type, payload: shown) }
            return EncodedAction(type: action.type, payload: CasePayload.associatedValues(of: name, in: shown))
        } catch {
            report(error, of: track)
            return EncodedAction(type: action.type)
        }
    }

    /// The JSON of what an action, or a mark, carries, without what is redacted; nil where it carries nothing.
    func payload(of action: CommitAction, _ redaction: PayloadRedaction?) throws(StateEncodingError) -> [UInt8]? {
        guard let payload = action.payload else { return nil }
        var bytes: [UInt8] = []
        var options = EncodingOptions()
        options.types = protection.types
        options.valueLimit = protection.valueLimit
        options.cases = protection.payloads
        try ThreadActivity.duringEncoding(of: action.valueType) { () throws(StateEncodingError) in
            try ValueEncoder.append(payload, to: &bytes, options: options)
        }
        let whole = isNamedSecret(action) || isPropertyHidden ? protection.redacted(bytes) : bytes
        return redaction?.redacted(whole) ?? whole
    }

    /// Whether an action is redacted by a name that is not that of its type: the encoder does not meet it.
    private func isNamedSecret(_ action: CommitAction) -> Bool {
        let type = TypeName.name(of: action.valueType)
        if UTF8Order.equal(action.type, type) || UTF8Order.begins(action.type, with: "\(type).") { return false }
        let redactions = protection.payloads.filter { $0.action == action.type }
        for redaction in redactions { redaction.entry.recordMatch() }
        return !redactions.isEmpty
    }

    /// Whether it is not known where a redacted property is, nor then under what name a payload may have it.
    private var isPropertyHidden: Bool { protection.types.hasUnresolved || protection.types.hasUnseen }

    /// Takes a commit that cannot be written: neither the file nor the store's tree has the state before it.
    private mutating func deferCommit(_ commit: PendingCommit) {
        flush()
        position = commit.number
        pendingCloses = 0
        if commit.track.isEncoded {
            var unused: [UInt8] = []
            do throws(StateEncodingError) {
                try commit.advance(appendingPatchTo: &unused)
            } catch {
                report(error, of: commit.track)
            }
            spreadRedaction(of: commit.track)
        } else {
            // There is no patch to make, so the state is encoded from scratch.
            commit.moveWithoutPatch()
            _ = restart(commit.track)
        }
        if lossReason == nil { lossReason = "the state of '\(commit.track.name)' could not be encoded" }
        if commit.track.isEncoded { _ = recoverIfPossible() }
    }

    /// Continues after a commit whose state could not be encoded: without its store, until a state can be.
    private mutating func skipUnencodable(_ commit: PendingCommit, _ error: StateEncodingError) {
        flush()
        position = commit.number
        pendingCloses = 0
        report(error, of: commit.track)
        // The state itself can be encoded, only no patch that leads to it.
        if error.reason == .incrementalDifference { _ = restart(commit.track) }
        if lossReason == nil {
            // The error's message may name keys of a redacted dictionary.
            let words = commit.track.hasRedactions ? "" : ": \(error.diagnostic.message)"
            lossReason = "the state of '\(commit.track.name)' could not be encoded\(words)"
        }
        recover()
    }
}
