import JSONCore
import QueryLanguage

/// A place of the state, with the elements of an array, or of an object whose keys are data, as one.
final class ShapeMember {
    struct Types: OptionSet, Hashable {
        let rawValue: UInt8
        static let null = Types(rawValue: 1)
        static let bool = Types(rawValue: 2)
        static let number = Types(rawValue: 4)
        static let string = Types(rawValue: 8)
        static let array = Types(rawValue: 16)
        static let object = Types(rawValue: 32)
        /// A hash in the place of a value that was left out.
        static let redacted = Types(rawValue: 64)
        static let scalars: Types = [.null, .bool, .number, .string]

        init(rawValue: UInt8) { self.rawValue = rawValue }

        init(of value: JSONValue) {
            switch value {
            case .null: self = .null
            case .bool: self = .bool
            case .number: self = .number
            case .string: self = .string
            case .array: self = .array
            case .object: self = value.isRedacted ? .redacted : .object
            }
        }
    }

    /// More members than these are the entries of a table; stores are kept apart however many there are.
    static let memberLimit = 64
    static let depthLimit = 24
    let key: String?
    unowned let parent: ShapeMember?
    var formula: DerivedMembers.Definition?
    let depth: Int
    let isInElement: Bool
    private(set) var members: [ByteName: ShapeMember] = [:]
    private(set) var element: ShapeMember?
    /// Whether it is an object whose keys are data: entries come and go, and are of one type.
    private(set) var isTable = false
    var types: Types = []
    var isMissingSometimes = false
    private var hasChangingMembers = false
    private var wasMet = false

    // MARK: What is known of it

    var touchedAt = -1
    /// What is known of its values; of elements, of each value that was written.
    var values = ValueSummary()
    var nonEmpty = Trial()
    var commits = Trial()
    var relations: Relations?
    /// Its value in the state before; of a container how many elements it had.
    private var last: JSONValue?
    private(set) var keys: [String] = []

    init(_ key: String?, in parent: ShapeMember?) {
        self.key = key
        self.parent = parent
        depth = (parent?.depth ?? -1) + 1
        isInElement = parent.map { key == nil || $0.isInElement } ?? false
    }

    var isElement: Bool { key == nil && parent != nil }

    func child(_ segment: String) -> ShapeMember? {
        isTable || types.contains(.array) ? element : members[ByteName(segment)]
    }

    var children: [ShapeMember] {
        members.values.sorted { UTF8Order.isLess($0.key ?? "", $1.key ?? "") } + (element.map { [$0] } ?? [])
    }

    // MARK: Its shape

    func survey(_ value: JSONValue, _ budget: inout Int) {
        types.insert(Types(of: value))
        guard depth < Self.depthLimit else { return }
        switch value {
        case .array(let elements):
            for one in elements { elementMade(&budget)?.survey(one, &budget) }
        case .object(let object) where !types.contains(.redacted):
            for (key, one) in object { memberMade(key, &budget)?.survey(one, &budget) }
            if !isTable, object.count < members.count {
                for (key, member) in members where object[key.text] == nil { member.isMissingSometimes = true }
                hasChangingMembers = true
            }
            wasMet = true
        default: break
        }
    }

    func noteChange(of key: String) {
        guard !isTable, types.contains(.object) else { return }
        hasChangingMembers = true
        members[ByteName(key)]?.isMissingSometimes = true
    }

    func memberMade(_ key: String, _ budget: inout Int) -> ShapeMember? {
        if isTable { return elementMade(&budget) }
        if let known = members[ByteName(key)] { return known }
        guard budget > 0 else { return nil }
        budget -= 1
        let member = ShapeMember(key, in: self)
        if wasMet {
            member.isMissingSometimes = true
            hasChangingMembers = true
        }
        members[ByteName(key)] = member
        if members.count > Self.memberLimit, parent != nil {
            becomeTable()
            return element
        }
        return member
    }

    func elementMade(_ budget: inout Int) -> ShapeMember? {
        if element == nil, budget > 0 {
            budget -= 1
            element = ShapeMember(nil, in: self)
        }
        return element
    }

    // MARK: Tables

    /// Makes one place of the members of each object whose keys are data, here and below, and adds their keys to `keys`.
    func findTables(_ keys: inout Set<ByteName>) {
        if hasChangingMembers, !isTable, hasAlikeMembers {
            if keys.count < 4096 { keys.formUnion(members.keys) }
            becomeTable()
        }
        for child in children { child.findTables(&keys) }
    }

    func findTables(keyedBy keys: Set<ByteName>) {
        if !isTable, members.count > 1, parent != nil, hasAlikeMembers, members.keys.allSatisfy(keys.contains) {
            becomeTable()
        }
        for child in children { child.findTables(keyedBy: keys) }
    }

    private var hasAlikeMembers: Bool {
        guard parent != nil, let first = members.values.first else { return false }
        return members.values.allSatisfy { $0.types.subtracting(.null) == first.types.subtracting(.null) }
    }

    private func becomeTable() {
        isTable = true
        let own = element ?? ShapeMember(nil, in: self)
        for member in members.values { own.merge(member) }
        element = own
        members = [:]
    }

    private func merge(_ other: ShapeMember) {
        types.formUnion(other.types)
        if other.isTable, !isTable { becomeTable() }
        for (key, member) in other.members {
            if isTable {
                element?.merge(member)
            } else {
                let own = members[key] ?? ShapeMember(key.text, in: self)
                if members[key] == nil, wasMet { own.isMissingSometimes = true }
                members[key] = own
                own.isMissingSometimes = own.isMissingSometimes || member.isMissingSometimes
                own.merge(member)
            }
        }
        if wasMet, other.wasMet {
            for (key, member) in members where other.members[key] == nil { member.isMissingSometimes = true }
        }
        if let theirs = other.element {
            let own = element ?? ShapeMember(nil, in: self)
            element = own
            own.merge(theirs)
        }
        wasMet = wasMet || other.wasMet
        hasChangingMembers = hasChangingMembers || other.hasChangingMembers
    }

    // MARK: While it is learned

    func reachable() -> [ShapeMember] {
        guard isReachable else { return [] }
        keys = isInElement ? [] : keys(from: nil)
        return [self] + children.flatMap { $0.reachable() }
    }

    func member(along segments: [String]) -> ShapeMember? {
        segments.reduce(self as ShapeMember?) { place, segment in place?.child(segment) }
    }

    func forget() {
        last = nil
        relations?.begin()
        for child in children { child.forget() }
    }

    func look(at state: JSONValue, isChance: Bool, in run: Int) {
        guard parent != nil, let value = state.value(along: keys) else { return }
        if isContainer {
            let count = value.count ?? 0
            guard last != .number(JSONNumber(count)) else { return }
            last = .number(JSONNumber(count))
            nonEmpty.record(count > 0, in: run)
        } else if ownTypes.isSubset(of: .scalars), last != value {
            values.add(value, after: last, isChance: isChance, in: run)
            last = value
        }
    }

    // MARK: What it can be asked

    var isContainer: Bool { ownTypes == .array || ownTypes == .object && isTable }
    var ownTypes: Types { types.subtracting(.null) }

    /// Whether a place on the way, up to its element, may be null or missing; its store is asked about apart.
    var isNullable: Bool {
        if types.contains(.null) { return true }
        guard key != nil, let parent, parent.parent != nil else { return false }
        return isMissingSometimes || parent.isNullable
    }

    /// Whether every place it lies in has one type, so that a query can reach it without an error.
    var isReachable: Bool {
        guard let parent else { return true }
        let types = parent.parent == nil ? .object : parent.ownTypes
        let isContainer = types == .object || types == .array && key == nil
        return isContainer && parent.isReachable
    }

    /// The place of the elements that it lies in or is; nil where no array or table is on its way.
    var scope: ShapeMember? {
        if parent == nil { return nil }
        return key == nil ? self : parent?.scope
    }

    var store: ShapeMember? {
        guard let parent else { return nil }
        return parent.parent == nil ? self : parent.store
    }

    func query(from base: ShapeMember?) -> String {
        guard self !== base, let parent else { return "" }
        if let formula { return formula.text }
        let before = parent.query(from: base)
        if let key { return before + JQPath.member(key) }
        return (before.isEmpty ? "." : before) + (parent.isNullable ? "[]?" : "[]")
    }

    var oldQuery: String { store?.formula == nil ? "$old\(query(from: nil))" : "($old | \(query(from: nil)))" }

    /// A condition that is true where its store was not there before, so that there is nothing to compare with.
    var isNewQuery: String {
        guard let store else { return "false" }
        return (store.formula == nil ? "" : "$old == null or ") + "\(store.oldQuery) == null"
    }

    func keys(from base: ShapeMember?) -> [String] {
        guard self !== base, let key, let parent else { return [] }
        return parent.keys(from: base) + [key]
    }

    /// Its pointer, with `*` for elements; that of what is derived begins with a name.
    var pointer: String {
        guard let parent else { return "" }
        if let formula { return formula.name }
        guard let key else { return parent.pointer + "/*" }
        return parent.pointer + JSONPointer([key]).text
    }
}

extension JSONValue {
    func value(along keys: [String]) -> JSONValue? {
        // That answers for small objects and short keys only.
        if let value = value(alongMembers: keys) { return value }
        var value = self
        for key in keys {
            guard case .object(let members) = value, let next = members[key] else { return nil }
            value = next
        }
        return value
    }
}
