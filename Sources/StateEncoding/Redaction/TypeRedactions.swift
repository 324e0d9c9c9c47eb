package import JSONCore
package import JournalFormat
internal import Synchronization

/// A part of every value of one type that is kept out of a journal.
package struct TypeRedaction: Sendable {
    /// What the part is called.
    package enum Target: Sendable {
        /// A path from the value on.
        case path([PathSteps.Step])
        /// A property of the value.
        case keyPath(any AnyKeyPath & Sendable)
    }

    let target: Target
    let entry: RedactionEntry

    /// A part of a value, and what is noted of it.
    package init(_ target: Target, _ entry: RedactionEntry) {
        self.target = target
        self.entry = entry
    }
}

/// What is kept out of the values of each type, wherever the encoder meets one.
package final class TypeRedactions: Sendable {
    /// A key path that could not be resolved, and what is hidden for it.
    package struct Unresolved: Hashable, Sendable {
        /// The redaction in words.
        package let redaction: String
        /// A JSON Pointer to the part that is hidden.
        package let part: String
    }

    private struct Memory {
        var rules: [ObjectIdentifier: TypeRule?] = [:]
        var entries: [RedactionEntry] = []
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

    /// - Parameters:
    ///   - asked: what the recorder was asked for, by the type.
    ///   - key: that of the hashes.
    ///   - own: what a type says itself.
    package init(
        _ asked: [ObjectIdentifier: [TypeRedaction]], key: RedactionKey,
        own: @escaping @Sendable (Any.Type) -> [TypeRedaction]
    ) {
        self.asked = asked
        self.key = key
        self.own = own
        memory = Mutex(Memory(entries: asked.values.flatMap { $0.map(\.entry) }))
        active = Atomic(!asked.isEmpty)
    }

    /// Whether any type has a secret, as far as types were met.
    package var isActive: Bool { active.load(ordering: .acquiring) }

    /// All redactions by types, those that types say themselves among them as far as they were met.
    package var entries: [RedactionEntry] { memory.withLock { $0.entries } }

    /// The names of members that were hidden, which an action's payload may have too.
    package var memberNames: Set<String> { memory.withLock { $0.memberNames } }

    /// Whether some redacted property was not met yet: its secret may come elsewhere first.
    package var hasUnmet: Bool {
        isActive
            && memory.withLock { memory in
                memory.rules.values.contains { $0?.properties.contains { !$0.entry.hasHidden } ?? false }
                    || asked.values.contains { $0.contains { !$0.entry.hasHidden } }
            }
    }

    /// Whether some key path could not be resolved at any time.
    package var hasUnresolved: Bool { reportable.load(ordering: .relaxed) }

    /// The key paths that could not be resolved, each with its part once.
    package func takeUnresolved() -> [Unresolved] {
        guard hasUnresolved else { return [] }
        return memory.withLock { memory in
            defer { memory.news = [] }
            return memory.news
        }
    }

    func noteUnresolved(_ redaction: String, part: String) {
        let unresolved = Unresolved(redaction: redaction, part: part)
        memory.withLock { memory in
            if memory.unresolved.insert(unresolved).inserted { memory.news.append(unresolved) }
        }
        reportable.store(true, ordering: .relaxed)
    }

    func noteHidden(_ name: String) { _ = memory.withLock { $0.memberNames.insert(name) } }

    /// What is kept out of values of a type; nil for nothing.
    func rule<Value>(of type: Value.Type) -> TypeRule? {
        let id = ObjectIdentifier(type)
        if let known = memory.withLock({ $0.rules[id] }) { return known }
        // Outside of the lock: what a type says itself is code of the app.
        let said = own(type)
        let all = (asked[id] ?? []) + said
        let rule = all.isEmpty ? nil : TypeRule(all, of: type, key: key)
        return memory.withLock { memory in
            if let known = memory.rules[id] { return known }
            memory.rules[id] = .some(rule)
            memory.entries += said.map(\.entry)
            if let rule {
                memory.memberNames.formUnion(rule.names)
                active.store(true, ordering: .releasing)
            }
            return rule
        }
    }
}

/// What is kept out of the values of one type.
final class TypeRule: Sendable {
    /// A redacted property.
    struct Property: Sendable {
        let keyPath: any AnyKeyPath & Sendable
        /// The names of the properties on the way, as far as Swift names them and reading them cannot trap.
        let names: [String]
        /// Whether these are all.
        let isWhole: Bool
        let entry: RedactionEntry
    }

    let paths: RedactionPaths
    let properties: [Property]

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
                        entry: redaction.entry))
            }
        }
        paths = RedactionPaths(patterns, key: key)
        self.properties = properties
    }

    /// The last names of what is redacted.
    var names: [String] { paths.memberNames + properties.compactMap { $0.isWhole ? $0.names.last : nil } }
}
