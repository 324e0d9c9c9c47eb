import JSONCore
import JournalFormat
import JournalReading

/// Where a record took a value from that it wrote.
///
/// What the journal records comes first: the action, an undo, an operation `copy`, the cause. Then the state before is
/// searched, first for what was written with the value: a copied element says more than one number in it.
struct ValueSource {
    let how: Origin.How
    let basis: Origin.Basis
    let next: StoodValue?
    let candidates: [JSONPointer]

    private init(
        _ how: Origin.How, _ basis: Origin.Basis, next: StoodValue? = nil, candidates: [JSONPointer] = []
    ) {
        (self.how, self.basis, self.next, self.candidates) = (how, basis, next, candidates)
    }

    static func find(
        _ value: JSONValue, _ write: ValueWrite, in journal: Journal
    ) throws(JournalError) -> ValueSource {
        guard let commit = write.commit, let operation = write.operation else {
            let isOpening = write.record?.kind == .store
            return isOpening ? Self(.initial, .recorded) : Self(.written, .inferred)
        }
        guard !value.isTrivial else { return Self(.written, .recorded) }
        if let payload = commit.action?.payload, !payload.paths(of: value, limit: 1).isEmpty {
            return Self(.payload, .recorded)
        }
        for place in recordedPlaces(commit, operation, write.path) where place.position >= journal.start {
            let state = try? journal.state(at: place.position, pruning: PathSet(place.path)).value
            if let state, place.path.value(in: state) == value { return Self(.copied, .recorded, next: place) }
        }
        let wholes = wholes(around: value, writtenBy: operation, at: write.path)
        if let source = try taken(wholes, fromCauseOf: commit, journal) { return source }
        let before = commit.seq.previous
        let state = try journal.state(at: before).value
        return taken(wholes, .inferred, at: before) { state.paths(of: $0, limit: $1) } ?? Self(.computed, .inferred)
    }

    private static func recordedPlaces(
        _ commit: CommitRecord, _ operation: JSONPatch.Operation, _ path: JSONPointer
    ) -> [StoodValue] {
        var places: [StoodValue] = []
        if let undone = commit.undoes, (CommitNumber.zero.next..<commit.seq).contains(undone) {
            places.append(StoodValue(path: path, position: undone.previous))
        }
        if case .copy(let from, let to) = operation {
            let place = JSONPointer(from.segments + path.segments.dropFirst(to.segments.count))
            places.append(StoodValue(path: place, position: commit.seq.previous))
        }
        return places
    }

    private typealias Whole = (value: JSONValue, rest: [String])

    /// What was written with the value, the largest first, the value itself last.
    private static func wholes(
        around value: JSONValue, writtenBy operation: JSONPatch.Operation, at path: JSONPointer
    ) -> [Whole] {
        guard case .add(let place, var whole) = operation.asAddition, path.segments.count > place.segments.count else {
            return [(value, [])]
        }
        var rest = path.segments[place.segments.count...]
        var wholes: [Whole] = [(whole, Array(rest))]
        while let segment = rest.popFirst(), let part = JSONPointer([segment]).value(in: whole) {
            whole = part
            wholes.append((whole, Array(rest)))
        }
        return wholes
    }

    private static func taken(
        _ wholes: [Whole], fromCauseOf commit: CommitRecord, _ journal: Journal
    ) throws(JournalError) -> ValueSource? {
        guard let cause = commit.cause, cause < commit.seq, cause > journal.start,
            let record = try? journal.record(of: cause),
            let causing = try? record.decode(CommitRecord.init)
        else { return nil }
        let state = try journal.state(at: cause).value
        let written = causing.patch.inStore(causing.store).operations.compactMap { operation in
            operation.path.value(in: state).map { (operation.path.segments, $0) }
        }
        return taken(wholes, .recorded, at: cause) { value, limit in
            var found: [JSONPointer] = []
            for (place, part) in written {
                found += part.paths(of: value, limit: limit - found.count).map { JSONPointer(place + $0.segments) }
            }
            return found
        }
    }

    private static func taken(
        _ wholes: [Whole], _ basis: Origin.Basis, at position: CommitNumber,
        _ places: (JSONValue, _ limit: Int) -> [JSONPointer]
    ) -> ValueSource? {
        for (value, rest) in wholes where !value.isTrivial {
            let found = places(value, Origin.candidateLimit).map { JSONPointer($0.segments + rest) }
            guard let first = found.first else { continue }
            return found.count == 1
                ? Self(.copied, basis, next: StoodValue(path: first, position: position))
                : Self(.written, basis, candidates: found)
        }
        return nil
    }
}

extension JSONPatch.Operation {
    fileprivate var asAddition: JSONPatch.Operation? {
        switch self {
        case .add: self
        case .replace(let path, let value, _): .add(path, value)
        case .remove, .move, .copy, .test: nil
        }
    }
}

extension JSONValue {
    /// Null, booleans, 0, 1, -1, texts of up to four bytes and empty containers stand anywhere.
    var isTrivial: Bool {
        switch self {
        case .null, .bool: true
        case .number(let number): [-1, 0, 1].contains { number == JSONNumber($0) }
        case .string(let text): text.utf8.count <= 4
        case .array(let elements): elements.isEmpty
        case .object(let members): members.isEmpty
        }
    }

    /// In document order, itself included, `limit` at most.
    func paths(of value: JSONValue, limit: Int) -> [JSONPointer] {
        var found: [JSONPointer] = []
        var path: [String] = []
        collect(value, &path, &found, limit)
        return found
    }

    private func collect(_ value: JSONValue, _ path: inout [String], _ found: inout [JSONPointer], _ limit: Int) {
        guard found.count < limit else { return }
        if self == value { return found.append(JSONPointer(path)) }
        func collect(_ child: JSONValue, at segment: String) {
            path.append(segment)
            child.collect(value, &path, &found, limit)
            path.removeLast()
        }
        switch self {
        case .object(let members): for (key, member) in members { collect(member, at: key) }
        case .array(let elements): for (index, element) in elements.enumerated() { collect(element, at: String(index)) }
        case .null, .bool, .number, .string: break
        }
    }
}
