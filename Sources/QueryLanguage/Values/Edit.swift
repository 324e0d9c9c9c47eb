internal import JSONCore

/// Changes parts of values in place: `setpath`, `delpaths`, and the assignment operators.
enum Edit {
    /// The largest index that can be assigned to: an array is filled with nulls up to it.
    static let largestIndex = (1 << 25) - 1

    /// Turns nulls on the way into containers; containers without other references are edited in place.
    static func change(
        _ value: inout JSONValue, at path: ArraySlice<JSONValue>, _ machine: Machine,
        _ body: (inout JSONValue) throws(Interruption) -> Void
    ) throws(Interruption) {
        guard let key = path.first else { return try body(&value) }
        guard StackRoom.hasRoom else { throw .message("Path too deep") }
        try machine.charge(work: 1)
        let rest = path.dropFirst()
        let former = value.storageIdentity
        switch key {
        case .object(let range): try changeSlice(&value, range, rest, machine, body)
        case .string(let name): try changeMember(&value, name, key, rest, machine, body)
        case .number(let number): try changeElement(&value, number.doubleValue, key, rest, machine, body)
        default:
            // Reading the slice first decides which of two messages jq has.
            _ = try Access.get(value, key)
            throw .message("Cannot update field at \(key.kindName) index of \(value.kindName)")
        }
        try machine.charge(copyOf: value, from: former)
    }

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
            try machine.charge(work: Machine.insertionCost)
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
                // The new value is computed first, as its errors come first.
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
        // The ends are checked even if there is nothing to cut.
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
        if found == nil { throw .message("Cannot update field at object index of \(value.kindName)") }
    }

    // MARK: Removing

    /// `delpaths`: removes many paths at once, so that removing one element does not shift the next.
    static func delete(
        _ paths: JSONValue, from value: JSONValue, _ machine: Machine
    ) throws(Interruption) -> JSONValue {
        guard case .array(let list) = paths else { throw .message("Paths must be specified as an array") }
        try machine.charge(work: paths.readingCost &* SortingNode.effort)
        // jq takes the paths in ascending order, which decides the error that is reported first.
        var sorted: [[JSONValue]] = []
        for path in try SortedOrder(list.array, machine).places.map({ list[$0] }) {
            guard case .array(let steps) = path else {
                throw .message("Path must be specified as array, not \(path.kindName)")
            }
            guard steps.count <= QueryLimits.pathLength else { throw .message("Path too deep") }
            sorted.append(steps.array)
        }
        guard let first = sorted.first else { return value }
        if first.isEmpty { return .null }
        var result = value
        try delete(sorted[...], depth: 0, from: &result, machine)
        return result
    }

    private static func delete(
        _ paths: ArraySlice<[JSONValue]>, depth: Int, from value: inout JSONValue, _ machine: Machine
    ) throws(Interruption) {
        guard StackRoom.hasRoom else { throw .message("Path too deep") }
        var whole: [JSONValue] = []
        var start = paths.startIndex
        while start < paths.endIndex {
            let key = paths[start][depth]
            var end = start + 1
            while end < paths.endIndex, try ValueOrder.equal(paths[end][depth], key, machine) {
                try machine.charge(work: 1)
                end += 1
            }
            if paths[start].count == depth + 1 {
                whole.append(key)
            } else {
                try deleteBelow(key, paths[start..<end], depth: depth, from: &value, machine)
            }
            start = end
        }
        guard !whole.isEmpty else { return }
        // Each is searched for.
        try machine.charge(work: 2 &* whole.count)
        try delete(keys: whole, from: &value)
        try machine.charge(work: value.buildingCost)
    }

    private static func deleteBelow(
        _ key: JSONValue, _ paths: ArraySlice<[JSONValue]>, depth: Int, from value: inout JSONValue, _ machine: Machine
    ) throws(Interruption) {
        try machine.charge(work: 1)
        if case .null = try Access.get(value, key, machine) { return }
        try Edit.change(&value, at: [key], machine) { (child: inout JSONValue) throws(Interruption) in
            try delete(paths, depth: depth + 1, from: &child, machine)
        }
    }

    private static func delete(keys: [JSONValue], from value: inout JSONValue) throws(Interruption) {
        switch value {
        case .null: return
        case .array(let elements): value = .array(try remaining(elements, without: keys))
        case .object(var members):
            for key in keys {
                guard case .string(let name) = key else {
                    throw .message("Cannot delete \(key.kindName) field of object")
                }
                members.removeValue(forKey: name)
            }
            value = .object(members)
        default: throw .message("Cannot delete fields from \(value.kindName)")
        }
    }

    private static func remaining(
        _ elements: JSONArray, without keys: [JSONValue]
    ) throws(Interruption) -> [JSONValue] {
        var isRemoved = [Bool](repeating: false, count: elements.count)
        for key in keys {
            switch key {
            case .number(let number):
                guard let index = Access.index(number.doubleValue, count: elements.count) else { continue }
                if isRemoved.indices.contains(index) { isRemoved[index] = true }
            case .object(let range):
                let (from, upTo) = Access.ends(of: range)
                let places = try Access.sliceRange(count: elements.count, from: from, upTo: upTo)
                for index in places { isRemoved[index] = true }
            default: throw .message("Cannot delete \(key.kindName) element of array")
            }
        }
        return elements.indices.lazy.filter { !isRemoved[$0] }.map { elements[$0] }
    }
}
