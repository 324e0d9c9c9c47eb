internal import JSONCore

/// The state of one evaluation: its budget, its commit's variables, and the call that waits in tail position.
///
/// Belongs to one thread for the length of one `evaluate`.
final class Machine {
    private(set) var limits: QueryLimits
    /// Where the caller of `evaluate` keeps the context; set for the length of one evaluation.
    private var contextPlace: UnsafePointer<QueryContext>?
    /// The body of a call in tail position, taken up by the loop that runs function bodies.
    ///
    /// Not counted: a program outlives its evaluation.
    private(set) var pending: HeldNode?
    /// Its frame; nil where it is the frame of the call that ends.
    private var pendingFrame: Frame?
    private var pendingInput = JSONValue.null
    /// A frame that was given back.
    private var spare: Frame?
    private(set) var stepsLeft: Int
    /// Whether it only stands in for one: then it is shared by threads, and never written.
    private let isIdle: Bool
    /// What is kept from the evaluation before, where somebody keeps it.
    private(set) var memo: QueryMemo?
    private var labels = 0
    private var constructions = 0
    /// Whether a container was built of containers that may stand in it many times.
    private var hasNested = false
    private var stackFloor: UInt = 0
    /// Frames whose parents and closures hang together: releasing them recurses, so their depth is bounded by the stack.
    private(set) var frameDepthLimit = 1

    /// - Parameter isIdle: for programs that take no steps, whose work their text bounds.
    init(isIdle: Bool = false) {
        limits = .standard
        self.isIdle = isIdle
        stepsLeft = isIdle ? QueryLimits.standard.steps : 0
    }

    /// Begins an evaluation on the present thread; the context must stay in its place until `end`.
    func begin(_ context: UnsafePointer<QueryContext>, _ memo: QueryMemo? = nil) {
        contextPlace = context
        self.memo = memo
        hasNested = false
        limits = context.pointee.limits
        stepsLeft = limits.steps
        let stack = StackRoom.lowestAddress
        let here = Machine.stackPointer()
        let room = here > stack ? here - stack : 0
        stackFloor = stack + min(UInt(QueryLimits.stackReserve), room / 2)
        let frames = Int(here > stackFloor ? here - stackFloor : 0) / 512
        frameDepthLimit = max(1_000, min(QueryLimits.frames, frames))
    }

    /// Ends it: nothing of it is held any longer.
    func end() {
        contextPlace = nil
        memo = nil
        spare = nil  // it holds this machine
        pending = nil
        pendingFrame = nil
        pendingInput = .null
    }

    /// A variable of the commit.
    subscript(variable: ContextVariable) -> JSONValue { contextPlace?.pointee[variable] ?? .null }

    /// Pays for one step.
    @inline(__always)
    func step() throws(Interruption) {
        stepsLeft &-= 1
        if stepsLeft < 0 { throw .limit(.steps) }
    }

    /// Pays for work that grows with what is worked on.
    @inline(__always)
    func pay(_ steps: Int) throws(Interruption) {
        guard steps > 0, !isIdle else { return }
        stepsLeft &-= steps
        if stepsLeft < 0 { throw .limit(.steps) }
    }

    /// Gives back what was paid since there were so many steps left, for work that only saves work.
    func restore(steps: Int) { stepsLeft = steps }

    /// What calls cost in steps, by the time that they take beside a round of a loop.
    private static let callCost = 3
    private static let frameCost = 10
    private static let partCost = 5
    /// What an output costs, which somebody writes.
    private static let outputCost = 10
    /// What building a container costs beside its parts.
    static let buildingCost = 4

    /// Pays for a part of a comma: rows of commas multiply what is behind them without any loop.
    @inline(__always)
    func part() throws(Interruption) {
        stepsLeft &-= Machine.partCost
        if stepsLeft < 0 { throw .limit(.steps) }
    }

    /// Pays for a call that takes the place of another on the stack.
    @inline(__always)
    func call() throws(Interruption) {
        stepsLeft &-= Machine.callCost
        if stepsLeft < 0 { throw .limit(.steps) }
    }

    /// Pays for a call, which needs room on the stack too.
    @inline(__always)
    func enter() throws(Interruption) {
        try call()
        if Machine.stackPointer() < stackFloor { throw .limit(.callDepth) }
    }

    /// Has a call wait until the body that it ends is done.
    @inline(__always)
    func postpone(_ body: HeldNode, _ frame: Frame?, _ input: JSONValue) {
        pending = body
        pendingFrame = frame
        pendingInput = input
    }

    /// Takes the call that waits, which then waits no longer.
    ///
    /// - Parameters:
    ///   - frame: what becomes the frame of the call; the former one is given back.
    ///   - input: what becomes the input of the call.
    @inline(__always)
    func resume(_ frame: inout Frame, _ input: inout JSONValue) {
        pending = nil
        input = pendingInput
        pendingInput = .null
        guard pendingFrame != nil else { return }
        recycle(&frame)
        if let next = pendingFrame.take() { frame = next }
    }

    /// A frame for a call; one that was given back if it fits.
    @inline(__always)
    func frame(parent: Frame?, slots: Int, closures: [Closure]) throws(Interruption) -> Frame {
        stepsLeft &-= Machine.frameCost
        guard let frame = spare, frame.count == slots else {
            return try Frame(self, parent: parent, slots: slots, closures: closures)
        }
        spare = nil
        try frame.begin(parent: parent, closures: closures)
        return frame
    }

    /// Takes back the frame of a call that is done, unless somebody still holds it.
    @inline(__always)
    func recycle(_ frame: inout Frame) {
        guard isKnownUniquelyReferenced(&frame) else { return }
        frame.end()
        spare = frame
    }

    /// Pays for a container that was copied because somebody else holds it too, where it lies elsewhere after an edit.
    @inline(__always)
    func payForCopy(_ value: JSONValue, from former: UInt?) throws(Interruption) {
        if value.storageIdentity != former { try pay(value.buildingCost) }
    }

    /// A number that no other label of this evaluation has.
    func newLabel() -> Int {
        labels += 1
        return labels
    }

    /// Pays for an output that is given out, and looks whether its text has an end: of few parts, each many times over, a
    /// program can build values without one.
    func giveOut(_ value: JSONValue) throws(Interruption) {
        try pay(Machine.outputCost &+ value.readingCost)
        guard hasNested, !value.isScalar, ValueExtent.exceeds(value, limits.size) else { return }
        throw .limit(.size)
    }

    /// Looks now and then whether values that wrap others have become too deep to be released or printed.
    ///
    /// A value of depth *d* takes *d* constructions, so looking once per `QueryLimits.depth` of them finds every deep chain
    /// while it can still be handled.
    ///
    /// - Parameter isPlain: whether each part stands in it once, as far as the one who built it did that.
    func noteNesting(of value: JSONValue, isPlain: Bool = false) throws(Interruption) {
        constructions += 1
        hasNested = hasNested || !isPlain
        guard constructions >= QueryLimits.depth else { return }
        constructions = 0
        if ValueDepth.exceeds(value, 2 * QueryLimits.depth + 2) { throw .limit(.valueDepth) }
    }

    /// An address near the top of the present stack frame.
    @inline(__always)
    static func stackPointer() -> UInt {
        var marker: UInt8 = 0
        return withUnsafeMutablePointer(to: &marker) { UInt(bitPattern: $0) }
    }
}
