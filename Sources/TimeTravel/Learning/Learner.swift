import JSONCore
import JournalFormat
package import JournalReading
import QueryLanguage

/// Learns what held all along some runs of one program.
///
/// Each run is read twice: ``survey(_:)`` finds out which places there are and of which types, for all runs, then
/// ``add(_:)`` watches them. What a state refutes is gone for good, so that everything that is left held at every position.
///
/// Memory follows the distinct places, at most ``placeLimit`` of them, with the elements of arrays and tables as one.
///
/// Source: M. D. Ernst et al., *The Daikon system for dynamic detection of likely invariants*, 2007. Counted are changes, not
/// commits: a member that is never touched says nothing.
package struct Learner: ~Copyable {
    /// So many places are kept apart; values at others are not looked at.
    package static let placeLimit = 4_096

    let root = ShapeMember(nil, in: nil)
    private var budget = Learner.placeLimit
    private var isSurveyed = false
    /// How many runs were read.
    package private(set) var runs = 0
    /// How many commits they have.
    package private(set) var commits = 0
    var scopes: [LearnedScope] = []
    var subsets: [SubsetCheck] = []
    var stores: [ByteName: StoreStatistics] = [:]
    private var touched: [ShapeMember] = []
    private var last: [JSONValue?] = []
    private(set) var watched: [ShapeMember] = []
    /// Which of those changed in one commit.
    private(set) var coincidences = Coincidences()
    private var changed: [Int] = []

    /// Values that are learned about beside the members of the state.
    private var derived: DerivedMembers

    /// Nothing is known yet.
    ///
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
    /// Whether there were more places than are kept apart.
    package var isIncomplete: Bool { budget == 0 }
    /// How many places are kept apart.
    package var places: Int { Learner.placeLimit - budget }

    // MARK: Which places there are

    /// Finds out which places a run has.
    ///
    /// Every run is surveyed before the first is added.
    ///
    /// - Parameter range: the part of it that is learned from; nil for all.
    /// - Throws: `JournalError` at damage; what was found before stays.
    package mutating func survey(_ journal: Journal, _ range: PositionRange? = nil) throws(JournalError) {
        precondition(!isSurveyed, "survey(_:) comes before the first add(_:)")
        var pass = try pass(journal, range)
        derived.begin()
        _ = derived.update(pass, pass.startContext)
        survey(stores: derived.added(to: pass.stores))
        while let step = try pass.next() {
            let changed = step.isComplete ? derived.update(pass, try pass.context(of: step)) : []
            guard step.kind == .commit, !step.isJump, let record = pass.record else {
                survey(stores: derived.added(to: pass.stores))
                continue
            }
            if !changed.isEmpty { survey(derived: changed) }
            let commit = try Record(record)
            guard let store = commit.store, let patch = commit.patch else { continue }
            for operation in patch.operations { survey(operation, in: store, pass.state) }
        }
    }

    private func pass(_ journal: Journal, _ part: PositionRange?) throws(JournalError) -> Pass {
        var options = Pass.Options()
        options.reading = .everything
        options.everyCommit = true
        options.keepsRecords = true
        options.threads = 1
        let whole = try PositionRange(journal.start, journal.lastCommit) ?? PositionRange(from: journal.start)
        return try Pass(journal, part ?? whole, asking: derived.queries, options: options)
    }

    private mutating func survey(derived keys: [String]) {
        let values = derived.added(to: JSONObject())
        for key in keys {
            guard let member = root.child(key) else { continue }
            if let value = values[key] { member.survey(value, &budget) } else { member.isMissingSometimes = true }
        }
    }

    private mutating func survey(stores: JSONObject) {
        for (name, state) in stores { root.memberMade(name, &budget)?.survey(state, &budget) }
        for child in root.children where stores[child.key ?? ""] == nil { child.isMissingSometimes = true }
    }

    private mutating func survey(_ operation: JSONPatch.Operation, in store: String, _ state: JSONValue) {
        var place = root.memberMade(store, &budget)
        let segments = operation.path.segments
        switch operation {
        case .test: return
        case .remove(_, _), .move(_, _):
            if let from = operation.from ?? segments.first.map({ _ in operation.path }), let last = from.segments.last {
                root.member(along: [store] + from.segments.dropLast())?.noteChange(of: last)
            }
        case .add:
            if let last = segments.last { root.member(along: [store] + segments.dropLast())?.noteChange(of: last) }
        case .replace, .copy: break
        }
        guard let value = operation.newValue(in: state, of: store) else { return }
        for segment in segments {
            guard let known = place else { return }
            place =
                known.types.contains(.array) ? known.elementMade(&budget) : known.memberMade(segment, &budget)
        }
        place?.survey(value, &budget)
    }

    // MARK: What holds

    /// Watches a run.
    ///
    /// - Throws: `JournalError` at damage; what was learned before it stays.
    /// - Complexity: a commit costs what it touches, and the relations that are left of that.
    package mutating func add(_ journal: Journal, _ range: PositionRange? = nil) throws(JournalError) {
        if !isSurveyed { begin() }
        runs += 1
        var pass = try pass(journal, range)
        derived.begin()
        for index in scopes.indices { scopes[index].begin() }
        for index in last.indices { last[index] = nil }
        touchAll(pass.stores)
        look(at: watched(pass, pass.startContext), isCommit: false)
        while let step = try pass.next() {
            if step.kind == .commit, !step.isJump, let record = pass.record {
                commits += 1
                watch(try Record(record), pass.state)
                guard step.isComplete else { continue }
                look(at: watched(pass, try pass.context(of: step)), isCommit: true)
            } else {
                if step.kind == .store, let record = pass.record {
                    let opening = try record.decode { (object) throws(RecordFault) in try StoreRecord(object) }
                    stores[ByteName(opening.store), default: StoreStatistics()].isReopened = true
                }
                touchAll(pass.stores)
                if step.isComplete { look(at: watched(pass, try pass.context(of: step)), isCommit: false) }
            }
        }
    }

    /// Decides what is watched, once every place is known.
    private mutating func begin() {
        isSurveyed = true
        var keys: Set<ByteName> = []
        for store in root.children { store.findTables(&keys) }
        for store in root.children { store.findTables(keyedBy: keys) }
        var reachable: [ShapeMember] = []
        root.collect(&reachable)
        watched = reachable.filter { !$0.isInElement && $0.ownTypes.isSubset(of: .scalars) && $0.parent != nil }
        for (index, member) in watched.enumerated() { member.index = index }
        last = Array(repeating: nil, count: watched.count)
        scopes = LearnedScope.all(of: root, reachable)
        subsets = SubsetCheck.candidates(among: reachable)
    }

    /// Counts the values that a whole state brings, and takes all places as touched.
    private mutating func touchAll(_ stores: JSONObject) {
        for (name, state) in stores {
            guard let store = root.child(name) else { continue }
            touch(below: store)
            observe(state, at: store)
        }
    }

    /// The state to look at, with the derived values among its stores; those that changed are marked as touched.
    ///
    /// The elements of a derived array are not counted one by one: the array is computed as a whole, so which of them changed is not
    /// known, and counting all of them each time would make chance look sure.
    private mutating func watched(_ pass: borrowing Pass, _ context: QueryContext) -> JSONValue {
        if derived.definitions.isEmpty { return pass.state }
        for key in derived.update(pass, context) {
            if let member = root.child(key) { touch(below: member) }
        }
        return .object(derived.added(to: pass.stores))
    }

    private mutating func watch(_ commit: Record, _ state: JSONValue) {
        guard let store = commit.store, let patch = commit.patch else { return }
        stores[ByteName(store), default: StoreStatistics()].add(commit)
        for operation in patch.operations {
            if case .test = operation { continue }
            let places = [operation.path] + (operation.from.map { [$0] } ?? [])
            for path in places { touch([store] + path.segments, isStructural: operation.isStructural, state) }
            guard let place = root.member(along: [store] + operation.path.segments),
                let value = operation.newValue(in: state, of: store)
            else { continue }
            touch(below: place)
            observe(value, at: place)
        }
    }

    /// Marks a place and what it lies in; the elements on the way are looked at as they are in the state after the commit.
    private mutating func touch(_ segments: [String], isStructural: Bool, _ state: JSONValue) {
        var place: ShapeMember? = root
        var value: JSONValue? = state
        for (index, segment) in segments.enumerated() {
            guard let known = place else { return }
            if isStructural, index == segments.count - 1, let value { known.noteLength(of: value) }
            place = known.child(segment)
            value = value.flatMap { JSONPointer([segment]).value(in: $0) }
            guard let place else { return }
            mark(place)
            if place.key == nil, index < segments.count - 1, let value { look(atElement: value, of: place) }
        }
    }

    private mutating func touch(below place: ShapeMember) {
        mark(place)
        for child in place.members.values { touch(below: child) }
        if let element = place.element { touch(below: element) }
    }

    private mutating func mark(_ place: ShapeMember) {
        guard place.touchedBy != commits else { return }
        place.touchedBy = commits
        touched.append(place)
    }

    /// Counts the values of elements; those of other members are counted once the commit is complete.
    private mutating func observe(_ value: JSONValue, at place: ShapeMember) {
        let isElement = place.isInElement
        switch value {
        case .array(let elements):
            if isElement { place.noteLength(of: value) }
            guard let element = place.element else { return }
            for one in elements { observe(one, at: element) }
        case .object(let object):
            if value.isRedacted { return }
            if isElement, place.isTable { place.noteLength(of: value) }
            if place.key == nil { look(atElement: value, of: place) }
            for (key, one) in object {
                if let child = place.isTable ? place.element : place.members[ByteName(key)] { observe(one, at: child) }
            }
        default:
            if isElement { place.statistics.add(value) }
        }
    }

    private mutating func look(atElement value: JSONValue, of place: ShapeMember) {
        guard place.index >= 0 else { return }
        scopes[place.index].look(atElement: value)
    }

    /// Holds what is touched against a complete state.
    private mutating func look(at state: JSONValue, isCommit: Bool) {
        let number = commits
        for place in touched where !place.isInElement {
            if place.index >= 0 {
                watch(place, state)
            } else if place.isContainer, place.parent != nil, let value = place.value(in: state) {
                place.noteLength(of: value)
            }
        }
        if isCommit { coincidences.note(changed) }
        changed.removeAll(keepingCapacity: true)
        scopes[0].look(at: state, touchedBy: number, counts: isCommit)
        for index in subsets.indices
        where subsets[index].source.touchedBy == number || subsets[index].target.touchedBy == number {
            let counts = isCommit && subsets[index].source.touchedBy == number
            subsets[index].look(at: state, counts: counts)
        }
        subsets.removeAll { !$0.isAlive }
        for place in touched { place.touchedBy = -1 }
        touched.removeAll(keepingCapacity: true)
    }

    private mutating func watch(_ place: ShapeMember, _ state: JSONValue) {
        guard let value = place.value(in: state) else { return }
        guard let old = last[place.index] else {
            last[place.index] = value
            return place.statistics.add(value)
        }
        guard old != value else { return }
        last[place.index] = value
        place.statistics.add(value)
        place.statistics.add(value, after: old)
        changed.append(place.index)
    }
}

/// What the commits of one store were like.
struct StoreStatistics {
    /// So many names are kept apart.
    static let nameLimit = 16

    private(set) var commits = 0
    /// How often each name committed; empty once there were more than are kept apart.
    private(set) var names: [ByteName: Int] = [:]
    private(set) var isCounted = true
    /// Whether it opened again, or later than the run began: no commit changed it then.
    var isReopened = false

    /// Counts a commit.
    mutating func add(_ commit: Record) {
        commits += 1
        guard isCounted else { return }
        names[ByteName(commit.title ?? ""), default: 0] += 1
        if names.count > Self.nameLimit {
            isCounted = false
            names = [:]
        }
    }
}

extension JSONPatch.Operation {
    /// Whether an element or a member comes or goes.
    var isStructural: Bool {
        switch self {
        case .replace, .test: false
        case .add, .remove, .move, .copy: true
        }
    }

    /// The value that it writes; of a `move` or `copy` what is there after the commit.
    func newValue(in state: JSONValue, of store: String) -> JSONValue? {
        switch self {
        case .add(_, let value), .replace(_, let value, _): value
        case .move(_, let path), .copy(_, let path): JSONPointer([store] + path.segments).value(in: state)
        case .remove, .test: nil
        }
    }
}
