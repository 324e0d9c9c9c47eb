/// RFC 6902 as its sections say it, on whole values: the plain one that the project's patches are held against.
enum PlainPatch {
    /// An operation that does not apply, or is none.
    struct Failure: Error {
        let operation: Int
    }

    /// The value after every operation of a patch.
    static func applied(_ patch: [PlainJSON], to value: PlainJSON) throws(Failure) -> PlainJSON {
        var value = value
        for (index, operation) in patch.enumerated() {
            guard let operation = operation.object, let next = applied(operation, to: value) else {
                throw Failure(operation: index)
            }
            value = next
        }
        return value
    }

    private static func applied(_ operation: PlainObject, to value: PlainJSON) -> PlainJSON? {
        guard let path = operation["path"]?.string.flatMap(PlainPointer.segments) else { return nil }
        let from = operation["from"]?.string.flatMap(PlainPointer.segments)
        switch operation["op"]?.string {
        case "add": return operation["value"].flatMap { adding($0, at: path[...], to: value) }
        case "remove": return removing(path[...], from: value)
        case "replace":
            guard let new = operation["value"], PlainPointer.value(path, in: value) != nil else { return nil }
            return editing(path[...], of: value) { _ in new }
        case "test":
            guard let expected = operation["value"], PlainPointer.value(path, in: value) == expected else { return nil }
            return value
        case "copy":
            return from.flatMap { PlainPointer.value($0, in: value) }.flatMap { adding($0, at: path[...], to: value) }
        case "move":
            guard let from, let moved = PlainPointer.value(from, in: value) else { return nil }
            if from == path { return value }
            if path.count > from.count, Array(path.prefix(from.count)) == from { return nil }
            return removing(from[...], from: value).flatMap { adding(moved, at: path[...], to: $0) }
        default: return nil
        }
    }

    /// Lets `change` make another value of the part at a path; nil where there is no such part, or it makes none.
    private static func editing(
        _ path: ArraySlice<PlainKey>, of value: PlainJSON, _ change: (PlainJSON) -> PlainJSON?
    ) -> PlainJSON? {
        guard let key = path.first else { return change(value) }
        switch value {
        case .object(var members):
            guard let part = members[key.text], let new = editing(path.dropFirst(), of: part, change) else {
                return nil
            }
            members[key.text] = new
            return .object(members)
        case .array(var elements):
            guard let index = key.index, index < elements.count,
                let new = editing(path.dropFirst(), of: elements[index], change)
            else { return nil }
            elements[index] = new
            return .array(elements)
        default: return nil
        }
    }

    private static func adding(_ new: PlainJSON, at path: ArraySlice<PlainKey>, to value: PlainJSON) -> PlainJSON? {
        guard let key = path.last else { return new }
        return editing(path.dropLast(), of: value) { container in
            switch container {
            case .object(var members):
                members[key.text] = new
                return .object(members)
            case .array(var elements):
                guard let index = key.text == "-" ? elements.count : key.index, index <= elements.count else {
                    return nil
                }
                elements.insert(new, at: index)
                return .array(elements)
            default: return nil
            }
        }
    }

    private static func removing(_ path: ArraySlice<PlainKey>, from value: PlainJSON) -> PlainJSON? {
        guard let key = path.last else { return .null }  // the root of a store: RFC 6902 leaves nothing there
        return editing(path.dropLast(), of: value) { container in
            switch container {
            case .object(var members): return members.removeValue(forKey: key.text) == nil ? nil : .object(members)
            case .array(var elements):
                guard let index = key.index, index < elements.count else { return nil }
                elements.remove(at: index)
                return .array(elements)
            default: return nil
            }
        }
    }
}
