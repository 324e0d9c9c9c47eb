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
