package import JSONCore
package import JournalFormat
internal import Synchronization

/// A part of every value of one type that is kept out of a journal.
package struct TypeRedaction: Sendable {
    /// What the part is called.
    package enum Target: Sendable {
        case path([PathSteps.Step])
        case keyPath(any AnyKeyPath & Sendable)
    }

    let target: Target
    let entry: RedactionEntry

    package init(_ target: Target, _ entry: RedactionEntry) {
        self.target = target
        self.entry = entry
    }
}

/// What is kept out of the values of each type, wherever the encoder meets one.
package final class TypeRedactions: Sendable {
    /// A key path that could not be resolved, and what is hidden for it.
    package struct Unresolved: Hashable, Sendable {
        package let redaction: String
        /// A JSON Pointer to the part that is hidden.
        package let part: String
    }

    private struct Memory {
        var rules: [ObjectIdentifier: TypeRule?] = [:]
        var entries: [RedactionEntry] = []
        /// The entries of types that say themselves what is redacted, and of which no value was seen.
        var unseen: [ObjectIdentifier: [RedactionEntry]] = [:]
        /// The types that were searched for such types.
        var searched: Set<ObjectIdentifier> = []
        /// Whether a value of a type may hold something redacted.
        var concerned: [ObjectIdentifier: Bool] = [:]
        /// The types that have a rule, by their names.
        var owners: [String: Any.Type] = [:]
        var memberNames: Set<String> = []
        var unresolved: Set<Unresolved> = []
        var news: [Unresolved] = []
    }

    let key: RedactionKey
    private let asked: [ObjectIdentifier: [TypeRedaction]]
    private let own: @Sendable (Any.Type) -> [TypeRedaction]
    private let memory: Mutex<Memory>
    private let active: Atomic<Bool>
    private let reportable = Atomic(false)
    private let hiddenCount = Atomic(0)

    /// - Parameter own: what a type says itself.
    package init(
        _ asked: [ObjectIdentifier: [TypeRedaction]], key: RedactionKey,
        own: @escaping @Sendable (Any.Type) -> [TypeRedaction]
    ) {
        self.asked = asked
        self.key = key
        self.own = own
        var memory = Memory(entries: asked.values.flatMap { $0.map(\.entry) })
        for case .keyPath(let keyPath) in asked.values.joined().map(\.target) {
            let root = Swift.type(of: keyPath as AnyKeyPath).rootType
            memory.owners[String(reflecting: root)] = root
        }
        self.memory = Mutex(memory)
        active = Atomic(!asked.isEmpty)
    }

    /// Whether any type has a secret, as far as types were met.
    package var isActive: Bool { active.load(ordering: .acquiring) }

    /// All redactions by types, those that types say themselves among them as far as they were met.
    package var entries: [RedactionEntry] { memory.withLock { $0.entries } }

    /// The names of members that were hidden, which an action's payload may have too.
    package var memberNames: Set<String> { memory.withLock { $0.memberNames } }

    /// Whether some redacted property was not seen yet: its secret may come elsewhere first.
    package var hasUnseen: Bool {
        isActive
            && memory.withLock { memory in
                memory.rules.values.contains { $0?.properties.contains { !$0.entry.hasHidden } ?? false }
                    || asked.values.contains { $0.contains { !$0.entry.hasHidden } }
            }
    }

    /// How many members of types were hidden by now because they repeated a secret.
    ///
    /// It only ever rises. What is encoded again from a kept copy hides the members that were hidden when it was written, whose number
    /// it keeps, so that patches, keyframes and a replay agree; what changed hides all of them.
    var epoch: Int { hiddenCount.load(ordering: .acquiring) }

    fileprivate func nextEpoch() -> Int { hiddenCount.add(1, ordering: .acquiringAndReleasing).newValue }

    package var hasUnresolved: Bool { reportable.load(ordering: .relaxed) }

    /// The key paths that could not be resolved, each with its part once.
    package func takeUnresolved() -> [Unresolved] {
        guard hasUnresolved else { return [] }
        return memory.withLock { memory in
            defer { memory.news = [] }
            return memory.news
        }
    }

    func reportUnresolved(_ redaction: String, part: String) {
        let unresolved = Unresolved(redaction: redaction, part: part)
        memory.withLock { memory in
            if memory.unresolved.insert(unresolved).inserted { memory.news.append(unresolved) }
        }
        reportable.store(true, ordering: .relaxed)
    }

    func recordHidden(_ name: String) { _ = memory.withLock { $0.memberNames.insert(name) } }

    /// Records that there is a value of a type, so that what the type says is redacted has to match.
    func recordSeen(_ type: Any.Type) {
        memory.withLock { memory in
            guard !memory.unseen.isEmpty, let entries = memory.unseen.removeValue(forKey: ObjectIdentifier(type)) else {
                return
            }
            memory.entries += entries
        }
    }

    /// - Parameter isSeen: whether there is a value, so that what is redacted of it has to match.
    func rule<Value>(of type: Value.Type, isSeen: Bool = true) -> TypeRule? {
        let id = ObjectIdentifier(type)
        if isSeen { recordSeen(type) }
        if let known = memory.withLock({ $0.rules[id] }) { return known }
        // Outside of the lock: what a type says itself is code of the app.
        let said = own(type)
        let all = (asked[id] ?? []) + said
        let rule = all.isEmpty ? nil : TypeRule(all, of: type, key: key)
        return memory.withLock { memory in
            if let known = memory.rules[id] { return known }
            memory.rules[id] = .some(rule)
            if isSeen { memory.entries += said.map(\.entry) } else { memory.unseen[id] = said.map(\.entry) }
            if let rule {
                memory.owners[String(reflecting: type)] = type
                memory.memberNames.formUnion(rule.names)
                active.store(true, ordering: .releasing)
            }
            return rule
        }
    }
}

extension TypeRedactions {
    /// Finds what types say themselves that values of a type may hold, before there is such a value.
    ///
    /// - Complexity: O(the types) once for each type.
    package func search(_ type: Any.Type) {
        var open = [type]
        while let type = open.popLast() {
            guard memory.withLock({ $0.searched.insert(ObjectIdentifier(type)).inserted }) else { continue }
            if !own(type).isEmpty { _ = rule(ofAny: type, isSeen: false) }
            open += TypeRedactions.parts(of: type)
        }
    }

    private static func parts(of type: Any.Type) -> [Any.Type] {
        var parts = (type as? any PartsKnowing.Type)?.partTypes ?? RuntimeFields.stored(in: type)?.map(\.type) ?? []
        if let table = type as? any RecordedTable.Type { parts += table.contentTypes }
        if let list = type as? any RecordedList.Type { parts += list.contentTypes }
        return parts
    }

    /// Whether a value of a type, or a part of one, may have something that is redacted for its type.
    ///
    /// - Complexity: O(the types in it) once for each type.
    package func concerns(_ type: Any.Type) -> Bool {
        if let known = memory.withLock({ $0.concerned[ObjectIdentifier(type)] }) { return known }
        var (open, seen): ([Any.Type], Set<ObjectIdentifier>) = ([type], [])
        var isConcerned = false
        while !isConcerned, let type = open.popLast() {
            guard seen.insert(ObjectIdentifier(type)).inserted else { continue }
            isConcerned = asked[ObjectIdentifier(type)] != nil || !own(type).isEmpty
            open += TypeRedactions.parts(of: type)
        }
        memory.withLock { $0.concerned[ObjectIdentifier(type)] = isConcerned }
        return isConcerned
    }

    /// What is kept out of values of the type that encodes with keys of a type; nil for nothing, and where that type is `other`.
    func rule<Other>(ofKeys keys: any CodingKey.Type, notOf other: Other.Type) -> TypeRule? {
        guard let owner = owner(ofKeys: keys), owner != other else { return nil }
        return rule(ofAny: owner, isSeen: true)
    }

    /// The type in which a type of keys is declared; nil where that is not known.
    private func owner(ofKeys keys: any CodingKey.Type) -> Any.Type? {
        let place = KeysPlace.of(keys)
        guard let name = place.name else { return nil }
        return memory.withLock { $0.owners.isEmpty ? nil : $0.owners[name] } ?? place.type
    }

    private func rule(ofAny type: Any.Type, isSeen: Bool) -> TypeRule? {
        func open<Value>(_ type: Value.Type) -> TypeRule? { rule(of: type, isSeen: isSeen) }
        return _openExistential(type, do: open)
    }
}

/// Where a type of coding keys is declared, found once in a process: Swift gives it by names only, which are expensive to make.
private struct KeysPlace {
    /// The name of the type around it; nil where it is not called `CodingKeys`.
    var name: String?
    /// That type; nil for a generic one.
    var type: Any.Type?

    private static let known = Mutex<[ObjectIdentifier: KeysPlace]>([:])

    static func of(_ keys: any CodingKey.Type) -> KeysPlace {
        known.withLock { known in
            if let place = known[ObjectIdentifier(keys)] { return place }
            let place = KeysPlace(keys)
            known[ObjectIdentifier(keys)] = place
            return place
        }
    }

    private init(_ keys: any CodingKey.Type) {
        let whole = String(reflecting: keys)
        let end = whole.ranges(of: ".(CodingKeys in ").last ?? whole.ranges(of: ".CodingKeys").last
        guard let end else { return }
        name = String(whole[..<end.lowerBound])
        guard let mangled = _mangledTypeName(keys), let end = mangled.ranges(of: "10CodingKeys").last else { return }
        type = _typeByName(String(mangled[..<end.lowerBound]))
    }
}

/// A collection of the standard library, whose storage does not name what it holds.
private protocol PartsKnowing {
    static var partTypes: [Any.Type] { get }
}

extension Array: PartsKnowing { fileprivate static var partTypes: [Any.Type] { [Element.self] } }
extension ContiguousArray: PartsKnowing { fileprivate static var partTypes: [Any.Type] { [Element.self] } }
extension Set: PartsKnowing { fileprivate static var partTypes: [Any.Type] { [Element.self] } }
extension Dictionary: PartsKnowing { fileprivate static var partTypes: [Any.Type] { [Key.self, Value.self] } }

final class TypeRule: Sendable {
    struct Property: Sendable {
        let keyPath: any AnyKeyPath & Sendable
        /// The names of the properties on the way, as far as Swift names them and reading them cannot trap.
        let names: [String]
        /// Whether these are all.
        let isWhole: Bool
        /// Reads it, where its bytes show whether it changed.
        let reader: PropertyReader?
        let entry: RedactionEntry
    }

    let paths: RedactionPaths
    let properties: [Property]
    /// The members that repeated a secret in some value, each with the epoch from which on it is hidden in all.
    private let copies = Mutex<[(path: [String], epoch: Int)]>([])

    init<Value>(_ redactions: [TypeRedaction], of type: Value.Type, key: RedactionKey) {
        var patterns: [RedactionPaths.Pattern] = []
        var properties: [Property] = []
        for redaction in redactions {
            switch redaction.target {
            case .path(let steps): patterns.append(RedactionPaths.Pattern(steps[...], redaction.entry))
            case .keyPath(let keyPath):
                let path = (keyPath as? PartialKeyPath<Value>).map { PropertyPath($0) }
                properties.append(
                    Property(
                        keyPath: keyPath, names: path?.names ?? [], isWhole: path?.isWhole ?? false,
                        reader: PropertyReader.make(keyPath, of: type), entry: redaction.entry))
            }
        }
        paths = RedactionPaths(patterns, key: key)
        self.properties = properties
    }

    /// The members that are hidden as copies at an epoch: the names that lead to each.
    func hiddenMembers(at epoch: Int) -> [[String]] {
        if epoch == 0 { return [] }
        return copies.withLock { copies in copies.filter { $0.epoch <= epoch }.map(\.path) }
    }

    /// Hides a member of all values from the next epoch on.
    func hide(_ path: [String], in types: TypeRedactions?) {
        guard let types else { return }
        copies.withLock { copies in
            if copies.contains(where: { $0.path == path }) { return }
            copies.append((path, types.nextEpoch()))
        }
    }

    /// Whether the identity of values is redacted, which a table has as keys of a type.
    func redactsIdentity<Key>(as type: Key.Type) -> Bool {
        properties.contains { $0.names == ["id"] && Swift.type(of: $0.keyPath as AnyKeyPath).valueType == type }
            || paths.patterns.contains { $0.steps == [.key("id")] }
    }

    var names: [String] { paths.memberNames + properties.compactMap { $0.isWhole ? $0.names.last : nil } }
}
