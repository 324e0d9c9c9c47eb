import JSONCore
import QueryLanguage

/// A number that can be computed from the values in one scope.
struct Term {
    enum Formula: Equatable {
        case value
        /// 1 where a member is not null, else 0.
        case isThere
        case count
        /// How many of two elements or more are not distinct, by themselves or by a member.
        case repeats(of: String?)
        case sum(of: String?)
        case products(of: String, String)
    }

    let formula: Formula
    let place: ShapeMember
    let keys: [String]

    /// Of more elements than this nothing is computed, nor where more are looked at over all runs.
    private static let elementLimit = 1_000
    static let workLimit = 500_000

    /// Nil where it has none; `work` grows by the elements that were looked at, up to the limit.
    func value(in base: JSONValue, _ work: inout Int) -> Double? {
        let found = base.value(along: keys)
        if formula == .isThere { return found.map { $0.isNull ? 0 : 1 } ?? 0 }
        if formula == .value { return found?.number?.doubleValue }
        if formula == .count { return found?.count.map { Double($0) } }
        guard work < Self.workLimit, let count = found?.count else { return nil }
        work += count > Self.elementLimit ? Self.workLimit : count
        guard work < Self.workLimit, let elements = found?.array ?? found?.object?.map(\.value) else { return nil }
        func part(_ element: JSONValue, _ key: String?) -> JSONValue? { key.map { element.member($0) } ?? element }
        func number(_ element: JSONValue, _ key: String?) -> Double { part(element, key)?.number?.doubleValue ?? .nan }
        switch formula {
        case .value, .isThere, .count: return nil
        case .repeats(let key):
            let distinct = Set(elements.map { part($0, key) ?? .null })
            return elements.count < 2 ? nil : Double(elements.count - distinct.count)
        case .sum(let key): return elements.reduce(0) { $0 + number($1, key) }
        case .products(let one, let other): return elements.reduce(0) { $0 + number($1, one) * number($1, other) }
        }
    }

    func query(from base: ShapeMember?) -> String {
        let path = place.query(from: base)
        let query = path.isEmpty ? "." : path
        func parts(_ key: String?) -> String { "[\(query)[]\(key.map(JQPath.member) ?? "")]" }
        switch formula {
        case .value, .isThere: return query
        case .count: return "(\(query) | length)"
        case .repeats(let key): return key == nil ? query : parts(key)
        case .sum(let key): return "(\(parts(key)) | add // 0)"
        case .products(let one, let other):
            return "([\(query)[] | \(JQPath.member(one)) * \(JQPath.member(other))] | add // 0)"
        }
    }

    var isNumber: Bool {
        switch formula {
        case .value, .count, .sum, .products: true
        case .isThere, .repeats: false
        }
    }

    var isCompared: Bool { isNumber || formula == .isThere }
}

struct Relation {
    let kind: LearnedInvariant.Kind
    let terms: [Int]
    /// What the first has over the second, where they are equal but for that.
    fileprivate(set) var difference: Double?
    fileprivate(set) var trial = Trial()
    /// When it was looked at last: two of its terms may change together.
    fileprivate var round = 0

    init(_ kind: LearnedInvariant.Kind, _ terms: [Int]) { (self.kind, self.terms) = (kind, terms) }

    fileprivate mutating func check(_ values: [Double?], isChance: Bool, in run: Int) {
        guard let first = values[terms[0]], let second = kind == .unique ? 0 : values[terms[1]] else { return }
        let own = first - second
        let isTrue: Bool
        switch kind {
        case .equal:
            if difference == nil { difference = own }
            isTrue = own == difference
        case .sum:
            guard let third = values[terms[2]] else { return }
            isTrue = own == third
        default: isTrue = own <= 0
        }
        if !isTrue {
            trial.refute(in: run)
        } else if isChance, ![.order, .absent].contains(kind) || own == 0 {
            trial.pass(in: run)
        }
    }
}

/// What two runs refute is gone; of what one run refutes it is known that the others would have taught it.
struct Relations {
    /// So many terms of the whole state are compared, and of an element.
    private static let termLimit = (state: 48, element: 12)
    /// So many distinct values a number has at least, or relations with it say little.
    private static let varied = 3
    let base: ShapeMember?
    let terms: [Term]
    private(set) var all: [Relation] = []
    /// Of each term what is not refuted in this run, so that a change costs no more than that.
    private var active: [[Int]] = []
    private var round = 0
    private var values: [Double?]
    private var distinct: [Set<Double>]
    private var work: [Int]

    init(of base: ShapeMember?, _ places: [ShapeMember]) {
        self.base = base
        let limit = base == nil ? Self.termLimit.state : Self.termLimit.element
        terms = Self.numbers(places, from: base, limit) + Self.others(places, from: base)
        values = terms.map { _ in nil }
        distinct = terms.map { _ in [] }
        work = terms.map { _ in 0 }
        for one in terms.indices {
            if case .repeats = terms[one].formula { all.append(Relation(.unique, [one])) }
            for other in terms.indices where other != one { relate(one, other) }
        }
        begin()
    }

    mutating func begin() {
        forgetValues()
        active = terms.map { _ in [] }
        all.removeAll { $0.trial.refutations > 1 }
        for (index, relation) in all.enumerated() { for term in relation.terms { active[term].append(index) } }
    }

    private mutating func forgetValues() { for index in values.indices { values[index] = nil } }

    // MARK: Which there may be

    private static func parts(of container: ShapeMember, _ fits: (ShapeMember.Types) -> Bool) -> [String?] {
        guard let element = container.element else { return [] }
        if fits(element.types) { return [nil] }
        guard element.types == .object, !element.isTable else { return [] }
        return element.children.filter { fits($0.types) && !$0.isNullable }.map(\.key)
    }

    private static func numbers(_ places: [ShapeMember], from base: ShapeMember?, _ limit: Int) -> [Term] {
        var (simple, sums): ([Term], [Term]) = ([], [])
        for place in places where place !== base && !place.isNullable {
            func term(_ formula: Term.Formula) -> Term {
                Term(formula: formula, place: place, keys: place.keys(from: base))
            }
            if place.types == .number { simple.append(term(.value)) }
            guard place.isContainer else { continue }
            simple.append(term(.count))
            let names = parts(of: place) { $0 == .number }.prefix(4)
            sums += names.map { term(.sum(of: $0)) }
            for (index, one) in names.enumerated() {
                sums += names[(index + 1)...].compactMap { other in
                    one.flatMap { one in other.map { term(.products(of: one, $0)) } }
                }
            }
        }
        return Array((simple + sums).prefix(limit))
    }

    private static func others(_ places: [ShapeMember], from base: ShapeMember?) -> [Term] {
        let arrays = places.filter { $0.ownTypes == .array && !$0.isNullable }.flatMap { place in
            parts(of: place) { $0 == .string || $0 == .number }.map {
                Term(formula: .repeats(of: $0), place: place, keys: place.keys(from: base))
            }
        }
        let nullable = places.filter { $0.types.contains(.null) && $0.ownTypes.isSubset(of: .scalars) }.prefix(16)
        return arrays + nullable.map { Term(formula: .isThere, place: $0, keys: $0.keys(from: base)) }
    }

    private mutating func relate(_ one: Int, _ other: Int) {
        let (first, second) = (terms[one], terms[other])
        guard first.place !== second.place else { return }
        if first.formula == .isThere, second.formula == .isThere, first.place.parent === second.place.parent {
            all.append(Relation(.absent, [one, other]))
        }
        guard first.isNumber, second.isNumber else { return }
        if first.place.store === second.place.store { all.append(Relation(.order, [one, other])) }
        guard one < other else { return }
        all.append(Relation(.equal, [one, other]))
        for result in terms.indices where terms[result].isNumber {
            if terms[result].place !== first.place, terms[result].place !== second.place {
                all.append(Relation(.sum, [result, one, other]))
            }
        }
    }

    // MARK: What is left of them

    /// - Parameter isChance: whether it is a sample; the beginning of a run is none.
    mutating func look(at base: JSONValue, isChance: Bool, in run: Int, _ isTouched: (Term) -> Bool) {
        var changed: [Int] = []
        for index in terms.indices where isTouched(terms[index]) && work[index] < Term.workLimit {
            let value = terms[index].value(in: base, &work[index])
            if work[index] >= Term.workLimit { giveUp(index) }
            // An array has a chance to repeat something whenever it changes.
            guard value != values[index] || !terms[index].isCompared else { continue }
            values[index] = value
            changed.append(index)
            if let value, distinct[index].count < Self.varied { distinct[index].insert(value) }
        }
        round += 1
        for term in changed { check(term, isChance: isChance, in: run) }
    }

    mutating func look(atElement value: JSONValue, in run: Int) {
        forgetValues()
        look(at: value, isChance: true, in: run) { _ in true }
    }

    private mutating func check(_ term: Int, isChance: Bool, in run: Int) {
        var hasRefuted = false
        for index in active[term] {
            if all[index].round != round, !all[index].trial.isRefuted(in: run) {
                all[index].round = round
                all[index].check(values, isChance: isChance, in: run)
            }
            if all[index].trial.isRefuted(in: run) { hasRefuted = true }
        }
        if hasRefuted { active[term].removeAll { all[$0].trial.isRefuted(in: run) } }
    }

    private mutating func giveUp(_ term: Int) {
        for index in all.indices where all[index].terms.contains(term) {
            for run in [-1, -2] { all[index].trial.refute(in: run) }
        }
    }

    // MARK: What they come to

    func isVaried(_ term: Int) -> Bool {
        switch terms[term].formula {
        case .repeats: true
        case .isThere: distinct[term].count > 1
        default: distinct[term].count >= Self.varied
        }
    }

    var representatives: [Int] {
        var classes = Array(terms.indices)
        for relation in all where relation.kind == .equal && relation.trial.holds && relation.trial.chances > 0 {
            let (one, other) = (relation.terms[0], relation.terms[1])
            if isVaried(one), terms[other].isNumber { classes[other] = min(classes[other], classes[one]) }
        }
        return classes
    }
}
