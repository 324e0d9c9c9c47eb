import JSONCore
import JournalFormat
import JournalReading

/// What is met on the way to a symptom, at one place in the source.
enum SuspectSign: Hashable, Sendable {
    /// A commit was made there.
    case made
    /// A commit that another place caused; nil where nothing did.
    case caused(by: Int?)
    /// A commit with so many changes; none where it changed nothing.
    case changes(Int)
    /// A commit that was the next after one of another place; nil where it was the first.
    case after(Int?)
}

/// A sign, and the number of the place that shows it.
struct SuspectElement: Hashable {
    let place: Int
    let sign: SuspectSign
}

/// One run in *trials*: from one commit at which its symptom can show to the next.
///
/// The trial in which the symptom shows failed; those before it passed, although they are of the same run. So one run separates
/// guilty places from innocent ones as several do, only less surely. What comes after the symptom is not looked at.
struct RunTrials {
    /// What the commits of one place were in the trial that failed.
    struct Execution {
        /// The first of them.
        var first: CommitNumber
        /// How many there were.
        var count = 0
    }

    /// So many passed trials are kept.
    static let sampleSize = 32

    /// How many trials passed.
    private(set) var passed = 0
    /// In how many of those an element was met.
    private(set) var passing: [SuspectElement: Int] = [:]
    /// Some of those that passed, as they were.
    private(set) var sample: [Set<SuspectElement>] = []
    /// What was met in the one that failed; nil where none did.
    private(set) var failing: Set<SuspectElement>?
    /// The places of the one that failed.
    private(set) var executions: [Int: Execution] = [:]
    /// Of the commits of each place: how many there were, and how many changed nothing.
    private(set) var commits: [Int: (all: Int, idle: Int)] = [:]

    /// A commit whose number has a place, so that a cause can be found; in ascending order.
    private var known: [(seq: CommitNumber, place: Int)] = []
    private var trial: Set<SuspectElement> = []
    private var previous: Int?

    /// Reads a run up to its symptom, or to its end.
    ///
    /// - Parameters:
    ///   - checks: the places with whose commits the symptom can show.
    ///   - places: gives numbers to places.
    /// - Throws: `JournalError` at damage.
    /// - Complexity: a look-up for each commit; memory grows with the distinct elements, and by 16 bytes a commit.
    init(
        _ journal: Journal, _ symptom: Symptom?, checks: Set<CommitPlace>, _ places: inout PlaceNumbers
    ) throws(JournalError) {
        var reader = journal.records()
        var isOpen = false
        while let line = try reader.next() {
            if let symptom, line.seq > symptom.position { break }
            guard line.kind == .commit else { continue }
            let record = try Record(line)
            guard let place = CommitPlace(record), let number = places.number(of: place) else { continue }
            take(record, at: number)
            isOpen = true
            guard checks.contains(place) || line.seq == symptom?.position else { continue }
            isOpen = false
            if line.seq == symptom?.position { break }
            pass()
        }
        if symptom != nil {
            failing = trial
        } else if isOpen {
            pass()
        }
        known = []
    }

    private mutating func take(_ record: Record, at place: Int) {
        let changes = record[.patch]?.array?.count ?? 0
        let cause = record.cause.flatMap { self.place(of: CommitNumber($0)) }
        for sign in [.made, .caused(by: cause), .changes(changes), .after(previous)] as [SuspectSign] {
            trial.insert(SuspectElement(place: place, sign: sign))
        }
        previous = place
        known.append((record.seq, place))
        commits[place, default: (0, 0)].all += 1
        if changes == 0 { commits[place, default: (0, 0)].idle += 1 }
        executions[place, default: Execution(first: record.seq)].count += 1
    }

    /// The place of an earlier commit.
    private func place(of seq: CommitNumber) -> Int? {
        var (low, high) = (0, known.count)
        while low < high {
            let middle = (low + high) / 2
            if known[middle].seq < seq { low = middle + 1 } else { high = middle }
        }
        return low < known.count && known[low].seq == seq ? known[low].place : nil
    }

    private mutating func pass() {
        for element in trial { passing[element, default: 0] += 1 }
        // The last ones of twice as many, so that a long run is not judged by its start.
        sample.append(trial)
        if sample.count == 2 * Self.sampleSize { sample.removeFirst(Self.sampleSize) }
        passed += 1
        trial.removeAll(keepingCapacity: true)
        executions.removeAll(keepingCapacity: true)
    }
}
