internal import Platform
internal import JSONCore

/// The state of one evaluation, on one thread.
///
/// A program is charged steps by the time and the memory that it takes: the limit on steps keeps every query from
/// hanging and from exhausting memory. Loops charge each round, calls and building charge by size, all by `charge`,
/// which throws once the budget is spent.
final class Machine {
    private(set) var limits: QueryLimits
    /// Where the caller of `evaluate` keeps the context; set for the length of one evaluation.
    private var contextPlace: Borrowed<QueryContext>?
    /// The tail call that the loop in `CallNode` runs next; unretained, since a program outlives its evaluation.
    private(set) var pending: UnretainedNode?
    private var pendingFrame: Frame?
    private var pendingInput = JSONValue.null
    private var spare: Frame?
    private(set) var stepsLeft: Int
    /// Whether the machine is a stand-in for programs that take no steps; threads share it, so it is never written.
    private let isIdle: Bool
    private(set) var memo: QueryMemo?
    /// The variable that stands for a path of the input in a path expression.
    private(set) var bound: BoundPlace?
    private var labels = 0
    private var constructions = 0
    private var outputs = 0
    /// Whether a container was built of containers that may stand in it many times.
    private var hasNested = false
    private var stackFloor: UInt = 0
    /// The greatest depth of frames that refer to one another: releasing them recurses, so the stack bounds it.
    private(set) var frameDepthLimit = 1

    func bind(_ place: BoundPlace?) { if !isIdle { bound = place } }

    init(isIdle: Bool = false) {
        limits = .standard
        self.isIdle = isIdle
        stepsLeft = isIdle ? QueryLimits.standard.steps : 0
    }

    /// Begins an evaluation on the present thread; the context must stay in its place until `end`.
    func begin(_ context: Borrowed<QueryContext>, _ memo: QueryMemo? = nil) {
        contextPlace = context
        self.memo = memo
        hasNested = false
        outputs = 0
        limits = context.value.limits
        stepsLeft = limits.steps
        let stack = StackRoom.lowestAddress
        let here = ThreadStack.pointer()
        let room = here > stack ? here - stack : 0
        stackFloor = stack + min(UInt(QueryLimits.stackReserve), room / 2)
        let frames = Int(here > stackFloor ? here - stackFloor : 0) / 512
        frameDepthLimit = max(1_000, min(QueryLimits.frames, frames))
    }

    func end() {
        contextPlace = nil
        memo = nil
        spare = nil  // The frame holds this machine.
        pending = nil
        pendingFrame = nil
        pendingInput = .null
    }

    subscript(variable: ContextVariable) -> JSONValue { contextPlace?.value[variable] ?? .null }

    // MARK: Charging

    /// What a call costs in steps, by the time that it takes beside a round of a loop; its frame costs `frameCost` more.
    static let callCost = 3
    private static let frameCost = 10
    /// What a part of a comma costs: rows of commas multiply what comes after them without any loop.
    static let commaPartCost = 5
    /// What an output costs, since the caller writes it.
    private static let outputCost = 40
    /// How many outputs are not measured: what a query finds in a state is mostly one value, however large.
    private static let freeOutputs = 16
    /// What a message costs, which is written at once.
    static let messageCost = 100
    /// What catching an error costs: its message is made.
    static let failureCost = 10
    /// What building a container costs beside its parts: three steps for eight bytes of memory, so that a hundred million steps
    /// are 256 MiB.
    static let buildingCost = 20
    static let elementCost = 6
    static let memberCost = 16
    /// What one more member of an existing object costs, which is put in order among the others.
    static let insertionCost = 24
    /// How many parts of values are read for a step.
    static let partsPerStep = 2

    /// For a round of a loop the `stepCost` of the node that it runs; only for nodes that a plain program cannot
    /// contain: an idle machine is shared and must not be written.
    @inline(__always)
    func charge(_ steps: Int) throws(Interruption) {
        stepsLeft &-= steps
        if stepsLeft < 0 { throw .limit(.steps) }
    }

    @inline(__always)
    func charge(work steps: Int) throws(Interruption) {
        guard steps > 0, !isIdle else { return }
        stepsLeft &-= steps
        if stepsLeft < 0 { throw .limit(.steps) }
    }

    /// `effort` is the work, as a multiple of copying the string once.
    func charge(text: String, effort: Int = 1) throws(Interruption) {
        let count = text.utf8.count
        if count > limits.size { throw .limit(.size) }
        try charge(work: JSONValue.textCost(count) &* effort)
    }

    /// Charges work that reads all parts of a value, a part that stands in it twice counting twice.
    func charge(partsOf value: JSONValue) throws(Interruption) {
        guard !value.isScalar else { return try charge(work: value.readingCost) }
        guard let count = ValueExtent.count(value, upTo: allowance(atMost: ValueOrder.workLimit)) else {
            throw .limit(.steps)
        }
        try charge(work: count / Machine.partsPerStep)
    }

    /// Charges a container if an edit has copied it, because it was shared: then its storage is no longer `former`.
    @inline(__always)
    func charge(copyOf value: JSONValue, from former: UInt?) throws(Interruption) {
        if value.storageIdentity != former { try charge(work: value.buildingCost) }
    }

    /// Refuses an output whose text is too long: by sharing, `[., .]` a hundred times over takes little memory, but 2
    /// to the power of 100 parts to write.
    func charge(output value: JSONValue) throws(Interruption) {
        try charge(work: Machine.outputCost &+ value.readingCost)
        outputs &+= 1
        guard !value.isScalar, hasNested || outputs > Machine.freeOutputs else { return }
        guard let extent = ValueExtent.count(value, upTo: limits.size) else { throw .limit(.size) }
        try charge(work: extent &>> 1)
    }

    @inline(__always)
    func append(_ element: JSONValue, to elements: inout [JSONValue]) throws(Interruption) {
        try charge(Machine.elementCost)
        if elements.count >= limits.elements { throw .limit(.size) }
        elements.append(element)
    }

    /// How many parts work may read before it has to be charged.
    func allowance(atMost limit: Int) -> Int {
        isIdle ? limit : min(limit, (max(0, stepsLeft) &+ 1) &* Machine.partsPerStep)
    }

    /// Refunds what was charged since there were so many steps left, for work that only saves work.
    func restore(steps: Int) { stepsLeft = steps }

    /// A value of depth *d* takes *d* constructions, so a check for each `QueryLimits.depth` of them finds it before it
    /// is too deep to be released or printed.
    ///
    /// `isPlain` says that each part stands in the value once.
    func checkNesting(of value: JSONValue, isPlain: Bool = false) throws(Interruption) {
        constructions += 1
        hasNested = hasNested || !isPlain
        guard constructions >= QueryLimits.depth else { return }
        constructions = 0
        var count = 0
        if ValueExtent.isDeeper(value, than: 2 * QueryLimits.depth + 2, &count) { throw .limit(.valueDepth) }
        try charge(work: count)
    }

    // MARK: Calls

    /// Charges a call that nests on the native stack, and refuses it where the stack is nearly used up.
    @inline(__always)
    func enterCall(_ stepCost: Int = 0) throws(Interruption) {
        try charge(Machine.callCost &+ stepCost)
        if ThreadStack.pointer() < stackFloor { throw .limit(.callDepth) }
    }

    @inline(__always)
    func postpone(_ body: UnretainedNode, _ frame: Frame?, _ input: JSONValue) {
        pending = body
        pendingFrame = frame
        pendingInput = input
    }

    /// `frame` becomes the frame of the call, and the previous one is given back; `input` becomes the call's input.
    @inline(__always)
    func resume(_ frame: inout Frame, _ input: inout JSONValue) {
        pending = nil
        input = pendingInput
        pendingInput = .null
        guard pendingFrame != nil else { return }
        recycle(&frame)
        if let next = pendingFrame.take() { frame = next }
    }

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

    /// Keeps the frame of a finished call for the next one, unless a closure still refers to it.
    @inline(__always)
    func recycle(_ frame: inout Frame) {
        guard isKnownUniquelyReferenced(&frame) else { return }
        frame.end()
        spare = frame
    }

    func newLabel() -> Int {
        labels += 1
        return labels
    }
}

/// The variables and closures of one activation of a function or closure.
///
/// A slot is written each time its binding is reached, and read until the binding's body is done. A binding is never
/// entered again within one activation before that, because closures that may be re-entered have frames of their own.
///
/// Frames are reference-counted, since closures in tail calls outlive their activation. A frame without other
/// references goes back to the machine, so a loop of calls allocates nothing.
final class Frame {
    let machine: Machine
    private(set) var parent: Frame?
    private(set) var closures: [Closure]
    @safe @exclusivity(unchecked) private var slots: PinnedArray<JSONValue>
    var count: Int { slots.count }
    private var depth: Int

    init(_ machine: Machine, parent: Frame?, slots count: Int, closures: [Closure] = []) throws(Interruption) {
        self.machine = machine
        self.parent = parent
        self.closures = closures
        depth = Self.depth(below: parent, closures)
        slots = PinnedArray(repeating: .null, count: count)
        if depth > machine.frameDepthLimit { throw .limit(.callDepth) }
    }

    private static func depth(below parent: Frame?, _ closures: [Closure]) -> Int {
        var depth = parent?.depth ?? 0
        for closure in closures { depth = max(depth, closure.frame.depth) }
        return depth + 1
    }

    func begin(parent: Frame?, closures: [Closure]) throws(Interruption) {
        self.parent = parent
        self.closures = closures
        depth = Self.depth(below: parent, closures)
        if depth > machine.frameDepthLimit { throw .limit(.callDepth) }
    }

    func end() {
        parent = nil
        if !closures.isEmpty { closures = [] }
        slots.fill(with: .null)
    }

    /// The compiler hands out slots, so an index is always in range.
    @inline(__always)
    subscript(slot: Int) -> JSONValue {
        get { unsafe slots[unchecked: slot] }
        set { unsafe slots[unchecked: slot] = newValue }
    }

    @inline(__always)
    func value(_ slot: Int, outwards hops: Int) -> JSONValue {
        unsafe hops == 0 ? slots[unchecked: slot] : outer(hops).slots[unchecked: slot]
    }

    /// A slot's value where it is, valid until the slot is written.
    @inline(__always)
    func place(of slot: Int, outwards hops: Int) -> Borrowed<JSONValue> {
        (hops == 0 ? slots.elements : outer(hops).slots.elements).place(of: slot)
    }

    func outer(_ hops: Int) -> Frame {
        var frame = self
        for _ in 0..<hops {
            guard let next = frame.parent else { return frame }
            frame = next
        }
        return frame
    }
}

/// An argument that is a filter, with the frame it was written in.
struct Closure {
    let body: Node
    let frame: Frame
    /// The number of variables that it binds itself; with none it runs in the frame it was written in.
    let slots: Int

    func activation() throws(Interruption) -> Frame {
        slots == 0 ? frame : try Frame(frame.machine, parent: frame, slots: slots)
    }
}

/// A function that is called and not expanded in place, because it is recursive.
final class Function {
    var slots = 0
    /// A placeholder for the body until that is compiled; kept, because calls refer to it unretained.
    private let unknown: Node = IdentityNode()
    var body: Node
    /// The least until the bodies show more; for a call that never returns, any cardinality is right.
    var cardinality = Cardinality.one

    init() { body = unknown }

    /// Releases the body, which may refer to the function.
    fileprivate func open() { body = unknown }
}

/// The bodies refer to the functions; these cycles are broken when the program is released.
final class FunctionTable {
    var all: [Function] = []

    deinit { for function in all { function.open() } }
}
