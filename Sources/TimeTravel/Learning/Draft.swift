import JSONCore
import QueryLanguage

/// An invariant before those that say the same of several members of one store are joined.
struct Draft {
    let kind: LearnedInvariant.Kind
    private(set) var places: [ShapeMember]
    /// On one value, or on the whole state, where there may be several.
    private var conditions: [String]
    private let isOfValue: Bool
    private(set) var samples: Int
    private(set) var confidence: Double

    /// A condition on each value of a member.
    init(_ kind: LearnedInvariant.Kind, _ place: ShapeMember, _ found: ValueSummary.Finding) {
        (self.kind, places, conditions, isOfValue) = (kind, [place], [found.condition], true)
        (samples, confidence) = (found.samples, found.confidence)
    }

    /// A condition on the whole state.
    init(
        whole kind: LearnedInvariant.Kind, _ places: [ShapeMember], _ condition: String, _ samples: Int,
        _ confidence: Double
    ) {
        (self.kind, self.places, conditions, isOfValue) = (kind, places, [condition], false)
        (self.samples, self.confidence) = (samples, confidence)
    }

    /// So many members are one draft at most.
    private static let joinedLimit = 32

    /// One draft for what is said of several members alike, so that a few definitions say much.
    ///
    /// A store that is not always open keeps its own: what holds while it is closed is another question.
    static func joined(_ drafts: [Draft]) -> [Draft] {
        var joined: [Draft] = []
        var known: [[String]: Int] = [:]
        for draft in drafts {
            let store = draft.places[0].store
            guard draft.isOfValue || draft.kind == .monotone else {
                joined.append(draft)
                continue
            }
            let own = store.map { $0.isMissingSometimes ? $0.key ?? "" : "" } ?? ""
            let name = [draft.kind.rawValue, own, draft.isOfValue ? draft.conditions[0] : ""]
            if let index = known[name], joined[index].places.count < Self.joinedLimit {
                joined[index].join(draft)
            } else {
                known[name] = joined.count
                joined.append(draft)
            }
        }
        return joined
    }

    private mutating func join(_ other: Draft) {
        places += other.places
        samples = min(samples, other.samples)
        confidence = min(confidence, other.confidence)
        if !isOfValue { conditions += other.conditions }
    }

    /// Its place among others, by what it says.
    var rank: Int {
        // Many values are less than few, and a bound that is not a sign may be one of these runs only.
        let isVague = kind == .oneOf && conditions[0].utf8.count > 60 || kind == .range && !isOfSignOrStep
        if isVague { return LearnedInvariant.Kind.allCases.count - 3 }
        return LearnedInvariant.Kind.allCases.firstIndex(of: kind) ?? 0
    }

    private var isOfSignOrStep: Bool { [". >= 0", ". > 0", ". >= 1", ". % "].contains { conditions[0].contains($0) } }

    private var whole: String {
        guard isOfValue else {
            return conditions.count == 1 ? conditions[0] : conditions.map { "(\($0))" }.joined(separator: " and ")
        }
        let condition = conditions[0]
        let queries = places.map { $0.query(from: nil) }
        if places.count == 1, !places[0].isInElement { return "\(queries[0]) | \(condition)" }
        return "all(\(queries.joined(separator: ", ")); \(condition))"
    }

    /// The invariant, with a name that none of the names has; it is added to them.
    func invariant(_ names: inout Set<ByteName>) -> LearnedInvariant {
        // A store that may not be open has no members: of it nothing is said then.
        var stores: [String] = []
        for store in places.compactMap(\.store) where store.isMissingSometimes {
            let query = store.query(from: nil)
            if !stores.contains(where: { UTF8Order.equal($0, query) }) { stores.append(query) }
        }
        let guards = stores.map { "\($0) == null or " }.joined()
        let condition = guards.isEmpty ? whole : "\(guards)(\(whole))"
        return LearnedInvariant(
            name: name(&names), kind: kind, condition: condition, paths: places.map(\.pointer), samples: samples,
            confidence: confidence)
    }

    private func name(_ names: inout Set<ByteName>) -> String {
        let shown = places.count > 2 ? Array(places.prefix(1)) : places
        var text = kind.rawValue
        for place in shown {
            text += "_"
            for byte in place.pointer.utf8.drop(while: { $0 == UInt8(ascii: "/") }) {
                let isLetter = byte | 32 >= 97 && byte | 32 <= 122
                let isDigit = byte >= 48 && byte <= 57
                if isLetter || isDigit {
                    text.unicodeScalars.append(Unicode.Scalar(byte))
                } else if text.last != "_" {
                    text += "_"
                }
            }
            while text.last == "_" { text.removeLast() }
        }
        text = String(text.prefix(60))
        var (unique, count) = (text, 1)
        while !names.insert(ByteName(unique)).inserted {
            count += 1
            unique = "\(text)_\(count)"
        }
        return unique
    }
}
