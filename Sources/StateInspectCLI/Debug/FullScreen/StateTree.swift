import JSONCore
import TimeTravel

/// What a commit changed, as the tree asks for it.
struct ChangedPlaces: Equatable {
    /// What was there before, by path: nil where nothing is known of it.
    private var changed: [[UInt8]: JSONValue?] = [:]
    /// Every place above one that changed.
    private var above: Set<[UInt8]> = []
    /// The places themselves, in the order of the changes.
    private(set) var paths: [JSONPointer] = []

    /// Nothing changed.
    init() {}

    /// The places of a commit's changes.
    init(_ changes: [StateChange]) {
        for change in changes {
            let old: JSONValue?
            switch change.kind {
            case .replaced(_, let value): old = value
            case .added, .removed, .moved: old = nil
            }
            paths.append(change.path)
            changed.updateValue(old, forKey: Array(change.path.text.utf8))
            for count in 0..<change.path.segments.count {
                above.insert(Array(JSONPointer(Array(change.path.segments[..<count])).text.utf8))
            }
        }
    }

    /// Whether a place changed; the value of before is nil where it is not known.
    func change(at path: JSONPointer) -> JSONValue?? { changed[Array(path.text.utf8)] }

    /// Whether something below a place changed.
    func isAbove(_ path: JSONPointer) -> Bool { above.contains(Array(path.text.utf8)) }
}

/// A state as rows of a tree, some of it folded.
///
/// Whether a place is folded stays as it was seen first, or as the person set it, while the state changes around it.
struct StateTree {
    /// One row.
    struct Row: Equatable {
        /// What a row shows.
        enum Content: Equatable {
            case leaf
            case opened(count: Int)
            case folded(count: Int)
            /// So many members or elements are not shown.
            case more(Int)
        }

        let path: JSONPointer
        let content: Content
        let value: JSONValue
        /// Whether the commit changed it, or something around it.
        var isChanged = false
        /// Whether the commit changed something below it, which is not seen.
        var holdsChange = false
        /// What was there before, where that is known.
        var old: JSONValue?

        var depth: Int { path.segments.count }
    }

    /// A place with more members than this, or deeper than that, is folded at first.
    private static let openedCount = 12
    private static let openedDepth = 3
    /// No more members of one place are shown, but for those that changed.
    private static let memberLimit = 500
    private static let rowLimit = 20_000
    private static let foldLimit = 50_000

    private var isOpen: [[UInt8]: Bool] = [:]

    /// The rows of a state.
    mutating func rows(of state: JSONValue, _ places: ChangedPlaces) -> [Row] {
        if isOpen.count > Self.foldLimit { isOpen.removeAll() }
        var rows: [Row] = []
        appendMembers(of: state, at: JSONPointer(), places, isChanged: false, to: &rows)
        return rows
    }

    /// Folds a place, or unfolds it.
    mutating func toggle(_ row: Row) {
        switch row.content {
        case .opened: setOpen(row.path, false)
        case .folded: setOpen(row.path, true)
        case .leaf, .more: break
        }
    }

    /// Folds or unfolds a place.
    mutating func setOpen(_ path: JSONPointer, _ open: Bool) { isOpen[Array(path.text.utf8)] = open }

    /// Unfolds everything above a place.
    mutating func reveal(_ path: JSONPointer) {
        for count in 1..<max(1, path.segments.count) { setOpen(JSONPointer(Array(path.segments[..<count])), true) }
    }

    private mutating func isOpen(_ path: JSONPointer, count: Int) -> Bool {
        let key = Array(path.text.utf8)
        if let known = isOpen[key] { return known }
        let depth = path.segments.count
        let open = depth == 1 || depth <= Self.openedDepth && count <= Self.openedCount
        isOpen[key] = open
        return open
    }

    private mutating func append(
        _ value: JSONValue, at path: JSONPointer, _ places: ChangedPlaces, isChanged: Bool, to rows: inout [Row]
    ) {
        guard rows.count < Self.rowLimit else { return }
        let change = places.change(at: path)
        let isChanged = isChanged || change != nil
        let count = Self.count(value)
        var row: Row
        if count == 0 {
            row = Row(path: path, content: .leaf, value: value)
        } else if isOpen(path, count: count) {
            row = Row(path: path, content: .opened(count: count), value: value)
        } else {
            row = Row(path: path, content: .folded(count: count), value: value)
            row.holdsChange = places.isAbove(path)
        }
        row.isChanged = isChanged
        row.old = change ?? nil
        rows.append(row)
        if case .opened = row.content { appendMembers(of: value, at: path, places, isChanged: isChanged, to: &rows) }
    }

    private mutating func appendMembers(
        of value: JSONValue, at path: JSONPointer, _ places: ChangedPlaces, isChanged: Bool, to rows: inout [Row]
    ) {
        var hidden = 0
        var index = 0
        let takesAll = Self.count(value) <= Self.memberLimit
        let hasChanges = places.isAbove(path)
        func isShown(_ below: JSONPointer) -> Bool {
            takesAll || index < Self.memberLimit
                || hasChanges && (places.change(at: below) != nil || places.isAbove(below))
        }
        func below(_ name: String) -> JSONPointer { JSONPointer(path.segments + [name]) }
        switch value {
        case .object(let object):
            for (key, member) in object {
                let place = below(key)
                if isShown(place) {
                    append(member, at: place, places, isChanged: isChanged, to: &rows)
                } else {
                    hidden += 1
                }
                index += 1
            }
        case .array(let elements):
            for element in elements {
                if takesAll || index < Self.memberLimit || hasChanges {
                    let place = below(String(index))
                    if isShown(place) {
                        append(element, at: place, places, isChanged: isChanged, to: &rows)
                    } else {
                        hidden += 1
                    }
                } else {
                    hidden += 1
                }
                index += 1
            }
        case .null, .bool, .number, .string: break
        }
        if hidden > 0, rows.count < Self.rowLimit {
            rows.append(Row(path: below("…"), content: .more(hidden), value: .null))
        }
    }

    private static func count(_ value: JSONValue) -> Int {
        switch value {
        case .object(let object): object.count
        case .array(let elements): elements.count
        case .null, .bool, .number, .string: 0
        }
    }
}
