import CommandLine
import Diagnostics
import JSONCore
import TimeTravel

struct ChangedPlaces: Equatable {
    /// What was there before, by path; nil where nothing is known of it.
    private var changed: [[UInt8]: JSONValue?] = [:]
    private var above: Set<[UInt8]> = []
    private(set) var paths: [JSONPointer] = []

    init() {}

    init(_ changes: [StateChange]) {
        for change in changes {
            let old: JSONValue?
            switch change.kind {
            case .replaced(_, let value): old = value
            case .added, .removed, .moved, .copied: old = nil
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

    func isAbove(_ path: JSONPointer) -> Bool { above.contains(Array(path.text.utf8)) }
}

/// Whether a place is folded stays as it was seen first, or as the person set it, while the state changes around it.
struct StateTree {
    struct Row: Equatable {
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
        var isChanged = false
        /// Whether the commit changed something below it, which is not seen.
        var holdsChange = false
        var old: JSONValue?

        var depth: Int { path.segments.count }
    }

    /// A place with more members than this, or deeper than that, is folded at first.
    private static let openedCount = 12
    private static let openedDepth = 3
    /// No more members of one place are shown at once, but for those that changed.
    private static let memberLimit = 500
    /// The last names of the rows that stand for the members before and after those that are shown.
    private static let (before, after) = ("…before", "…after")
    private static let rowLimit = 20_000
    private static let foldLimit = 50_000

    private var isOpen: [[UInt8]: Bool] = [:]
    /// The first member that is shown, of places that have more than are shown at once.
    private var first: [[UInt8]: Int] = [:]

    mutating func rows(of state: JSONValue, _ places: ChangedPlaces) -> [Row] {
        if isOpen.count > Self.foldLimit { isOpen.removeAll() }
        if first.count > Self.foldLimit { first.removeAll() }
        var rows: [Row] = []
        appendMembers(of: state, at: JSONPointer(), places, isChanged: false, to: &rows)
        return rows
    }

    /// A row of members that are not shown shows the nearest of them.
    mutating func toggle(_ row: Row, in state: JSONValue) {
        switch row.content {
        case .opened: setOpen(row.path, false)
        case .folded: setOpen(row.path, true)
        case .more:
            let place = JSONPointer(Array(row.path.segments.dropLast()))
            let distance = row.path.segments.last == Self.before ? -Self.memberLimit : Self.memberLimit
            setFirst(firstShown(of: place) + distance, of: place, in: state)
        case .leaf: break
        }
    }

    mutating func setOpen(_ path: JSONPointer, _ open: Bool) { isOpen[Array(path.text.utf8)] = open }

    mutating func reveal(_ path: JSONPointer, in state: JSONValue) {
        for count in 1..<max(1, path.segments.count) {
            let above = JSONPointer(Array(path.segments[..<count]))
            setOpen(above, true)
            guard let value = above.value(in: state), Self.count(value) > Self.memberLimit,
                let index = Self.index(of: path.segments[count], in: value)
            else { continue }
            let first = firstShown(of: above)
            if !(first..<first + Self.memberLimit).contains(index) {
                setFirst(index - Self.memberLimit / 2, of: above, in: state)
            }
        }
    }

    private func firstShown(of path: JSONPointer) -> Int { first[Array(path.text.utf8)] ?? 0 }

    private mutating func setFirst(_ index: Int, of path: JSONPointer, in state: JSONValue) {
        let count = path.value(in: state).map(Self.count) ?? 0
        first[Array(path.text.utf8)] = max(0, min(index, count - Self.memberLimit))
    }

    private static func index(of name: String, in value: JSONValue) -> Int? {
        switch value {
        case .object(let object): object.keys.enumerated().first { UTF8Order.equal($0.element, name) }?.offset
        case .array: Int(name)
        case .null, .bool, .number, .string: nil
        }
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
        var (hidden, index) = ((before: 0, after: 0), 0)
        let first = min(firstShown(of: path), max(0, Self.count(value) - Self.memberLimit))
        let shown = first..<first + Self.memberLimit
        let hasChanges = places.isAbove(path)
        let place = rows.count
        func below(_ name: String) -> JSONPointer { JSONPointer(path.segments + [name]) }
        func add(_ name: @autoclosure () -> String, _ member: JSONValue) {
            defer { index += 1 }
            // The path of a member that is not shown is only made where it may have changed.
            if shown.contains(index) {
                return append(member, at: below(name()), places, isChanged: isChanged, to: &rows)
            }
            if hasChanges {
                let path = below(name())
                if places.change(at: path) != nil || places.isAbove(path) {
                    return append(member, at: path, places, isChanged: isChanged, to: &rows)
                }
            }
            if index < first { hidden.before += 1 } else { hidden.after += 1 }
        }
        switch value {
        case .object(let object): for (key, member) in object { add(key, member) }
        case .array(let elements): for element in elements { add(String(index), element) }
        case .null, .bool, .number, .string: break
        }
        guard rows.count < Self.rowLimit else { return }
        if hidden.after > 0 { rows.append(Row(path: below(Self.after), content: .more(hidden.after), value: .null)) }
        if hidden.before > 0 {
            rows.insert(Row(path: below(Self.before), content: .more(hidden.before), value: .null), at: place)
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

struct StateTreeView {
    private let model: FullScreenModel

    init(_ model: FullScreenModel) { self.model = model }

    func draw(in area: ScreenArea, on screen: inout ScreenBuffer) {
        var area = area
        if let breadcrumb = model.breadcrumb {
            let text = DisplayWidth.shortenedInMiddle(ControlCharacters.escaped(breadcrumb.text), to: area.columns - 2)
            screen.writeLine("\("  " + text, .dim)", row: area.row, area)
            area.row += 1
            area.rows -= 1
        }
        let selected = model.selectedRow
        for index in 0..<area.rows {
            let row = model.treeTop + index
            guard model.rows.indices.contains(row) else { break }
            screen.writeLine(line(model.rows[row], columns: area.columns), row: area.row + index, area)
            if row == selected {
                screen.select(row: area.row + index, area, isFocus: model.focus == .state, else: .underline)
            }
        }
    }

    private func line(_ row: StateTree.Row, columns: Int) -> StoryLine {
        let margin = StoryLine(margin: 2 * min(row.depth - 1, columns / 4))
        let start = "\(row.isChanged ? "●" : row.holdsChange ? "○" : " ", .changed)" + margin
        let name = row.path.segments.last ?? ""
        var style = row.depth == 1 ? TimelineView.style(ofStore: name, in: model).with(.bold) : .role(.key)
        if row.isChanged || row.holdsChange { style = style.with(.bold) }
        func text(_ value: JSONValue) -> String { FittedValue.text(value, limit: columns) }
        switch row.content {
        case .leaf:
            let old = row.old.map { (model.facts.isPaired ? "  left " : "  was ") + text($0) } ?? ""
            return start + "\("  " + shown(name) + ": ", .look(style))\(text(row.value), role(row))\(old, .removed)"
        case .opened(let count):
            return start + "\("▾ " + shown(name) + " ", .look(style))\(counted(row.value, count), .dim)"
        case .folded(let count):
            let value = counted(row.value, count) + " " + text(row.value)
            return start + "\("▸ " + shown(name) + " ", .look(style))\(value, .dim)"
        case .more(let count): return start + "\("  … \(count) more: Enter shows them", .dim)"
        }
    }

    private func shown(_ name: String) -> String { name.isEmpty ? "\"\"" : name }

    private func counted(_ value: JSONValue, _ count: Int) -> String {
        if case .array = value { "[\(count)]" } else { "{\(count)}" }
    }

    private func role(_ row: StateTree.Row) -> Style.Role {
        if row.isChanged { return .look(CellStyle.role(.added).with(.bold)) }
        return switch row.value {
        case .string: .string
        case .number: .number
        case .null, .bool: .word
        case .array, .object: .dim
        }
    }
}
