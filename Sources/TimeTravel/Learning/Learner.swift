import JSONCore
import JournalFormat
package import JournalReading
import QueryLanguage

/// Learns what held all along some runs of one program.
///
/// Each run is read twice, by ``survey(_:_:)`` and ``add(_:_:)``. What held in all runs is written if nothing of its
/// kind that is as well supported held in all but one: the others would have taught that, and in the one it would have
/// been a false alarm.
///
/// Memory follows the distinct places, at most ``placeLimit`` of them, with the elements of arrays and tables as one.
///
/// Source: M. D. Ernst et al., *The Daikon system for dynamic detection of likely invariants*, 2007. Counted are
/// changes, not commits: a member that is never touched says nothing.
package struct Learner: ~Copyable {
    /// So many places are kept apart; values at others are not looked at.
    package static let placeLimit = 4_096

    let root = ShapeMember(nil, in: nil)
    private var budget = Learner.placeLimit
    private var isSurveyed = false
    package private(set) var runs = 0
    package private(set) var commits = 0
    private(set) var reachable: [ShapeMember] = []
    private var open: Set<ByteName> = []
    private var touched: [ShapeMember] = []
    private var looks = 0
    private var derived: DerivedMembers

    /// - Parameter definitions: values that are made of the state, to learn about too.
    package init(deriving definitions: [DerivedMembers.Definition] = []) {
        root.types = .object
        derived = DerivedMembers(definitions)
        for definition in definitions { root.memberMade(definition.key, &budget)?.formula = definition }
    }

    /// The names of derived values that no state of the runs has: their queries have no output there, fail, or give null.
    package var missingValues: [String] {
        derived.definitions.filter { root.child($0.key)?.ownTypes.isEmpty ?? true }.map(\.name)
    }
    package var isIncomplete: Bool { budget == 0 }
    package var places: Int { Learner.placeLimit - budget }

    // MARK: Which places there are

    /// Every run is surveyed before the first is added.
    ///
    /// - Throws: `JournalError` at damage; what was found before stays.
    package mutating func survey(_ journal: Journal, _ range: PositionRange? = nil) throws(JournalError) {
        precondition(!isSurveyed, "survey(_:) comes before the first add(_:)")
        let run = try pass(journal, range)
        derived.begin()
        _ = derived.update(run, run.startContext)
        survey(run.stores)
        for store in root.children where store.formula == nil && run.stores[store.key ?? ""] == nil {
            store.isMissingSometimes = true
        }
        while let step = try run.next() {
            let changed = step.isComplete ? derived.update(run, try run.context(of: step)) : []
            survey(derived: changed)
            for store in closed(by: run.stores) { store.isMissingSometimes = true }
            switch try step.event(run) {
            case .commit(let store, let patch):
                for operation in patch.operations { survey(operation, in: store, run.state) }
            case .opening(let store):
                guard let state = run.stores[store], let place = root.memberMade(store, &budget) else { continue }
                open.insert(ByteName(store))
                place.isMissingSometimes = true
                place.survey(state, &budget)
            case .jump: survey(run.stores)
            case nil: break
            }
        }
    }

    private func pass(_ journal: Journal, _ part: PositionRange?) throws(JournalError) -> Run {
        var options = Run.Options(reading: .everything, everyCommit: true, keepsRecords: true)
        options.threads = 1
        let whole = try PositionRange(journal.start, journal.lastCommit) ?? PositionRange(from: journal.start)
        return try Run(journal, part ?? whole, asking: derived.queries, options: options)
    }

    private mutating func survey(derived keys: [String]) {
        guard !keys.isEmpty else { return }
        let values = derived.added(to: JSONObject())
        for key in keys {
            guard let member = root.child(key) else { continue }
            if let value = values[key] { member.survey(value, &budget) } else { member.isMissingSometimes = true }
        }
    }

    private mutating func survey(_ stores: JSONObject) {
        open = Set(stores.keys.map { ByteName($0) })
        for (name, state) in stores { root.memberMade(name, &budget)?.survey(state, &budget) }
        survey(derived: derived.definitions.map(\.key))
    }

    private mutating func closed(by stores: JSONObject) -> [ShapeMember] {
        guard stores.count < open.count else { return [] }
        let gone = open.filter { stores[$0.text] == nil }
        open.subtract(gone)
        return gone.compactMap { root.child($0.text) }
    }

    private mutating func survey(_ operation: JSONPatch.Operation, in store: String, _ state: JSONValue) {
        let segments = operation.path.segments
        for path in operation.structuralPaths {
            guard let last = path.segments.last else { continue }
            root.member(along: [store] + path.segments.dropLast())?.noteChange(of: last)
        }
        guard let value = operation.newValue(in: state, of: store) else { return }
        var place = root.memberMade(store, &budget)
        for segment in segments {
            guard let known = place else { return }
            place = known.types.contains(.array) ? known.elementMade(&budget) : known.memberMade(segment, &budget)
        }
        place?.survey(value, &budget)
    }

    // MARK: What holds

    /// - Throws: `JournalError` at damage; what was learned before it stays.
    /// - Complexity: a commit costs what it touches, and the relations that are left of that.
    package mutating func add(_ journal: Journal, _ range: PositionRange? = nil) throws(JournalError) {
        if !isSurveyed { begin() }
        runs += 1
        let run = try pass(journal, range)
        derived.begin()
        root.forget()
        open = Set(run.stores.keys.map { ByteName($0) })
        touchAll(run.stores)
        look(at: watched(run, run.startContext), isChance: false)
        while let step = try run.next() {
            for store in closed(by: run.stores) { touch(below: store) }
            let event = try step.event(run)
            switch event {
            case .commit(let store, let patch):
                commits += 1
                root.child(store)?.commits.pass(in: runs)
                watch(patch, of: store, run.state)
            case .opening(let store):
                open.insert(ByteName(store))
                guard let place = root.child(store), let state = run.stores[store] else { break }
                touch(below: place)
                observe(state, at: place)
            case .jump: touchAll(run.stores)
            case nil: break
            }
            guard step.isComplete else { continue }
            look(at: watched(run, try run.context(of: step)), isChance: event?.isCommit ?? false)
        }
    }

    private mutating func begin() {
        isSurveyed = true
        var keys: Set<ByteName> = []
        for store in root.children { store.findTables(&keys) }
        for store in root.children { store.findTables(keyedBy: keys) }
        reachable = root.reachable()
        var inside: [ObjectIdentifier: [ShapeMember]] = [:]
        for place in reachable where place.parent != nil {
            inside[ObjectIdentifier(place.scope ?? root), default: []].append(place)
        }
        root.relations = Relations(of: nil, inside[ObjectIdentifier(root)] ?? [])
        for place in reachable where place.isElement && place.types == .object {
            place.relations = Relations(of: place, inside[ObjectIdentifier(place)] ?? [])
        }
    }

    private mutating func touchAll(_ stores: JSONObject) {
        for (name, state) in stores {
            guard let store = root.child(name) else { continue }
            touch(below: store)
            observe(state, at: store)
        }
    }

    /// The elements of a derived array are not counted one by one: which of them changed is not known, and counting all
    /// of them each time would make chance look sure.
    private mutating func watched(_ run: Run, _ context: QueryContext) -> JSONValue {
        if derived.definitions.isEmpty { return run.state }
        for key in derived.update(run, context) { if let member = root.child(key) { touch(below: member) } }
        return .object(derived.added(to: run.stores))
    }

    private mutating func watch(_ patch: JSONPatch, of store: String, _ state: JSONValue) {
        for operation in patch.operations {
            if case .test = operation { continue }
            for path in [operation.path] + (operation.from.map { [$0] } ?? []) {
                touch([store] + path.segments, state, isShifted: patch.shifts(path))
            }
            guard let place = root.member(along: [store] + operation.path.segments),
                let value = operation.newValue(in: state, of: store)
            else { continue }
            touch(below: place)
            observe(value, at: place)
        }
    }

    /// Marks a place and what it lies in, as it is after the commit; where elements were shifted all of them are looked at.
    private mutating func touch(_ segments: [String], _ state: JSONValue, isShifted: Bool) {
        var place: ShapeMember? = root
        var value: JSONValue? = state
        for (index, segment) in segments.enumerated() {
            let parent = value
            place = place?.child(segment)
            value = value.flatMap { JSONPointer([segment]).value(in: $0) }
            guard let place else { return }
            mark(place)
            guard place.isElement, index < segments.count - 1 else { continue }
            if isShifted, case .array(let elements)? = parent {
                touch(below: place)
                for element in elements { observe(element, at: place) }
            } else if let value {
                place.relations?.look(atElement: value, in: runs)
            }
        }
    }

    private mutating func touch(below place: ShapeMember) {
        mark(place)
        for child in place.members.values { touch(below: child) }
        if let element = place.element { touch(below: element) }
    }

    private mutating func mark(_ place: ShapeMember) {
        guard place.touchedAt != looks else { return }
        place.touchedAt = looks
        touched.append(place)
    }

    /// Counts the values of elements; those of other members are counted once the commit is complete.
    private mutating func observe(_ value: JSONValue, at place: ShapeMember) {
        switch value {
        case .array(let elements):
            if place.isInElement { place.nonEmpty.record(!elements.isEmpty, in: runs) }
            guard let element = place.element else { return }
            for one in elements { observe(one, at: element) }
        case .object(let object):
            if value.isRedacted { return }
            if place.isInElement, place.isTable { place.nonEmpty.record(!object.isEmpty, in: runs) }
            if place.isElement { place.relations?.look(atElement: value, in: runs) }
            for (key, one) in object {
                if let child = place.isTable ? place.element : place.members[ByteName(key)] { observe(one, at: child) }
            }
        default:
            if place.isInElement { place.values.add(value, after: nil, isChance: true, in: runs) }
        }
    }

    private mutating func look(at state: JSONValue, isChance: Bool) {
        for place in touched where !place.isInElement { place.look(at: state, isChance: isChance, in: runs) }
        root.relations?.look(at: state, isChance: isChance, in: runs) { $0.place.touchedAt == looks }
        touched.removeAll(keepingCapacity: true)
        looks += 1
    }
}

private enum LearnedEvent {
    case commit(store: String, JSONPatch)
    case opening(String)
    case jump

    var isCommit: Bool { if case .commit = self { true } else { false } }
}

extension Run.Step {
    /// What it brings; nil where it only takes closed stores away, or makes nothing.
    fileprivate func event(_ run: Run) throws(JournalError) -> LearnedEvent? {
        if isJump { return .jump }
        guard let record = run.record else { return nil }
        if kind == .store { return .opening(try record.decode(StoreRecord.init).store) }
        let commit = try Record(record)
        guard let store = commit.store, let patch = commit.patch else { return nil }
        return .commit(store: store, patch)
    }
}

extension JSONPatch {
    /// Whether an element comes or goes in an array that lies on the way of a path: its index in the state after is another.
    fileprivate func shifts(_ path: JSONPointer) -> Bool {
        operations.count > 1
            && operations.contains { operation in
                operation.structuralPaths.contains { other in
                    other.segments.count < path.segments.count
                        && other.segments.dropLast().elementsEqual(
                            path.segments.prefix(max(other.segments.count - 1, 0)))
                }
            }
    }
}

extension JSONPatch.Operation {
    fileprivate var structuralPaths: [JSONPointer] { if case .replace = self { [] } else { places { $0 } } }

    fileprivate func newValue(in state: JSONValue, of store: String) -> JSONValue? {
        switch self {
        case .add(_, let value), .replace(_, let value, _): value
        case .move(_, let path), .copy(_, let path): JSONPointer([store] + path.segments).value(in: state)
        case .remove, .test: nil
        }
    }
}
