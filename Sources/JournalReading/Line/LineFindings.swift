import JournalFormat

/// What a thread that reads ahead looks for in the lines that are wanted, so that the reader that takes them need not.
package enum LineFinding: Sendable {
    /// The patches of commits: ``WrittenPatch``.
    case patches
    /// What can be proven of each line: ``LineProof``.
    case proofs
    /// What commits say in our writer's form, but for white space: ``CompactedLine/withCommit(_:_:)``.
    case commits
}

/// What was found in the lines of a part that was read ahead, by their index among those that are wanted.
///
/// What many lines have lies in few arrays: to count references to arrays that another thread has made costs more than to find
/// most of what is in them.
final class LineFindings {
    /// What was found in one line.
    fileprivate struct Finding {
        /// The store of a commit's patch that was looked for; nil where the line is to be parsed.
        var store: LineString?
        /// The line that was looked at, without its members; nil where nothing is proven of it.
        var line: ProvenLine?
        /// What a commit's line says, without its operations; nil where it is to be parsed.
        var commit: CommitText?
        /// Where its members and operations end, which stand after those of the line before.
        var memberEnd = 0
        var operationEnd = 0
    }

    private let wanted: LineFinding
    private let findings: [Finding]
    private let members: [ProvenLine.Member]
    private let operations: [PatchOperation]

    /// Takes what was found.
    init(_ builder: consuming Builder) {
        wanted = builder.wanted
        findings = builder.findings
        members = builder.members
        operations = builder.operations
    }

    /// A line's patch; nil where it was not looked for, or is to be parsed.
    func patch(at index: Int) -> WrittenPatch? {
        guard wanted == .patches, let store = findings[index].store else { return nil }
        return WrittenPatch(store: store, operations: operations(at: index))
    }

    /// What is proven of a line; nil where that was not looked for.
    func proof(at index: Int) -> LineProof? {
        guard wanted == .proofs else { return nil }
        guard var line = findings[index].line else { return LineProof(line: nil, commit: nil) }
        let start = index == 0 ? 0 : findings[index - 1].memberEnd
        line.members = members[start..<findings[index].memberEnd]
        return LineProof(line: line, commit: textOfCommit(at: index))
    }

    /// What a commit says; nil where that was not looked for, nil in it where the line is to be parsed.
    func commit(at index: Int) -> CommitText?? {
        guard wanted == .commits else { return nil }
        return .some(textOfCommit(at: index))
    }

    private func textOfCommit(at index: Int) -> CommitText? {
        guard var commit = findings[index].commit else { return nil }
        commit.operations = operations(at: index)
        return commit
    }

    private func operations(at index: Int) -> ArraySlice<PatchOperation> {
        operations[(index == 0 ? 0 : findings[index - 1].operationEnd)..<findings[index].operationEnd]
    }

    /// Finds it, line by line.
    struct Builder {
        fileprivate let wanted: LineFinding
        fileprivate private(set) var findings: [Finding] = []
        fileprivate private(set) var members: [ProvenLine.Member] = []
        fileprivate private(set) var operations: [PatchOperation] = []
        private var compacted = CompactedLine()

        init(_ wanted: LineFinding) { self.wanted = wanted }

        /// Looks at the next line.
        ///
        /// - Parameters:
        ///   - line: one whose bytes stay.
        ///   - kept: where a copy of it may be kept.
        mutating func add(_ line: RecordLine, _ kept: inout KeptBytes.Builder) {
            var finding = Finding()
            switch wanted {
            case .patches:
                if line.kind == .commit { finding.store = WrittenPatch.walk(line, &operations) }
            case .proofs:
                finding.line = prove(line, as: .wellFormed)
                if line.kind == .commit { finding.commit = finding.line.flatMap { text(of: $0) } }
                finding.line?.members = []
            case .commits:
                if line.kind == .commit { finding.commit = commit(line, &kept) }
                members.removeAll(keepingCapacity: true)
            }
            finding.commit?.operations = []
            (finding.memberEnd, finding.operationEnd) = (members.count, operations.count)
            findings.append(finding)
        }

        private mutating func prove(_ line: RecordLine, as form: ProvingScanner.Form) -> ProvenLine? {
            ProvenLine(line, as: form, adding: &members)
        }

        private mutating func text(of line: ProvenLine) -> CommitText? { CommitText(line, adding: &operations) }

        private mutating func commit(_ line: RecordLine, _ kept: inout KeptBytes.Builder) -> CommitText? {
            if let proven = prove(line, as: .compact), let commit = text(of: proven) { return commit }
            // Taken out, since its buffer is borrowed while the copy is looked at.
            var copy = CompactedLine()
            swap(&copy, &compacted)
            defer { compacted = copy }
            return copy.withCompacted(line) { copied in
                var copied = copied
                copied.bytes = kept.append(copied.bytes)
                return prove(copied, as: .compact).flatMap { text(of: $0) }
            }
        }
    }
}
