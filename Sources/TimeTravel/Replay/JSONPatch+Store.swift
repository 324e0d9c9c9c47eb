public import JSONCore

extension JSONPatch {
    /// The patch of one store as a patch of the whole state: every path begins with the store's name.
    public func inStore(_ name: String) -> JSONPatch {
        JSONPatch(operations.map { $0.inStore(name) })
    }
}

extension JSONPatch.Operation {
    /// The operation on one store as an operation on the whole state.
    func inStore(_ name: String) -> JSONPatch.Operation {
        func prefixed(_ path: JSONPointer) -> JSONPointer { JSONPointer([name] + path.segments) }
        return switch self {
        case .add(let path, let value): .add(prefixed(path), value)
        case .remove(let path, let old): .remove(prefixed(path), old: old)
        case .replace(let path, let value, let old): .replace(prefixed(path), value, old: old)
        case .move(let from, let path): .move(from: prefixed(from), to: prefixed(path))
        case .copy(let from, let path): .copy(from: prefixed(from), to: prefixed(path))
        case .test(let path, let value): .test(prefixed(path), value)
        }
    }
}
