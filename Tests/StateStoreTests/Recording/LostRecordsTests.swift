import Foundation
import JSONCore
import JournalFormat
import Platform
import StateReplay
import StateStore
import TestSupport
import Testing

@testable import StoreCore

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
        let badge = store.derived(\.count, named: "badge") { $0 + 1 }
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

    @Test("a mark's payload that ends once the file can be written again may commit", .timeLimit(.minutes(1)))
    func payloadCommits() throws {
        struct Request: Encodable, Sendable {
            let lease: Lease
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode("request")
            }
        }
        let (journal, isFull, ended) = (TemporaryJournal(), Flag(), Log<Int>())
        let recorder = try Recorder(
            journal.path, options: .init().retrying, calls: SystemCalls.full(while: isFull)
        ) { _ in }
        let store = Store(Cart(), recorder: recorder)
        isFull.value = true
        for number in 0..<2 {
            let lease = Lease {
                store.commit(name: "end of request") { $0.count += 1 }
                ended.add(number)
            }
            recorder.mark("request", Request(lease: lease))
        }
        #expect(ended.entries.isEmpty)
        isFull.value = false
        recorder.mark("written")
        #expect(ended.entries.sorted() == [0, 1])
        recorder.close()
        try journal.verify()
        #expect(try journal.records("mark").map { try $0.text("text") } == ["request", "request", "written"])
        #expect(try journal.records("commit").count == 2)
    }

    @Test("in the background a mark waits while the file cannot be written, and is kept")
    func background() throws {
        let (journal, isFull) = (TemporaryJournal(), Flag())
        let (isWritten, hasFailed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let full = SystemCalls.full(while: isFull)
        var calls = full
        calls.write = { descriptor, bytes, count in
            let written = full.write(descriptor, bytes, count)
            let code = errno
            (written < 0 ? hasFailed : isWritten).signal()
            errno = code
            return written
        }
        let recorder = try Recorder(
            journal.path, durability: .background, options: .init().retrying, calls: calls
        ) { _ in }
        let store = Store(Cart(), recorder: recorder)
        store.commit { $0.count = 1 }
        recorder.mark("kept")
        while !journal.text.contains("kept") { isWritten.wait() }
        isFull.value = true
        recorder.mark("postponed")
        store.commit { $0.count = 2 }
        hasFailed.wait()
        isFull.value = false
        store.commit { $0.count = 3 }
        store.commit { $0.count = 4 }
        recorder.close()
        try journal.verify()
        #expect(try journal.records("mark").map { try $0.text("text") } == ["kept", "postponed"])
        // Whether as a commit or, where the failure was told of last, in a gap.
        #expect(try JournalReader(journal.path).state(of: "cart", as: Cart.self).count == 4)
    }
}

/// What a recorder keeps of derived values that came and went.
struct DerivedNamesTests {
    #if os(Linux)
    @Test("fifty thousand derived values of as many names leave a megabyte or two of the process behind")
    func memory() async {
        await #expect(processExitsWith: .success) {
            let journal = TemporaryJournal()
            let recorder = try Recorder(journal.path)
            let store = Store(Cart(), recorder: recorder)
            func show(_ rows: Range<Int>) {
                for row in rows {
                    #expect(store.derived(\.count, named: "row-\(row)") { $0 + row }.value == store.state.count + row)
                }
            }
            show(0..<2_000)
            let before = try processMemory("VmRSS")
            show(2_000..<52_000)
            let growth = try processMemory("VmRSS") - before
            recorder.close()
            // The recorder's own is under one; the rest is the allocator's.
            #expect(growth < 4 << 10, "\(growth) KiB")
        }
    }
    #endif

    @Test("the totals name the first thousand derived values and count the others, in keyframes and at the end")
    func totals() throws {
        let (journal, recorder) = try TemporaryJournal.recording(.reproducible)
        let store = Store(Cart(), recorder: recorder)
        for row in 0..<1_200 { _ = store.derived(\.count, named: "row-\(row)") { $0 }.value }
        recorder.close()
        try journal.verify()
        let totals = try #require(try journal.records("end").first?["totals"])
        #expect(totals.member("derived")?.elements?.count == 1_000)
        #expect(totals.member("moreDerived") == .number(200))
    }

    @Test(
        "a name means one derived value in a file, and what says the same takes it again", arguments: seeds(1..<9))
    func names(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var declarations = OpenDeclarations()
        // By the plain rules: what each name's line says, and the names that are used.
        var (lines, used) = ([String: Int](), Set<String>())
        var open: [(declaration: DerivedDeclaration, place: Int)] = []
        for _ in 0..<2_000 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0:
                declarations.beginFile()
                lines = Dictionary(uniqueKeysWithValues: open.map { ($0.declaration.name, $0.place) })
            case 1:
                declarations.forgetLines()
                declarations.confirmLines()
                // What went may be in the file or not: nothing takes such a name again.
                for name in lines.keys where !used.contains(name) { lines[name] = -1 }
            case 2..<12:
                let place = Int.random(in: 1...3, using: &random)
                let wanted = ["row", "row_2", "row_2_2", "x"].randomElement(using: &random) ?? "x"
                let declaration = DerivedDeclaration(
                    wanted: wanted, location: .init(file: "M/M.swift", line: place, column: 1, function: "f()"),
                    inputs: [])
                let key = place * 10 + wanted.utf8.count
                let isAgain = lines.contains { $0.value == key && !used.contains($0.key) }
                #expect(declarations.add(declaration) == !isAgain)
                #expect(!used.contains(declaration.name))
                #expect(lines[declaration.name] == (isAgain ? key : nil))
                lines[declaration.name] = key
                used.insert(declaration.name)
                open.append((declaration, key))
            default:
                guard let number = open.indices.randomElement(using: &random) else { break }
                let gone = open.remove(at: number).declaration
                declarations.remove(gone)
                used.remove(gone.name)
            }
            #expect(declarations.inOrder.map(\.name) == open.map(\.declaration.name))
        }
    }
}
