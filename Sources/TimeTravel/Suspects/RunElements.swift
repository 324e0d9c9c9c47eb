import JournalFormat
import JournalReading

struct RunElements {
    private(set) var all: Set<CommitElement> = []
    /// What was done since the last commit that reported the run as good; all, where no place reports it.
    private(set) var trial: Set<CommitElement> = []
    /// In how many trials that passed, each from one report to the next, an element was met.
    private(set) var passing: [CommitElement: Int] = [:]
    private(set) var passed = 0
    private(set) var first: [Int: CommitNumber] = [:]
    private(set) var last: [Int: CommitNumber] = [:]
    private(set) var firstInTrial: [Int: CommitNumber] = [:]
    private(set) var causes: [Int] = []

    /// The commits that have a place, in ascending order.
    private var commits: [(seq: CommitNumber, place: Int, cause: CommitNumber?)] = []

    /// - Complexity: the elements of each commit; memory grows with the distinct ones, and by 40 bytes a commit.
    init(
        _ journal: Journal, _ symptom: Symptom?, _ places: inout Numbered<CommitPlace>, _ elements: inout CommitElements
    ) throws(JournalError) {
        let reporter = symptom.flatMap { $0.isReport ? $0.place : nil }
        var reader = journal.records()
        while let line = try reader.next() {
            if let symptom, line.seq > symptom.position { break }
            guard line.kind == .commit else { continue }
            let record = try Record(line)
            guard let place = CommitPlace(record), let number = places.number(of: place) else { continue }
            let cause = record.cause.map { CommitNumber($0) }
            let source = cause.flatMap { commit(numbered: $0)?.place }
            trial.formUnion(elements.elements(of: record, at: number, causedBy: source))
            commits.append((record.seq, number, cause))
            if first[number] == nil { first[number] = record.seq }
            if firstInTrial[number] == nil { firstInTrial[number] = record.seq }
            last[number] = record.seq
            if place == reporter, line.seq != symptom?.position { pass() }
        }
        all.formUnion(trial)
        if let symptom { follow(symptom.position) }
        commits = []
    }

    private mutating func pass() {
        for element in trial { passing[element, default: 0] += 1 }
        passed += 1
        all.formUnion(trial)
        trial.removeAll(keepingCapacity: true)
        firstInTrial.removeAll(keepingCapacity: true)
    }

    private mutating func follow(_ position: CommitNumber) {
        var next = commit(numbered: position)
        while let commit = next {
            causes.append(commit.place)
            // A cause comes before what it caused; another writer's journal may say otherwise.
            next = commit.cause.flatMap { $0 < commit.seq ? self.commit(numbered: $0) : nil }
        }
    }

    private func commit(numbered seq: CommitNumber) -> (seq: CommitNumber, place: Int, cause: CommitNumber?)? {
        let place = commits.prefixCount { $0.seq < seq }
        return place < commits.count && commits[place].seq == seq ? commits[place] : nil
    }
}
