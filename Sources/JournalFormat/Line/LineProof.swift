/// What is proven of a line, so that it need not be parsed.
package struct LineProof {
    /// The line, where it is proven to be JSON in which no object has a name twice.
    package let line: ProvenLine?
    /// What it says, where it is a commit's and can be told apart in place.
    package let commit: CommitText?

    /// Takes what is proven.
    init(line: ProvenLine?, commit: CommitText?) {
        self.line = line
        self.commit = commit
    }

    /// Proves what can be proven of a line.
    ///
    /// - Complexity: as of ``ProvenLine/init(wellFormed:)``; what another thread that read ahead has proven is taken from there.
    package init(_ line: RecordLine) {
        if let found = line.findings?.proof(at: line.findingIndex) {
            self = found
            return
        }
        self.line = ProvenLine(wellFormed: line)
        commit = line.kind == .commit ? self.line.flatMap { CommitText($0) } : nil
    }
}

extension CompactedLine {
    /// Lends what a commit's line says in our writer's form, or says so but for white space; nil where it is to be parsed.
    ///
    /// - Parameter body: what is done with it; nothing of it is valid behind the call.
    /// - Complexity: one look at every byte, two and a copy where there is white space; what another thread that read ahead has
    ///   found is taken from there.
    package mutating func lendCommit<Result>(_ line: RecordLine, _ body: (CommitText) -> Result) -> Result? {
        if let found = line.findings?.commit(at: line.findingIndex) { return found.map(body) }
        if let commit = ProvenLine(compact: line).flatMap({ CommitText($0) }) { return body(commit) }
        return lend(line) { line in ProvenLine(compact: line).flatMap { CommitText($0) }.map(body) }
    }
}
