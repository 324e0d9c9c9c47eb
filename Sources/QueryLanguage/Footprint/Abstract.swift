public import JSONCore

/// A path of the state, as far as a query's text shows it.
struct StatePath: Equatable, Sendable {
    var segments: [PathSet.Segment] = []

    func appending(_ segment: PathSet.Segment) -> StatePath { StatePath(segments: segments + [segment]) }

    static func == (a: StatePath, b: StatePath) -> Bool {
        a.segments.elementsEqual(b.segments) { a, b in
            switch (a, b) {
            case (.key(let x), .key(let y)): UTF8Order.equal(x, y)
            case (.each, .each): true
            default: false
            }
        }
    }
}

/// Parts of the state that have not been read yet, and containers built of such parts; a value with neither is derived:
/// everything that it depends on is already noted as read.
struct Abstract: Equatable, Sendable {
    var origins: [StatePath] = []
    var shape: Shape?
    var constant: JSONValue?
    /// Whether the value is certainly neither an array nor an object: as a key it is not compared with what it looks up.
    var isScalar = false

    /// A container that a query built: members of known names, and what may stand anywhere else in it.
    final class Shape: Equatable, Sendable {
        let members: [(String, Abstract)]
        let rest: Abstract?
        let depth: Int

        init(members: [(String, Abstract)], rest: Abstract?) {
            self.members = members
            self.rest = rest
            let below = members.map { $0.1.depth } + [rest?.depth ?? 0]
            depth = 1 + (below.max() ?? 0)
        }

        func member(_ name: String) -> Abstract {
            let found = members.first { UTF8Order.equal($0.0, name) }?.1
            guard let rest else { return found ?? .derived }
            return found?.joined(with: rest) ?? rest
        }

        var parts: Abstract {
            let values = members.map(\.1) + (rest.map { [$0] } ?? [])
            guard let first = values.first else { return .derived }
            return values.dropFirst().reduce(first) { $0.joined(with: $1) }
        }

        /// Any member may be another one now, and no constant is one any more.
        var edited: Shape { Shape(members: members.map { ($0.0, $0.1.edited) }, rest: (rest ?? .derived).edited) }

        func joined(with other: Shape) -> Shape {
            var result = members
            for (name, value) in other.members {
                if let index = result.firstIndex(where: { UTF8Order.equal($0.0, name) }) {
                    result[index].1 = result[index].1.joined(with: value)
                } else {
                    result.append((name, value))
                }
            }
            let rest = self.rest.map { $0.joined(with: other.rest ?? .derived) } ?? other.rest
            return Shape(members: result, rest: rest)
        }

        static func == (a: Shape, b: Shape) -> Bool {
            a === b
                || (a.rest == b.rest
                    && a.members.elementsEqual(b.members) { UTF8Order.equal($0.0, $1.0) && $0.1 == $1.1 })
        }
    }

    static var derived: Abstract { Abstract() }
    /// Derived, and certainly neither an array nor an object.
    static var scalar: Abstract { Abstract(isScalar: true) }
    static var root: Abstract { Abstract(origins: [StatePath()]) }

    static func constant(_ value: JSONValue) -> Abstract { Abstract(constant: value, isScalar: value.isScalar) }

    static func array(of element: Abstract) -> Abstract {
        element == .derived ? .derived : Abstract(shape: Shape(members: [], rest: element))
    }

    static func object(_ members: [(String, Abstract)], rest: Abstract?) -> Abstract {
        var distinct: [(String, Abstract)] = []
        for member in members {
            // Of a repeated key the last counts.
            distinct.removeAll { UTF8Order.equal($0.0, member.0) }
            distinct.append(member)
        }
        return Abstract(shape: Shape(members: distinct, rest: rest))
    }

    var depth: Int { shape?.depth ?? 0 }

    /// The value after an edit somewhere inside: it may be made of what it was made of before, but is not a constant.
    var edited: Abstract { Abstract(origins: origins, shape: shape?.edited) }

    func joined(with other: Abstract) -> Abstract {
        var result = self
        if constant != other.constant { result.constant = nil }
        result.isScalar = isScalar && other.isScalar
        for origin in other.origins where !result.origins.contains(origin) { result.origins.append(origin) }
        if let shape, let otherShape = other.shape {
            result.shape = shape.joined(with: otherShape)
        } else {
            result.shape = shape ?? other.shape
        }
        return result
    }
}

/// What a query can read: a change to anything else changes neither its outputs nor its errors.
public struct Footprint: Sendable, Equatable {
    /// The paths of the state that the query can read, of the present state and of `$old` alike.
    public var paths: PathSet
    /// Whether it reads `$old`.
    public var usesOld: Bool
    /// Whether it reads `$seq`, `$store`, `$at`, `$name` or `$time`.
    public var usesCommit: Bool
    /// Whether it may print messages, by `debug` or `stderr`.
    public var printsMessages: Bool
    /// The members of the state that are read by name, in the order in which they are written.
    public var topLevelNames: [TopLevelName]

    /// A member of the state that a query names, with its place in the text.
    public struct TopLevelName: Sendable, Equatable {
        /// The member's key.
        public var name: String
        /// UTF-8 offsets into the query's text.
        public var range: Range<Int>
    }

    init(of program: Program) {
        let tracer = Tracer()
        let frame = TraceFrame(tracer, parent: nil, slots: program.slots, closures: [])
        tracer.consume(program.body.trace(.root, frame))
        paths = tracer.paths
        usesOld = tracer.usesOld
        usesCommit = tracer.usesCommit
        printsMessages = tracer.printsMessages
        var names: [TopLevelName] = []
        for found in tracer.topLevelNames.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
        where names.last?.range != found.range { names.append(TopLevelName(name: found.name, range: found.range)) }
        topLevelNames = names
    }
}
