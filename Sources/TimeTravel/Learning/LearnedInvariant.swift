import JSONCore

/// A condition that held wherever it could be judged in some runs, and is not likely to have held by chance.
package struct LearnedInvariant: Sendable {
    /// What it says, the most informative first.
    package enum Kind: String, Sendable, CaseIterable {
        /// One number is another, or another and a constant.
        case equal
        /// One number is the sum of two others.
        case sum
        /// The elements of an array are distinct.
        case unique
        /// One member is null wherever another is.
        case absent
        /// A member always has one value.
        case constant
        /// A member has one of a few values.
        case oneOf
        /// From a value only some others follow.
        case transitions
        /// Numbers never decrease, or never increase.
        case monotone
        /// Numbers are above zero, or not below; an array or an object has elements.
        case range
        /// One number is at most another.
        case order
    }

    /// The name of its definition, which is new among those it was learned with.
    package var name: String
    package let kind: Kind
    /// A query that is true where it holds; it may read `$old` and `$name`.
    package let condition: String
    /// The members that it is about, as pointers in which `*` is every element.
    package let paths: [String]
    /// How often it could have been false and was not.
    package let samples: Int
    /// In how many runs it could have been.
    package let runs: Int
}

struct Candidate {
    let kind: LearnedInvariant.Kind
    var trial: Trial
    var places: [ShapeMember]
    var conditions: [String]
    var isOfValue = false
    var joins: String?

    init(_ kind: LearnedInvariant.Kind, _ trial: Trial, valuesOf place: ShapeMember, _ condition: String) {
        let condition = place.isNullable && !condition.contains("null") ? ". == null or (\(condition))" : condition
        self.init(kind, trial, [place], condition)
        isOfValue = true
        joins = condition
    }

    init(_ kind: LearnedInvariant.Kind, _ trial: Trial, _ places: [ShapeMember], _ condition: String) {
        (self.kind, self.trial, self.places, conditions) = (kind, trial, places, [condition])
    }

    /// One for what is said of several members alike; a store that is not always open keeps its own.
    static func joined(_ candidates: [Candidate]) -> [Candidate] {
        var joined: [Candidate] = []
        var known: [[String]: Int] = [:]
        for candidate in candidates {
            guard let joins = candidate.joins else {
                joined.append(candidate)
                continue
            }
            let name = [candidate.kind.rawValue, candidate.guards, joins]
            if let index = known[name] {
                joined[index].join(candidate)
            } else {
                known[name] = joined.count
                joined.append(candidate)
            }
        }
        return joined
    }

    private mutating func join(_ other: Candidate) {
        if isOfValue || places[0] !== other.places[0] { places += other.places }
        if !isOfValue { conditions += other.conditions }
        if other.trial.chances < trial.chances { trial = other.trial }
    }

    /// A store that may not be open has no members: of it nothing is said then.
    private var guards: String {
        var stores: [String] = []
        for store in places.compactMap(\.store) where store.isMissingSometimes {
            let query = store.query(from: nil)
            if !stores.contains(where: { UTF8Order.equal($0, query) }) { stores.append(query) }
        }
        return stores.map { "\($0) == null or " }.joined()
    }

    private var whole: String {
        guard isOfValue else {
            return conditions.count == 1 ? conditions[0] : conditions.map { "(\($0))" }.joined(separator: " and ")
        }
        let queries = places.map { $0.query(from: nil) }
        if places.count == 1, !places[0].isInElement { return "\(queries[0]) | \(conditions[0])" }
        return "all(\(queries.joined(separator: ", ")); \(conditions[0]))"
    }

    func invariant(_ names: inout Set<ByteName>) -> LearnedInvariant {
        LearnedInvariant(
            name: name(&names), kind: kind, condition: guards.isEmpty ? whole : "\(guards)(\(whole))",
            paths: places.map(\.pointer), samples: trial.chances, runs: trial.runs)
    }

    private func name(_ names: inout Set<ByteName>) -> String {
        let shown = places.count > 2 ? Array(places.prefix(1)) : places
        let words = shown.flatMap { place in
            place.pointer.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        }
        let text = String(([kind.rawValue] + words.map { String($0) }).joined(separator: "_").prefix(60))
        var (unique, count) = (text, 1)
        while !names.insert(ByteName(unique)).inserted {
            count += 1
            unique = "\(text)_\(count)"
        }
        return unique
    }
}
