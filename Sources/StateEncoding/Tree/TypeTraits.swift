internal import Synchronization

/// What one encoder knows about a type: facts of the type, and what its values were like so far.
final class TypeTraits {
    /// Facts of the type, shared by all encoders.
    private let facts: TypeFacts
    /// The type's identity, by which a value is matched with the node of its predecessor.
    let identifier: ObjectIdentifier
    /// Whether equal bytes mean equal values (``PlainTypes``).
    let isPlain: Bool
    let layout: ByteLayout
    /// The type, if it becomes a scalar without its own `encode(to:)`.
    let leaf: (any LeafEncodable.Type)?
    /// Whether values encode members, so that no copy of a value need be kept to know them again.
    let hasMembers: Bool
    let rule: TypeRule?
    let cases: [CaseRedaction]
    @safe @exclusivity(unchecked) private var holdsSecrets: Bool?
    /// The types of the keys that values encoded with, while anything may be redacted.
    @safe @exclusivity(unchecked) private var keyTypes: [any CodingKey.Type] = []
    /// The type of keys that most likely all values encode with.
    var knownKeys: ObjectIdentifier? { keyTypes.first.map { ObjectIdentifier($0) } }
    /// The members that values most likely have; nil if not known.
    @safe @exclusivity(unchecked) private(set) var memberNames: MemberNames?
    /// How often they may be replaced: for a type whose values differ in them it is not worth it.
    private var memberNamesLeft = 8

    /// The class of the nodes, kept since generic code asks the runtime for it each time.
    @safe @exclusivity(unchecked) private var nodeType: ValueNode.Type?
    /// The encoder of the last value, for the next one.
    @safe @exclusivity(unchecked) var encoder: LevelEncoder.Idle?

    /// How many more values are encoded twice, to see whether they encode the same each time.
    @safe @exclusivity(unchecked) private var probesLeft = 8

    init<Value>(
        _ type: Value.Type, trustsCopies: Bool = true, readsLayouts: Bool = LayoutReading.isOnByDefault,
        rule: TypeRule? = nil, cases: [CaseRedaction] = []
    ) {
        facts = TypeFacts.of(type, readsLayouts: readsLayouts)
        identifier = facts.identifier
        layout = facts.layout
        // A scalar with a redacted part encodes itself.
        leaf = rule == nil ? facts.leaf : nil
        isPlain = trustsCopies && facts.isPlain
        hasMembers = isPlain && facts.mayHaveMembers
        self.rule = rule
        self.cases = cases
    }

    /// Whether the type is an enum whose values have case names.
    var isEnumeration: Bool { facts.isEnumeration }
    var isReference: Bool { facts.isReference }

    var name: String {
        String(describing: facts.type)
    }

    /// Whether a value may have a part that is redacted for its type.
    func mayHoldSecrets(_ pass: EncodingPass) -> Bool {
        if let holdsSecrets { return holdsSecrets }
        let found = pass.types?.concerns(facts.type) ?? false
        holdsSecrets = found
        return found
    }

    /// Whether the next value is to be encoded twice.
    func takeProbe() -> Bool {
        guard probesLeft > 0 else { return false }
        probesLeft -= 1
        return true
    }

    /// The encoder for a value, without which a value of the type that is encoded inside makes one of its own.
    func takeEncoder() -> LevelEncoder.Idle? {
        defer { encoder = nil }
        return encoder
    }

    /// Learns the members of a value that did not have the expected ones.
    func learnMembers(_ object: ObjectNode) {
        guard hasMembers, memberNamesLeft > 0 else { return }
        memberNamesLeft -= 1
        memberNames = MemberNames(object)
    }

    func learnKeys(_ types: [any CodingKey.Type]) {
        for type in types where !keyTypes.contains(where: { $0 == type }) { keyTypes.append(type) }
    }

    /// The place of the member that a property is encoded as, by the name of its coding key's case, else of the key itself.
    func place(of property: String, in members: [String]) -> Int? {
        members.firstIndex { member in
            for type in keyTypes {
                if let name = TypeTraits.caseName(of: member, in: type) { return name == property }
            }
            return member == property
        }
    }

    private static func caseName<Key: CodingKey>(of member: String, in type: Key.Type) -> String? {
        Key(stringValue: member).flatMap { EnumCases.name(of: $0) }
    }

    func makeNode<Value: Encodable>(_ value: Value) -> ValueNode {
        // What hides parts of a value works on the value's own encoding.
        if rule == nil, cases.isEmpty {
            if let provider = facts.provider { return makeNode(value, provider) }
            if let table = facts.table { return makeTableNode(value, table) }
            if let list = facts.list { return makeListNode(value, list) }
        }
        let known = nodeType ?? EncodableNode<Value>.self
        nodeType = known
        // It is the type's own.
        return unsafe unsafeBitCast(known, to: EncodableNode<Value>.Type.self).init(value, traits: self)
    }

    private func makeNode<Provider: NodeProviding>(_ value: some Any, _ type: Provider.Type) -> ValueNode {
        Provider.makeNode(identical(value, as: type), traits: self)
    }

    private func makeTableNode<Table: RecordedTable>(_ value: some Any, _ type: Table.Type) -> ValueNode {
        Table.makeTableNode(identical(value, as: type), traits: self)
    }

    private func makeListNode<List: RecordedList>(_ value: some Any, _ type: List.Type) -> ValueNode {
        List.makeListNode(identical(value, as: type), traits: self)
    }

    /// The scalar that a value of a leaf type becomes.
    func scalar<Value>(of value: Value) -> Scalar? { leaf == nil ? nil : facts.scalar(of: value) }
}

/// Facts of a type, found once in a process.
final class TypeFacts: @unchecked Sendable {
    // Unchecked: constants, among them types, which the compiler does not take as `Sendable`.

    let identifier: ObjectIdentifier
    let type: Any.Type
    let isPlain: Bool
    let layout: ByteLayout
    let isEnumeration: Bool
    let isReference: Bool
    let leaf: (any LeafEncodable.Type)?
    let provider: (any NodeProviding.Type)?
    /// The type, if it is a collection of the app's that is compared in its own way.
    let table: (any RecordedTable.Type)?
    let list: (any RecordedList.Type)?

    private static let known = TypeCache<TypeFacts>()

    static func of<Value>(_ type: Value.Type, readsLayouts: Bool) -> TypeFacts {
        known.value(of: type, readsLayouts) { TypeFacts(type, readsLayouts: readsLayouts) }
    }

    private init<Value>(_ type: Value.Type, readsLayouts: Bool) {
        identifier = ObjectIdentifier(type)
        self.type = type
        isPlain = PlainTypes.contains(type, readsLayouts: readsLayouts)
        layout = ByteLayout.of(type, readsLayouts: readsLayouts)
        isEnumeration = readsLayouts && RuntimeFields.kind(of: type) == .enumeration
        isReference = type is AnyClass
        leaf = type as? any LeafEncodable.Type
        provider = type as? any NodeProviding.Type
        table = type as? any RecordedTable.Type
        list = table == nil ? type as? any RecordedList.Type : nil
    }

    func scalar<Value>(of value: Value) -> Scalar? {
        func scalar<Leaf: LeafEncodable>(_ type: Leaf.Type) -> Scalar { identical(value, as: type).scalar }
        return leaf.map { scalar($0) }
    }

    var mayHaveMembers: Bool {
        let isCollection = provider != nil || table != nil || list != nil
        return !isEnumeration && !isReference && leaf == nil && !isCollection
    }
}

/// A collection of the standard library that is compared as a whole, and not by what its `encode(to:)` writes.
///
/// A collection of the app's conforms to ``RecordedTable`` or ``RecordedList`` instead.
protocol NodeProviding: Encodable {
    static func makeNode(_ value: Self, traits: TypeTraits) -> ValueNode
}

/// Facts about types, found once in a process, apart for encoders that read layouts and those that do not.
final class TypeCache<Value: Sendable>: Sendable {
    private struct Key: Hashable {
        let type: ObjectIdentifier
        let readsLayouts: Bool
    }

    private let known = Mutex<[Key: Value]>([:])

    /// Two threads may both find it; then both use the first one's result.
    func value(of type: Any.Type, _ readsLayouts: Bool, _ find: () -> Value) -> Value {
        let key = Key(type: ObjectIdentifier(type), readsLayouts: readsLayouts)
        if let value = known.withLock({ $0[key] }) { return value }
        let found = find()
        return known.withLock { known in
            if let other = known[key] { return other }
            known[key] = found
            return found
        }
    }
}
