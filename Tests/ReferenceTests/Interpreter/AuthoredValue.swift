/// A value in which each scalar, and each container, knows who wrote it last.
///
/// A container's author is whoever last put something into it or took something out of it.
indirect enum AuthoredValue<Author: Equatable> {
    case scalar(PlainJSON, Author)
    case array([AuthoredValue], Author)
    case object([(key: PlainKey, value: AuthoredValue)], Author)

    /// A value that one author wrote whole.
    init(_ value: PlainJSON, _ author: Author) {
        switch value {
        case .array(let elements): self = .array(elements.map { AuthoredValue($0, author) }, author)
        case .object(let members):
            self = .object(members.map { (PlainKey($0.key), AuthoredValue($0.value, author)) }, author)
        default: self = .scalar(value, author)
        }
    }

    /// The scalars and empty containers with their places and authors, members in ascending order.
    func leaves(below path: [PlainKey] = []) -> [(path: [PlainKey], value: PlainJSON, author: Author)] {
        switch self {
        case .scalar(let value, let author): return [(path, value, author)]
        case .array(let elements, let author) where elements.isEmpty: return [(path, .array([]), author)]
        case .object(let members, let author) where members.isEmpty: return [(path, .object(PlainObject()), author)]
        case .array(let elements, _):
            return elements.enumerated().flatMap { $1.leaves(below: path + [PlainKey(String($0))]) }
        case .object(let members, _):
            return members.sorted { $0.key < $1.key }.flatMap { $0.value.leaves(below: path + [$0.key]) }
        }
    }

    /// The part at a path.
    func part(_ path: ArraySlice<PlainKey>) -> AuthoredValue? {
        guard let key = path.first else { return self }
        switch self {
        case .scalar: return nil
        case .array(let elements, _):
            guard let index = key.index, index < elements.count else { return nil }
            return elements[index].part(path.dropFirst())
        case .object(let members, _): return members.first { $0.key == key }?.value.part(path.dropFirst())
        }
    }

    /// The value after a patch that applies, its changes written by `author`; what moves keeps its authors.
    func applied(_ patch: [PlainJSON], by author: Author) -> AuthoredValue {
        patch.reduce(self) { value, operation in
            guard let operation = operation.object, let path = operation["path"]?.string.flatMap(PlainPointer.segments)
            else { return value }
            let from = operation["from"]?.string.flatMap(PlainPointer.segments) ?? []
            switch operation["op"]?.string {
            case "add": return value.setting(AuthoredValue(operation["value"] ?? .null, author), path[...], author)
            case "replace":
                return value.replacing(AuthoredValue(operation["value"] ?? .null, author), path[...])
            case "remove": return value.removing(path[...], author)
            case "copy":
                guard let part = value.part(from[...]) else { return value }
                return value.setting(AuthoredValue(part.plain, author), path[...], author)
            case "move":
                guard let part = value.part(from[...]), from != path else { return value }
                return value.removing(from[...], author).setting(part, path[...], author)
            default: return value
            }
        }
    }

    /// The value without its authors.
    var plain: PlainJSON {
        switch self {
        case .scalar(let value, _): return value
        case .array(let elements, _): return .array(elements.map(\.plain))
        case .object(let members, _): return .object(PlainObject(members.map { ($0.key.text, $0.value.plain) }))
        }
    }

    private func editing(_ path: ArraySlice<PlainKey>, _ change: (AuthoredValue) -> AuthoredValue) -> AuthoredValue {
        guard let key = path.first else { return change(self) }
        switch self {
        case .scalar: return self
        case .array(var elements, let author):
            guard let index = key.index, index < elements.count else { return self }
            elements[index] = elements[index].editing(path.dropFirst(), change)
            return .array(elements, author)
        case .object(let members, let author):
            return .object(
                members.map { $0.key == key ? ($0.key, $0.value.editing(path.dropFirst(), change)) : $0 }, author)
        }
    }

    private func replacing(_ new: AuthoredValue, _ path: ArraySlice<PlainKey>) -> AuthoredValue {
        editing(path) { _ in new }
    }

    private func setting(_ new: AuthoredValue, _ path: ArraySlice<PlainKey>, _ author: Author) -> AuthoredValue {
        guard let key = path.last else { return new }
        return editing(path.dropLast()) { container in
            switch container {
            case .scalar: return container
            case .array(var elements, _):
                elements.insert(new, at: key.index ?? elements.count)
                return .array(elements, author)
            case .object(let members, _): return .object(members.filter { $0.key != key } + [(key, new)], author)
            }
        }
    }

    private func removing(_ path: ArraySlice<PlainKey>, _ author: Author) -> AuthoredValue {
        guard let key = path.last else { return .scalar(.null, author) }
        return editing(path.dropLast()) { container in
            switch container {
            case .scalar: return container
            case .array(var elements, _):
                if let index = key.index, index < elements.count { elements.remove(at: index) }
                return .array(elements, author)
            case .object(let members, _): return .object(members.filter { $0.key != key }, author)
            }
        }
    }
}
