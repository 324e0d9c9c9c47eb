/// Which changes touch a match: the one home of the rule.
///
/// A change touches what is equal to its place, above it or below it; adding, removing or moving an element writes its whole
/// array. Below a place at which a `**` may take any way, the values there before or after the change decide whether it
/// leads to a match.
extension PathMatcher {
    /// What an operation alone says about a match, without the state.
    package enum Touch: Sendable {
        case untouched
        case touched
        /// Only the state decides: whether a number is an element's index or a name, or what was moved or taken out.
        case unknown
    }

    /// Whether an operation on a store touches a match, as far as the operation alone says.
    package func touch(by operation: JSONPatch.Operation, below store: String) -> Touch {
        let path = [store] + operation.path.segments
        switch operation {
        case .test: return .untouched
        case .replace(_, let value, let old): return touch(at: path, [value, old])
        case .add(_, let value): return touch(inserting: path, [value, nil])
        case .remove(_, let old): return touch(takingOut: path, [old])
        case .copy: return touch(inserting: path, [nil])
        case .move(let from, _):
            let taken = touch(takingOut: [store] + from.segments, [nil])
            let put = taken == .touched ? taken : touch(inserting: path, [nil])
            return put == .untouched ? taken : put
        }
    }

    /// Whether a patch of a store touches a match.
    ///
    /// Where the patch does not fit, nothing is known of it, and it counts as touching.
    ///
    /// - Parameters:
    ///   - state: the store's before the patch, which is edited on the way and given back as it was: it is not copied.
    ///   - held: what is held of the whole state, at least ``paths``.
    /// - Returns: nil where only the whole state decides, since an operation takes values from what is not held.
    package func isTouched(
        by patch: JSONPatch, of store: String, in state: inout JSONValue, holding held: PathSet = .everything
    ) -> Bool? {
        let node = held.root?.node(forKey: store) ?? .shallow
        var patched = PatchedValue(taking: &state, keepsUndo: true)
        defer {
            patched.goBack()
            state = patched.take()
        }
        for operation in patch.operations {
            if isTouched(by: operation, below: store, in: &patched) { return true }
            do throws(PatchError.Reason) {
                try operation.apply(to: &patched, pruning: node, order: .ascending)
            } catch {
                return error == .notPrunable ? nil : true
            }
        }
        return false
    }

    private func isTouched(
        by operation: JSONPatch.Operation, below store: String, in state: inout PatchedValue
    ) -> Bool {
        let source = operation.from.flatMap { state.value(at: $0) }
        switch operation {
        case .test: return false
        case .replace(let path, let value, _):
            return touch(at: [store] + path.segments, [value, state.value(at: path) ?? .null]) == .touched
        case .add(let path, let value): return isTouched(inserting: value, at: path, below: store, in: &state)
        case .remove(let path, _): return isTouched(inserting: nil, at: path, below: store, in: &state)
        case .copy(_, let path): return isTouched(inserting: source, at: path, below: store, in: &state)
        case .move(let from, let path):
            if isTouched(inserting: nil, at: from, below: store, in: &state) { return true }
            // Elements may shift on the way to where it goes.
            let taken: Bool? = try? JSONPatch.Operation.remove(from, old: nil).apply(to: &state, order: .ascending)
            defer {
                if taken == true, let source {
                    _ = try? JSONPatch.Operation.add(from, source).apply(to: &state, order: .ascending)
                }
            }
            return isTouched(inserting: source, at: path, below: store, in: &state)
        }
    }

    private func isTouched(
        inserting value: JSONValue?, at path: JSONPointer, below store: String, in state: inout PatchedValue
    ) -> Bool {
        let values = [value, state.value(at: path)].compactMap(\.self)
        if touch(at: [store] + path.segments, values) == .touched { return true }
        guard let parent = path.parent, let last = path.segments.last,
            case .array(let elements)? = state.value(at: parent)
        else { return false }
        /// The elements after it come to other indices.
        func after() -> JSONValue {
            var after = elements
            let index = value != nil && last == "-" ? elements.count : JSONPointer.arrayIndex(last)
            if let index, index < elements.count + (value == nil ? 0 : 1) {
                if let value { after.insert(value, at: index) } else { after.remove(at: index) }
            }
            return .array(after)
        }
        return touch(at: [store] + parent.segments, [.array(elements), after()]) == .touched
    }

    /// Whether a change at a place touches a match.
    ///
    /// - Parameter values: what stands there before and after; nil for what is not known.
    package func touch(at path: [String], _ values: @autoclosure () -> [JSONValue?]) -> Touch {
        switch meeting(path) {
        case .outside: return .untouched
        case .inside: return .touched
        case .above(let place):
            if place.rests.contains(where: \.leadsOn) { return .touched }
            let values = values()
            if values.contains(where: { $0.map { hasMatch(in: $0, at: place) } ?? false }) { return .touched }
            return values.contains { $0 == nil } ? .unknown : .untouched
        }
    }

    /// Whether a change touches a match where it puts something in: `-` may be the end of an array.
    private func touch(inserting path: [String], _ values: [JSONValue?]) -> Touch {
        touch(at: path, values, mayBeElement: path.last.map { $0 == "-" || JSONPointer.arrayIndex($0) != nil } ?? false)
    }

    /// Whether a change touches a match where it takes something out: `-` is a member's name (RFC 6902 §4.1).
    private func touch(takingOut path: [String], _ values: [JSONValue?]) -> Touch {
        touch(at: path, values, mayBeElement: path.last.map { JSONPointer.arrayIndex($0) != nil } ?? false)
    }

    private func touch(at path: [String], _ values: [JSONValue?], mayBeElement: Bool) -> Touch {
        let touch = touch(at: path, values)
        guard touch != .touched, path.count > 1, mayBeElement else { return touch }
        if case .outside = meeting(Array(path.dropLast())) { return touch }
        return .unknown
    }

    /// Whether a change shows that something is, or was, at a match.
    ///
    /// - Parameter values: what stands there before and after, as far as it is known.
    package func isShown(at path: [String], _ values: [JSONValue]) -> Bool {
        switch meeting(path) {
        case .outside: false
        case .inside: true
        case .above(let place): values.contains { hasMatch(in: $0, at: place) }
        }
    }

    /// Whether an element that comes or goes at a path may bring another one to a match: those after it shift.
    package func mayShift(at path: [String]) -> Bool {
        guard let last = path.last, last == "-" || JSONPointer.arrayIndex(last) != nil,
            case .above(let place) = meeting(Array(path.dropLast()))
        else { return false }
        return distinguishesElements(at: place)
    }
}

extension PathMatcher.Rest {
    /// Whether it leads to one place below, whatever stands there.
    fileprivate var leadsOn: Bool { !followsAny && steps.first != .any }
}
