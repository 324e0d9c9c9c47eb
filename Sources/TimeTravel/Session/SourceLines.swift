package import JSONCore
package import JournalFormat
package import JournalReading

/// Memory is that of the different places; each line of the journal is read once, also as the journal grows.
package struct SourceLines {
    package struct Line: Sendable, Equatable {
        /// The file as the compiler names it: `Shop/Cart.swift`.
        package let file: String
        /// From 1.
        package let line: Int
        /// The function that its last commit was made in.
        package internal(set) var function: String
        package internal(set) var commits: Int
        package let first: CommitNumber
        package internal(set) var last: CommitNumber
    }

    /// No more places, and no more names of functions, are kept.
    package static let limit = 100_000
    private static let sliceLength = 512

    /// The lines are in the order in which they first committed.
    package private(set) var lines: [Line] = []
    /// What functions and the app call the commits.
    package private(set) var names: Set<ByteName> = []
    package var isComplete: Bool { position >= end }
    package private(set) var position: CommitNumber
    private var end: CommitNumber
    private var journal: Journal
    private var slots: [FileLine: Int] = [:]
    private var known = RecentTexts<Int>(capacity: 512)

    private struct FileLine: Hashable {
        let file: [UInt8]
        let line: Int
    }

    package init(_ journal: Journal) throws(JournalError) {
        self.journal = journal
        position = journal.start
        end = try journal.lastCommit
    }

    /// Takes the journal as it is now; one that was cut is read anew.
    package mutating func follow(_ journal: Journal) throws(JournalError) {
        let last = try journal.lastCommit
        if last < position { self = try SourceLines(journal) }
        self.journal = journal
        end = last
    }

    /// Damage is passed over.
    package mutating func advance() throws(JournalError) {
        guard !isComplete else { return }
        let isNear = end.rawValue - position.rawValue <= SourceLines.sliceLength
        let upper = isNear ? end : CommitNumber(position.rawValue + SourceLines.sliceLength)
        var reader = try journal.records(after: position, through: upper, recover: true)
        while let line = try reader.next() { if line.kind == .commit, line.seq > position { try? note(line) } }
        position = upper
    }

    package mutating func note(_ line: RecordLine) throws(JournalError) {
        let record = try line.token()
        if names.count < SourceLines.limit, let name = record["name"]?.string { names.insert(ByteName(name)) }
        guard let at = record["at"], let slot = known.value(of: at.text) ?? slot(of: at, line.seq) else { return }
        lines[slot].commits += 1
        lines[slot].last = line.seq
    }

    private mutating func slot(of token: JSONToken, _ commit: CommitNumber) -> Int? {
        guard case .object(let at) = token.value(), let file = at["file"]?.string,
            let line = at["line"]?.number?.integerValue, line > 0, line < Int32.max
        else { return nil }
        let function = at["function"]?.string ?? ""
        let key = FileLine(file: Array(file.utf8), line: line)
        let slot = slots[key] ?? lines.count
        if slot == lines.count {
            guard lines.count < SourceLines.limit else { return nil }
            slots[key] = slot
            lines.append(Line(file: file, line: line, function: function, commits: 0, first: commit, last: commit))
        }
        lines[slot].function = function
        if !function.isEmpty, names.count < SourceLines.limit { names.insert(ByteName(function)) }
        known.keep(slot, of: token.text)
        return slot
    }
}
