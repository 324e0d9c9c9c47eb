import JSONCore
package import JournalFormat
package import JournalReading

/// A place in the source that may be to blame for a symptom, and what speaks against it.
package struct Suspect: Sendable {
    /// In how many runs or trials something was met, and of how many.
    package struct Share: Sendable, Equatable {
        package let with: Int
        package let of: Int

        var ratio: Double { of == 0 ? 0 : Double(with) / Double(of) }
    }

    /// What is met where it went wrong rather than elsewhere.
    package enum Evidence: Sendable, Equatable {
        case place
        /// A commit wrote exactly these paths, or one of them.
        case paths(String)
        case path(String)
        /// A commit was caused by one of another place.
        case cause(CommitPlace)
        /// A commit wrote a value of a class to a path.
        case value(String, class: String)
        /// Of two numbers that a commit wrote the first is less than the second, equal, or greater: -1, 0 or 1.
        case pair(String, String, order: Int)
        /// With its commit the symptom began.
        case symptom
        /// Its commit caused the one with which the symptom began.
        case causeOfSymptom
        /// It committed before the symptom.
        case before
    }

    package let place: CommitPlace
    /// From 1; places that are equal in all that is compared share one.
    package let rank: Int
    package let isTied: Bool
    /// From 0 to 1.
    package let score: Double
    package let element: Evidence
    /// How often it was met where it went wrong, and where it did not.
    package let bad: Share
    package let good: Share
    /// A commit of it in a bad run, and the number of the run, from 0: its first there, in the trial that failed, or the last before
    /// the symptom, by what was compared.
    package let first: (run: Int, commit: CommitNumber)
}

/// The suspects of some runs, and what they were taken from.
package struct Suspects: Sendable {
    package enum Comparison: Sendable {
        /// Bad runs with good ones.
        case runs
        /// The trial of a run that failed with those that passed.
        case trials
        /// Nothing: what led to the symptom is followed back.
        case none
    }

    package enum Abstention: Sendable, Equatable {
        /// Nothing is known but that some runs are bad, and there are fewer than three runs, or no good one.
        case fewRuns
        /// So many places share the first rank.
        case tie(Int)
        /// What was done in bad runs was done in good ones as often, or it could be chance.
        case nothing
    }

    /// The most suspicious first.
    package let ranking: [Suspect]
    /// Why none is to be named; nil where they are.
    package let abstention: Abstention?
    package let comparison: Comparison
    package let elements: Int
}

/// A place in an app's source at which commits are made: what a suspect is.
package struct CommitPlace: Hashable, Sendable {
    /// The file as the compiler names it: `Shop/Cart.swift`.
    package var file: String { fileName.text }
    /// From 1; 0 where the record has no line.
    package let line: Int
    package var function: String { functionName.text }
    private let fileName: ByteName
    private let functionName: ByteName

    package init(file: String, line: Int, function: String) {
        fileName = ByteName(file)
        self.line = line
        functionName = ByteName(function)
    }

    /// Nil where the record says nothing of its place.
    package init?(_ record: Record) {
        guard let place = record.place, place.file != nil || place.function != nil else { return nil }
        self.init(file: place.file ?? "", line: place.line ?? 0, function: place.function ?? "")
    }
}

/// Numbers things in the order in which they are met, so that sets of what is made of them are small.
struct Numbered<Thing: Hashable> {
    /// Things beyond this many have no number: an app has fewer, and a journal cannot fill the memory.
    private static var most: Int { 1 << 18 }

    private(set) var things: [Thing] = []
    private var numbers: [Thing: Int] = [:]

    mutating func number(of thing: Thing) -> Int? {
        if let known = numbers[thing] { return known }
        guard things.count < Self.most else { return nil }
        numbers[thing] = things.count
        things.append(thing)
        return things.count - 1
    }
}
