internal import JSONCore
internal import Synchronization

/// Unchecked because nodes are classes; they are not changed once a program is compiled.
@safe
final class Program: @unchecked Sendable {
    let body: Node
    let slots: Int
    /// A frame that all evaluations share if the program is plain, so that none of them needs a machine; else nil.
    private let idleFrame: Frame?
    /// That frame, which is held beside it: its use counts no reference, which takes as long as a comparison does.
    private let uncountedFrame: Unmanaged<Frame>?
    private let pool = ActivationPool()
    /// Shared by the copies of a query on several threads.
    private(set) var stopped = StoppedSteps()
    private let functions: FunctionTable
    private let remembering: Node?
    /// A fold that gives whether any output is true; nil unless the program has an output for each element of an array.
    private let anyTrue: Node?
    let foldCount: Int
    /// The step cost up to which a plain program needs no limits.
    private static let plainCost = 16

    init(body: Node, slots: Int, functions: FunctionTable) {
        var finder = FoldFinder()
        remembering = finder.program(body)
        anyTrue = remembering == nil ? finder.truth(of: body) : nil
        foldCount = finder.count
        self.body = body
        self.functions = functions
        self.slots = slots
        idleFrame =
            body.isPlain && body.stepCost <= Self.plainCost
            ? try? Frame(Machine(isIdle: true), parent: nil, slots: 0) : nil
        // Both are constants of the program.
        unsafe uncountedFrame = idleFrame.map { unsafe .passUnretained($0) }
    }

    /// Counts with another program what limits stop; before a second thread has this one.
    func share(_ stopped: StoppedSteps) { self.stopped = stopped }

    /// Nil for any program that is not plain; a fast path for `withFrame`: a machine need not be prepared.
    @inline(__always)
    func plainOutcome(of input: JSONValue) -> Result<JSONValue?, Interruption>? {
        guard let idleFrame else { return nil }
        return Result { () throws(Interruption) in try body.one(input, idleFrame) }
    }

    /// False if there is no output; nil for any program that is not plain, and where it fails.
    func plainTruth(of input: JSONValue) -> Bool? {
        guard let uncountedFrame = unsafe uncountedFrame else { return nil }
        return unsafe uncountedFrame._withUnsafeGuaranteedRef { frame -> Bool? in
            do throws(Interruption) { return try body.truth(input, frame) ?? false } catch { return nil }
        }
    }

    /// The program's output, with what a memo keeps; nil if there is no output, or the program has no folds.
    func remembered(
        _ input: JSONValue, _ context: QueryContext, _ memo: QueryMemo, givesOut: Bool
    ) throws(Interruption) -> JSONValue? {
        guard let remembering, memo.begin() else { return nil }
        defer { memo.end() }
        return try withFrame(context, memo) { frame throws(Interruption) in
            guard let value = try remembering.one(input, frame) else { return nil }
            if givesOut { try frame.machine.charge(output: value) }
            return value
        }
    }

    /// Whether any output is true, with what a memo keeps; nil if the memo cannot answer that.
    func truth(_ input: JSONValue, _ context: QueryContext, _ memo: QueryMemo) throws(Interruption) -> JSONValue? {
        guard let anyTrue, memo.begin() else { return nil }
        defer { memo.end() }
        return try withFrame(context, memo) { frame throws(Interruption) in try anyTrue.one(input, frame) }
    }

    /// The outermost frame is kept: evaluating a predicate on one member takes less time than allocating two objects.
    func withFrame<Result>(
        _ context: QueryContext, _ memo: QueryMemo? = nil, _ body: (Frame) throws(Interruption) -> Result
    ) throws(Interruption) -> Result {
        if stopped.areSpent(context.limits) { throw .limit(.evaluations) }
        return try withBorrowed(context) { place throws(Interruption) in
            let activation = try activation()
            activation.machine.begin(place, memo)
            defer {
                activation.end()
                pool.put(activation)
            }
            do throws(Interruption) { return try body(activation.frame) } catch {
                if case .limit = error { stopped.add(context.limits.steps - max(0, activation.machine.stepsLeft)) }
                throw error
            }
        }
    }

    private func activation() throws(Interruption) -> Activation {
        if let known = pool.take() { return known }
        return try Activation(slots: slots)
    }
}

private final class Activation {
    let machine = Machine()
    let frame: Frame

    init(slots: Int) throws(Interruption) { frame = try Frame(machine, parent: nil, slots: slots) }

    func end() {
        machine.end()
        if frame.count > 0 { frame.end() }
    }
}

/// An evaluation that runs at the same time, on another thread or inside of the first, makes its own activation.
///
/// Unchecked because the pointer is exchanged atomically, so an activation has one owner at a time.
@safe
private final class ActivationPool: @unchecked Sendable {
    private let place = unsafe Atomic<Unmanaged<Activation>?>(nil)

    /// What is in the place is retained, once.
    func take() -> Activation? { unsafe place.exchange(nil, ordering: .acquiring)?.takeRetainedValue() }

    /// The one that was there before has no other owner.
    func put(_ activation: Activation) {
        unsafe place.exchange(.passRetained(activation), ordering: .acquiringAndReleasing)?.release()
    }

    deinit { _ = take() }
}
