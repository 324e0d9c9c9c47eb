internal import JournalFormat
internal import StateStore
internal import Synchronization
public import Testing

/// Gives each test a recorder, and keeps its journal when the test fails.
///
///     @Test(.journaled) func checkout() { let cart = Store(Cart()) … }
///
/// Stores that are made inside the test without naming a recorder are recorded by ``StateStore/Recorder/current``. When the
/// test records an issue, the journal gets a mark where that was, and is attached to the test; otherwise it is deleted.
public struct JournaledTrait: TestTrait, SuiteTrait, TestScoping {
    /// The folder that the journals are made in; nil for the system's temporary folder.
    public var folder: String?
    /// Each test of a suite has a recorder of its own.
    public var isRecursive: Bool { true }

    /// Gives only test functions a scope: a suite has nothing to record.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> JournaledTrait? {
        testCase == nil ? nil : self
    }

    /// Runs a test with a recorder.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let file = JournalFile(folder: folder)
        let recorder = try Recorder(file.path)
        let hasFailed = Mutex(false)
        defer {
            recorder.close()
            if hasFailed.withLock(\.self) {
                Attachment.record(file.bytes, named: "run.jsonl")
            }
            file.remove()
        }
        let watch = IssueHandlingTrait.compactMapIssues { issue in
            hasFailed.withLock { $0 = true }
            recorder.mark(String(describing: issue), level: .error)
            return issue
        }
        do {
            try await watch.provideScope(for: test, testCase: testCase) {
                try await Recorder.$current.withValue(recorder) { try await function() }
            }
        } catch {
            hasFailed.withLock { $0 = true }
            throw error
        }
    }
}

extension Trait where Self == JournaledTrait {
    /// Records the stores of each test, and attaches the journal to a test that fails.
    public static var journaled: JournaledTrait { JournaledTrait() }
}
