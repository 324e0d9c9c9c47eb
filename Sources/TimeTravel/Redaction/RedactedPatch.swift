import JSONCore

/// The patch of a commit from the redacted state before it to the redacted state after it.
///
/// An operation at or below a match becomes one `replace` of the match, with the hashes before and after; one above it
/// is redacted inside its values. Where that cannot be done one by one (an array shifts under a path with an index, a
/// value goes into a match or comes out of one), the two redacted states are compared.
struct RedactedPatch {
    private let values: RedactedValues
    private let texts: RedactedTexts
    private let store: String
    private var state: JSONValue
    /// What leads back to the state before the commit, which is not kept: what the commit leaves alone would be copied.
    private var undo: [JSONPatch.Operation] = []
    private var operations: [JSONPatch.Operation] = []

    private init(_ values: RedactedValues, _ texts: RedactedTexts, store: String, before: consuming JSONValue) {
        self.values = values
        self.texts = texts
        self.store = store
        state = before
    }

    static func of(
        _ patch: JSONPatch, _ values: RedactedValues, _ texts: RedactedTexts, store: String, state: inout JSONValue
    ) throws(PatchError) -> JSONPatch {
        var taken = JSONValue.null
        swap(&taken, &state)
        var redaction = RedactedPatch(values, texts, store: store, before: taken)
        taken = .null
        for (index, operation) in patch.operations.enumerated() {
            let before: JSONValue
            do throws(PatchError) {
                guard try !redaction.add(operation) else { continue }
                try JSONPatch(redaction.undo.reversed()).apply(to: &redaction.state, order: .ascending)
                before = redaction.state
                state = before
                try patch.apply(to: &state, order: .ascending)
            } catch {
                throw PatchError(operation: error.operation ?? index, path: error.path, reason: error.reason)
            }
            return .difference(from: texts.redacted(before, of: store), to: texts.redacted(state, of: store))
        }
        swap(&state, &redaction.state)
        return JSONPatch(redaction.operations)
    }

    /// Adds what becomes of an operation; false where that cannot be decided from it alone.
    private mutating func add(_ operation: JSONPatch.Operation) throws(PatchError) -> Bool {
        let operation = operation.numberingEnd(of: parent(of: operation.path))
        let path = whole(operation.path)
        guard !path.contains(JSONValue.redactionKey) else { return false }
        if let from = operation.from { return try addMove(operation, from: whole(from), to: path) }
        guard !shiftsNamedElements(operation, path) else { return false }
        switch values.paths.meeting(path) {
        case .outside: try emit(operation)
        case .above(let place):
            try emit(operation) { [values] value in values.redacted(value, below: place) }
        case .inside(let depth) where depth == path.count: try addAtMatch(operation)
        case .inside(let depth): try addBelowMatch(operation, match: Array(path[1..<depth]))
        }
        return true
    }

    private func whole(_ path: JSONPointer) -> [String] { [store] + path.segments }

    private func parent(of path: JSONPointer) -> JSONValue? {
        JSONPointer(Array(path.segments.dropLast())).value(in: state)
    }

    // MARK: One operation

    private mutating func emit(
        _ operation: JSONPatch.Operation, _ redact: (JSONValue) -> JSONValue = { $0 }
    ) throws(PatchError) {
        operations.append(texts.masked(operation.mapped(redact), in: state))
        try apply(operation)
    }

    private mutating func apply(_ operation: JSONPatch.Operation) throws(PatchError) {
        var patched = PatchedValue(taking: &state, keepsUndo: true)
        defer {
            undo += patched.wayBack.operations.reversed()
            state = patched.take()
        }
        do throws(PatchError.Reason) { try operation.apply(to: &patched, order: .ascending) } catch {
            throw PatchError(operation: nil, path: operation.path, reason: error)
        }
    }

    private mutating func addAtMatch(_ operation: JSONPatch.Operation) throws(PatchError) {
        if case .test = operation { return try apply(operation) }
        if case .replace(_, let value, let old?) = operation.mapped(values.hash), value == old {
            return try apply(operation)
        }
        try emit(operation, values.hash)
    }

    /// Something inside a match changes: the match has another hash.
    private mutating func addBelowMatch(_ operation: JSONPatch.Operation, match: [String]) throws(PatchError) {
        let match = JSONPointer(match)
        let before = match.value(in: state).map(values.hash)
        let path = texts.masked(match, in: state)
        try apply(operation)
        guard let after = match.value(in: state).map(values.hash), before != after else { return }
        if case .replace(path, _, let old)? = operations.last {
            operations.removeLast()
            if after != old { operations.append(.replace(path, after, old: old)) }
        } else {
            operations.append(.replace(path, after, old: before))
        }
    }

    /// A value that changes its place, or is copied, stays what it is where no path distinguishes the places.
    private mutating func addMove(
        _ operation: JSONPatch.Operation, from: [String], to: [String]
    ) throws(PatchError) -> Bool {
        if case .inside(let depth) = values.paths.meeting(to), case .inside(depth) = values.paths.meeting(from),
            depth < to.count, depth < from.count,
            from.prefix(depth).elementsEqual(to.prefix(depth), by: UTF8Order.equal)
        {
            try addBelowMatch(operation, match: Array(to[1..<depth]))
            return true
        }
        guard !from.contains(JSONValue.redactionKey), !isNamed(parent: from), !isNamed(parent: to),
            isOutside(from) && isOutside(to) || isWithinArray(operation, from, to)
        else { return false }
        // What is taken out may shift the elements on the way to where it goes.
        if to.count > from.count, to.starts(with: from.dropLast(), by: UTF8Order.equal) { return false }
        try emit(operation)
        return true
    }

    private func isWithinArray(_ operation: JSONPatch.Operation, _ from: [String], _ to: [String]) -> Bool {
        guard case .move = operation, case .array? = parent(of: operation.path) else { return false }
        return from.dropLast().elementsEqual(to.dropLast(), by: UTF8Order.equal)
    }

    private func isOutside(_ path: [String]) -> Bool {
        if case .outside = values.paths.meeting(path) { true } else { false }
    }

    private func shiftsNamedElements(_ operation: JSONPatch.Operation, _ path: [String]) -> Bool {
        switch operation {
        case .add, .remove: break
        default: return false
        }
        guard path.count > 1, case .array? = parent(of: operation.path) else { return false }
        return isNamed(parent: path, from: path.last.flatMap(JSONPointer.arrayIndex) ?? 0)
    }

    private func isNamed(parent path: [String], from index: Int = 0) -> Bool {
        guard case .above(let place) = values.paths.meeting(Array(path.dropLast())) else { return false }
        return values.paths.distinguishesElements(at: place, from: index)
    }
}

extension JSONPatch.Operation {
    fileprivate func numberingEnd(of parent: JSONValue?) -> JSONPatch.Operation {
        guard path.segments.last == "-", case .array(let elements)? = parent else { return self }
        var path = path
        path.segments[path.segments.count - 1] = String(elements.count)
        return switch self {
        case .add(_, let value): .add(path, value)
        case .copy(let from, _): .copy(from: from, to: path)
        // Of the elements that are left when the moved one is taken out, or of a container that loses it.
        case .move, .remove, .replace, .test: self
        }
    }
}
