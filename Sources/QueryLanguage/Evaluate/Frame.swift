internal import JSONCore

/// The variables and closures of one activation of a function or closure.
///
/// A slot is written each time its binding is reached and read until the binding's body is done; a binding is never entered
/// again within one activation before that, because closures that may be re-entered have frames of their own.
final class Frame {
    let machine: Machine
    let parent: Frame?
    let closures: [Closure]
    private let slots: UnsafeMutablePointer<JSONValue>
    private let count: Int
    private let depth: Int

    init(_ machine: Machine, parent: Frame?, slots count: Int, closures: [Closure] = []) throws(Interruption) {
        self.machine = machine
        self.parent = parent
        self.closures = closures
        self.count = count
        var depth = parent?.depth ?? 0
        for closure in closures { depth = max(depth, closure.frame.depth) }
        self.depth = depth + 1
        slots = UnsafeMutablePointer<JSONValue>.allocate(capacity: count)
        slots.initialize(repeating: .null, count: count)
        if depth >= machine.frameDepthLimit { throw .limit(.callDepth) }
    }

    deinit {
        slots.deinitialize(count: count)
        slots.deallocate()
    }

    /// The value of a slot.
    ///
    /// The compiler hands out slots, so an index is always in range.
    @inline(__always)
    subscript(slot: Int) -> JSONValue {
        get { slots[slot] }
        set { slots[slot] = newValue }
    }

    /// Takes the value out of a slot, leaving null, so that it can be edited without a copy.
    @inline(__always)
    func take(_ slot: Int) -> JSONValue {
        var value = JSONValue.null
        swap(&value, &slots[slot])
        return value
    }

    /// The frame that many scopes outwards.
    @inline(__always)
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
    /// The variables it binds itself; with none it runs in the frame it was written in.
    let slots: Int

    func activation() throws(Interruption) -> Frame {
        slots == 0 ? frame : try Frame(frame.machine, parent: frame, slots: slots)
    }
}

/// A function that is called and not expanded in place: one that is recursive.
final class Function {
    let signature: String
    let closureCount: Int
    var slots = 0
    var body: Node = IdentityNode()
    /// Assumed to be the least until the bodies say otherwise (a greatest fixed point over terminating evaluations).
    var multiplicity = Multiplicity.one

    init(signature: String, closureCount: Int) {
        self.signature = signature
        self.closureCount = closureCount
    }
}
