import JSONCore

/// The patch of a commit without what must not be in it.
///
/// It leads from the redacted state before the commit to the redacted state after it. An operation at or below a match becomes
/// one `replace` of the match, with the hashes before and after; one above it is redacted inside its values. Where that cannot
/// be told operation by operation (an array shifts under a path that names an element by its number, a value is moved out of
/// a match), the two redacted states are compared.
struct RedactedPatch {
    private let values: RedactedValues
    private let store: String
    private var state: JSONValue
    private var operations: [JSONPatch.Operation] = []
    private(set) var isChanged = false
    private var isHard = false

    /// Begins with the state of the store before the commit.
    init(_ values: RedactedValues, store: String, before: JSONValue) {
        self.values = values
        self.store = store
        state = before
    }

    /// The redacted patch; nil where it is the patch as it was.
    ///
    /// - Parameter state: the store's state before the commit, brought to the one after it.
    /// - Throws: `PatchError` where the patch does not apply.
    static func of(
        _ patch: JSONPatch, _ values: RedactedValues, store: String, state: inout JSONValue
    ) throws(PatchError) -> JSONPatch? {
        if patch.operations.allSatisfy({ values.isFar(from: $0, of: store) }) {
            try patch.apply(to: &state, order: .ascending)
            return nil
        }
        let before = state
        var redaction = RedactedPatch(values, store: store, before: before)
        state = .null
        for operation in patch.operations {
            try redaction.add(operation)
            if redaction.isHard { break }
        }
        guard redaction.isHard else {
            state = redaction.state
            return redaction.isChanged ? JSONPatch(redaction.operations) : nil
        }
        state = before
        try patch.apply(to: &state, order: .ascending)
        return .difference(
            from: values.redacted(before, at: [store]), to: values.redacted(state, at: [store]))
    }

    private mutating func add(_ operation: JSONPatch.Operation) throws(PatchError) {
        let path = [store] + operation.path.segments
        let meeting = values.paths.meeting(path)
        if let from = operation.from { return try addMove(operation, from: [store] + from.segments, to: path) }
        if shiftsNamedElements(operation, path) {
            isHard = true
            return
        }
        switch meeting {
        case .outside:
            operations.append(operation)
            try apply(operation)
        case .above(let place):
            let redacted = operation.reading(state).mapped { values.redacted($0, below: place) }
            if redacted != operation { isChanged = true }
            operations.append(redacted)
            try apply(operation)
        case .inside(let depth) where depth == path.count:
            isChanged = true
            try addAtMatch(operation)
        case .inside(let depth):
            isChanged = true
            try addBelowMatch(operation, JSONPointer(Array(operation.path.segments.prefix(depth - 1))))
        }
    }

    private mutating func apply(_ operation: JSONPatch.Operation) throws(PatchError) {
        try JSONPatch([operation]).apply(to: &state, order: .ascending)
    }

    /// The match itself is added, removed or replaced.
    private mutating func addAtMatch(_ operation: JSONPatch.Operation) throws(PatchError) {
        if case .test = operation { return try apply(operation) }
        let redacted = operation.reading(state).mapped(values.hash)
        try apply(operation)
        if case .replace(_, let value, let old?) = redacted, value == old { return }
        operations.append(redacted)
    }

    /// Something inside a match changes: the match has another hash.
    private mutating func addBelowMatch(_ operation: JSONPatch.Operation, _ match: JSONPointer) throws(PatchError) {
        let before = match.value(in: state).map(values.hash)
        try apply(operation)
        guard let after = match.value(in: state).map(values.hash), before != after else { return }
        if case .replace(let path, _, let old)? = operations.last, path == match {
            operations[operations.count - 1] = .replace(path, after, old: old)
        } else {
            operations.append(.replace(match, after, old: before))
        }
    }

    /// Elements that change their places keep what they are, unless a path tells them apart by number.
    private mutating func addMove(_ operation: JSONPatch.Operation, from: [String], to: [String]) throws(PatchError) {
        if case .inside(let depth) = values.paths.meeting(to), case .inside(depth) = values.paths.meeting(from),
            depth < to.count, depth < from.count,
            from.prefix(depth).elementsEqual(to.prefix(depth), by: UTF8Order.equal)
        {
            isChanged = true
            return try addBelowMatch(operation, JSONPointer(Array(to[1..<depth])))
        }
        let isOneParent = from.dropLast().elementsEqual(to.dropLast(), by: UTF8Order.equal)
        guard isOneParent, case .move = operation, case .array? = parent(of: operation.path), !isNamed(parent: to)
        else {
            if isOutside(from), isOutside(to) {
                operations.append(operation)
                return try apply(operation)
            }
            isHard = true
            return
        }
        operations.append(operation)
        try apply(operation)
    }

    private func isOutside(_ path: [String]) -> Bool {
        if case .outside = values.paths.meeting(path) { true } else { false }
    }

    /// Whether the operation shifts elements that a path names by their number.
    private func shiftsNamedElements(_ operation: JSONPatch.Operation, _ path: [String]) -> Bool {
        switch operation {
        case .add, .remove: break
        default: return false
        }
        guard path.count > 1, case .array? = parent(of: operation.path) else { return false }
        return isNamed(parent: path)
    }

    private func isNamed(parent path: [String]) -> Bool {
        guard case .above(let place) = values.paths.meeting(Array(path.dropLast())) else { return false }
        return values.paths.tellsElementsApart(at: place)
    }

    private func parent(of path: JSONPointer) -> JSONValue? {
        JSONPointer(Array(path.segments.dropLast())).value(in: state)
    }
}

extension RedactedValues {
    /// Whether an operation has nothing to do with any match.
    fileprivate func isFar(from operation: JSONPatch.Operation, of store: String) -> Bool {
        func isFar(_ path: JSONPointer) -> Bool {
            // Its array may be above a match although the element is not: a path may name another one by its number.
            guard case .outside = paths.meeting([store] + path.segments.dropLast()) else { return false }
            return true
        }
        return isFar(operation.path) && operation.from.map(isFar) ?? true
    }
}

extension JSONPatch.Operation {
    /// The operation with `old` as the state has it, which may write equal numbers otherwise and so have other hashes.
    fileprivate func reading(_ state: JSONValue) -> JSONPatch.Operation {
        switch self {
        case .remove(let path, let old?):
            .remove(path, old: path.value(in: state).flatMap { $0 == old ? $0 : nil } ?? old)
        case .replace(let path, let value, let old?):
            .replace(path, value, old: path.value(in: state).flatMap { $0 == old ? $0 : nil } ?? old)
        default: self
        }
    }

    /// The operation with its values changed.
    fileprivate func mapped(_ body: (JSONValue) -> JSONValue) -> JSONPatch.Operation {
        switch self {
        case .add(let path, let value): .add(path, body(value))
        case .remove(let path, let old): .remove(path, old: old.map(body))
        case .replace(let path, let value, let old): .replace(path, body(value), old: old.map(body))
        case .test(let path, let value): .test(path, body(value))
        case .move, .copy: self
        }
    }
}
