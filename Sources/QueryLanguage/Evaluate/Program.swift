internal import JSONCore
internal import Synchronization

/// The nodes of a compiled program.
///
/// Unchecked because nodes are classes; they are not changed once a program is compiled.
final class Program: @unchecked Sendable {
    let body: Node
    /// How many variables the outermost frame holds.
    let slots: Int
    /// A frame that stands for any where the program looks at its input alone: then an evaluation needs no machine.
    private let idleFrame: Frame?
    private let rest = RestingFrame()
    private let functions: FunctionTable
    /// The program with what can be kept of arrays; nil where that is nothing.
    private let remembering: Node?
    /// Whether any output is true, for a program that gives one for each element; nil for another.
    private let anyTrue: Node?
    let foldCount: Int
    /// Up to what size a program needs no limits.
    private static let plainToll = 16

    init(body: Node, slots: Int, functions: FunctionTable) {
        var finder = FoldFinder()
        remembering = finder.program(body)
        anyTrue = remembering == nil ? finder.truth(of: body) : nil
        foldCount = finder.count
        self.body = body
        self.functions = functions
        self.slots = slots
        idleFrame =
            body.isPlain && body.toll <= Self.plainToll ? try? Frame(Machine(isIdle: true), parent: nil, slots: 0) : nil
    }

    /// What a program that looks at its input alone gives; nil where it is another.
    @inline(__always)
    func plainOutcome(of input: JSONValue) -> Result<JSONValue?, Interruption>? {
        guard let idleFrame else { return nil }
        return Result { () throws(Interruption) in try body.one(input, idleFrame) }
    }

    /// What the program gives, with what a memo keeps; nil where it gives nothing, or has nothing to keep.
    func remembered(
        _ input: JSONValue, _ context: QueryContext, _ memo: QueryMemo, givesOut: Bool
    ) throws(Interruption) -> JSONValue? {
        guard let remembering, memo.begin() else { return nil }
        defer { memo.end() }
        return try withFrame(context, memo) { frame throws(Interruption) in
            guard let value = try remembering.one(input, frame) else { return nil }
            if givesOut { try frame.machine.giveOut(value) }
            return value
        }
    }

    /// Whether any output is true, with what a memo keeps; nil where the program is another.
    func truth(_ input: JSONValue, _ context: QueryContext, _ memo: QueryMemo) throws(Interruption) -> JSONValue? {
        guard let anyTrue, memo.begin() else { return nil }
        defer { memo.end() }
        return try withFrame(context, memo) { frame throws(Interruption) in try anyTrue.one(input, frame) }
    }

    /// The first output of the program, or nil if there is none.
    func first(of input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        if body.cardinality != .many { return try body.one(input, frame) }
        var result: JSONValue?
        _ = try body.run(input, frame) { value throws(Interruption) in
            result = value
            return .stop
        }
        return result
    }

    /// Runs with the outermost frame of an evaluation, which is kept from one to the next: a predicate on one member takes
    /// less time than to allocate two objects.
    func withFrame<Result>(
        _ context: QueryContext, _ memo: QueryMemo? = nil, _ body: (Frame) throws(Interruption) -> Result
    ) throws(Interruption) -> Result {
        try withUnsafePointer(to: context) { place throws(Interruption) in
            let activation = try activation()
            activation.machine.begin(place, memo)
            defer {
                activation.end()
                rest.put(activation)
            }
            return try body(activation.frame)
        }
    }

    private func activation() throws(Interruption) -> Activation {
        if let known = rest.take() { return known }
        return try Activation(slots: slots)
    }
}

/// A machine with the outermost frame of a program.
private final class Activation {
    let machine = Machine()
    let frame: Frame

    init(slots: Int) throws(Interruption) { frame = try Frame(machine, parent: nil, slots: slots) }

    func end() {
        machine.end()
        if frame.count > 0 { frame.end() }
    }
}

/// Where an activation rests between evaluations; one that runs at the same time on another thread, or within the first, makes
/// its own.
///
/// Unchecked because what the pointer leads to belongs to whoever took it.
private final class RestingFrame: @unchecked Sendable {
    private let place = Atomic<UnsafeRawPointer?>(nil)

    func take() -> Activation? {
        place.exchange(nil, ordering: .acquiring).map { Unmanaged.fromOpaque($0).takeRetainedValue() }
    }

    func put(_ activation: Activation) {
        let former = place.exchange(Unmanaged.passRetained(activation).toOpaque(), ordering: .acquiringAndReleasing)
        if let former { Unmanaged<Activation>.fromOpaque(former).release() }
    }

    deinit { _ = take() }
}
