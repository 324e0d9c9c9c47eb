import Platform
import Synchronization
import Testing

@testable import Platform

@Suite("Work on several threads")
struct ParallelMapTests {
    @Test("results come in the order of the items", arguments: [1, 2, 7, 500])
    func order(_ threads: Int) throws {
        var results: [Int] = []
        try ParallelMap.run(Array(0..<300), threads: threads) { (item: Int) -> Int in
            // The first of each few are the slowest.
            if item % 7 == 0 { SystemClock.sleep(microseconds: 500) }
            return item * item
        } each: { (result: Int) in
            results.append(result)
        }
        #expect(results == (0..<300).map { $0 * $0 })
    }

    @Test("no lane runs far ahead of what was handed over")
    func window() throws {
        let begun = Mutex(0)
        var handed = 0
        var furthest = 0
        try ParallelMap.run(Array(0..<400), threads: 3) { (item: Int) -> Int in
            begun.withLock { $0 = max($0, item + 1) }
            return item
        } each: { (_: Int) in
            furthest = max(furthest, begun.withLock { $0 } - handed)
            handed += 1
        }
        #expect(furthest <= 3 * ParallelMap.reach + 1)
    }

    @Test("whoever takes the results may stop")
    func stop() {
        struct Enough: Error {}
        var taken = 0
        #expect(throws: Enough.self) {
            try ParallelMap.run(Array(0..<100), threads: 4) { (item: Int) -> Int in
                item
            } each: { (_: Int) in
                taken += 1
                if taken == 5 { throw Enough() }
            }
        }
        #expect(taken == 5)
    }
}
