/// A JSON Patch, RFC 6902: operations that turn one value into the next.
///
/// `remove` and `replace` may carry the member `old`, what was there before (journal-format, "patch"): with it a patch can
/// be inverted.
public struct JSONPatch: Sendable, Equatable {
    /// One change of one place.
    @frozen
    public enum Operation: Sendable, Equatable {
        /// Puts a value where none is, before an element of an array, or over a member (RFC 6902 §4.1).
        case add(JSONPointer, JSONValue)
        /// Takes a value out (§4.2).
        case remove(JSONPointer, old: JSONValue?)
        /// Puts a value in the place of another (§4.3).
        case replace(JSONPointer, JSONValue, old: JSONValue?)
        /// Takes a value out and adds it elsewhere (§4.4).
        case move(from: JSONPointer, to: JSONPointer)
        /// Adds what is elsewhere too (§4.5).
        case copy(from: JSONPointer, to: JSONPointer)
        /// Stops the patch where a value is not the one given (§4.6).
        case test(JSONPointer, JSONValue)

        /// The place that the operation is about; of a `move` or `copy` the one that it goes to.
        public var path: JSONPointer {
            switch self {
            case .add(let path, _), .remove(let path, _), .replace(let path, _, _), .test(let path, _): path
            case .move(_, let path), .copy(_, let path): path
            }
        }

        /// It with a new value whose members ascend, as those of states do.
        public func ascending() -> Operation {
            switch self {
            case .add(let path, let value): .add(path, value.ascending())
            case .replace(let path, let value, let old): .replace(path, value.ascending(), old: old)
            default: self
            }
        }

        /// Where a `move` or `copy` takes its value from.
        public var from: JSONPointer? {
            switch self {
            case .move(let from, _), .copy(let from, _): from
            default: nil
            }
        }
    }

    /// The longest path that a patch may have, in segments; it bounds the recursion of applying it.
    public static let pathDepthLimit = 512
    /// How many bytes of JSON text one `copy` may take, so that copies of copies cannot exhaust the memory of a program
    /// that prints them.
    public static let copyLimit = 4 << 20
    /// How deep a copied value may be nested.
    public static let copyDepthLimit = JSONLimits.standard.depth

    /// The operations, in the order in which they apply.
    public var operations: [Operation]

    /// A patch of these operations.
    public init(_ operations: [Operation] = []) {
        self.operations = operations
    }

    /// Whether it has no operation.
    public var isEmpty: Bool { operations.isEmpty }
}

extension JSONPatch {
    /// The patch that leads back, last operation first.
    ///
    /// It needs `old` in every `remove` and `replace`. An `add` or `move` that went over a member that was there leads back
    /// to no member; our writer makes none.
    ///
    /// - Throws: ``PatchError/Reason/notInvertible`` where `old` is missing, and for `copy`.
    public func inverted() throws(PatchError) -> JSONPatch {
        var inverse: [Operation] = []
        inverse.reserveCapacity(operations.count)
        for (index, operation) in operations.enumerated().reversed() {
            guard let inverted = operation.inverted else {
                throw PatchError(operation: index, path: operation.path, reason: .notInvertible)
            }
            inverse.append(inverted)
        }
        return JSONPatch(inverse)
    }
}

extension JSONPatch.Operation {
    /// The operation that leads back, or nil where this one does not say what was there.
    public var inverted: JSONPatch.Operation? {
        switch self {
        case .add(let path, let value): path.segments.isEmpty ? nil : .remove(path, old: value)
        case .remove(let path, let old): old.map { .add(path, $0) }
        case .replace(let path, let value, let old): old.map { .replace(path, $0, old: value) }
        case .move(let from, let path): .move(from: path, to: from)
        case .copy: nil
        case .test: self
        }
    }
}
