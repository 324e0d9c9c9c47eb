internal import JSONCore

/// A call of a recursive function; others are expanded where they are called.
final class CallNode: Node {
    let function: Function
    /// How many frames outwards the function was defined.
    let hops: Int
    let arguments: [Argument]
    private var isTail = false

    struct Argument {
        enum Kind {
            /// A filter as written here.
            case closure(Node, slots: Int)
            /// A parameter of the caller, handed on as it is.
            case parameter(hops: Int, index: Int)
        }
        var kind: Kind
    }

    init(_ function: Function, hops: Int, arguments: [Argument]) {
        self.function = function
        self.hops = hops
        self.arguments = arguments
    }

    override func settle() {
        for argument in arguments {
            if case .closure(let node, _) = argument.kind { node.settle() }
        }
        multiplicity = function.multiplicity
    }
    override func markTail() { isTail = true }

    private func activation(_ frame: Frame) throws(Interruption) -> Frame {
        var closures: [Closure] = []
        closures.reserveCapacity(arguments.count)
        for argument in arguments {
            switch argument.kind {
            case .closure(let node, let slots): closures.append(Closure(body: node, frame: frame, slots: slots))
            case .parameter(let hops, let index): closures.append(frame.outer(hops).closures[index])
            }
        }
        return try Frame(frame.machine, parent: frame.outer(hops), slots: function.slots, closures: closures)
    }

    /// Leaves the call to the loop that runs the caller's body.
    private func postpone(_ input: JSONValue, _ frame: Frame) throws(Interruption) {
        frame.machine.pending = Machine.PendingCall(
            function: function, frame: try activation(frame), input: input)
    }

    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        if isTail {
            try postpone(input, frame)
            return nil
        }
        let machine = frame.machine
        var call = Machine.PendingCall(function: function, frame: try activation(frame), input: input)
        while true {
            try machine.enter()
            let result = try call.function.body.one(call.input, call.frame)
            guard let next = machine.pending else { return result }
            machine.pending = nil
            call = next
        }
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        if isTail {
            try postpone(input, frame)
            return .tail
        }
        let machine = frame.machine
        var call = Machine.PendingCall(function: function, frame: try activation(frame), input: input)
        while true {
            try machine.enter()
            let flow = try call.function.body.run(call.input, call.frame, sink)
            guard flow == .tail, let next = machine.pending else { return flow }
            machine.pending = nil
            call = next
        }
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try frame.machine.enter()
        return try function.body.paths(at, try activation(frame), sink)
    }

    /// What a recursive function meets further down cannot be told: its input is read whole, and so is every variable that
    /// is read while it runs.
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        let tracer = frame.tracer
        tracer.consume(input)
        guard tracer.mayGoOn else { return .derived }
        return tracer.recursing {
            var closures: [TraceFrame.Closure] = []
            for argument in arguments {
                switch argument.kind {
                case .closure(let node, let slots):
                    let closure = TraceFrame.Closure(body: node, frame: frame, slots: slots)
                    tracer.consume(closure.trace(.derived))
                    closures.append(closure)
                case .parameter(let hops, let index): closures.append(frame.outer(hops).closures[index])
                }
            }
            guard tracer.begin(function) else { return .derived }
            let callee = TraceFrame(tracer, parent: frame.outer(hops), slots: function.slots, closures: closures)
            tracer.consume(function.body.trace(.derived, callee))
            tracer.end(function)
            return .derived
        }
    }
}

/// A call of a parameter that is a filter.
final class ClosureCallNode: Node {
    let hops: Int
    let index: Int

    init(hops: Int, index: Int) {
        self.hops = hops
        self.index = index
    }

    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        let closure = frame.outer(hops).closures[index]
        try frame.machine.enter()
        return try closure.body.run(input, try closure.activation(), sink)
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        let closure = frame.outer(hops).closures[index]
        try frame.machine.enter()
        return try closure.body.paths(at, try closure.activation(), sink)
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        frame.outer(hops).closures[index].trace(input)
    }
}

/// A filter that is run again while it runs, as `recurse(f)` does: each run has variables of its own.
final class ScopeNode: Node {
    let slots: Int
    let body: Node

    init(slots: Int, _ body: Node) {
        self.slots = slots
        self.body = body
    }

    override func settle() {
        body.settle()
        multiplicity = body.multiplicity
    }
    private func activation(_ frame: Frame) throws(Interruption) -> Frame {
        try Frame(frame.machine, parent: frame, slots: slots)
    }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        try body.one(input, try activation(frame))
    }
    override func run(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(Interruption) -> Flow {
        try body.run(input, try activation(frame), sink)
    }
    override func paths(_ at: Located, _ frame: Frame, _ sink: PathSink) throws(Interruption) -> Flow {
        try body.paths(at, try activation(frame), sink)
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        body.trace(input, TraceFrame(frame.tracer, parent: frame, slots: slots, closures: []))
    }
}
