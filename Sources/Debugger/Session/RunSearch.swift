import CommandLine
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// Searches what names commits, the paths and values that they change, and marks.
struct RunSearch {
    private let text: StateSearch
    private let journal: Journal

    init(_ text: String, in journal: Journal) {
        self.text = StateSearch(text)
        self.journal = journal
    }

    enum Outcome {
        case found(CommitNumber, isWrapped: Bool)
        case nowhere, interrupted
    }

    /// Goes on at the other end of the run; each line on the way is read.
    func find(
        from position: CommitNumber, _ direction: SessionDirection, bounds: PositionRange, isInterrupted: () -> Bool
    ) throws(JournalError) -> Outcome {
        var hasEnded = false
        func ends() -> Bool {
            hasEnded = hasEnded || isInterrupted()
            return hasEnded
        }
        let found = try next(from: position, direction, isInterrupted: ends)
        if let found { return .found(found, isWrapped: false) }
        if hasEnded { return .interrupted }
        let end = direction == .forward ? bounds.lower : bounds.upper.next
        let again = try next(from: end, direction, isInterrupted: ends)
        if let again, direction == .forward ? again <= position : again >= position {
            return .found(again, isWrapped: true)
        }
        return hasEnded ? .interrupted : .nowhere
    }

    static func wrapped(_ direction: SessionDirection) -> String {
        direction == .forward
            ? "the search passed the end and went on from the start"
            : "the search passed the start and went on from the end"
    }

    /// Nil if no commit has the text; each line on the way is read.
    func next(
        from position: CommitNumber, _ direction: SessionDirection, isInterrupted: () -> Bool
    ) throws(JournalError) -> CommitNumber? {
        try journal.nearest(from: position, direction, isInterrupted: isInterrupted) { matches($0) }
    }

    private func matches(_ line: RecordLine) -> Bool {
        guard line.kind == .commit || line.kind == .mark || line.kind == .gap, let read = try? Record(line) else {
            return false
        }
        if line.kind == .mark { return text.matches(read.text ?? "") }
        let record = RecordSummary(read, scope: StoreScope(store: nil))
        let names = [record.store, record.name, record.function, record.location, record.label].compactMap(\.self)
        if let action = read.action,
            text.matches(action.type ?? "") || action.payload.map({ text.matches($0.text()) }) ?? false
        {
            return true
        }
        return names.contains(where: text.matches)
            || record.changes.contains { change in
                text.matchesPath(change.path.text) || values(of: change).contains { text.matches($0.text()) }
            }
    }

    private func values(of change: StateChange) -> [JSONValue] {
        switch change.kind {
        case .added(let value): [value]
        case .removed(let old): old.map { [$0] } ?? []
        case .replaced(let new, let old): (old.map { [$0] } ?? []) + [new]
        case .moved, .copied: []
        }
    }
}

/// Small letters stand for large ones too, unless the text has a large one.
struct StateSearch {
    private let pattern: TextPattern
    /// The text as paths are shown; nil where it does not read as one.
    private let pointer: TextPattern?

    init(_ text: String) {
        let ignoresCase = !text.contains(where: \.isUppercase)
        pattern = TextPattern(text, ignoringCase: ignoresCase)
        pointer = Self.pointer(text).map { TextPattern($0, ignoringCase: ignoresCase) }
    }

    /// `/cart/items/0`, also where it is written `cart.items[0]` or `.cart.items[0]`.
    private static func pointer(_ text: String) -> String? {
        guard let first = text.utf8.first, !(0x30...0x39).contains(first), first != UInt8(ascii: "-"),
            text.utf8.contains(where: { ".[/".utf8.contains($0) }), !text.utf8.contains(where: { $0 <= 0x20 })
        else { return nil }
        var path = [UInt8(ascii: "/")]
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "/"):
                if path.last != UInt8(ascii: "/") { path.append(UInt8(ascii: "/")) }
            case UInt8(ascii: "]"), UInt8(ascii: "\""): break
            default: path.append(byte)
            }
        }
        return String(decoding: path, as: UTF8.self)
    }

    func matchesPath(_ path: String) -> Bool { matches(path) || (try? pointer?.matches(path)) == true }

    /// Its own place, or one in the value that it wrote; nil where the change has the text nowhere.
    func place(in change: StateChange) -> JSONPointer? {
        if matchesPath(change.path.text) { return change.path }
        switch change.kind {
        case .added(let value), .replaced(let value, _):
            if isLeafMatch(value) { return change.path }
            var found: JSONPointer?
            visit(value, change.path) { path, isMatch in if isMatch, found == nil { found = path } }
            if let found { return found }
        case .removed, .moved, .copied: break
        }
        switch change.kind {
        case .removed(let old?), .replaced(_, let old?): return matches(old.text()) ? change.path : nil
        case .added, .removed, .replaced, .moved, .copied: return nil
        }
    }

    func matches(_ candidate: String) -> Bool { (try? pattern.matches(candidate)) == true }

    /// Places come as they are shown, and the first follows the last; O(*n*) in the size of the state.
    func next(
        in state: JSONValue, from place: JSONPointer, _ direction: SessionDirection
    ) -> (path: JSONPointer, isWrapped: Bool)? {
        var found: [JSONPointer] = []
        var count = 0
        var here: Int?
        visit(state, JSONPointer()) { path, isMatch in
            if UTF8Order.equal(path.text, place.text) { here = count }
            if isMatch { found.append(path) }
            if isMatch, here == nil { count += 1 }
        }
        guard !found.isEmpty else { return nil }
        // How many lie before the place, and whether it is one itself.
        let before = here ?? 0
        let isMatch = before < found.count && UTF8Order.equal(found[before].text, place.text)
        let index = direction == .forward ? before + (isMatch ? 1 : 0) : before - 1
        return (found[(index + found.count) % found.count], !found.indices.contains(index))
    }

    private func isPointer(to place: JSONPointer, below path: JSONPointer) -> Bool {
        guard let pointer, (try? pointer.matches(place.text)) == true else { return false }
        return (try? pointer.matches(path.text)) != true
    }

    private func visit(_ value: JSONValue, _ path: JSONPointer, _ note: (JSONPointer, Bool) -> Void) {
        func below(_ name: String, _ member: JSONValue, isNamed: Bool) {
            let place = JSONPointer(path.segments + [name])
            note(place, isNamed && matches(name) || isPointer(to: place, below: path) || isLeafMatch(member))
            visit(member, place, note)
        }
        switch value {
        case .object(let object): for (key, member) in object { below(key, member, isNamed: true) }
        case .array(let elements):
            for (index, element) in elements.enumerated() { below(String(index), element, isNamed: false) }
        case .null, .bool, .number, .string: break
        }
    }

    private func isLeafMatch(_ value: JSONValue) -> Bool {
        switch value {
        case .array, .object: false
        case .string(let text): matches(text)
        case .null, .bool, .number: matches(value.text())
        }
    }
}
