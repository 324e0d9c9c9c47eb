/// Counts the lines of one file as they are written: its totals, its last commit, and when the next keyframe is due.
struct WrittenTotals: Sendable {
    private(set) var lastCommit: CommitNumber
    /// The length of all lines.
    private(set) var byteCount = 0
    private var slots: [Name: Int] = [:]
    private var commits: [Totals.StoreCommits] = []
    /// The slot of the last commit: runs of commits are mostly of one store.
    private var recent = 0
    private var others = Totals()
    private var keyframes = KeyframeRule()

    init(start: CommitNumber) { lastCommit = start }

    /// What the file holds.
    var totals: Totals {
        var totals = others
        totals.commits = commits
        return totals
    }

    /// Whether a keyframe is due directly after the last commit.
    var needsKeyframe: Bool { keyframes.isDue }

    /// Counts lines in the order in which they lie in the file.
    mutating func count(_ records: [ComposedRecord]) {
        for record in records { count(record) }
    }

    private mutating func count(_ record: ComposedRecord) {
        byteCount += record.byteCount
        keyframes.passed(bytes: record.byteCount, isKeyframe: record.kind == .keyframe)
        switch record.kind {
        case .commit:
            lastCommit = record.seq
            countCommit(of: record.name)
        case .store: open(record.name)
        case .close: others.open.removeAll { Name($0) == Name(record.name) }
        case .derived: others.derived.append(record.name)
        case .mark: others.marks += 1
        case .abort: others.aborts += 1
        case .gap:
            lastCommit = record.seq
            others.gaps += 1
            others.open = record.states
        case .journal, .outcome, .keyframe, .end, .other: break
        }
    }

    private mutating func countCommit(of store: String) {
        if recent < commits.count, Name(commits[recent].store) == Name(store) {
            commits[recent].count += 1
            return
        }
        recent = slots[Name(store)] ?? commits.count
        if recent == commits.count {
            slots[Name(store)] = recent
            commits.append(Totals.StoreCommits(store: store, count: 0))
        }
        commits[recent].count += 1
    }

    private mutating func open(_ store: String) {
        if !others.open.contains(where: { Name($0) == Name(store) }) { others.open.append(store) }
    }

    /// A name that is compared by its UTF-8, not by canonical equivalence as strings are.
    private struct Name: Hashable {
        let text: String

        init(_ text: String) { self.text = text }

        static func == (left: Name, right: Name) -> Bool {
            left.text.utf8.count == right.text.utf8.count && left.text.utf8.elementsEqual(right.text.utf8)
        }

        func hash(into hasher: inout Hasher) {
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }
}

/// Says when a keyframe is due: as soon as the bytes written since the last one exceed max(64 KiB, 4 × its size), so that
/// keyframes cost about a quarter of the file at most, and a state is rebuilt from a bounded stretch.
package struct KeyframeRule: Sendable {
    /// Below this distance no keyframe is worth its bytes.
    static let leastDistance = 64 * 1024
    /// How many times a keyframe's size lies between it and the next one.
    static let sizeFactor = 4

    private var sinceLast = 0
    private var lastSize = 0

    /// A rule before the first line.
    package init() {}

    /// Whether enough was written since the last keyframe.
    package var isDue: Bool { sinceLast > max(KeyframeRule.leastDistance, KeyframeRule.sizeFactor * lastSize) }

    /// Counts one written line.
    package mutating func passed(bytes: Int, isKeyframe: Bool) {
        if isKeyframe {
            sinceLast = 0
            lastSize = bytes
        } else {
            sinceLast += bytes
        }
    }
}
