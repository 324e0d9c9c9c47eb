package import JSONCore
import JournalFormat

/// The store and the operations of a commit as they lie in its line, found in one walk over it.
///
/// It stands for ``CommitRecord``, as far as these two go: a line that is written so that it has to be parsed has none.
package struct WrittenPatch {
    /// The store's name.
    package let store: LineString
    /// The patch's operations, each of them whole.
    package let operations: ArraySlice<PatchOperation>

    /// Takes what was found.
    init(store: LineString, operations: ArraySlice<PatchOperation>) {
        self.store = store
        self.operations = operations
    }

    /// Walks over a commit's line as ``CommitWalk`` does, which finds the texts of both; nil where it is to be parsed.
    ///
    /// - Complexity: O(the line); what was found by another thread that read ahead is taken from there.
    package init?(_ line: RecordLine) {
        if let found = line.findings?.patch(at: line.findingIndex) {
            self = found
            return
        }
        var operations: [PatchOperation] = []
        guard let store = WrittenPatch.walk(line, &operations) else { return nil }
        self.init(store: store, operations: operations[...])
    }

    /// Walks over a line and adds its operations; gives its store, nil where it is to be parsed.
    static func walk(_ line: RecordLine, _ operations: inout [PatchOperation]) -> LineString? {
        var walk = MemberWalk(line.bytes, from: line.membersStart)
        var store: LineString?
        var hasPatch = false
        while let name = walk.next() {
            if name.equals("store") {
                guard store == nil, let text = walk.scanner.string() else { return nil }
                store = text
            } else if name.equals("patch") {
                guard !hasPatch, add(at: &walk.scanner, to: &operations) else { return nil }
                hasPatch = true
            } else {
                if line.membersStart > 0, name.equals("seq") || name.equals("kind") { return nil }
                guard walk.scanner.skipValue() else { return nil }
            }
        }
        return walk.isWhole && hasPatch ? store : nil
    }

    private static func add(at scanner: inout LineScanner, to operations: inout [PatchOperation]) -> Bool {
        var walk = PatchWalk(scanner)
        while let operation = walk.next() {
            guard operation.isWhole else { return false }
            // Most commits write a few places: one allocation, where growing to them takes two.
            if operations.isEmpty { operations.reserveCapacity(4) }
            operations.append(operation)
        }
        scanner = walk.place
        return walk.isWhole
    }
}

extension RecordLine {
    /// The pointers of the values that a commit replaces, from the whole state, where it does nothing else; nil of a pointer in
    /// which anything is escaped, too.
    package var replacedPlaces: [[UInt8]]? {
        guard let (store, operations) = plainPatch else { return nil }
        var places: [[UInt8]] = []
        for operation in operations {
            guard operation.name == .replace, let path = operation.path, path.isPlainPointer else { return nil }
            places.append(store + path.raw)
        }
        return places
    }

    /// The pointers of the values that a commit replaces, adds or removes, from the whole state.
    ///
    /// Where elements of an array come or go that are not its last ones, the array itself is one of them. Nil of a pointer in which
    /// anything is escaped.
    ///
    /// - Parameter state: the state before the commit, as far as anything of it is asked about.
    /// - Complexity: O(*k*) look-ups for *k* operations.
    package func changedPlaces(in state: JSONValue) -> [[UInt8]]? {
        guard let (store, operations) = plainPatch else { return nil }
        var changed = ChangedPlaces(state)
        for operation in operations {
            guard let path = operation.path, path.isPlainPointer else { return nil }
            let place = store + path.raw
            switch operation.name {
            case nil: return nil
            case .test: continue
            case .replace: changed.places.append(place)
            case .add, .copy: changed.add(place)
            case .remove: changed.remove(place)
            case .move:
                guard let from = operation.source, from.isPlainPointer else { return nil }
                changed.remove(store + from.raw)
                changed.add(place)
            }
        }
        return changed.places
    }

    /// The pointer to a commit's store, and its operations; nil where the store's name is escaped in one.
    private var plainPatch: (store: [UInt8], operations: ArraySlice<PatchOperation>)? {
        guard kind == .commit, !resumed, let patch = WrittenPatch(self), !patch.store.isEscaped,
            !patch.store.raw.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "~") })
        else { return nil }
        return ([UInt8(ascii: "/")] + patch.store.raw, patch.operations)
    }
}

/// Where the operations of a patch change a state, one after another.
private struct ChangedPlaces {
    var places: [[UInt8]] = []
    private let state: JSONValue
    /// How many elements arrays have by the operations so far.
    private var counts: [[UInt8]: Int] = [:]

    init(_ state: JSONValue) { self.state = state }

    /// Something comes to a place.
    mutating func add(_ place: [UInt8]) {
        guard let (array, segment, count) = element(place) else { return places.append(place) }
        counts[array] = count + 1
        let isLast = segment == "-" || JSONPointer.arrayIndex(segment) == count
        places.append(isLast ? array + Array("/\(count)".utf8) : array)
    }

    /// What is at a place goes.
    mutating func remove(_ place: [UInt8]) {
        guard let (array, segment, count) = element(place) else { return places.append(place) }
        counts[array] = count - 1
        places.append(JSONPointer.arrayIndex(segment) == count - 1 ? place : array)
    }

    /// The array in which a place lies, the segment, and how many elements it has; nil where it lies in none.
    private func element(_ place: [UInt8]) -> (array: [UInt8], segment: String, count: Int)? {
        guard let slash = place.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        let array = Array(place[..<slash])
        let segment = String(decoding: place[(slash + 1)...], as: UTF8.self)
        if let count = counts[array] { return (array, segment, count) }
        guard let pointer = try? JSONPointer(parsing: String(decoding: array, as: UTF8.self)),
            case .array(let elements)? = pointer.value(in: state)
        else { return nil }
        return (array, segment, elements.count)
    }
}
