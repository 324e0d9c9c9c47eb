import Foundation
import JournalFormat
import StateReplay
import StateStore
import TestSupport
import Testing

@testable import StateStoreTesting

struct JournaledTraitTests {
    private let folder = TemporaryFolder()

    private struct Broken: Error {}

    @Test("a journaled test has a recorder of its own, which stores find by themselves", .journaled)
    func recorder() throws {
        let recorder = try #require(Recorder.current)
        let store = Store(Cart())
        store.commit { $0.count += 1 }
        #expect(StoreRegistry.live.contains { $0.journal == recorder.path && $0.version == 1 })
    }

    @Test("without the trait nothing is recorded", .enabled(if: getenv("STATE_JOURNAL") == nil))
    func none() { #expect(Recorder.current == nil) }

    /// Runs a body as a journaled test, and keeps its issues from this one.
    private func run(
        in folder: String, redact: [Redaction] = [], _ body: @escaping @Sendable () async throws -> Void
    ) async throws -> [String] {
        let test = try #require(Test.current)
        let trait = JournaledTrait.journaled(in: folder, redact: redact)
        return try await issues {
            try await trait.provideScope(for: test, testCase: Test.Case.current, performing: body)
        }.map { "\($0)" }
    }

    @Test("a name keeps whole characters, and as many bytes as a file system takes")
    func longNames() throws {
        for text in ["ユーザー登録テスト", "👩‍👩‍👧‍👦", "é", "e\u{301}\u{302}", "a"] {
            let file = JournalFile(
                folder: folder.path, test: String(repeating: text, count: 60),
                arguments: String(repeating: text, count: 60))
            #expect(file.name.utf8.count <= 255 && file.name.hasSuffix(".jsonl"))
            let stem = file.name.dropLast(43)
            #expect(stem.allSatisfy { text.contains($0) || $0 == "-" }, "no character is cut: \(stem)")
            let recorder = try Recorder(file.path)
            recorder.close()
        }
    }

    @Test(
        "a test with long arguments in any script is recorded", .journaled,
        arguments: [String(repeating: "日本語のとても長い引数", count: 20), String(repeating: "👩‍👩‍👧‍👦", count: 70)])
    func longArguments(text: String) throws {
        let recorder = try #require(Recorder.current)
        #expect(recorder.path.hasSuffix(".jsonl") && text.utf8.count > 255)
    }

    @Test("a test that passes leaves no journal")
    func passing() async throws {
        let issues = try await run(in: folder.path) { Store(Cart()).commit { $0.count += 1 } }
        #expect(issues.isEmpty && folder.names.isEmpty)
    }

    @Test("a test that fails leaves its journal, named after it, with a mark where the expectation failed")
    func failing() async throws {
        let issues = try await run(in: folder.path) {
            let store = Store(Cart())
            store.commit { $0.count = 1 }
            #expect(store.state.count == 2, "the count is off")
            store.commit { $0.count = 2 }
        }
        #expect(issues.count == 1)
        let name = try #require(folder.names.first)
        #expect(folder.names.count == 1 && name.hasPrefix("failing-") && name.hasSuffix(".jsonl"), "\(name)")
        let text = TemporaryFolder.lines(folder.path(name))
        let kinds = ["journal", "store", "commit", "mark", "commit"]
        #expect(zip(text, kinds).allSatisfy { $0.contains(#","kind":"\#($1)""#) })
        #expect(text[3].contains("the count is off") && text[3].contains(#""level":"error""#))
        #expect(text[3].contains(#""file":"StateStoreTests/JournaledTraitTests.swift""#))
        #expect(text.last?.contains(#""kind":"end""#) ?? false)
        #expect(text[0].contains(#""labels":{"test":"#))
    }

    @Test("each journaled test has a model observer of its own, recorded in its journal, and only if it is used")
    func models() async throws {
        for (number, journals) in [1, 2].enumerated() {
            let issues = try await run(in: folder.path) {
                #expect(ModelObserver.current.model(Note.self, 7) == nil)
                ModelObserver.current.update(Note(id: 7, text: "\(number)"))
                #expect(Bool(false))
            }
            #expect(issues.count == 1, "the one that keeps the journal")
            #expect(folder.names.count == journals)
        }
        for name in folder.names {
            let text = TemporaryFolder.lines(folder.path(name))
            #expect(text.contains { $0.contains(#""kind":"store""#) && $0.contains(#""store":"models""#) }, "\(name)")
        }
        let unused = TemporaryFolder()
        _ = try await run(in: unused.path) { #expect(Bool(false)) }
        let text = TemporaryFolder.lines(unused.path(try #require(unused.names.first)))
        #expect(!text.contains { $0.contains(#""store":"models""#) })
    }

    private struct Note: ObservedModel, Equatable {
        let id: Int
        var text: String
    }

    @Test("a test that throws leaves its journal too, redacted as asked")
    func throwing() async throws {
        await #expect(throws: Broken.self) {
            _ = try await self.run(in: folder.path + "/kept", redact: ["/session/token"]) {
                let store = Store(Session())
                store.commit { $0.token = "S3CR3T" }
                throw Broken()
            }
        }
        let kept = folder.path + "/kept"
        let name = try #require(TemporaryFolder.names(kept).first)
        let text = TemporaryFolder.lines("\(kept)/\(name)")
        #expect(text.contains { $0.contains("the test threw: 'Broken'") } && !text.contains { $0.contains("S3CR3T") })
        unlink("\(kept)/\(name)")
    }

    @Test("with redactions, a mark tells the kind of an issue and its place, and quotes no value")
    func redactedMark() async throws {
        struct Refused: Error { var token: String }
        let issues = try await run(in: folder.path, redact: ["/session/token"]) {
            let store = Store(Session())
            store.commit { $0.token = "S3CR3T" }
            #expect(store.state.token == "", "\(store.state.token)")
            #expect(throws: Never.self) { throw Refused(token: store.state.token) }
            Issue.record("the token is \(store.state.token)")
        }
        #expect(issues.count == 3 && issues.joined().contains("S3CR3T"))
        let name = try #require(folder.names.first)
        let text = TemporaryFolder.lines(folder.path(name))
        #expect(!text.contains { $0.contains("S3CR3T") })
        let marks = text.filter { $0.contains(#""kind":"mark""#) }
        #expect(marks.count == 3 && marks[0].contains("Expectation failed"))
        #expect(marks.allSatisfy { $0.contains(#""file":"StateStoreTests/JournaledTraitTests.swift""#) })
    }

    @Test("the journal of a case of a parameterized test names its arguments", .journaled, arguments: ["first case"])
    func parameterized(argument: String) throws {
        let recorder = try #require(Recorder.current)
        #expect(recorder.path.contains("/parameterized-first-case-"))
        #expect(TemporaryFolder.lines(recorder.path)[0].contains(#""arguments":"\#(argument)""#))
    }

    @Test("a known issue is a mark, and no failure")
    func known() async throws {
        _ = try await run(in: folder.path) { withKnownIssue { Issue.record("known") } }
        #expect(folder.names.isEmpty)
    }

    #if os(Linux)
    /// Names the folder for the journal of ``failsOnPurpose()``, which fails only where it is set.
    private static let purpose = "STATE_STORE_FAILS_ON_PURPOSE"

    @Test(
        "the failing test of a child process, skipped elsewhere",
        .enabled("only a child process has it fail") { getenv(purpose) != nil },
        .journaled(in: getenv(purpose).map { String(cString: $0) }))
    func failsOnPurpose() {
        let store = Store(Cart())
        store.commit { $0.count = 1 }
        #expect(store.state.count == 2)
    }

    @Test("the journal of a test that fails is attached to it, the same bytes as in the kept file")
    func attached() throws {
        let (kept, attachments) = (TemporaryFolder(), TemporaryFolder())
        let status = try Child.run(
            "/proc/self/exe",
            [
                "--testing-library", "swift-testing", "--filter", "JournaledTraitTests/failsOnPurpose",
                "--attachments-path", attachments.path,
            ],
            adding: (Self.purpose, kept.path), output: kept.path("output"))
        let output = TemporaryFolder.lines(kept.path("output")).joined(separator: "\n")
        #expect(status == 1, "\(output)")
        let file = try #require(kept.names.first { $0.hasPrefix("failsOnPurpose-") }, "\(output)")
        let attachment = try #require(attachments.names.first { $0.hasSuffix(".jsonl") }, "\(output)")
        #expect(attachment == file, "the attachment has the name of the kept file")
        let bytes = TemporaryFolder.read(kept.path(file))
        #expect(TemporaryFolder.read(attachments.path(attachment)) == bytes)
        #expect(try JournalReader(kept.path(file)).state(of: "cart", as: Cart.self).count == 1)
        #expect(output.contains(file))
    }

    private static let trap = "STATE_STORE_TRAPS_ON_PURPOSE"

    @Test(
        "the trapping test of a child process, skipped elsewhere",
        .enabled("only a child process has it trap") { getenv(trap) != nil },
        .journaled(in: getenv(trap).map { String(cString: $0) }))
    func trapsOnPurpose() {
        let store = Store(Cart())
        store.commit { $0.count = 1 }
        fatalError("on purpose")
    }

    @Test("the journal of a test that traps stays, named after it")
    func trapped() throws {
        let kept = TemporaryFolder()
        let status = try Child.run(
            "/proc/self/exe",
            ["--testing-library", "swift-testing", "--filter", "JournaledTraitTests/trapsOnPurpose"],
            adding: (Self.trap, kept.path), output: kept.path("output"))
        let output = TemporaryFolder.lines(kept.path("output")).joined(separator: "\n")
        #expect(status == nil && output.contains("on purpose"), "\(output)")
        let file = try #require(kept.names.first { $0.hasPrefix("trapsOnPurpose-") }, "\(output)")
        #expect(try JournalReader(kept.path(file)).state(of: "cart", as: Cart.self).count == 1)
    }
    #endif

    @Test("where the kept journal is, is told on standard error; STATE_JOURNAL_KEEP names the folder")
    func announced() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            [path = folder.path as String] in
            setenv("STATE_JOURNAL_KEEP", path, 1)
            JournalFile(folder: nil, test: "pays(twice:)").announce(test: "pays(twice:)")
        }
        #expect(result.errors.contains("'pays(twice:)' is '\(folder.path)/pays-"), "\(result.errors)")
    }
}
