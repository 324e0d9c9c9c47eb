internal import StateStore
internal import Testing

extension TestStore {
    /// Waits for an action that matches, and checks what it changed.
    ///
    /// - Parameter expected: names the action in an issue.
    func receive(
        _ matches: (Action) -> Bool, _ expected: String, timeout: Duration, isolation: isolated (any Actor)?,
        at location: Testing.SourceLocation, _ change: ((inout State) throws -> Void)?
    ) async {
        var deadline = Deadline(timeout)
        var skipped = 0
        while await deadline.wait(isolation: isolation, until: { !log.isEmpty }), let answer = log.take() {
            if matches(answer.action) { return check(answer, of: words(of: answer.action), change, at: location) }
            log.setAsserted(answer.after)
            if exhaustivity == .on {
                // A comment would describe the action in words of its own.
                let received = words(of: answer.action)
                Issue.record("expected to receive \(expected), received '\(received)'", sourceLocation: location)
                return
            }
            skipped += 1
        }
        let others = skipped == 0 ? "nothing" : skipped == 1 ? "one other action" : "\(skipped) other actions"
        let running = store.runningEffects == 0 ? "; no effect is running" : ""
        Issue.record(
            "expected to receive \(expected), received \(others) within \(timeout)\(running)", sourceLocation: location)
    }

    /// - Parameter answer: nil for an action that was swallowed.
    func check(
        _ answer: AnsweredAction<State, Action>?, of action: String, _ change: ((inout State) throws -> Void)?,
        at location: Testing.SourceLocation
    ) {
        let (before, after) = (answer?.before ?? log.asserted, answer?.after ?? log.asserted)
        if let answer, answer.followsOtherCommit, exhaustivity == .on {
            Issue.record(
                "a commit without an action changed the state before '\(action)':\(difference(log.asserted, before))",
                sourceLocation: location)
        }
        log.setAsserted(after)
        guard exhaustivity == .on || change != nil else { return }
        var expected = exhaustivity == .on ? before : after
        do {
            try change?(&expected)
        } catch {
            Issue.record(error, "the expected state after '\(action)' could not be computed", sourceLocation: location)
            return
        }
        guard expected != after else { return }
        let title = change == nil ? "'\(action)' changed the state" : "the state after '\(action)' differs"
        Issue.record("\(title):\(difference(expected, after))", sourceLocation: location)
    }

    func report(
        unreceived: [AnsweredAction<State, Action>], _ moment: String, at location: Testing.SourceLocation
    ) {
        if unreceived.isEmpty { return }
        let list = unreceived.map { "\n  \(words(of: $0.action))" }.joined()
        let count = unreceived.count == 1 ? "1 action was" : "\(unreceived.count) actions were"
        Issue.record("\(count) not received \(moment):\(list)", sourceLocation: location)
    }

    /// The words of an action; only its name if what it carries may be redacted.
    func words(of action: Action) -> String {
        store.store.isRedacted ? CommitAction(of: action).type : "\(action)"
    }

    private func difference(_ expected: State, _ actual: State) -> String {
        let operations = (try? store.store.patch(from: expected, to: actual))?.operations ?? []
        // The difference may be in what the state does not encode.
        if operations.isEmpty, store.store.isRedacted { return "\n  in what is left out, since some is redacted" }
        if operations.isEmpty {
            return storedDifference(expected, actual) ?? "\n  expected \(expected)\n  is       \(actual)"
        }
        return operations.map { "\n  \($0.path)   \(words(of: $0))" }.joined()
    }

    /// The stored properties whose descriptions differ; nil if none do.
    private func storedDifference(_ expected: State, _ actual: State) -> String? {
        let properties = zip(Mirror(reflecting: expected).children, Mirror(reflecting: actual).children)
        let lines = properties.compactMap { old, new -> String? in
            guard let name = old.label, name == new.label else { return nil }
            let (before, after) = (String(reflecting: old.value), String(reflecting: new.value))
            return before == after ? nil : "\n  \(name)   expected \(before), is \(after)"
        }
        return lines.isEmpty ? nil : lines.joined()
    }

    private func words(of operation: StatePatch.Operation) -> String {
        switch operation.kind {
        case .add: "expected nothing, is \(operation.value ?? "")"
        case .remove: "expected \(operation.old ?? ""), is not there"
        case .replace: "expected \(operation.old ?? ""), is \(operation.value ?? "")"
        case .move: "expected at \(operation.from ?? "")"
        }
    }
}

/// How long a condition may still be waited for.
///
/// The pauses count, not the clock: where a machine is so busy that a test gets no time for a second, what the test
/// waits for got none either.
struct Deadline: Sendable {
    private var left: Duration

    init(_ timeout: Duration) { left = timeout }

    /// Waits until a condition holds.
    ///
    /// It polls, with longer pauses over time: for what it waits for, such as the end of any effect, there is no list
    /// of waiters that a task could leave again.
    ///
    /// - Returns: false if it does not hold in time, or the task was cancelled.
    mutating func wait(isolation: isolated (any Actor)? = #isolation, until holds: () -> Bool) async -> Bool {
        var pause = Duration.zero
        while !holds() {
            if left <= .zero || Task.isCancelled { return false }
            if pause == .zero { await Task.yield() } else { try? await Task.sleep(for: pause) }
            left -= pause
            pause = min(pause + .microseconds(100), .milliseconds(5))
        }
        return true
    }
}
