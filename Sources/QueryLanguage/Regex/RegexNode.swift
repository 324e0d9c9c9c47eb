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
    case keep
    case call(index: Int)

    enum Repetition: Sendable {
        case greedy
        case lazy
        case possessive
    }

    enum Assertion: UInt32, Sendable {
        case textStart
        case textEnd
        /// The end, or before a line feed at the end.
        case textEndOrLastLine
        case lineStart
        case lineEnd
        case wordBoundary
        case notWordBoundary
        case searchStart
    }

    var isSingle: Bool {
        switch self {
        case .scalar, .any, .set: true
        default: false
        }
    }

    /// Widths are in scalars; no maximum where there is none.
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

/// A set of scalars: ranges, and classes by Unicode's properties.
struct ScalarSet: Sendable, Equatable {
    var ranges: [ClosedRange<UInt32>] = []
    var classes: [ScalarClass] = []
    var isNegated = false

    func contains(_ value: UInt32) -> Bool {
        for range in ranges where range.contains(value) { return !isNegated }
        for each in classes where each.contains(value) { return !isNegated }
        return isNegated
    }

    func containsIgnoringCase(_ value: UInt32) -> Bool {
        let forms = Set([value, CaseFolding.lower(value), CaseFolding.upper(value)])
        var plain = self
        plain.isNegated = false
        return forms.contains(where: plain.contains) != isNegated
    }
}

/// A class of scalars: those of some general categories, of some ranges, or with a property; or all others.
struct ScalarClass: Sendable, Equatable {
    enum Property { case alphabetic, upper, lower, space }

    var property: Property?
    var categories: [Unicode.GeneralCategory] = []
    var ranges: [ClosedRange<UInt32>] = []
    var isNegated = false

    /// - Parameter names: the beginnings of the categories' names, apart by spaces.
    init(_ names: String = "", _ property: Property? = nil, _ ranges: ClosedRange<UInt32>...) {
        self.property = property
        self.ranges = ranges
        for name in names.split(separator: " ") {
            categories += Self.categoryNames.filter { $0.name.utf8.starts(with: name.utf8) }.map(\.category)
        }
    }

    init(ranges: [ClosedRange<UInt32>]) { self.ranges = ranges }

    func contains(_ value: UInt32) -> Bool { has(value) != isNegated }

    private func has(_ value: UInt32) -> Bool {
        guard let properties = Unicode.Scalar(value)?.properties else { return false }
        for range in ranges where range.contains(value) { return true }
        let hasProperty =
            switch property {
            case .alphabetic: properties.isAlphabetic
            case .upper: properties.isUppercase
            case .lower: properties.isLowercase
            case .space: properties.isWhitespace
            case nil: false
            }
        return hasProperty || !categories.isEmpty && categories.contains(properties.generalCategory)
    }

    var negated: ScalarClass {
        var result = self
        result.isNegated.toggle()
        return result
    }

    /// Letters, marks, decimal digits and connectors.
    static let word = ScalarClass("nd pc m", .alphabetic)
    static let digit = ScalarClass("nd")
    static let space = ScalarClass("", .space)
    static let hexDigit = ScalarClass("", nil, 0x30...0x39, 0x41...0x46, 0x61...0x66)
    static let marks = ScalarClass("m")

    static func isWord(_ value: UInt32) -> Bool {
        value < 0x80 ? UInt8(value).isNameStart || UInt8(value).isDigit : word.contains(value)
    }

    private static let categoryNames: [(name: String, category: Unicode.GeneralCategory)] = [
        ("lu", .uppercaseLetter), ("ll", .lowercaseLetter), ("lt", .titlecaseLetter), ("lm", .modifierLetter),
        ("lo", .otherLetter), ("mn", .nonspacingMark), ("mc", .spacingMark), ("me", .enclosingMark),
        ("nd", .decimalNumber), ("nl", .letterNumber), ("no", .otherNumber), ("pc", .connectorPunctuation),
        ("pd", .dashPunctuation), ("ps", .openPunctuation), ("pe", .closePunctuation), ("pi", .initialPunctuation),
        ("pf", .finalPunctuation), ("po", .otherPunctuation), ("sm", .mathSymbol), ("sc", .currencySymbol),
        ("sk", .modifierSymbol), ("so", .otherSymbol), ("zs", .spaceSeparator), ("zl", .lineSeparator),
        ("zp", .paragraphSeparator), ("cc", .control), ("cf", .format), ("cs", .surrogate), ("co", .privateUse),
        ("cn", .unassigned),
    ]

    static let posix: [String: ScalarClass] = [
        "alnum": ScalarClass("nd", .alphabetic), "alpha": ScalarClass("", .alphabetic),
        "ascii": ScalarClass("", nil, 0...0x7F), "blank": ScalarClass("zs", nil, 9...9), "cntrl": ScalarClass("cc"),
        "digit": digit, "graph": ScalarClass("l m n p s cf co"), "lower": ScalarClass("", .lower),
        "print": ScalarClass("l m n p s z cf co"), "punct": ScalarClass("p"), "space": space,
        "upper": ScalarClass("", .upper), "xdigit": hexDigit, "word": word, "any": ScalarClass("", nil, 0...0x10FFFF),
    ]

    static func named(_ name: String) -> ScalarClass? {
        let key = String(name.lowercased().filter { $0 != "_" && $0 != " " && $0 != "-" })
        if let found = posix[key] { return found }
        if key == "letter" { return ScalarClass("l") }
        if key.utf8.count <= 2, !key.isEmpty {
            let found = ScalarClass(key)
            if !found.categories.isEmpty { return found }
        }
        return scripts[key].map { ScalarClass(ranges: $0) }
    }

    private static let scripts: [String: [ClosedRange<UInt32>]] = [
        "latin": [
            0x41...0x5A, 0x61...0x7A, 0xAA...0xAA, 0xBA...0xBA, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2B8,
            0x1E00...0x1EFF, 0x2C60...0x2C7F, 0xA722...0xA7FF, 0xFF21...0xFF3A, 0xFF41...0xFF5A,
        ],
        "greek": [
            0x370...0x373, 0x375...0x377, 0x37A...0x37D, 0x37F...0x37F, 0x384...0x384, 0x386...0x3E1,
            0x3F0...0x3FF, 0x1F00...0x1FFE,
        ],
        "cyrillic": [0x400...0x484, 0x487...0x52F, 0x1C80...0x1C88, 0x2DE0...0x2DFF, 0xA640...0xA69F],
        "hebrew": [0x591...0x5F4, 0xFB1D...0xFB4F],
        "arabic": [0x600...0x604, 0x606...0x60B, 0x60D...0x6FF, 0x750...0x77F],
        "hiragana": [0x3041...0x3096, 0x309D...0x309F],
        "katakana": [0x30A1...0x30FA, 0x30FD...0x30FF, 0x31F0...0x31FF],
        "han": [
            0x2E80...0x2FD5, 0x3005...0x3005, 0x3007...0x3007, 0x3021...0x3029, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xF900...0xFAD9, 0x20000...0x323AF,
        ],
        "hangul": [0x1100...0x11FF, 0x3131...0x318E, 0xA960...0xA97C, 0xAC00...0xD7A3],
        "thai": [0xE01...0xE3A, 0xE40...0xE5B],
        "armenian": [0x531...0x556, 0x559...0x58A, 0x58D...0x58F, 0xFB13...0xFB17],
        "georgian": [0x10A0...0x10FA, 0x10FC...0x10FF, 0x1C90...0x1CBF, 0x2D00...0x2D2D],
        "devanagari": [0x900...0x950, 0x955...0x963, 0x966...0x97F, 0xA8E0...0xA8FF],
        "bengali": [0x980...0x9FE], "tamil": [0xB82...0xBFA], "telugu": [0xC00...0xC7F], "tibetan": [0xF00...0xFDA],
        "ethiopic": [0x1200...0x139F, 0x2D80...0x2DDE], "khmer": [0x1780...0x17F9, 0x19E0...0x19FF],
        "lao": [0xE81...0xEDF], "mongolian": [0x1800...0x1801, 0x1804...0x1804, 0x1806...0x18AA],
    ]
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
