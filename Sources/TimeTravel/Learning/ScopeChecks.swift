import JSONCore

/// What is checked of the elements of an array as they stand: that they are distinct, and that they ascend.
struct ElementCheck {
    let array: ShapeMember
    /// Its keys from the scope.
    let keys: [String]
    /// The member of each element that is looked at; nil for the elements themselves.
    let key: String?
    private(set) var isUnique = true
    private(set) var isAscending = true
    private(set) var samples = 0
    private var work = 0

    init(_ array: ShapeMember, keys: [String], key: String?) {
        self.array = array
        self.keys = keys
        self.key = key
    }

    /// Whether texts are looked at.
    var isOfText: Bool {
        let element = key.map { array.element?.child($0) } ?? array.element
        return element?.types == .string
    }

    /// Holds it against the value of its scope.
    mutating func look(at base: JSONValue) {
        guard isUnique || isAscending, let elements = base.value(along: keys)?.array, elements.count > 1 else {
            return
        }
        work += elements.count
        guard elements.count <= LearnedTerm.elementLimit, work <= LearnedTerm.workLimit else {
            (isUnique, isAscending) = (false, false)
            return
        }
        samples += 1
        var known: Set<JSONValue> = []
        var last: JSONValue?
        for element in elements {
            let value = key.map { element.member($0) ?? .null } ?? element
            if isUnique, !known.insert(value).inserted { isUnique = false }
            if isAscending, let last, !Self.isAscending(last, value) { isAscending = false }
            last = value
        }
    }

    private static func isAscending(_ one: JSONValue, _ other: JSONValue) -> Bool {
        switch (one, other) {
        case (.number(let a), .number(let b)): a < b || a == b
        case (.string(let a), .string(let b)): !UTF8Order.isLess(b, a)
        default: false
        }
    }
}

/// Whether one member of an object is null wherever another is.
struct AbsenceCheck {
    let cause: ShapeMember
    let effect: ShapeMember
    private(set) var isAlive = true
    /// How often both were null, the cause was not, and neither was.
    private(set) var both = 0
    private(set) var causeOnly = 0
    private(set) var neither = 0
    private var last: (isCauseNull: Bool, isEffectNull: Bool)?

    init(_ cause: ShapeMember, _ effect: ShapeMember) {
        self.cause = cause
        self.effect = effect
    }

    /// How often one of the two changed.
    var samples: Int { both + causeOnly + neither }

    /// Another run begins.
    mutating func begin() { last = nil }

    /// Holds it against the value of its scope.
    mutating func look(at base: JSONValue, from scope: ShapeMember?) {
        guard isAlive else { return }
        func isNull(_ member: ShapeMember) -> Bool {
            base.value(along: member.keys(from: scope)).map(\.isNull) ?? true
        }
        let now = (isCauseNull: isNull(cause), isEffectNull: isNull(effect))
        if let last, last == now { return }
        last = now
        switch now {
        case (true, false): isAlive = false
        case (true, true): both += 1
        case (false, true): causeOnly += 1
        case (false, false): neither += 1
        }
    }
}

/// Whether texts, or the keys of a table, are keys of another table.
struct SubsetCheck {
    /// A text, or a table whose keys are meant.
    let source: ShapeMember
    let target: ShapeMember
    private(set) var isAlive = true
    private(set) var samples = 0
    private var known: Set<ByteName> = []
    private var work = 0

    init(_ source: ShapeMember, in target: ShapeMember) {
        self.source = source
        self.target = target
    }

    /// How many distinct texts it held of, up to eight.
    var distinct: Int { known.count }

    /// Holds it against a whole state.
    ///
    /// - Parameter counts: whether the source may have changed.
    /// - Complexity: O(n) in the elements that the source lies in; where there are many, or many over all runs, it is given
    ///   up.
    mutating func look(at state: JSONValue, counts: Bool) {
        guard isAlive else { return }
        guard let table = state.value(along: target.keys(from: nil))?.object else { return }
        if counts { samples += 1 }
        var budget = LearnedTerm.elementLimit
        isAlive = source.allTexts(in: state, &budget) { text in
            if known.count < 8 { known.insert(ByteName(text)) }
            return table[text] != nil
        }
        work += LearnedTerm.elementLimit - budget
        if work > LearnedTerm.workLimit { isAlive = false }
    }
}

extension ShapeMember {
    /// Whether a condition is true of every text at this place, or of each key where it is a table.
    ///
    /// - Parameter budget: how many may be looked at; more count as false.
    func allTexts(in state: JSONValue, _ budget: inout Int, _ body: (String) -> Bool) -> Bool {
        visit(state, from: way, &budget, body)
    }

    /// The segments from the whole state, nil for elements.
    private var way: [String?] { parent.map { $0.way + [key] } ?? [] }

    private func visit(
        _ value: JSONValue, from way: [String?], _ budget: inout Int, _ body: (String) -> Bool
    ) -> Bool {
        guard let first = way.first else { return visitTexts(of: value, &budget, body) }
        let rest = Array(way.dropFirst())
        if let first {
            guard let member = value.member(first) else { return true }
            return visit(member, from: rest, &budget, body)
        }
        switch value {
        case .array(let elements):
            return elements.allSatisfy { visit($0, from: rest, &budget, body) }
        case .object(let object):
            return object.allSatisfy { visit($0.value, from: rest, &budget, body) }
        default: return true
        }
    }

    private func visitTexts(of value: JSONValue, _ budget: inout Int, _ body: (String) -> Bool) -> Bool {
        switch value {
        case .string(let text):
            budget -= 1
            return budget >= 0 && body(text)
        case .object(let object) where isTable:
            budget -= object.count
            return budget >= 0 && object.allSatisfy { body($0.key) }
        default: return true
        }
    }
}
