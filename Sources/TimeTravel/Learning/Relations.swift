import JSONCore

/// A number that can be computed from the values in one scope: a member, how many elements there are, or a sum over them.
struct LearnedTerm {
    /// How it is computed.
    enum Formula: Equatable {
        case member
        case count
        case sum(of: String)
        case productSum(of: String, String)
        /// The sum over the elements themselves.
        case total
    }

    let formula: Formula
    /// The member, or the container.
    let member: ShapeMember
    /// Its keys from the scope.
    let keys: [String]

    /// So many elements are added up at most; a container that has more makes the term unknown for good.
    static let elementLimit = 1_000

    /// So many elements are looked at over all runs for one thing that is checked: what costs more is not learned.
    static let workLimit = 4_000_000

    /// Its value in a scope's value; nil where it has none.
    ///
    /// - Parameter work: is increased by how many elements were looked at.
    func value(in base: JSONValue, _ work: inout Int) -> Double? {
        guard let found = base.value(along: keys) else { return nil }
        switch formula {
        case .member: return found.number?.doubleValue
        case .count:
            return found.array.map { Double($0.count) } ?? found.object.map { Double($0.count) }
        case .total: return sum(found, &work) { $0.number?.doubleValue }
        case .sum(let key): return sum(found, &work) { $0.member(key)?.number?.doubleValue }
        case .productSum(let one, let other):
            return sum(found, &work) { element in
                guard let a = element.member(one)?.number?.doubleValue,
                    let b = element.member(other)?.number?.doubleValue
                else { return nil }
                return a * b
            }
        }
    }

    private func sum(_ container: JSONValue, _ work: inout Int, _ part: (JSONValue) -> Double?) -> Double? {
        var sum = 0.0
        switch container {
        case .array(let elements):
            work += elements.count
            guard elements.count <= Self.elementLimit else { return nil }
            for element in elements {
                guard let value = part(element) else { return nil }
                sum += value
            }
        case .object(let object):
            work += object.count
            guard object.count <= Self.elementLimit else { return nil }
            for (_, element) in object {
                guard let value = part(element) else { return nil }
                sum += value
            }
        default: return nil
        }
        return sum
    }
}

/// Which numbers of one scope, the whole state or an element, are related to each other.
///
/// A relation is a candidate until a state refutes it; only those whose terms a commit touched are looked at again.
struct ScopeRelations {
    /// Two terms.
    struct Pair {
        let one: Int
        let other: Int
        /// What the first has over the second, as long as that is always the same.
        var difference: Double?
        var hasDifference = true
        var isAtMost = true
        var isAtLeast = true
        var samples = 0
        /// How often both were the same.
        var meetings = 0
        fileprivate var round = 0

        var isAlive: Bool { hasDifference || isAtMost || isAtLeast }
    }

    /// A term and two others that it is the sum or the product of.
    struct Triple {
        let result: Int
        let one: Int
        let other: Int
        let isProduct: Bool
        var isAlive = true
        var samples = 0
        /// When it was looked at last: two of its terms may change together.
        fileprivate var round = 0
    }

    /// So many terms of the whole state are compared, and of an element.
    static let termLimit = (state: 48, element: 12)
    /// So many distinct values a term has at least, or relations with it say little.
    static let varied = 3

    let terms: [LearnedTerm]
    private var allPairs: [Pair] = []
    private var allTriples: [Triple] = []
    /// Of each term the candidates with it that are not refuted, so that a change costs no more than those.
    private var pairsOf: [[Int]] = []
    private var triplesOf: [[Int]] = []
    private var round = 0
    private(set) var values: [Double?]
    /// The distinct values of each term, up to as many as are asked for.
    private(set) var distinct: [Set<Double>]
    private var changed: [Int] = []
    /// How many elements each term looked at.
    private var work: [Int]

    init(_ terms: [LearnedTerm]) {
        self.terms = terms
        let count = self.terms.count
        values = Array(repeating: nil, count: count)
        distinct = Array(repeating: [], count: count)
        work = Array(repeating: 0, count: count)
        for one in 0..<count {
            for other in (one + 1)..<max(count, one + 1) where areApart(one, other) {
                allPairs.append(Pair(one: one, other: other))
                for result in 0..<count where result != one && result != other {
                    guard areApart(result, one), areApart(result, other) else { continue }
                    allTriples.append(Triple(result: result, one: one, other: other, isProduct: false))
                    allTriples.append(Triple(result: result, one: one, other: other, isProduct: true))
                }
            }
        }
        pairsOf = Array(repeating: [], count: count)
        triplesOf = pairsOf
        for (index, pair) in allPairs.enumerated() {
            for term in [pair.one, pair.other] { pairsOf[term].append(index) }
        }
        for (index, triple) in allTriples.enumerated() {
            for term in [triple.result, triple.one, triple.other] { triplesOf[term].append(index) }
        }
    }

    /// The pairs and the triples that nothing refuted.
    var pairs: [Pair] { allPairs.filter(\.isAlive) }
    var triples: [Triple] { allTriples.filter(\.isAlive) }

    /// Whether two terms are not made of one member.
    private func areApart(_ one: Int, _ other: Int) -> Bool { terms[one].member !== terms[other].member }

    /// Forgets the last values: another run begins, or another element is looked at.
    mutating func begin() { for index in values.indices { values[index] = nil } }

    /// Holds the candidates against a state.
    ///
    /// - Parameters:
    ///   - counts: whether it is a sample: the beginning of a run is none.
    ///   - isTouched: whether a term may have changed; nil for all of them.
    mutating func look(at base: JSONValue, counts: Bool, _ isTouched: ((LearnedTerm) -> Bool)?) {
        changed.removeAll(keepingCapacity: true)
        for index in terms.indices {
            if let isTouched, !isTouched(terms[index]) { continue }
            if work[index] > LearnedTerm.workLimit { continue }
            let value = terms[index].value(in: base, &work[index])
            if work[index] > LearnedTerm.workLimit || value == nil && values[index] != nil { giveUp(index) }
            guard value != values[index] else { continue }
            values[index] = value
            changed.append(index)
            if let value, distinct[index].count < Self.varied { distinct[index].insert(value) }
        }
        round += 1
        for term in changed {
            lookAtPairs(of: term, counts: counts)
            lookAtTriples(of: term, counts: counts)
        }
    }

    /// Gives up what is related to a term.
    private mutating func giveUp(_ term: Int) {
        for index in pairsOf[term] { allPairs[index].refute() }
        for index in triplesOf[term] { allTriples[index].isAlive = false }
    }

    private mutating func lookAtPairs(of term: Int, counts: Bool) {
        var hasRefuted = false
        for index in pairsOf[term] {
            if allPairs[index].isAlive, allPairs[index].round != round {
                allPairs[index].round = round
                if let one = values[allPairs[index].one], let other = values[allPairs[index].other] {
                    allPairs[index].look(at: one, other, counts: counts)
                }
            }
            if !allPairs[index].isAlive { hasRefuted = true }
        }
        if hasRefuted { pairsOf[term] = pairsOf[term].filter { allPairs[$0].isAlive } }
    }

    private mutating func lookAtTriples(of term: Int, counts: Bool) {
        var hasRefuted = false
        for index in triplesOf[term] {
            if allTriples[index].isAlive, allTriples[index].round != round {
                allTriples[index].round = round
                allTriples[index].isAlive = holds(allTriples[index])
                if counts { allTriples[index].samples += 1 }
            }
            if !allTriples[index].isAlive { hasRefuted = true }
        }
        if hasRefuted { triplesOf[term] = triplesOf[term].filter { allTriples[$0].isAlive } }
    }

    private func holds(_ triple: Triple) -> Bool {
        guard let result = values[triple.result], let one = values[triple.one], let other = values[triple.other] else {
            return true
        }
        return result == (triple.isProduct ? one * other : one + other)
    }
}

extension ScopeRelations.Pair {
    /// Holds it against two values.
    fileprivate mutating func look(at one: Double, _ other: Double, counts: Bool) {
        if counts { samples += 1 }
        let own = one - other
        guard own.isFinite else { return refute() }
        if let known = difference {
            if known != own { hasDifference = false }
        } else {
            difference = own
        }
        if own == 0, counts { meetings += 1 }
        if !(own <= 0) { isAtMost = false }
        if !(own >= 0) { isAtLeast = false }
    }

    fileprivate mutating func refute() { (hasDifference, isAtMost, isAtLeast) = (false, false, false) }
}
