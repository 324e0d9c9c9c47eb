import StateStore

/// An entity whose memory the optimizer treats in its own way: what is inlined into an app differs for each of these.
protocol Row: Identifiable, Codable, Equatable, Sendable where ID: Codable & Sendable {
    static func identity(_ number: Int) -> ID
    init(number: Int, value: Int)
    /// What an edit changes; a constant where the entity has nothing but its identity.
    var value: Int { get set }
}

/// Plain bytes: copied without counting references.
struct PlainRow: Row {
    var id: Int
    var weight = 0.5
    var value: Int

    static func identity(_ number: Int) -> Int { number }
    init(number: Int, value: Int) { (id, self.value) = (number, value) }
}

/// Plain bytes with typed identities, one of them optional.
struct TypedRow: Row {
    var id: EntityID<TypedRow, Int>
    var parentID: EntityID<TypedRow, Int>?
    var value: Int

    static func identity(_ number: Int) -> EntityID<TypedRow, Int> { EntityID(number) }
    init(number: Int, value: Int) {
        id = EntityID(number)
        parentID = number % 2 == 0 ? nil : EntityID(number / 2)
        self.value = value
    }
}

/// One word, all of which is the identity.
struct WordRow: Row {
    var id: Int

    static func identity(_ number: Int) -> Int { number }
    init(number: Int, value: Int) { id = number }
    var value: Int {
        get { 0 }
        set {}
    }
}

/// References that are counted.
struct TextRow: Row {
    var id: String
    var name: String
    var value: Int

    static func identity(_ number: Int) -> String { "row \(number)" }
    init(number: Int, value: Int) {
        id = "row \(number)"
        name = String(repeating: "x", count: 20 + number % 7)
        self.value = value
    }
}

/// What must hold for every kind of entity.
protocol RowProperty {
    static func hold<Entity: Row>(of type: Entity.Type) throws
}

/// The kinds of entity; a property is compiled for each of them apart.
enum RowKind: CaseIterable {
    case plainBytes, typedIdentities, oneWord, text

    func holds<Property: RowProperty>(_ property: Property.Type) throws {
        switch self {
        case .plainBytes: try Property.hold(of: PlainRow.self)
        case .typedIdentities: try Property.hold(of: TypedRow.self)
        case .oneWord: try Property.hold(of: WordRow.self)
        case .text: try Property.hold(of: TextRow.self)
        }
    }
}

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): each seed draws the same numbers on every machine.
struct RandomNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
