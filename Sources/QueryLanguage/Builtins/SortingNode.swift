internal import JSONCore

/// The built-ins that order elements by a key.
enum SortingKind: String {
    case sort = "sort_by"
    case group = "group_by"
    case unique = "unique_by"
    case minimum = "min_by"
    case maximum = "max_by"
}

/// `sort_by(f)` and the like.
///
/// The key is the array of all outputs of `f`.
final class SortingNode: Node {
    let kind: SortingKind
    let key: Node

    init(_ kind: SortingKind, key: Node) {
        self.kind = kind
        self.key = key
    }

    override func settle() {
        key.settle()
        multiplicity = .one
    }
    override func one(_ input: JSONValue, _ frame: Frame) throws(Interruption) -> JSONValue? {
        var keyed: [(key: JSONValue, value: JSONValue)] = []
        _ = try IterateNode.forEachPart(of: input, frame.machine) { element throws(Interruption) in
            if key.multiplicity == .one, let value = try key.one(element, frame) {
                // A single key orders as the array of it does.
                keyed.append((value, element))
            } else {
                keyed.append((.array(try key.all(element, frame)), element))
            }
            return .more
        }
        guard case .array = input else { throw refusal(input, keyed.map(\.key)) }
        return try Self.apply(kind, keyed)
    }

    private func refusal(_ input: JSONValue, _ keys: [JSONValue]) -> Interruption {
        let lists = JSONValue.array(keys.map { key.multiplicity == .one ? .array([$0]) : $0 })
        let isExtreme = kind == .minimum || kind == .maximum
        return Arithmetic.failure(
            input, lists, isExtreme ? "cannot be iterated over" : "cannot be sorted, as they are not both arrays")
    }

    static func apply(
        _ kind: SortingKind, _ keyed: [(key: JSONValue, value: JSONValue)]
    ) throws(Interruption) -> JSONValue {
        switch kind {
        case .minimum, .maximum: return try extreme(keyed, isMinimum: kind == .minimum)
        case .sort: return .array(try ValueOrder.sort(keyed) { $0.key }.map(\.value))
        case .group, .unique: break
        }
        var groups: [[JSONValue]] = []
        var last: JSONValue?
        for entry in try ValueOrder.sort(keyed, by: { $0.key }) {
            if let previous = last, try ValueOrder.compare(previous, entry.key) == 0 {
                if kind == .group { groups[groups.count - 1].append(entry.value) }
            } else {
                groups.append([entry.value])
                last = entry.key
            }
        }
        return .array(groups.map { kind == .group ? .array($0) : $0[0] })
    }

    /// The first of the least, or the last of the greatest.
    private static func extreme(
        _ keyed: [(key: JSONValue, value: JSONValue)], isMinimum: Bool
    ) throws(Interruption) -> JSONValue {
        guard var best = keyed.first else { return .null }
        for entry in keyed.dropFirst() where (try ValueOrder.compare(entry.key, best.key) < 0) == isMinimum {
            best = entry
        }
        return best.value
    }
    override func trace(_ input: Abstract, _ frame: TraceFrame) -> Abstract {
        let elements = frame.tracer.parts(of: input)
        frame.tracer.consume(key.trace(elements, frame))
        switch kind {
        case .minimum, .maximum: return elements
        case .sort, .unique: return .array(of: elements)
        case .group: return .array(of: .array(of: elements))
        }
    }
}
