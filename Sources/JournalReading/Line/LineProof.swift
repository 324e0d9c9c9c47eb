import JournalFormat

/// What is proven of a line, so that it need not be parsed.
package struct LineProof {
    /// The line, where it is proven to be JSON in which no object has a name twice.
    package let line: ProvenLine?
    /// What it says, if it is a commit's and its members can be found in place.
    package let commit: CommitText?

    /// Takes what is proven.
    init(line: ProvenLine?, commit: CommitText?) {
        self.line = line
        self.commit = commit
    }
}

/// Proves lines one after another, in room that is used again for each: nothing is allocated for most of them.
package struct LineProver {
    private var members: [ProvenLine.Member] = []
    private var operations: [PatchOperation] = []

    /// Without a line.
    package init() {}

    /// What can be proven of a line; what was said of the line before is best dropped first.
    ///
    /// - Complexity: as of ``ProvenLine/init(wellFormed:)``; what another thread that read ahead has proven is taken from there.
    package mutating func proof(of line: RecordLine) -> LineProof {
        if let found = line.findings?.proof(at: line.findingIndex) { return found }
        let proven = prove(line, as: .wellFormed)
        return LineProof(line: proven, commit: line.kind == .commit ? proven.flatMap { text(of: $0) } : nil)
    }

    /// What a commit's line says that is in our writer's form; nil where it is in another.
    mutating func compactCommit(_ line: RecordLine) -> CommitText? {
        prove(line, as: .compact).flatMap { text(of: $0) }
    }

    private mutating func prove(_ line: RecordLine, as form: ProvingScanner.Form) -> ProvenLine? {
        members.removeAll(keepingCapacity: true)
        return ProvenLine(line, as: form, adding: &members)
    }

    private mutating func text(of line: ProvenLine) -> CommitText? {
        operations.removeAll(keepingCapacity: true)
        return CommitText(line, adding: &operations)
    }
}
