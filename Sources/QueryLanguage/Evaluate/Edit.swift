internal import JSONCore

/// Changing parts of values in place: `setpath`, `delpaths`, and the assignment operators.
enum Edit {
    /// The largest index that can be assigned to: an array is filled with nulls up to it.
    static let largestIndex = (1 << 25) - 1

    /// Lets `body` change the value at a path, making containers of nulls on the way; in place where nobody else holds
    /// them.
    static func change(
        _ value: inout JSONValue, at path: ArraySlice<JSONValue>, _ machine: Machine,
        _ body: (inout JSONValue) throws(Interruption) -> Void
    ) throws(Interruption) {
        guard let key = path.first else { return try body(&value) }
        guard StackRoom.hasRoom else { throw .message("Path too deep") }
        try machine.pay(1)
        let rest = path.dropFirst()
        let former = value.storageIdentity
        switch key {
        case .object(let range):
            try changeSlice(&value, range, rest, machine, body)
        case .string(let name):
            try changeMember(&value, name, key, rest, machine, body)
        case .number(let number):
            try changeElement(&value, number.doubleValue, key, rest, machine, body)
        default:
            // Reading decides which of the two messages jq has.
            _ = try Access.get(value, key)
            throw .message("Cannot update field at \(key.kindName) index of \(value.kindName)")
        }
        try machine.payForCopy(value, from: former)
    }

    /// `setpath(path; new)`.
    static func set(
        _ value: inout JSONValue, at path: [JSONValue], to new: JSONValue, _ machine: Machine
    ) throws(Interruption) {
        guard path.count <= QueryLimits.pathLength else { throw .message("Path too deep") }
        try change(&value, at: path[...], machine) { (place: inout JSONValue) in place = new }
    }

    private static func changeMember(
        _ value: inout JSONValue, _ name: String, _ key: JSONValue, _ rest: ArraySlice<JSONValue>,
        _ machine: Machine, _ body: (inout JSONValue) throws(Interruption) -> Void
    ) throws(Interruption) {
        if case .null = value { value = .object(JSONObject()) }
        let found: Void?? = try value.modifyObject { (members: inout JSONObject) throws(Interruption) -> Void? in
            let changed: Void? = try members.modify(name) { (member: inout JSONValue) throws(Interruption) in
                try change(&member, at: rest, machine, body)
            }
            if changed != nil { return () }
            try machine.pay(Machine.insertionCost)
            var fresh = JSONValue.null
            try change(&fresh, at: rest, machine, body)
            members[name] = fresh
            return ()
        }
        if found == nil { throw Access.cannotIndex(value, key) }
    }

    private static func changeElement(
        _ value: inout JSONValue, _ position: Double, _ key: JSONValue, _ rest: ArraySlice<JSONValue>,
        _ machine: Machine, _ body: (inout JSONValue) throws(Interruption) -> Void
    ) throws(Interruption) {
        if case .null = value { value = .array([]) }
        let found: Void? = try value.modifyArray { (elements: inout [JSONValue]) throws(Interruption) in
            guard let index = Access.index(position, count: elements.count) else {
                throw .message("Cannot set array element at NaN index")
            }
            if index < 0 {
                // What is written there is computed first, as its errors come first.
                var fresh = JSONValue.null
                try change(&fresh, at: rest, machine, body)
                throw .message("Out of bounds negative array index")
            }
            guard index <= largestIndex else { throw .message("Array index too large") }
            if index < elements.count { return try change(&elements[index], at: rest, machine, body) }
            var fresh = JSONValue.null
            try change(&fresh, at: rest, machine, body)
            elements.append(contentsOf: repeatElement(.null, count: index - elements.count))
            elements.append(fresh)
        }
        if found == nil { throw Access.cannotIndex(value, key) }
    }

    private static func changeSlice(
        _ value: inout JSONValue, _ range: JSONObject, _ rest: ArraySlice<JSONValue>,
        _ machine: Machine, _ body: (inout JSONValue) throws(Interruption) -> Void
    ) throws(Interruption) {
        let (from, upTo) = Access.ends(of: range)
        // The ends are looked at even where there is nothing to cut.
        if case .null = value { _ = try Access.sliceRange(count: 0, from: from, upTo: upTo) }
        var part = try Access.slice(value, from: from, upTo: upTo)
        try change(&part, at: rest, machine, body)
        if case .string = value { throw .message("Cannot update string slices") }
        if case .null = value { value = .array([]) }
        guard case .array(let inserted) = part else {
            throw .message("A slice of an array can only be assigned another array")
        }
        let found: Void? = try value.modifyArray { (elements: inout [JSONValue]) throws(Interruption) in
            let places = try Access.sliceRange(count: elements.count, from: from, upTo: upTo)
            elements.replaceSubrange(places, with: inserted)
        }
        if found == nil {
            throw .message("Cannot update field at object index of \(value.kindName)")
        }
    }
}
