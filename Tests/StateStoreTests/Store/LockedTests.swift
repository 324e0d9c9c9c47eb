import Dispatch
import StateStore
import Testing

struct LockedTests {
    private struct Spoilt: Error {}

    @Test("getting, changing and setting is one step, whatever the threads")
    func modify() async {
        @Locked var counts: [Int: Int] = [:]
        let shared = $counts
        await concurrently(8) { thread in
            for turn in 0..<500 { shared.modify { $0[turn % 10, default: 0] += 1 } }
        }
        #expect(counts.values.reduce(0, +) == 4000)
        #expect(counts.count == 10)
    }

    @Test("while a modification runs no other one does")
    func exclusive() {
        let (hits, done) = (Locked(0), DispatchSemaphore(value: 0))
        hits.modify { value in
            DispatchQueue.global().async {
                hits.modify { $0 += 1 }
                done.signal()
            }
            // It waits: what it does in between would be lost.
            #expect(done.wait(timeout: .now() + .milliseconds(50)) == .timedOut)
            value += 10
        }
        done.wait()
        #expect(hits.wrappedValue == 11)
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
