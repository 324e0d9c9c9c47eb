internal import JSONCore

/// A path of the state, as far as a query's text shows it.
struct StatePath: Equatable, Sendable {
    enum Step: Equatable, Sendable {
        case member(String)
        /// Any element of an array or any member of an object.
        case each

        static func == (a: Step, b: Step) -> Bool {
            switch (a, b) {
            case (.member(let x), .member(let y)): UTF8Order.equal(x, y)
            case (.each, .each): true
            default: false
            }
        }
    }

    var steps: [Step] = []

    func appending(_ step: Step) -> StatePath { StatePath(steps: steps + [step]) }

    var segments: [PathSet.Segment] {
        steps.map { step in
            switch step {
            case .member(let name): .key(name)
            case .each: .each
            }
        }
    }
}

/// The abstract value of an expression: parts of the state that have not been read yet, and containers built of such
/// parts.
///
/// A value with neither is derived: everything that it depends on is already noted as read.
struct Abstract: Equatable, Sendable {
    /// The value may be what stands at any of these paths.
    var origins: [StatePath] = []
    /// The value may be a container that the query built.
    var shape: Shape?
    /// The value, where it is a constant.
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

        /// Any part at all.
        var parts: Abstract {
            let values = members.map(\.1) + (rest.map { [$0] } ?? [])
            guard let first = values.first else { return .derived }
            return values.dropFirst().reduce(first) { $0.joined(with: $1) }
        }

        /// Any member may be another one now, and no constant is one any more.
        var edited: Shape {
            Shape(members: members.map { ($0.0, $0.1.edited) }, rest: (rest ?? .derived).edited)
        }

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

    /// Depends on nothing that is not already noted as read.
    static var derived: Abstract { Abstract() }
    /// Derived, and certainly neither an array nor an object.
    static var scalar: Abstract { Abstract(isScalar: true) }
    /// The whole state.
    static var root: Abstract { Abstract(origins: [StatePath()]) }

    static func constant(_ value: JSONValue) -> Abstract {
        Abstract(constant: value, isScalar: value.isScalar)
    }

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

    /// What may be either.
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
