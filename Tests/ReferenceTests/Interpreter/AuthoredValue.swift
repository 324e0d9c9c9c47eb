/// A value in which each scalar, and each container, knows who wrote it last.
indirect enum AuthoredValue {
    /// The record that last wrote something at or below a part, by its index.
    struct Author {
        var record: Int
        /// What a commit that does not count replaced here, as long as nothing below is changed afterwards.
        var former: (value: PlainJSON, record: Int)?

        init(_ record: Int, former: (value: PlainJSON, record: Int)? = nil) {
            (self.record, self.former) = (record, former)
        }
    }

    case scalar(PlainJSON, Author)
    case array([AuthoredValue], Author)
    case object([(key: PlainKey, value: AuthoredValue)], Author)

    /// A value that one record wrote whole.
    init(_ value: PlainJSON, _ record: Int) { self.init(value, by: Author(record)) }

    private init(_ value: PlainJSON, by author: Author) {
        switch value {
        case .array(let elements): self = .array(elements.map { AuthoredValue($0, by: author) }, author)
        case .object(let members):
            self = .object(members.map { (PlainKey($0.key), AuthoredValue($0.value, by: author)) }, author)
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

    /// The value after a patch that applies, its changes written by a record; what moves keeps its authors.
    ///
    /// - Parameter counts: whether the record counts: one that does not leaves to others what it only replaced.
    func applied(_ patch: [PlainJSON], by record: Int, counts: Bool = true) -> AuthoredValue {
        let author = Author(record)
        return patch.reduce(self) { value, operation in
            guard let operation = operation.object, let path = operation["path"]?.string.flatMap(PlainPointer.segments)
            else { return value }
            let from = operation["from"]?.string.flatMap(PlainPointer.segments) ?? []
            func replacing(_ new: PlainJSON) -> AuthoredValue {
                let new = AuthoredValue(new, record)
                let old = counts ? nil : value.part(path[...])
                return value.editing(path[...], author) { _ in old.map(new.keeping) ?? new }
            }
            func adding(_ new: PlainJSON) -> AuthoredValue {
                if path.isEmpty { return replacing(new) }
                if case .object? = value.part(path.dropLast()), value.part(path[...]) != nil { return replacing(new) }
                return value.setting(AuthoredValue(new, record), path[...], author)
            }
            switch operation["op"]?.string {
            case "add": return adding(operation["value"] ?? .null)
            case "replace": return replacing(operation["value"] ?? .null)
            case "remove": return value.removing(path[...], author)
            case "copy": return value.part(from[...]).map { adding($0.plain) } ?? value
            case "move":
                guard let part = value.part(from[...]), from != path else { return value }
                return value.removing(from[...], author).setting(part, path[...], author)
            default: return value
            }
        }
    }

    /// The value with the authors of what was at the same places before.
    private func keeping(_ old: AuthoredValue) -> AuthoredValue {
        let former = old.author.former ?? (old.plain, old.author.record)
        switch (self, old) {
        case (.object(let members, let own), .object(let olds, _)) where !members.isEmpty:
            let kept = members.map { member in
                let old = olds.first { $0.key == member.key }
                return (member.key, old.map { member.value.keeping($0.value) } ?? member.value)
            }
            return .object(kept, Author(own.record, former: former))
        case (.array(let elements, let own), .array(let olds, _)) where !elements.isEmpty:
            return .array(
                elements.enumerated().map { $0 < olds.count ? $1.keeping(olds[$0]) : $1 },
                Author(own.record, former: former))
        case (.object(let members, let own), _) where !members.isEmpty:
            return .object(members, Author(own.record, former: former))
        case (.array(let elements, let own), _) where !elements.isEmpty:
            return .array(elements, Author(own.record, former: former))
        default: return marking([], Author(former.record, former: former))
        }
    }

    private var author: Author {
        switch self {
        case .scalar(_, let author), .array(_, let author), .object(_, let author): author
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

    /// The value with a change of the part at a path, which `author` makes.
    private func editing(
        _ path: ArraySlice<PlainKey>, _ author: Author, _ change: (AuthoredValue) -> AuthoredValue
    ) -> AuthoredValue {
        guard let key = path.first else { return change(self) }
        switch self {
        case .scalar: return self
        case .array(var elements, _):
            guard let index = key.index, index < elements.count else { return self }
            elements[index] = elements[index].editing(path.dropFirst(), author, change)
            return .array(elements, author)
        case .object(let members, _):
            return .object(
                members.map { $0.key == key ? ($0.key, $0.value.editing(path.dropFirst(), author, change)) : $0 },
                author)
        }
    }

    private func setting(_ new: AuthoredValue, _ path: ArraySlice<PlainKey>, _ author: Author) -> AuthoredValue {
        guard let key = path.last else { return new }
        return editing(path.dropLast(), author) { container in
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
        return editing(path.dropLast(), author) { container in
            switch container {
            case .scalar: return container
            case .array(var elements, _):
                if let index = key.index, index < elements.count { elements.remove(at: index) }
                return .array(elements, author)
            case .object(let members, _): return .object(members.filter { $0.key != key }, author)
            }
        }
    }

    /// The value with another author of the leaf at a path.
    func marking(_ path: ArraySlice<PlainKey>, _ author: Author) -> AuthoredValue {
        guard let key = path.first else {
            switch self {
            case .scalar(let value, _): return .scalar(value, author)
            case .array(let elements, _): return .array(elements, author)
            case .object(let members, _): return .object(members, author)
            }
        }
        switch self {
        case .scalar: return self
        case .array(var elements, let own):
            guard let index = key.index, index < elements.count else { return self }
            elements[index] = elements[index].marking(path.dropFirst(), author)
            return .array(elements, own)
        case .object(let members, let own):
            return .object(
                members.map { $0.key == key ? ($0.key, $0.value.marking(path.dropFirst(), author)) : $0 }, own)
        }
    }
}
