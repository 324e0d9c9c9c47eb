import Foundation
import JSONCore
import JournalFormat
import Platform
import StateReplay
import StateStore
import Testing

struct LostRecordsTests {
    private struct Refused: Error {}

    /// A recorder on a disk that a switch fills up.
    private func recorder(_ path: String, _ isFull: Flag) throws -> Recorder {
        let calls = SystemCalls.full(while: isFull)
        return try Recorder(path, options: .init().retrying, calls: calls) { _ in }
    }

    @Test("marks and aborts made while the file cannot be written stand before the gap, in order, with their own times")
    func waiting() throws {
        let (journal, isFull) = (TemporaryJournal(), Flag())
        let recorder = try recorder(journal.path, isFull)
        let store = Store(Cart(), recorder: recorder)
        store.commit { $0.count = 1 }
        isFull.value = true
        recorder.mark("first", level: .error)
        store.commit { $0.count = 2 }
        #expect(throws: Refused.self) { try store.commit { _ in throw Refused() } }
        recorder.mark("second")
        isFull.value = false
        store.commit { $0.count = 3 }
        recorder.close()
        try journal.verify()
        let kinds = try journal.records().map { try $0.text("kind") }
        #expect(kinds == ["journal", "store", "commit", "mark", "abort", "mark", "gap", "commit", "end"])
        #expect(try journal.records("mark").map { try $0.text("text") } == ["first", "second"])
    }

    @Test("where only marks were lost they are written all the same")
    func onlyMarks() throws {
        let (journal, isFull) = (TemporaryJournal(), Flag())
        let recorder = try recorder(journal.path, isFull)
        let store = Store(Cart(), recorder: recorder)
        isFull.value = true
        recorder.mark("late")
        isFull.value = false
        recorder.close()
        withExtendedLifetime(store) {}
        try journal.verify()
        #expect(try journal.records("mark").map { try $0.text("text") } == ["late"])
        #expect(try journal.records("gap").isEmpty)
    }

    @Test("more marks than fit into memory, and outcomes, are counted in the gap's reason")
    func counted() throws {
        let (journal, isFull) = (TemporaryJournal(), Flag())
        let recorder = try recorder(journal.path, isFull)
        let store = Store(Cart(), recorder: recorder)
        let badge = store.derived("badge", \.count) { $0 + 1 }
        let subscription = badge.subscribe { _ in }
        isFull.value = true
        for count in 1...1010 {
            recorder.mark("mark \(count)")
            if count < 4 { store.commit { $0.count = count } }
        }
        isFull.value = false
        recorder.close()
        subscription.cancel()
        try journal.verify()
        #expect(try journal.records("mark").count == 1000)
        let reason = try #require(try journal.records("gap").first).text("reason")
        #expect(reason.hasSuffix("; also lost: 10 marks, 3 outcomes"), "\(reason)")
    }

    @Test("with no commit lost, a mark of the recorder's own counts what was")
    func ownMark() throws {
        let (journal, isFull) = (TemporaryJournal(), Flag())
        let recorder = try recorder(journal.path, isFull)
        let store = Store(Cart(), recorder: recorder)
        isFull.value = true
        for count in 1...1003 { recorder.mark("mark \(count)") }
        isFull.value = false
        recorder.close()
        withExtendedLifetime(store) {}
        try journal.verify()
        let last = try #require(try journal.records("mark").last)
        #expect(try last.text("text").hasPrefix("the recorder lost 3 marks: "))
        #expect(last["level"] == .string("warning"))
    }

    @Test("marks that were in the background queue when it failed are counted")
    func background() throws {
        let (journal, isFull) = (TemporaryJournal(), Flag())
        let failures = Ticks()
        var calls = SystemCalls()
        let write = calls.write
        calls.write = { descriptor, bytes, count in
            guard isFull.value else { return write(descriptor, bytes, count) }
            _ = failures.next()
            errno = ENOSPC
            return -1
        }
        let recorder = try Recorder(
            journal.path, durability: .background(), options: .init().retrying, calls: calls
        ) { _ in }
        let store = Store(Cart(), recorder: recorder)
        store.commit { $0.count = 1 }
        recorder.mark("kept")
        while !journal.text.contains("kept") { sched_yield() }
        isFull.value = true
        recorder.mark("lost or held")
        store.commit { $0.count = 2 }
        while failures.value == 0 { sched_yield() }
        isFull.value = false
        store.commit { $0.count = 3 }
        store.commit { $0.count = 4 }
        recorder.close()
        try journal.verify()
        let text = String(decoding: journal.bytes, as: UTF8.self)
        #expect(text.contains("lost or held") || text.contains("1 mark"))
        // Whether as a commit or, where the failure was told of last, in a gap.
        #expect(try JournalReader(journal.path).state(of: "cart", as: Cart.self).count == 4)
    }
}
