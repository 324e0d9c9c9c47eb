internal import JSONCore

/// A path expression of members and iterations only, like `.items[].price` or `.count[$name]`: the target of most
/// assignments.
///
/// It is a fast path for `PathCollector` and `Edit`. In general an assignment collects all paths first, because what
/// it writes may change where the expression leads. A simple path leads to the same places before and after, so the
/// value is walked once and edited on the way. Errors have to come before any edit: `leadsThrough` finds them.
struct SimplePath {
    private enum Step {
        case member(String)
        /// A member whose name is computed from the whole input.
        case computed(Node)
        case each
    }

    private let steps: [Step]

    /// The path that a node expresses, or nil if the node is not a simple path.
    init?(_ node: Node) {
        var steps: [Step] = []
        var next = node
        while true {
            switch next {
            case let member as MemberNode:
                steps.append(.member(member.name))
                next = member.target
            case let index as IndexNode where Self.isPlain(index.key):
                steps.append(.computed(index.key))
                next = index.target
            case let iteration as IterateNode:
                steps.append(.each)
                next = iteration.operand
            case is IdentityNode:
                self.steps = steps.reversed()
                return
            default: return nil
            }
        }
    }

    /// Whether a key can be evaluated twice without a difference: it only reads.
    private static func isPlain(_ key: Node) -> Bool {
        switch key {
        case is VariableNode, is IdentityNode: true
        case let member as MemberNode: isPlain(member.target)
        default: false
        }
    }

    /// The path with its names computed; nil if one of the keys is not a string.
    func resolved(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> Resolved? {
        var result: [Resolved.Step] = []
        result.reserveCapacity(steps.count)
        for step in steps {
            switch step {
            case .member(let name): result.append(.member(name))
            case .each: result.append(.each)
            case .computed(let key):
                guard key.cardinality == .one, case .string(let name)? = try key.one(input, frame) else { return nil }
                result.append(.member(name))
            }
        }
        return Resolved(steps: result)
    }

    /// A path whose names are known.
    struct Resolved {
        enum Step {
            case member(String)
            case each
        }

        let steps: [Step]

        /// Whether the path can be walked without an error.
        func leadsThrough(_ value: JSONValue, from place: Int = 0) -> Bool {
            guard place < steps.count else { return true }
            switch (steps[place], value) {
            case (.member(let name), .object(let members)):
                return place + 1 == steps.count || leadsThrough(members[name] ?? .null, from: place + 1)
            case (.member, .null): return leadsThrough(.null, from: place + 1)
            case (.each, .array(let elements)): return elements.allSatisfy { leadsThrough($0, from: place + 1) }
            case (.each, .object(let members)): return members.allSatisfy { leadsThrough($0.value, from: place + 1) }
            default: return false
            }
        }

        /// Whether its last step is a member.
        var endsInMember: Bool {
            if case .member? = steps.last { return true }
            return false
        }

        /// Removes the members that it leads to; only for a value that the path leads through, and if the last step is
        /// a member.
        func remove(from value: inout JSONValue, at place: Int = 0, _ machine: Machine) throws(Interruption) {
            let former = value.storageIdentity
            switch steps[place] {
            case .member(let name):
                _ = try value.modifyObject { (members: inout JSONObject) throws(Interruption) in
                    if place + 1 == steps.count {
                        members.removeValue(forKey: name)
                    } else {
                        _ = try members.modify(name) { (member: inout JSONValue) throws(Interruption) in
                            try remove(from: &member, at: place + 1, machine)
                        }
                    }
                }
            case .each:
                try changeEach(&value, machine) { (part: inout JSONValue) throws(Interruption) in
                    try remove(from: &part, at: place + 1, machine)
                }
            }
            try machine.charge(copyOf: value, from: former)
        }

        /// Edits the value at each place and adds missing members; only for a value that the path leads through.
        func change(
            _ value: inout JSONValue, from place: Int = 0, _ machine: Machine,
            _ body: (inout JSONValue) throws(Interruption) -> Void
        ) throws(Interruption) {
            guard place < steps.count else { return try body(&value) }
            let former = value.storageIdentity
            switch steps[place] {
            case .member(let name):
                if case .null = value { value = .object(JSONObject()) }
                _ = try value.modifyObject { (members: inout JSONObject) throws(Interruption) in
                    let found: Void? = try members.modify(name) { (member: inout JSONValue) throws(Interruption) in
                        try change(&member, from: place + 1, machine, body)
                    }
                    if found != nil { return }
                    try machine.charge(work: Machine.insertionCost)
                    var fresh = JSONValue.null
                    try change(&fresh, from: place + 1, machine, body)
                    members[name] = fresh
                }
            case .each:
                try changeEach(&value, machine) { (part: inout JSONValue) throws(Interruption) in
                    try change(&part, from: place + 1, machine, body)
                }
            }
            try machine.charge(copyOf: value, from: former)
        }

        private func changeEach(
            _ value: inout JSONValue, _ machine: Machine, _ body: (inout JSONValue) throws(Interruption) -> Void
        ) throws(Interruption) {
            let done: Void? = try value.modifyArray { (elements: inout [JSONValue]) throws(Interruption) in
                for index in elements.indices {
                    try machine.charge(1)
                    try body(&elements[index])
                }
            }
            if done != nil { return }
            _ = try value.modifyObject { (members: inout JSONObject) throws(Interruption) in
                try members.modifyValues { (member: inout JSONValue) throws(Interruption) in
                    try machine.charge(1)
                    try body(&member)
                }
            }
        }
    }
}
