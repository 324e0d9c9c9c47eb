package import JournalFormat
package import JournalReading
import JSONCore

/// Two runs side by side: every commit of both in one order, in step as far as they are the same.
///
/// Commits are compared as in ``Divergence``; but where they part the alignment goes on, with the fewest commits that
/// have no counterpart, each of which is a step of its own.
///
/// - Complexity: one pass over both runs, whose commits are all kept as a hash and a number. What lies between the
///   first and the last difference of a store is aligned in time that grows with its length times its differences; of
///   more than ``alignedLimit`` pairs none has a counterpart.
package struct RunPairs: Sendable {
    package struct Step: Sendable, Equatable {
        /// Where the left run stands after the step.
        package let left: CommitNumber
        package let right: CommitNumber
        /// Whether the left run makes a commit in it.
        package let isLeft: Bool
        /// The commit of the right run that it makes, mostly the one after which that run stands; nil where it makes none.
        package let rightCommit: CommitNumber?
        package var isRight: Bool { rightCommit != nil }
        package var leftCommit: CommitNumber? { isLeft ? left : nil }
        package var differs: Bool { isLeft != isRight }
    }

    package let steps: [Step]
    package let start: (left: CommitNumber, right: CommitNumber)
    /// The first lost commit of each run: what follows it is not compared.
    package let gaps: (left: CommitNumber?, right: CommitNumber?)

    /// No longer runs are aligned.
    package static let commitLimit = 4_000_000
    static let alignedLimit = 4_000_000

    package struct TooLong: Error {}

    /// - Throws: ``TooLong``; `JournalError` where one of them cannot be read.
    package init(_ left: Journal, _ right: Journal) throws {
        var (leftRun, rightRun) = (StoreSteps(), StoreSteps())
        gaps = (try leftRun.read(left), try rightRun.read(right))
        start = (left.start, right.start)
        // The counterpart of each commit of the left run, and those of the right one that have none.
        var partners: [Int: Int] = [:]
        var (leftOnly, rightOnly): ([Int: Lone], [Int: Lone]) = ([:], [:])
        for store in leftRun.order + rightRun.order.filter({ leftRun.stores[$0] == nil }) {
            let pairs = RunPairs.aligned(leftRun.stores[store] ?? [], rightRun.stores[store] ?? [])
            let last = (
                left: pairs.lastIndex { $0.left != nil } ?? -1, right: pairs.lastIndex { $0.right != nil } ?? -1
            )
            // The last pair before which both runs are in step; after it nothing follows of a run whose last commit that is.
            var common = -1
            for (index, pair) in pairs.enumerated() {
                if let left = pair.left, let right = pair.right {
                    partners[left] = right
                    common = index
                } else if let right = pair.right {
                    rightOnly[right] = Lone(store: store, isLast: last.left == common)
                } else if let left = pair.left {
                    leftOnly[left] = Lone(store: store, isLast: last.right == common)
                }
            }
        }
        steps = RunPairs.merged(leftRun.commits, partners, leftOnly, rightOnly, start)
    }

    // MARK: Reading

    private struct StoreSteps {
        var commits: [Int] = []
        var stores: [[UInt8]: [(commit: Int, fingerprint: Int)]] = [:]
        var order: [[UInt8]] = []

        mutating func read(_ journal: Journal) throws -> CommitNumber? {
            var steps = RunSteps(journal, EventFingerprint(isRaw: false, ignored: PathMatcher([])), store: nil)
            while let (store, event) = try steps.next() {
                // A store's opening moves nothing.
                guard event.rank.isMultiple(of: 2) else { continue }
                guard commits.count < RunPairs.commitLimit else { throw TooLong() }
                let commit = journal.start.rawValue + event.rank / 2
                commits.append(commit)
                if stores[store] == nil { order.append(store) }
                stores[store, default: []].append((commit, event.fingerprint))
            }
            return steps.gap
        }
    }

    // MARK: Aligning

    private typealias Pair = (left: Int?, right: Int?)

    private struct Lone {
        let store: [UInt8]
        let isLast: Bool

        /// Whether it comes before one of the same number in the other run, by the order of ``Divergence``.
        func isBefore(_ other: Lone) -> Bool {
            isLast == other.isLast ? store.lexicographicallyPrecedes(other.store) : isLast
        }
    }

    private static func aligned(
        _ left: [(commit: Int, fingerprint: Int)], _ right: [(commit: Int, fingerprint: Int)]
    ) -> [Pair] {
        var front = 0
        let least = min(left.count, right.count)
        while front < least, left[front].fingerprint == right[front].fingerprint { front += 1 }
        var back = 0
        while back < least - front,
            left[left.count - 1 - back].fingerprint == right[right.count - 1 - back].fingerprint
        { back += 1 }
        var pairs: [Pair] = (0..<front).map { (left[$0].commit, right[$0].commit) }
        pairs += middle(left[front..<left.count - back], right[front..<right.count - back])
        pairs += (0..<back).map { (left[left.count - back + $0].commit, right[right.count - back + $0].commit) }
        return pairs
    }

    private static func middle(
        _ left: ArraySlice<(commit: Int, fingerprint: Int)>, _ right: ArraySlice<(commit: Int, fingerprint: Int)>
    ) -> [Pair] {
        var (lost, new): (Set<Int>, Set<Int>) = (Set(0..<left.count), Set(0..<right.count))
        if !left.isEmpty, !right.isEmpty, left.count.multipliedFullWidth(by: right.count) < (0, UInt(alignedLimit)) {
            let difference = right.map(\.fingerprint).difference(from: left.map(\.fingerprint))
            (lost, new) = ([], [])
            for change in difference {
                switch change {
                case .remove(let offset, _, _): lost.insert(offset)
                case .insert(let offset, _, _): new.insert(offset)
                }
            }
        }
        var pairs: [Pair] = []
        var (a, b) = (0, 0)
        while a < left.count || b < right.count {
            let isLost = a < left.count && lost.contains(a)
            let isNew = !isLost && b < right.count && new.contains(b)
            pairs.append(
                (
                    isNew ? nil : left[left.startIndex + a].commit, isLost ? nil : right[right.startIndex + b].commit
                ))
            if !isNew { a += 1 }
            if !isLost { b += 1 }
        }
        return pairs
    }

    /// All commits in the order of the left run; those only of the right one by their numbers, before what follows them there.
    private static func merged(
        _ commits: [Int], _ partners: [Int: Int], _ leftOnly: [Int: Lone], _ rightOnly: [Int: Lone],
        _ start: (left: CommitNumber, right: CommitNumber)
    ) -> [Step] {
        var steps: [Step] = []
        var (left, right) = (start.left.rawValue, start.right.rawValue)
        var rest = rightOnly.keys.sorted()[...]
        func add(isLeft: Bool, right commit: Int?) {
            steps.append(
                Step(
                    left: CommitNumber(left), right: CommitNumber(right), isLeft: isLeft,
                    rightCommit: commit.map { CommitNumber($0) }))
        }
        func addRightOnly(before limit: Int) {
            while let next = rest.first, next < limit {
                rest = rest.dropFirst()
                right = max(right, next)
                add(isLeft: false, right: next)
            }
        }
        // The counterpart of each commit, or of the next one that has any.
        var ahead = [Int](repeating: .max, count: commits.count + 1)
        for index in commits.indices.reversed() { ahead[index] = partners[commits[index]] ?? ahead[index + 1] }
        for (index, commit) in commits.enumerated() {
            let partner = partners[commit]
            let isAfter = leftOnly[commit].flatMap { lone in rightOnly[commit].map { $0.isBefore(lone) } } ?? true
            addRightOnly(before: partner ?? min(ahead[index], isAfter ? commit + 1 : commit))
            // Where the stores took turns otherwise, the right run is there already.
            if let partner { right = max(right, partner) }
            left = commit
            add(isLeft: true, right: partner)
        }
        addRightOnly(before: .max)
        return steps
    }
}
