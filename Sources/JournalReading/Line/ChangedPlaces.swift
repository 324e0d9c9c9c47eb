package import JSONCore
import JournalFormat

extension RecordLine {
    /// The values that a commit replaces, adds or removes, one after another, from the whole state; nil of a pointer in which
    /// anything is escaped.
    ///
    /// - Parameter state: the state before the commit, as far as anything of it is asked about; nil for nothing of a commit that
    ///   does not only replace.
    /// - Complexity: O(*k*) look-ups for *k* operations.
    package func changedPlaces(in state: JSONValue?) -> [ChangedPlace]? {
        guard kind == .commit, !resumed, let commit = CommitText(self), let name = commit.store.plainString,
            !name.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "~") })
        else { return nil }
        let store = [UInt8(ascii: "/")] + name
        var changed = ChangedPlaces(state ?? .null)
        for operation in commit.operations {
            guard let path = operation.path, path.isPlainPointer else { return nil }
            let place = store + path.raw
            switch operation.name {
            case .replace: changed.places.append(ChangedPlace(place))
            case _ where state == nil, nil: return nil
            case .test: continue
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
}

private struct ChangedPlaces {
    var places: [ChangedPlace] = []
    private let state: JSONValue
    /// How many elements arrays have by the operations so far.
    private var counts: [[UInt8]: Int] = [:]

    init(_ state: JSONValue) { self.state = state }

    mutating func add(_ place: [UInt8]) {
        guard let (array, segment, count) = element(place) else { return places.append(ChangedPlace(place)) }
        counts[array] = count + 1
        places.append(ChangedPlace(segment == "-" ? array + Array("/\(count)".utf8) : place, .insertion))
    }

    mutating func remove(_ place: [UInt8]) {
        guard let (array, _, count) = element(place) else { return places.append(ChangedPlace(place)) }
        counts[array] = count - 1
        places.append(ChangedPlace(place, .removal))
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
