/// A condition that held wherever it could be judged in some runs, and is not likely to have held by chance.
package struct LearnedInvariant: Sendable {
    /// What it says, the most informative first.
    package enum Kind: String, Sendable, CaseIterable {
        /// One number is another, or another and a constant.
        case equal
        /// One number is the sum of two others.
        case sum
        /// One number is the product of two others.
        case product
        /// The elements of an array are distinct.
        case unique
        /// One member is null wherever another is.
        case absent
        /// Members never change.
        case constant
        /// A member has one of a few values.
        case oneOf
        /// From a value only some others follow.
        case transitions
        /// Numbers never decrease, or never increase.
        case monotone
        /// Numbers are within bounds.
        case range
        /// Texts, or keys, are keys of an object.
        case subset
        /// One number is at most another.
        case order
        /// The elements of an array ascend.
        case sorted
        /// An array or an object has so many elements.
        case length
        /// No commit changes two of some members.
        case apart
        /// Only some functions commit a store's changes.
        case writers
        /// Members have values of one type.
        case type
    }

    /// The name of its definition, which is new among those it was learned with.
    package var name: String
    /// What it says.
    package let kind: Kind
    /// A query that is true where it holds; it may read `$old` and `$name`.
    package let condition: String
    /// The members that it is about, as pointers in which `*` is every element.
    package let paths: [String]
    /// How many changes of those members it held through.
    package let samples: Int
    /// How unlikely it is that it held by chance: 0.99 at least.
    package let confidence: Double
}

/// How sure it is that something which held `samples` times did not do so by chance.
enum Confidence {
    /// Nothing is said below it.
    static let least = 0.99

    /// Of what holds by chance every second time, as an order does.
    static func order(_ samples: Int) -> Double { modulus(samples, 2) }

    /// That of two things which happen so often among some commits not once do both happen at one, unless they never do.
    static func apart(_ one: Int, _ other: Int, of commits: Int) -> Double {
        guard commits > 0, one > 0, other > 0 else { return 0 }
        return modulus(min(one, other), commits / max(one, other))
    }

    /// Of what holds by chance unless one of `m` like outcomes happens: 1 − (1 − 1/m)ⁿ.
    ///
    /// Source: M. D. Ernst et al., *The Daikon system for dynamic detection of likely invariants*, 2007.
    static func modulus(_ samples: Int, _ m: Int) -> Double {
        var (chance, factor, rest) = (1.0, 1 - 1 / Double(max(m, 1)), max(samples, 0))
        while rest > 0 {
            if rest & 1 == 1 { chance *= factor }
            factor *= factor
            rest >>= 1
        }
        return 1 - chance
    }

    /// Of numbers that all leave the same rest when divided by `m`: each does so by chance with 1/m.
    static func step(_ samples: Int, _ m: Int) -> Double {
        samples > 1 && m > 1 ? 1 - (1..<min(samples, 64)).reduce(1.0) { chance, _ in chance / Double(m) } : 0
    }

    /// Of a bound that was met so often: a value beyond it, as frequent as the bound, would have been missed with e⁻ⁿ.
    static func bound(_ meetings: Int) -> Double { modulus(meetings * 100, 100) }
}
