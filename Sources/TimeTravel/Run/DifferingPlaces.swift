import JSONCore

/// Where a run without some of its commits may differ from the recorded one.
///
/// A commit that both runs apply may write the same value there again; once nothing differs any more, the rest of the
/// run is the recorded one.
struct DifferingPlaces {
    /// None of them is below another.
    private var places: [JSONPointer] = []
    private var isUnknown = false
    private static let limit = 256
    static let unknown = DifferingPlaces(isUnknown: true)
    var isEmpty: Bool { places.isEmpty && !isUnknown }

    var paths: PathSet? {
        guard !isUnknown else { return nil }
        return places.reduce(into: PathSet.nothing) { $0.insert($1) }
    }

    /// The patch is that of the whole state.
    mutating func leaveOut(_ patch: JSONPatch) {
        for operation in patch.operations {
            for place in operation.places({ $0.endsInElement ? $0.parent ?? $0 : $0 }) { insert(place) }
        }
    }

    mutating func apply(_ patch: JSONPatch) {
        for operation in patch.operations where !isEmpty {
            switch operation {
            case .test: break
            case .replace(let path, _, _): remove(at: path)
            case .add(let path, _), .remove(let path, _):
                if path.endsInElement { shift(path) } else { remove(at: path) }
            case .move(let from, let path), .copy(let from, let path):
                let differs = places.contains { $0.isPrefix(of: from) || from.isPrefix(of: $0) }
                if path.endsInElement { shift(path) } else { remove(at: path) }
                if case .move = operation { if from.endsInElement { shift(from) } else { remove(at: from) } }
                if differs { insert(path.endsInElement ? path.parent ?? path : path) }
            }
        }
    }

    mutating func open(_ store: String) { remove(at: JSONPointer([store])) }

    private mutating func insert(_ place: JSONPointer) {
        if places.contains(where: { $0.isPrefix(of: place) }) { return }
        places.removeAll { place.isPrefix(of: $0) }
        places.append(place)
        if places.count > DifferingPlaces.limit { (places, isUnknown) = ([], true) }
    }

    private mutating func remove(at place: JSONPointer) { places.removeAll { place.isPrefix(of: $0) } }

    /// Elements after one are others than before: what differs in one of them is anywhere in their array.
    private mutating func shift(_ element: JSONPointer) {
        guard let array = element.parent, places.contains(where: { array.isPrefix(of: $0) }) else { return }
        insert(array)
    }
}

extension JSONPatch.Operation {
    /// The places that it writes; of one that comes or goes what a closure says in its place, since that may shift others.
    func places(_ shifting: (JSONPointer) -> JSONPointer) -> [JSONPointer] {
        switch self {
        case .test: []
        case .replace(let path, _, _): [path]
        case .add(let path, _), .remove(let path, _), .copy(_, let path): [shifting(path)]
        case .move(let from, let path): [shifting(from), shifting(path)]
        }
    }
}

extension JSONPointer {
    fileprivate var endsInElement: Bool { segments.last.map { PathSet.mayBeElement($0) } ?? false }

    fileprivate func isPrefix(of other: JSONPointer) -> Bool {
        other.segments.starts(with: segments, by: UTF8Order.equal)
    }
}
