/// RFC 6902 as its sections say it, on whole values: the plain one that the project's patches are held against.
enum PlainPatch {
    /// An operation that does not apply, or is none.
    struct Failure: Error { let operation: Int }

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

/// A run as it would have been without some of its commits, worked out position by position.
struct PlainWhatIf {
    /// A commit that stays, with the state at the position before it and the one at its own.
    struct Line {
        let record: PlainRecord
        let old: PlainJSON
        let state: PlainJSON
    }

    private(set) var lines: [Line] = []
    /// The commits that no longer apply, and are left out with the others.
    private(set) var leftOut: Set<Int> = []
    /// The commits that apply, but find another value than they say was there.
    private(set) var astray: Set<Int> = []

    private var state: PlainObject
    private var closing: [PlainKey] = []

    /// Replays a range, without the commits of a list and those that `keeps` does not want.
    init(
        _ journal: PlainJournal, _ range: ClosedRange<Int>, without: Set<Int>,
        keeps: (PlainRecord, _ old: PlainJSON, _ state: PlainJSON) -> Bool
    ) {
        state = journal.states[range.lowerBound]?.object ?? PlainObject()
        for record in journal.records where record.seq <= range.lowerBound { noteClosing(record) }
        for position in range.dropFirst() {
            let records = journal.records.filter { $0.seq == position }
            guard let first = records.first else { continue }  // lost in a gap
            let (before, closed) = (self, value)
            var untouched = before
            untouched.apply(first, isKept: false)
            apply(first, isKept: !without.contains(position))
            for record in records.dropFirst() {
                apply(record, isKept: true)
                untouched.apply(record, isKept: true)
            }
            guard first.kind == "commit", !without.contains(position), !leftOut.contains(position) else { continue }
            if keeps(first, closed, value) {
                lines.append(Line(record: first, old: closed, state: value))
            } else {
                (state, closing) = (untouched.state, untouched.closing)
            }
        }
    }

    private var value: PlainJSON { PlainJSON.object(state).ascending() }

    private mutating func noteClosing(_ record: PlainRecord) {
        switch record.kind {
        case "commit", "gap": closing = []
        case "keyframe" where record.isResumed: closing = []
        case "store": closing.removeAll { $0 == PlainKey(record.store ?? "") }
        case "close": closing.append(PlainKey(record.store ?? ""))
        default: break
        }
    }

    private mutating func apply(_ record: PlainRecord, isKept: Bool) {
        switch record.kind {
        case "store": state[record.store ?? ""] = record["state"]
        case "gap": state = record["states"].object ?? PlainObject()
        case "keyframe" where record.isResumed: state = record["states"].object ?? PlainObject()
        case "commit":
            // A store that was closed goes away with the next commit that there is.
            guard isKept else { return }
            var next = state
            for name in closing { next.removeValue(forKey: name.text) }
            guard let store = record.store, let old = next[store], let new = applied(record, to: old) else {
                leftOut.insert(record.seq)
                return
            }
            next[store] = new
            state = next
        default: break
        }
        noteClosing(record)
    }

    /// The state of a commit's store after it; nil where the patch does not apply.
    private mutating func applied(_ record: PlainRecord, to state: PlainJSON) -> PlainJSON? {
        var state = state
        for operation in record.patch {
            let path = operation.object?["path"]?.string.flatMap(PlainPointer.segments) ?? []
            let isHonest = operation.object?["old"].map { PlainPointer.value(path, in: state) == $0 } ?? true
            guard let next = try? PlainPatch.applied([operation], to: state) else { return nil }
            if !isHonest { astray.insert(record.seq) }
            state = next
        }
        return state
    }
}
