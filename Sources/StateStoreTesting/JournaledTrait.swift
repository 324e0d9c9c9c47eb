internal import JournalFormat
// A test begins from a state that another run recorded, so it needs the reader, too.
@_exported public import StateReplay
public import StateStore
internal import Synchronization
public import Testing

/// Gives each test a recorder, and keeps its journal when the test fails.
///
///     @Test(.journaled) func checkout() { let cart = Store(Cart()) … }
///
/// Stores that are made inside the test without naming a recorder are recorded by ``StateStore/Recorder/current``, and
/// the test has a ``StateStore/ModelObserver/current`` of its own, which knows no models of other tests. When the test records an issue, the journal gets a mark at that place, is attached to the test, and is kept, with its
/// path on standard error; the journal of a test that passes is deleted. Warnings and known issues are marks, and no
/// failures. With `redact:`, a mark gives only the kind of an issue or an error, since its words may quote a value.
///
/// The journal of a test that traps stays in the folder, under the test's name. A `Task.detached` or a thread of one's
/// own does not inherit the recorder: pass it to the stores that are made there.
public struct JournaledTrait: TestTrait, SuiteTrait, TestScoping {
    /// The folder that the journals are made in; nil for the one that `STATE_JOURNAL_KEEP` names in the environment, else the
    /// system's temporary folder.
    public var folder: String?
    /// The parts of states that are written as keyed hashes.
    public var redact: [Redaction] = []
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
        // Arguments are values, too.
        let arguments = redact.isEmpty ? testCase.flatMap(TestArguments.text) : nil
        let file = JournalFile(folder: folder, test: test.name, arguments: arguments)
        var labels = ["test": "\(test.id)"]
        labels["arguments"] = arguments
        let recorder = try Recorder(JournalPath.escaped(file.path), redact: redact, labels: labels)
        let hasFailed = Mutex(false)
        defer {
            recorder.close()
            if hasFailed.withLock(\.self) { keep(file, of: test) } else { file.remove() }
        }
        let watch = IssueHandlingTrait.compactMapIssues { issue in
            if issue.isFailure { hasFailed.withLock { $0 = true } }
            mark(issue, on: recorder)
            return issue
        }
        do {
            try await watch.provideScope(for: test, testCase: testCase) {
                try await Recorder.$current.withValue(recorder) {
                    try await ModelObserver.$current.withValue(ModelObserver(whenUsed: recorder)) {
                        try await function()
                    }
                }
            }
        } catch {
            hasFailed.withLock { $0 = true }
            recorder.mark("the test threw: \(words(of: error))", level: .error)
            throw error
        }
    }

    private func keep(_ file: JournalFile, of test: Test) {
        Attachment.record(file.bytes, named: file.name)
        file.announce(test: test.name)
    }

    private func mark(_ issue: Issue, on recorder: Recorder) {
        let text = words(of: issue)
        let level: MarkLevel = issue.isFailure ? .error : .warning
        guard let place = issue.sourceLocation else { return recorder.mark(text, level: level) }
        recorder.mark(
            text, level: level, fileID: place.fileID, line: place.line, column: place.column, function: "")
    }

    /// The words of an issue; only its kind if it may quote what is redacted.
    private func words(of issue: Issue) -> String {
        if redact.isEmpty { return String(describing: issue) }
        let kind =
            switch issue.kind {
            case .expectationFailed: "Expectation failed"
            case .errorCaught(let error): "Caught error of type '\(type(of: error))'"
            case .confirmationMiscounted: "Confirmation failed"
            case .timeLimitExceeded: "Time limit exceeded"
            case .knownIssueNotRecorded: "Known issue was not recorded"
            default: "Issue recorded"
            }
        return "\(kind); its words and values are left out, since some are redacted"
    }

    /// The words of an error; only its type if it may quote what is redacted.
    private func words(of error: any Error) -> String {
        redact.isEmpty ? "\(error)" : "'\(type(of: error))'"
    }
}

extension Trait where Self == JournaledTrait {
    /// Records the stores of each test, and keeps the journal of one that fails.
    public static var journaled: JournaledTrait { JournaledTrait() }

    /// Records the stores of each test, and keeps the journal of one that fails.
    ///
    /// - Parameters:
    ///   - folder: where the journals are made; it is made too, if its parent is there.
    ///   - redact: the parts of states that are written as keyed hashes.
    public static func journaled(in folder: String? = nil, redact: [Redaction] = []) -> JournaledTrait {
        JournaledTrait(folder: folder, redact: redact)
    }
}
