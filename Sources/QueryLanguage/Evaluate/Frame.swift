internal import JSONCore

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
    private var depth: Int
    var count: Int { slots.count }

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

    /// Reuses the frame of a finished activation for another one with as many slots.
    func begin(parent: Frame?, closures: [Closure]) throws(Interruption) {
        self.parent = parent
        self.closures = closures
        depth = Self.depth(below: parent, closures)
        if depth > machine.frameDepthLimit { throw .limit(.callDepth) }
    }

    /// Releases everything that the activation held.
    func end() {
        parent = nil
        if !closures.isEmpty { closures = [] }
        slots.fill(with: .null)
    }

    /// The value of a slot.
    ///
    /// The compiler hands out slots, so an index is always in range.
    @inline(__always)
    subscript(slot: Int) -> JSONValue {
        get { unsafe slots[unchecked: slot] }
        set { unsafe slots[unchecked: slot] = newValue }
    }

    /// The value of a slot of the frame `hops` scopes outwards.
    @inline(__always)
    func value(_ slot: Int, outwards hops: Int) -> JSONValue {
        unsafe hops == 0 ? slots[unchecked: slot] : outer(hops).slots[unchecked: slot]
    }

    /// A slot's value where it is, valid until the slot is written.
    @inline(__always)
    func place(of slot: Int, outwards hops: Int) -> Borrowed<JSONValue> {
        (hops == 0 ? slots.elements : outer(hops).slots.elements).place(of: slot)
    }

    /// Takes the value out of a slot, leaving null, so that it can be edited without a copy.
    @inline(__always)
    func take(_ slot: Int) -> JSONValue {
        var value = JSONValue.null
        unsafe swap(&value, &slots[unchecked: slot])
        return value
    }

    /// The frame `hops` scopes outwards.
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
    let signature: String
    var slots = 0
    /// A placeholder for the body until that is compiled; kept, because calls refer to it unretained.
    private let unknown: Node = IdentityNode()
    var body: Node
    /// The least until the bodies show more.
    ///
    /// The compiler raises it until no function's changes. For a call that never returns, any cardinality is right.
    var cardinality = Cardinality.one

    init(signature: String) {
        self.signature = signature
        body = unknown
    }

    /// Releases the body, which may refer to the function.
    fileprivate func open() { body = unknown }
}

/// The functions of a program that are called: their bodies refer to them, so these cycles are broken when the program
/// is released.
final class FunctionTable {
    var all: [Function] = []

    deinit { for function in all { function.open() } }
}
