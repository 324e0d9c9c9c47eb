internal import JSONCore

/// Interprets a program abstractly, once and without a state, and notes which paths of the state it can read.
///
/// Navigating to `/a/b` reads only the kind of the value at `/a`; a value that is computed with, compared or returned is
/// read whole. Each node returns from `trace` what its outputs may be made of, so a path that is narrowed later
/// (`.items | map(.price)`) is not read where it only leads through.
///
/// The result is sound: a change outside of the noted paths changes neither outputs nor errors. Why: a node's outputs and
/// errors depend on values that are constants, that were noted where they were read, or that its abstract output still
/// names as origins; the consumer of that output notes those. Loops run to a fixed point, and what is too large to follow
/// counts as read. `FootprintTests` and `ReferenceTests` hold the footprints against changed states.
final class Tracer {
    private(set) var paths = PathSet.nothing
    private(set) var usesOld = false
    private(set) var usesCommit = false
    private(set) var printsMessages = false
    private(set) var topLevelNames: [(name: String, range: SourceRange)] = []
    private var active: [ObjectIdentifier] = []
    private var recursionDepth = 0

    /// Containers nested deeper, and values of more origins, are taken as read.
    private static let shapeDepth = 8
    private static let originCount = 64
    /// How many loops and calls are followed: nested ones multiply.
    private static let roundLimit = 2_000
    private var rounds = 0

    /// Counts everything as read, for what cannot be followed.
    func giveUp() {
        paths = .everything
        printsMessages = true
    }

    func noteMessage() { printsMessages = true }

    func note(_ variable: ContextVariable) { if variable == .old { usesOld = true } else { usesCommit = true } }

    func consume(_ value: Abstract) {
        for origin in value.origins { paths.insert(origin.segments) }
        guard let shape = value.shape else { return }
        for (_, member) in shape.members { consume(member) }
        if let rest = shape.rest { consume(rest) }
    }

    /// Only the value's kind matters (and a scalar itself).
    func touch(_ value: Abstract) { for origin in value.origins { paths.insert(origin.segments, reading: .shallow) } }

    func consumed(_ values: Abstract...) -> Abstract {
        for value in values { consume(value) }
        return .derived
    }

    /// Compares both: of a container only its kind matters beside a scalar, since values of two kinds are ordered by these.
    func compared(_ a: Abstract, _ b: Abstract) -> Abstract {
        if b.isScalar { touch(a) } else { consume(a) }
        if a.isScalar { touch(b) } else { consume(b) }
        return .scalar
    }

    func bounded(_ value: Abstract) -> Abstract {
        guard value.depth > Self.shapeDepth || value.origins.count > Self.originCount else { return value }
        return consumed(value)
    }

    // MARK: Navigation

    func member(_ name: String, of value: Abstract, at range: SourceRange?) -> Abstract {
        touch(value)
        guard !value.origins.isEmpty else { return bounded(value.shape?.member(name) ?? .derived) }
        var result = Abstract.derived
        for origin in value.origins {
            if origin.segments.isEmpty, let range { topLevelNames.append((name, range)) }
            result.origins.append(origin.appending(.key(name)))
        }
        if let shape = value.shape { result = result.joined(with: shape.member(name)) }
        return bounded(result)
    }

    func parts(of value: Abstract) -> Abstract {
        touch(value)
        guard !value.origins.isEmpty else { return bounded(value.shape?.parts ?? .derived) }
        var result = Abstract(origins: value.origins.map { $0.appending(.each) })
        // The number of members is read, even if none of their values is.
        touch(result)
        if let shape = value.shape { result = result.joined(with: shape.parts) }
        return bounded(result)
    }

    func slice(of value: Abstract) -> Abstract { .array(of: parts(of: value)) }

    func index(_ value: Abstract, by key: Abstract) -> Abstract {
        switch key.constant {
        case .string(let name): return member(name, of: value, at: nil)
        case .number: return parts(of: value)
        default: break
        }
        guard key.isScalar else { return consumed(key, value) }
        consume(key)
        return parts(of: value)
    }

    /// How many parts a container has, and under what names; of a scalar, what it is.
    func outline(_ value: Abstract) { _ = parts(of: value) }

    // MARK: Edits

    /// The value's parts are what they were, or depend on what was read for the edit.
    func edit(of input: Abstract, at target: Node, _ frame: TraceFrame, reading value: (Abstract) -> Abstract)
        -> Abstract
    {
        guard target.isNavigation else {
            consume(input)
            consume(target.trace(input, frame))
            return consumed(value(.derived))
        }
        let found = target.trace(input, frame)
        touch(found)
        consume(value(found))
        return input.edited
    }

    // MARK: Loops and recursion

    /// Whether another loop or call may be followed; if not, everything counts as read.
    var mayGoOn: Bool {
        rounds += 1
        if rounds > Self.roundLimit { giveUp() }
        return rounds <= Self.roundLimit
    }

    /// What a state may be after any number of rounds.
    func fixedPoint(from start: Abstract, _ round: (Abstract) -> Abstract) -> Abstract {
        guard mayGoOn else { return .derived }
        var state = start
        for _ in 0..<4 {
            let next = bounded(state.joined(with: round(state)))
            if next == state { return state }
            state = next
        }
        consume(state)
        consume(round(.derived))
        return .derived
    }

    /// Traces something that runs again inside itself: every variable that is read in it counts as read whole.
    func recursing<Result>(_ body: () -> Result) -> Result {
        recursionDepth += 1
        defer { recursionDepth -= 1 }
        return body()
    }

    func reading(_ value: Abstract) -> Abstract { recursionDepth > 0 ? consumed(value) : value }

    func begin(_ function: Function) -> Bool {
        guard !active.contains(ObjectIdentifier(function)) else { return false }
        active.append(ObjectIdentifier(function))
        return true
    }

    func end(_ function: Function) { active.removeAll { $0 == ObjectIdentifier(function) } }
}

/// The counterpart of `Frame` while a program is traced.
final class TraceFrame {
    struct Closure {
        let body: Node
        let frame: TraceFrame
        let slots: Int

        func trace(_ input: Abstract) -> Abstract {
            let activation = slots == 0 ? frame : TraceFrame(frame.tracer, parent: frame, slots: slots, closures: [])
            return body.trace(input, activation)
        }
    }

    let tracer: Tracer
    let parent: TraceFrame?
    let closures: [Closure]
    private var slots: [Abstract]

    init(_ tracer: Tracer, parent: TraceFrame?, slots: Int, closures: [Closure]) {
        self.tracer = tracer
        self.parent = parent
        self.closures = closures
        self.slots = Array(repeating: .derived, count: slots)
    }

    subscript(slot: Int) -> Abstract {
        get { slots[slot] }
        set { slots[slot] = newValue }
    }

    func outer(_ hops: Int) -> TraceFrame {
        var frame = self
        for _ in 0..<hops {
            guard let next = frame.parent else { return frame }
            frame = next
        }
        return frame
    }
}
