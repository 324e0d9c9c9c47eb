import JSONCore
import JournalReading
import QueryLanguage
import TestSupport
import Testing

@testable import TimeTravel

@Suite("Leaving out what is not needed")
struct DeltaDebuggingTests {
    /// A list of which some elements are needed, and some do nothing without another.
    private struct NeededParts {
        let count: Int
        let needed: Set<Int>
        let cause: [Int: Int]

        init(seed: UInt64) {
            var random = SeededGenerator(seed: seed)
            let count = Int.random(in: 1...200, using: &random)
            self.count = count
            needed = Set(
                (0..<Int.random(in: 0...8, using: &random)).map { _ in Int.random(in: 0..<count, using: &random) })
            var cause: [Int: Int] = [:]
            for element in 1..<max(count, 2) where Int.random(in: 0..<3, using: &random) == 0 {
                cause[element] = Int.random(in: 0..<element, using: &random)
            }
            self.cause = cause
        }

        func fails(_ part: [Int]) -> Bool {
            var there: Set<Int> = []
            for element in part where cause[element].map(there.contains) ?? true { there.insert(element) }
            return needed.isSubset(of: there)
        }
    }

    @Test("finds the parts that are needed together", arguments: [[3], [0, 99], [10, 11, 50], []])
    func needed(needed: [Int]) {
        var asked = 0
        let found = DeltaDebugging.minimal(100) { part in
            asked += 1
            return needed.allSatisfy(part.contains)
        }
        #expect(found == needed && asked < 60)
    }

    @Test("an empty list and lists of one element", arguments: 0...1)
    func short(count: Int) {
        #expect(DeltaDebugging.minimal(count) { _ in true } == [])
        #expect(DeltaDebugging.minimal(count) { $0.count == count } == Array(0..<count))
    }

    @Test("what is left fails, no element of it can be left out, and few questions find it", arguments: seeds(0..<200))
    func minimal(seed: UInt64) {
        let parts = NeededParts(seed: seed)
        var asked = 0
        let found = DeltaDebugging.minimal(parts.count) { part in
            asked += 1
            return parts.fails(part)
        }
        // Twice what so many searches by halves ask.
        let halvings = Int.bitWidth - parts.count.leadingZeroBitCount
        #expect(asked <= 2 * (found.count + 1) * halvings, "seed \(seed)")
        #expect(parts.fails(found), "seed \(seed)")
        for element in found { #expect(!parts.fails(found.filter { $0 != element }), "seed \(seed), \(element)") }
    }

    @Test("elements that can be left out only one after another, last to first and first to last, are all left out")
    func chains() {
        // An element may go only if none before it is there, or only if none after it is.
        let forward = DeltaDebugging.minimal(40) { part in part.isEmpty ? false : part == Array(part[0]..<40) }
        #expect(forward == [39])
        let backward = DeltaDebugging.minimal(40) { part in
            part.isEmpty ? false : part == Array(0...part[part.count - 1])
        }
        #expect(backward == [0])
    }
}
