/// The syntax tree of a regular expression.
indirect enum RegexNode: Sendable {
    case empty
    case scalar(UInt32, ignoringCase: Bool)
    case any(matchesNewline: Bool)
    case set(ScalarSet, ignoringCase: Bool)
    case sequence([RegexNode])
    case alternatives([RegexNode])
    case group(RegexNode, index: Int)
    case repeated(RegexNode, minimum: Int, maximum: Int?, kind: Repetition)
    case assertion(Assertion)
    case look(RegexNode, isAhead: Bool, isNegative: Bool)
    case atomic(RegexNode)
    case backreference([Int], ignoringCase: Bool)
    /// `\K`: what was matched so far is kept out of the result.
    case keep
    /// `\g<name>`: the group's expression once more.
    case call(index: Int)

    enum Repetition: Sendable {
        case greedy
        case lazy
        case possessive
    }

    enum Assertion: Sendable {
        case textStart
        case textEnd
        /// The end, or before a line feed at the end.
        case textEndOrLastLine
        case lineStart
        case lineEnd
        case wordBoundary
        case notWordBoundary
        /// Where the search began.
        case searchStart
    }

    /// Whether it always matches exactly one scalar, by one instruction.
    var isSingle: Bool {
        switch self {
        case .scalar, .any, .set: true
        default: false
        }
    }

    /// The fewest and most scalars that it can match; no maximum where there is none.
    var width: (minimum: Int, maximum: Int?) {
        switch self {
        case .empty, .assertion, .look, .keep: return (0, 0)
        case .scalar, .any, .set: return (1, 1)
        case .sequence(let parts):
            return parts.reduce((0, 0)) { sum, part in
                let width = part.width
                return (sum.0 &+ width.minimum, sum.1.flatMap { a in width.maximum.map { a &+ $0 } })
            }
        case .alternatives(let parts):
            let widths = parts.map(\.width)
            let maxima = widths.compactMap(\.maximum)
            return (widths.map(\.minimum).min() ?? 0, maxima.count == widths.count ? maxima.max() ?? 0 : nil)
        case .group(let node, _), .atomic(let node): return node.width
        case .repeated(let node, let minimum, let maximum, _):
            let width = node.width
            let most = maximum.flatMap { count in width.maximum.map { $0 &* count } }
            return (width.minimum &* minimum, most)
        case .backreference, .call: return (0, nil)
        }
    }
}

/// A set of scalars: ranges, and classes asked of Unicode's properties.
struct ScalarSet: Sendable {
    var ranges: [ClosedRange<UInt32>] = []
    var classes: [(ScalarClass, isNegated: Bool)] = []
    var isNegated = false

    /// Whether both are written alike.
    func isSame(as other: ScalarSet) -> Bool {
        ranges == other.ranges && isNegated == other.isNegated
            && classes.elementsEqual(other.classes) { $0.0 == $1.0 && $0.isNegated == $1.isNegated }
    }

    func contains(_ value: UInt32) -> Bool {
        for range in ranges where range.contains(value) { return !isNegated }
        for (each, negated) in classes where each.contains(value) != negated { return !isNegated }
        return isNegated
    }

    /// Whether the scalar or its other case is in the set.
    func containsIgnoringCase(_ value: UInt32) -> Bool {
        let forms = Set([value, CaseFolding.lower(value), CaseFolding.upper(value)])
        var plain = self
        plain.isNegated = false
        return forms.contains(where: plain.contains) != isNegated
    }
}

/// A named class of scalars.
enum ScalarClass: Sendable, Equatable {
    case digit, word, space, alphabetic, alphanumeric, upper, lower, punctuation, control, hexDigit, blank, graphic
    case printable, ascii, any
    case category([Unicode.GeneralCategory])
    case script([ClosedRange<UInt32>])

    func contains(_ value: UInt32) -> Bool {
        guard let scalar = Unicode.Scalar(value) else { return false }
        let properties = scalar.properties
        switch self {
        case .digit: return value < 0x80 ? UInt8(value).isDigit : properties.generalCategory == .decimalNumber
        case .word: return Self.isWord(value)
        case .space: return properties.isWhitespace
        case .alphabetic: return properties.isAlphabetic
        case .alphanumeric: return properties.isAlphabetic || properties.generalCategory == .decimalNumber
        case .upper: return properties.isUppercase
        case .lower: return properties.isLowercase
        case .punctuation: return Self.punctuationCategories.contains(properties.generalCategory)
        case .control: return properties.generalCategory == .control
        case .hexDigit: return value < 0x80 && UInt8(value).hexDigitValue != nil
        case .blank: return value == 0x09 || properties.generalCategory == .spaceSeparator
        case .graphic: return !properties.isWhitespace && !Self.invisible.contains(properties.generalCategory)
        case .printable: return !Self.invisible.contains(properties.generalCategory)
        case .ascii: return value < 0x80
        case .any: return true
        case .category(let categories): return categories.contains(properties.generalCategory)
        case .script(let ranges): return ranges.contains { $0.contains(value) }
        }
    }

    /// Letters, marks, decimal digits and connectors.
    static func isWord(_ value: UInt32) -> Bool {
        if value < 0x80 { return UInt8(value).isNameStart || UInt8(value).isDigit }
        guard let properties = Unicode.Scalar(value)?.properties else { return false }
        if properties.isAlphabetic { return true }
        let category = properties.generalCategory
        return [.decimalNumber, .connectorPunctuation, .nonspacingMark, .spacingMark, .enclosingMark].contains(category)
    }

    private static let punctuationCategories: Set<Unicode.GeneralCategory> = [
        .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
        .finalPunctuation, .otherPunctuation,
    ]

    private static let invisible: Set<Unicode.GeneralCategory> = [.control, .surrogate, .unassigned]
}

/// Simple case folding: one scalar to one scalar.
enum CaseFolding {
    static func lower(_ value: UInt32) -> UInt32 {
        if value < 0x80 { return value >= 0x41 && value <= 0x5A ? value + 32 : value }
        return single(Unicode.Scalar(value)?.properties.lowercaseMapping) ?? value
    }

    static func upper(_ value: UInt32) -> UInt32 {
        if value < 0x80 { return value >= 0x61 && value <= 0x7A ? value - 32 : value }
        return single(Unicode.Scalar(value)?.properties.uppercaseMapping) ?? value
    }

    private static func single(_ text: String?) -> UInt32? {
        guard let scalars = text?.unicodeScalars, scalars.count == 1 else { return nil }
        return scalars.first?.value
    }
}
