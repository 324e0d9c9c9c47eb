import Dispatch
import Foundation
import StateStore
import Testing

@testable import StoreCore

struct LockedTests {
    private struct Spoilt: Error {}

    @Test("while a modification runs no other one does")
    func exclusive() async {
        let (hits, intrusions) = (Locked(0), Ticks())
        await concurrently(8) { _ in
            for _ in 0..<1_000 {
                hits.modify { value in
                    let before = value
                    value += 1
                    // What another one does in between would be lost.
                    if value != before + 1 { _ = intrusions.next() }
                }
            }
        }
        #expect(hits.wrappedValue == 8_000 && intrusions.value == 0)
    }

    @Test("it reads and sets as a variable does, and without the property wrapper")
    func value() {
        @Locked var name = "Ann"
        name = "Bea"
        name += "!"
        #expect(name == "Bea!")
        let hits = Locked(1)
        #expect(
            hits.modify { hits -> Int in
                hits += 1
                return hits * 10
            } == 20)
        #expect(hits.wrappedValue == 2)
    }

    @Test("a modification throws what its closure threw, and keeps what that changed")
    func throwing() {
        let hits = Locked(1)
        #expect(throws: Spoilt.self) {
            try hits.modify { (hits) throws(Spoilt) in
                hits = 5
                throw Spoilt()
            }
        }
        #expect(hits.wrappedValue == 5)
    }
}

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
