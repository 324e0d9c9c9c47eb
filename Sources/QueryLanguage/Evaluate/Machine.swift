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
    /// How many outputs were given out.
    private var outputs = 0
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
        outputs = 0
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

    /// Pays for evaluating a node once more: what a loop repeats costs by its size.
    @inline(__always)
    func round(_ node: Node) throws(Interruption) {
        stepsLeft &-= node.toll
        if stepsLeft < 0 { throw .limit(.steps) }
    }

    /// Appends to an array that is built, and pays for the room that it takes.
    @inline(__always)
    func collect(_ element: JSONValue, in elements: inout [JSONValue]) throws(Interruption) {
        stepsLeft &-= Machine.elementCost
        if stepsLeft < 0 { throw .limit(.steps) }
        if elements.count >= limits.size { throw .limit(.size) }
        elements.append(element)
    }

    /// Pays for a text that was made.
    ///
    /// - Parameter effort: how many times the work of copying it that was.
    func payForText(_ text: String, effort: Int = 1) throws(Interruption) {
        let count = text.utf8.count
        if count > limits.size { throw .limit(.size) }
        try pay(JSONValue.textCost(count) &* effort)
    }

    /// How many parts work may look at before it has to be paid for.
    func allowance(atMost limit: Int) -> Int {
        isIdle ? limit : min(limit, (max(0, stepsLeft) &+ 1) &* Machine.partsPerStep)
    }

    /// How many parts of values are looked at for a step.
    static let partsPerStep = 4

    /// Pays for work that looks at all parts of a value, each wherever it stands.
    func payForParts(of value: JSONValue) throws(Interruption) {
        guard !value.isScalar else { return try pay(value.readingCost) }
        guard let count = ValueExtent.count(value, upTo: allowance(atMost: ValueOrder.workLimit)) else {
            throw .limit(.steps)
        }
        try pay(count / Machine.partsPerStep)
    }

    /// Gives back what was paid since there were so many steps left, for work that only saves work.
    func restore(steps: Int) { stepsLeft = steps }

    /// What calls cost in steps, by the time that they take beside a round of a loop.
    private static let callCost = 3
    private static let frameCost = 10
    private static let partCost = 5
    /// What an output costs, which is written.
    private static let outputCost = 40
    /// How many outputs are not looked through: what a query finds in a state is mostly one value, however large.
    private static let freeOutputs = 16
    /// What a message costs, which is written at once.
    static let messageCost = 100
    /// What an error costs that is caught: its message is made.
    static let failureCost = 10
    /// What building a container costs beside its parts, and what each part of it costs, by the memory that it takes: a step for
    /// ten bytes.
    static let buildingCost = 6
    static let elementCost = 2
    static let memberCost = 4
    /// What it costs to put one more member into an object, which finds its place among the others.
    static let insertionCost = 10

    /// Pays for a part of a comma: rows of commas multiply what is behind them without any loop.
    @inline(__always)
    func part() throws(Interruption) {
        stepsLeft &-= Machine.partCost
        if stepsLeft < 0 { throw .limit(.steps) }
    }

    /// Pays for a call that takes the place of another on the stack.
    ///
    /// - Parameter toll: what its body costs.
    @inline(__always)
    func call(_ toll: Int = 0) throws(Interruption) {
        stepsLeft &-= Machine.callCost &+ toll
        if stepsLeft < 0 { throw .limit(.steps) }
    }

    /// Pays for a call, which needs room on the stack too.
    @inline(__always)
    func enter(_ toll: Int = 0) throws(Interruption) {
        try call(toll)
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
        outputs &+= 1
        guard !value.isScalar, hasNested || outputs > Machine.freeOutputs else { return }
        guard let extent = ValueExtent.count(value, upTo: limits.size) else { throw .limit(.size) }
        try pay(extent &>> 1)
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
        var looked = 0
        if ValueDepth.exceeds(value, 2 * QueryLimits.depth + 2, &looked) { throw .limit(.valueDepth) }
        try pay(looked)
    }

    /// An address near the top of the present stack frame.
    @inline(__always)
    static func stackPointer() -> UInt {
        var marker: UInt8 = 0
        return withUnsafeMutablePointer(to: &marker) { UInt(bitPattern: $0) }
    }
}
