internal import JSONCore

/// The state of one evaluation: its budget, its commit's variables, and the call that waits in tail position.
///
/// Belongs to one thread for the length of one `evaluate`.
final class Machine {
    /// A call in tail position, taken up by the loop that runs function bodies.
    struct PendingCall {
        var function: Function
        var frame: Frame
        var input: JSONValue
    }

    let context: QueryContext
    let limits: QueryLimits
    var pending: PendingCall?
    private var stepsLeft: Int
    private var labels = 0
    private var constructions = 0
    private let stackFloor: UInt
    /// Frames whose parents and closures hang together: releasing them recurses, so their depth is bounded by the stack.
    let frameDepthLimit: Int

    init(context: QueryContext, limits: QueryLimits) {
        self.context = context
        self.limits = limits
        stepsLeft = limits.steps
        let stack = ThreadStack.lowestAddress
        let here = Machine.stackPointer()
        let room = here > stack ? here - stack : 0
        stackFloor = stack + min(UInt(QueryLimits.stackReserve), room / 2)
        frameDepthLimit = max(1_000, Int(here > stackFloor ? here - stackFloor : 0) / 512)
    }

    /// Pays for one step.
    @inline(__always)
    func step() throws(Interruption) {
        stepsLeft &-= 1
        if stepsLeft < 0 { throw .limit(.steps) }
    }

    /// Pays for a call, which needs room on the stack too.
    @inline(__always)
    func enter() throws(Interruption) {
        try step()
        if Machine.stackPointer() < stackFloor { throw .limit(.callDepth) }
    }

    /// A number that no other label of this evaluation has.
    func newLabel() -> Int {
        labels += 1
        return labels
    }

    /// Looks now and then whether values that wrap others have become too deep to be released or printed.
    ///
    /// A value of depth *d* takes *d* constructions, so looking once per `QueryLimits.depth` of them finds every deep chain
    /// while it can still be handled.
    func noteNesting(of value: JSONValue) throws(Interruption) {
        constructions += 1
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
