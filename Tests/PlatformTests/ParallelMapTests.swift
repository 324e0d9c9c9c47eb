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

@Suite("Threads")
struct ThreadTests {
    @Test("a deep recursion fits the program's stack")
    func largeStack() {
        func depth(_ level: Int) -> Int { level == 0 ? 0 : 1 + depth(level - 1) }
        #expect(LargeStack.run { depth(1_000_000) } == 1_000_000)
    }

    @Test(
        "a container's share of processors is rounded up, and without a limit there is none",
        arguments: [
            ("max 100000\n", nil), ("200000 100000\n", 2), ("150000 100000\n", 2), ("50000 100000\n", 1),
            ("0 100000", nil), ("", nil), ("some 1", nil), ("1", nil), ("100000 0", nil),
        ] as [(String, Int?)])
    func share(text: String, processors: Int?) { #expect(ProcessorCount.share(text[...]) == processors) }

    @Test("a wait for a moment ends, also where nothing wakes it")
    func waits() {
        let signal = ThreadSignal()
        signal.locked { signal.wait(.milliseconds(5)) }
        #expect((1...64).contains(min(64, ProcessorCount.available)))
    }
}

@Suite("Programs that are started")
struct ChildProcessTests {
    @Test("a program is started, its status is known, and one that is not there says so")
    func children() throws {
        let environment = Environment(["PATH": "/usr/bin:/bin", "ANSWER": "42"])
        let child = try ChildProcess.start(["sh", "-c", "exit $ANSWER"], environment: environment)
        #expect(child.wait() == .status(42))
        let killed = try ChildProcess.start(["sh", "-c", "kill -9 $$"], environment: environment)
        #expect(killed.wait() == .signal(9))
        #expect(throws: SystemFailure("posix_spawn", code: 2)) {
            try ChildProcess.start(["no-such-program-here"], environment: environment)
        }
    }
}
