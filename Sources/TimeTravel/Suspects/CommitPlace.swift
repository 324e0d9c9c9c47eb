import JSONCore
package import JournalReading

/// A place in an app's source at which commits are made: what a suspect is.
package struct CommitPlace: Hashable, Sendable {
    /// The file as the compiler names it: `Shop/Cart.swift`.
    package var file: String { fileName.text }
    /// From 1; 0 where the record has no line.
    package let line: Int
    /// The function.
    package var function: String { functionName.text }
    private let fileName: ByteName
    private let functionName: ByteName

    /// A place by its parts.
    package init(file: String, line: Int, function: String) {
        fileName = ByteName(file)
        self.line = line
        functionName = ByteName(function)
    }

    /// The place of a record; nil where it says nothing of it.
    package init?(_ record: Record) {
        guard let place = record.place, place.file != nil || place.function != nil else { return nil }
        self.init(file: place.file ?? "", line: place.line ?? 0, function: place.function ?? "")
    }
}

/// Numbers places in the order in which they are met, so that sets of them are small.
struct PlaceNumbers {
    /// Places beyond this many are left out: an app has fewer lines that commit, and a journal cannot fill the memory.
    private static let most = 100_000

    private(set) var places: [CommitPlace] = []
    private var numbers: [CommitPlace: Int] = [:]

    /// The number of a place; nil where there are too many.
    mutating func number(of place: CommitPlace) -> Int? {
        if let known = numbers[place] { return known }
        guard places.count < Self.most else { return nil }
        numbers[place] = places.count
        places.append(place)
        return places.count - 1
    }
}
