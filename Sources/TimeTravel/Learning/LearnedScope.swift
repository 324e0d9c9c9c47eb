import JSONCore

/// What is checked between the members of the whole state, or of each element of one array or table.
struct LearnedScope {
    /// The elements; nil for the whole state.
    let base: ShapeMember?
    private(set) var relations: ScopeRelations
    private(set) var elements: [ElementCheck]
    private(set) var absences: [AbsenceCheck]

    /// Every scope there is, the whole state first; that of elements is known by their place's index.
    static func all(of root: ShapeMember, _ places: [ShapeMember]) -> [LearnedScope] {
        var inside: [ObjectIdentifier: [ShapeMember]] = [:]
        for place in places where place.parent != nil {
            inside[ObjectIdentifier(place.scope ?? root), default: []].append(place)
        }
        var scopes = [LearnedScope(nil, inside[ObjectIdentifier(root)] ?? [])]
        for place in places where place.key == nil && place.parent != nil && place.types == .object {
            place.index = scopes.count
            scopes.append(LearnedScope(place, inside[ObjectIdentifier(place)] ?? []))
        }
        return scopes
    }

    private init(_ base: ShapeMember?, _ places: [ShapeMember]) {
        self.base = base
        let limit = base == nil ? ScopeRelations.termLimit.state : ScopeRelations.termLimit.element
        relations = ScopeRelations(Array(Self.terms(places, from: base).prefix(limit)))
        elements = places.filter { $0.ownTypes == .array }.flatMap { array in
            Self.parts(of: array) { $0 == .string || $0 == .number }
                .map { ElementCheck(array, keys: array.keys(from: base), key: $0) }
        }
        absences = []
        let nullable = places.filter { $0.types.contains(.null) && $0.ownTypes.isSubset(of: .scalars) }.prefix(16)
        for cause in nullable {
            for effect in nullable where effect !== cause && effect.parent === cause.parent {
                absences.append(AbsenceCheck(cause, effect))
            }
        }
    }

    /// The elements of a container themselves, as nil, or the members of its elements, where they are of some type.
    private static func parts(of container: ShapeMember, _ fits: (ShapeMember.Types) -> Bool) -> [String?] {
        guard let element = container.element else { return [] }
        if fits(element.types) { return [nil] }
        guard element.types == .object, !element.isTable else { return [] }
        return element.children.filter { fits($0.types) && !$0.isNullable }.map(\.key)
    }

    private static func terms(_ places: [ShapeMember], from base: ShapeMember?) -> [LearnedTerm] {
        var (simple, sums): ([LearnedTerm], [LearnedTerm]) = ([], [])
        for place in places where place !== base && !place.isNullable {
            let keys = place.keys(from: base)
            func term(_ formula: LearnedTerm.Formula) -> LearnedTerm {
                LearnedTerm(formula: formula, member: place, keys: keys)
            }
            if place.types == .number { simple.append(term(.member)) }
            guard place.isContainer else { continue }
            simple.append(term(.count))
            let parts = parts(of: place) { $0 == .number }
            if parts == [nil] { sums.append(term(.total)) }
            let names = parts.compactMap { $0 }.prefix(4)
            sums += names.map { term(.sum(of: $0)) }
            for (index, one) in names.enumerated() {
                sums += names[(index + 1)...].map { term(.productSum(of: one, $0)) }
            }
        }
        return simple + sums
    }

    /// Another run begins.
    mutating func begin() {
        relations.begin()
        for index in absences.indices { absences[index].begin() }
    }

    /// Holds what is touched against a whole state.
    mutating func look(at state: JSONValue, touchedBy number: Int, counts: Bool) {
        relations.look(at: state, counts: counts) { $0.member.touchedBy == number }
        for index in elements.indices where elements[index].array.touchedBy == number {
            elements[index].look(at: state)
        }
        for index in absences.indices
        where absences[index].cause.touchedBy == number || absences[index].effect.touchedBy == number {
            absences[index].look(at: state, from: nil)
        }
    }

    /// Holds everything against an element.
    mutating func look(atElement value: JSONValue) {
        relations.begin()
        relations.look(at: value, counts: true, nil)
        for index in elements.indices { elements[index].look(at: value) }
        for index in absences.indices {
            absences[index].begin()
            absences[index].look(at: value, from: base)
        }
    }
}

extension SubsetCheck {
    /// Every text, or key of a table, and a table that it may be a key of.
    static func candidates(among places: [ShapeMember]) -> [SubsetCheck] {
        let tables = places.filter { $0.isTable && !$0.isInElement && $0.types == .object }.prefix(16)
        let texts = places.filter { $0.ownTypes == .string || $0.isTable && $0.types == .object }.prefix(64)
        return tables.flatMap { table in
            texts.filter { $0 !== table && !$0.isInside(table) }.map { SubsetCheck($0, in: table) }
        }
    }
}

extension ShapeMember {
    fileprivate func isInside(_ other: ShapeMember) -> Bool { self === other || parent?.isInside(other) ?? false }
}
