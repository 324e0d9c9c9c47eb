import Foundation
import Testing

@testable import StoreCore

struct ContendedLockTests {
    @Test(
        "threads that find a lock taken for long sleep, and each has its turn alone", arguments: [0, 300] as [UInt32])
    func turns(microseconds: UInt32) async {
        let lock = ContendedLock((count: 0, isInside: false))
        let intrusions = Ticks()
        await concurrently(8) { _ in
            for round in 0..<100 {
                lock.withLock { value in
                    if value.isInside { _ = intrusions.next() }
                    value.isInside = true
                    if microseconds > 0, round % 10 == 0 { usleep(microseconds) }
                    value.count += 1
                    value.isInside = false
                }
            }
        }
        #expect(lock.withLock { $0.count } == 800)
        #expect(intrusions.value == 0)
    }

    @Test("a lock that is taken is not available, and is again after a throw")
    func availability() {
        let lock = ContendedLock(1)
        lock.withLock { _ in #expect(lock.withLockIfAvailable { $0 } == nil) }
        #expect(throws: Thrown.self) {
            try lock.withLock { (value) throws(Thrown) in
                value = 2
                throw Thrown()
            }
        }
        #expect(lock.withLockIfAvailable { $0 } == 2)
    }

    private struct Thrown: Error {}
}
