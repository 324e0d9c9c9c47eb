import JSONCore
import JournalFormat
import JournalReading

/// A patch of another tool as a journal has it: what it writes over is in it, and each operation can be undone.
///
/// An `add` over a member is a `replace`, one at `-` names its index, `copy` is an `add` of the value, and what moves elsewhere
/// than in one array is removed and added. A `test` is asked and left out.
struct RecordedPatch {
    private(set) var operations: [JSONPatch.Operation] = []
    private(set) var copies: CopyBudget
    private let checksOld: Bool
    /// By which members elements are matched where an object that is put over another one becomes what differs; nil where it
    /// takes its place whole.
    private let narrowing: [String]?
    /// How many bytes of JSON the copies of this patch may take, since a journal has each of them whole.
    private var budget = RecordedPatch.copyLimit

    private static let copyLimit = 64 << 20

    init(checksOld: Bool, narrowing: [String]? = nil, copies: CopyBudget) {
        self.checksOld = checksOld
        self.narrowing = narrowing
        self.copies = copies
    }

    /// Returns why it does not fit; the value is as it was then.
    mutating func apply(_ patch: JSONPatch, to value: inout JSONValue, of store: String) -> ImportFault? {
        var patched = PatchedValue(taking: &value, keepsUndo: true)
        var fault = check(patch, applying: &patched, to: store)
        if fault != nil { patched.goBack() }
        value = patched.take()
        guard fault == nil else { return fault }
        do throws(PatchError) { try copies.check(JSONObject(store, value)) } catch {
            fault = .patch(error, store: store, nearest: JSONPointer(), found: .null)
            try? patched.wayBack.apply(to: &value, order: .ascending)
        }
        return fault
    }

    private mutating func check(
        _ patch: JSONPatch, applying value: inout PatchedValue, to store: String
    ) -> ImportFault? {
        for (index, operation) in patch.operations.enumerated() {
            do throws(PatchError.Reason) {
                if checksOld, let fault = otherOld(operation, in: &value) { return fault }
                try apply(operation, to: &value)
            } catch {
                let nearest = Self.nearest(operation, in: &value)
                return .patch(
                    PatchError(operation: index, path: operation.path, reason: error), store: store,
                    nearest: nearest.path, found: nearest.value)
            }
        }
        return nil
    }

    private func otherOld(_ operation: JSONPatch.Operation, in value: inout PatchedValue) -> ImportFault? {
        switch operation {
        case .replace(let path, _, let said?), .remove(let path, let said?):
            let found = value.value(at: path)
            return found == said ? nil : .otherOld(path, said: said, found: found)
        default: return nil
        }
    }

    private mutating func apply(
        _ operation: JSONPatch.Operation, to value: inout PatchedValue
    ) throws(PatchError.Reason) {
        switch operation {
        case .test: try operation.apply(to: &value, order: .ascending)
        case .copy(let from, let path):
            guard let part = value.value(at: from) else { throw .noSuchMember(from.segments.last ?? "") }
            guard part.textSize(upTo: JSONPatch.copyLimit) != nil else { throw .copyTooLarge }
            guard let size = part.textSize(upTo: budget) else { throw .copiesTooLarge(limit: Self.copyLimit) }
            budget -= size
            copies.add(size)
            try record(Self.added(part, at: path, in: &value), to: &value)
        case .move(let from, let path):
            if let parent = from.parent, parent == path.parent, value.count(ofArrayAt: parent) != nil {
                return try record(.move(from: from, to: Self.named(path, in: &value, after: 1)), to: &value)
            }
            guard let part = value.value(at: from) else { throw .noSuchMember(from.segments.last ?? "") }
            if from == path { return }
            guard !path.segments.starts(with: from.segments, by: UTF8Order.equal) else { throw .movesIntoItself }
            try record(.remove(from, old: part), to: &value)
            try record(Self.added(part, at: path, in: &value), to: &value)
        case .add(let path, let part):
            let added = Self.added(part, at: path, in: &value)
            guard let narrowing, case .replace(_, _, let old?) = added, !old.isScalar else {
                return try record(added, to: &value)
            }
            for step in JSONPatch.difference(from: old, to: part, identities: narrowing).operations {
                try record(step.below(path.segments), to: &value)
            }
        case .remove(let path, _): try record(.remove(path, old: value.value(at: path)), to: &value)
        case .replace(let path, let part, _):
            try record(.replace(path, part, old: value.value(at: path)), to: &value)
        }
    }

    private mutating func record(
        _ operation: JSONPatch.Operation, to value: inout PatchedValue
    ) throws(PatchError.Reason) {
        try operation.apply(to: &value, order: .ascending)
        operations.append(operation)
    }

    private static func added(
        _ part: JSONValue, at path: JSONPointer, in value: inout PatchedValue
    ) -> JSONPatch.Operation {
        let old = value.value(at: path)
        guard let parent = path.parent else { return .replace(path, part, old: old) }
        if let old, value.count(ofArrayAt: parent) == nil { return .replace(path, part, old: old) }
        return .add(named(path, in: &value), part)
    }

    private static func named(
        _ path: JSONPointer, in value: inout PatchedValue, after taken: Int = 0
    ) -> JSONPointer {
        guard path.segments.last == "-", let parent = path.parent, let count = value.count(ofArrayAt: parent)
        else { return path }
        return parent.appending(String(count - taken))
    }

    private static func nearest(
        _ operation: JSONPatch.Operation, in value: inout PatchedValue
    ) -> (path: JSONPointer, value: JSONValue) {
        var path = operation.path
        if let from = operation.from, value.value(at: from) == nil { path = from }
        while true {
            if let found = value.value(at: path) { return (path, found) }
            guard let parent = path.parent else { return (JSONPointer(), .null) }
            path = parent
        }
    }
}

extension JSONPatch.Operation {
    func below(_ place: [String]) -> JSONPatch.Operation {
        func pointer(_ path: JSONPointer) -> JSONPointer { JSONPointer(place + path.segments) }
        return switch self {
        case .add(let path, let value): .add(pointer(path), value)
        case .remove(let path, let old): .remove(pointer(path), old: old)
        case .replace(let path, let value, let old): .replace(pointer(path), value, old: old)
        case .move(let from, let path): .move(from: pointer(from), to: pointer(path))
        case .copy(let from, let path): .copy(from: pointer(from), to: pointer(path))
        case .test(let path, let value): .test(pointer(path), value)
        }
    }
}
