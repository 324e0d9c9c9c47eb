import JSONCore
import JournalFormat
import JournalReading

/// A place in an app's source where commits are made.
struct Place: Hashable, Comparable {
    let file: String
    let line: Int
    let function: String

    static func < (left: Place, right: Place) -> Bool { (left.file, left.line) < (right.file, right.line) }
}

/// The commits of one run, as a ranking sees them.
struct RunFacts {
    struct Commit {
        let number: Int
        let place: Place
        /// What it wrote, with the store's name, and elements of arrays as one.
        let paths: Set<String>
        /// The commit that caused it.
        let cause: Int?
    }

    private(set) var commits: [Commit] = []
    /// The first commit after which the symptom shows; nil in a good run.
    private(set) var symptomAt: Int?
    /// The invariant that it breaks first; nil in a good run, also in one that is called bad.
    let symptom: String?

    init(_ journal: Journal, symptomAt: Int?, _ symptom: String?) throws {
        self.symptomAt = symptomAt
        self.symptom = symptom
        var reader = journal.records()
        while let line = try reader.next() {
            guard line.kind == .commit else { continue }
            let record = try line.decode(order: .ascending) { (o) throws(RecordFault) in try CommitRecord(o) }
            let paths = record.patch.operations.map { operation in
                let segments = operation.path.segments.map { $0.contains { $0.isNumber } || $0 == "-" ? "*" : $0 }
                return ([record.store] + segments).joined(separator: "/")
            }
            commits.append(
                Commit(
                    number: record.seq.rawValue,
                    place: Place(file: record.at.file, line: record.at.line, function: record.at.function),
                    paths: Set(paths), cause: record.cause?.rawValue))
        }
    }

    /// The same run of those that are good, called bad at a commit.
    func failing(at commit: Int) -> RunFacts {
        var run = self
        run.symptomAt = commit
        return run
    }

    /// Where the commit with which the symptom shows was made.
    var symptomPlace: Place? { symptomAt.flatMap { at in commits.first { $0.number == at }?.place } }
    /// What each place did, in words: that it committed, what it wrote, and what caused it.
    var elements: [Place: Set<String>] {
        let places = Dictionary(uniqueKeysWithValues: commits.map { ($0.number, $0.place) })
        return commits.reduce(into: [:]) { elements, commit in
            let cause = commit.cause.flatMap { places[$0] }.map { "by \($0)" }
            let paths = commit.paths.sorted()
            elements[commit.place, default: []].formUnion(
                ["place", "exactly \(paths)"] + paths + [cause].compactMap(\.self))
        }
    }

    /// The commits up to the symptom.
    var before: ArraySlice<Commit> { commits.prefix { $0.number <= symptomAt ?? .max } }
    var places: Set<Place> { Set(commits.map(\.place)) }
}
