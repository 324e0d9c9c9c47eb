internal import JSONCore

/// `delpaths`: removes many paths at once, so that removing one element does not shift the next.
enum Deletion {
    /// Removes every path.
    static func delete(
        _ paths: JSONValue, from value: JSONValue, _ machine: Machine
    ) throws(Interruption) -> JSONValue {
        guard case .array(let list) = paths else { throw .message("Paths must be specified as an array") }
        try machine.pay(paths.readingCost &* SortingNode.effort)
        // In jq's order, the least first: it tells which of several mistakes is complained of.
        var sorted: [[JSONValue]] = []
        for path in try SortedOrder(list, machine).places.map({ list[$0] }) {
            guard case .array(let steps) = path else {
                throw .message("Path must be specified as array, not \(path.kindName)")
            }
            guard steps.count <= QueryLimits.pathLength else { throw .message("Path too deep") }
            sorted.append(steps)
        }
        guard let first = sorted.first else { return value }
        if first.isEmpty { return .null }
        var result = value
        try delete(sorted[...], depth: 0, from: &result, machine)
        return result
    }

    /// Removes sorted paths whose first `depth` keys lead to `value`.
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
                try machine.pay(1)
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
        try delete(keys: whole, from: &value)
        try machine.pay(value.buildingCost)
    }

    private static func deleteBelow(
        _ key: JSONValue, _ paths: ArraySlice<[JSONValue]>, depth: Int, from value: inout JSONValue, _ machine: Machine
    ) throws(Interruption) {
        try machine.pay(1)
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
        _ elements: [JSONValue], without keys: [JSONValue]
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
