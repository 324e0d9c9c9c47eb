import Foundation
import JSONCore
import JournalFormat
import StateStore
import Testing

struct ValueLimitTests {
    struct Gallery: Encodable, Sendable {
        var title = ""
        var picture = Data()
        var captions: [String: String] = [:]
        var tags: Set<String> = []
        var kept: Attachment?
    }
    /// Not plain, as everything with a class in it: its parts are encoded each time.
    struct Attachment: Encodable, Sendable {
        private final class Storage: Sendable {
            let data: Data
            init(_ data: Data) { self.data = data }
        }
        private let storage: Storage
        init(_ data: Data) { storage = Storage(data) }

        private enum CodingKeys: CodingKey { case data }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(storage.data, forKey: .data)
        }
    }

    private func journal(limit: Int, _ run: (Store<Gallery>) -> Void) throws -> TemporaryJournal {
        let journal = TemporaryJournal()
        var options = Recorder.Options.reproducible
        options.valueLimit = limit
        options.redactionKey = [UInt8](repeating: 1, count: 16)
        let recorder = try Recorder(journal.path, options: options)
        let store = Store(Gallery(), recorder: recorder)
        run(store)
        recorder.close()
        try journal.verify()
        _ = try journal.replayed()
        withExtendedLifetime(store) {}
        return journal
    }

    @Test("a leaf over the limit is its size and its hash, one at the limit is itself; escapes count")
    func strings() throws {
        let journal = try journal(limit: 10) { store in
            store.commit { $0.title = "12345678" }
            store.commit { $0.title = "123456789" }
            store.commit { $0.title = "\u{1}\u{2}" }
            store.commit { $0.captions = ["long": String(repeating: "x", count: 20_000), "short": "y"] }
            store.commit { $0.tags = ["a", String(repeating: "z", count: 30)] }
        }
        let values = try journal.records("commit").flatMap { try #require($0["patch"]?.elements) }
            .map { $0.member("value")?.text() ?? "" }
        #expect(values[0] == #""12345678""#)
        #expect(values[1].hasPrefix(#"{"$omitted":{"bytes":11,"hash":""#))
        #expect(values[2].hasPrefix(#"{"$omitted":{"bytes":14,"#))
        #expect(values.contains { $0.hasPrefix(#"{"$omitted":{"bytes":20002,"#) } && values.contains(#""y""#))
        #expect(values.contains(#""a""#) && values.contains { $0.hasPrefix(#"{"$omitted":{"bytes":32,"#) })
        #expect(!journal.text.contains("zzz") && !journal.text.contains("xxx"))
    }

    @Test("the hash of an omitted value is that of its whole JSON text, however it was fed in")
    func hashes() throws {
        let bytes = Data((0..<100_001).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let quoted = String(repeating: "é\"\\\n", count: 30_000)
        let journal = try journal(limit: 100) { store in
            store.commit { $0.picture = bytes }
            store.commit { $0.title = quoted }
        }
        for (record, value) in zip(try journal.records("commit"), [bytes.base64EncodedString(), quoted]) {
            let canonical = Array(JSONValue.string(value).text(.canonical).utf8)
            var expected: [UInt8] = []
            var hash = RedactionKey([UInt8](repeating: 1, count: 16)).hash
            canonical.withUnsafeBytes { hash.update($0) }
            RedactionKey.appendOmitted(byteCount: canonical.count, hash: hash, to: &expected)
            #expect(
                record["patch"]?.elements?.first?.member("value")?.text() == String(decoding: expected, as: UTF8.self))
        }
    }

    @Test("the value of an outcome is held to the limit too")
    func outcomes() throws {
        let journal = try journal(limit: 20) { store in
            let shout = store.derived("shout", \.title) { ["text": $0 + "!", "short": "s"] }
            let subscription = shout.subscribe { _ in }
            store.commit { $0.title = "more than twenty bytes" }
            subscription.cancel()
        }
        let outcome = try #require(try journal.records("outcome").first?["derived"]?.elements?.first)
        #expect(outcome.member("value")?.member("short") == .string("s"))
        #expect(outcome.member("value")?.text().contains(#""text":{"$omitted":{"bytes":25,"#) ?? false)
    }

    #if os(Linux)
    @Test("a datum of 32 MB costs the recorder its hash, and no text of it")
    func memory() async {
        await #expect(processExitsWith: .success) {
            var options = Recorder.Options()
            options.valueLimit = 1024
            let journal = TemporaryJournal()
            let recorder = try Recorder(journal.path, options: options)
            let store = Store(Gallery(), recorder: recorder)
            let picture = Data(repeating: 7, count: 32 << 20)
            let before = try peakMemory()
            store.commit { $0.picture = picture }
            store.commit { $0.title = "next" }
            let growth = try peakMemory() - before
            recorder.close()
            #expect(growth < 8 << 10, "\(growth) KiB")
        }
    }
    #endif

    @Test("equal large values are no change, and keyframes hold what stands for them")
    func unchanged() throws {
        let journal = try journal(limit: 64) { store in
            store.commit { $0.kept = Attachment(Data(repeating: 3, count: 1000)) }
            store.commit { $0.kept = Attachment(Data(repeating: 3, count: 1000)) }
            store.commit { $0.picture = Data(repeating: 1, count: 5000) }
            store.commit { $0.picture = Data([UInt8](repeating: 1, count: 5000)) }
            for index in 0..<500 { store.commit { $0.captions["\(index)"] = String(repeating: "w", count: 50) } }
        }
        let patches = try journal.records("commit").map { $0["patch"] }
        #expect(patches[1] == .array([]) && patches[3] == .array([]))
        #expect(try !journal.records("keyframe").isEmpty)
    }
}

#if os(Linux)
/// The most memory that the process had so far, in KiB.
private func peakMemory() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.split { !$0.isNumber }.first ?? "") } ?? 0
}
#endif
