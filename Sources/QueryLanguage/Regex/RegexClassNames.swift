/// The names of classes in `[[:alpha:]]` and `\p{…}`.
enum RegexClassNames {
    static let posix: [String: ScalarClass] = [
        "alnum": .alphanumeric, "alpha": .alphabetic, "ascii": .ascii, "blank": .blank, "cntrl": .control,
        "digit": .digit, "graph": .graphic, "lower": .lower, "print": .printable, "punct": .punctuation,
        "space": .space, "upper": .upper, "xdigit": .hexDigit, "word": .word, "any": .any,
    ]

    private static let categories: [String: [Unicode.GeneralCategory]] = [
        "l": [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter],
        "lu": [.uppercaseLetter], "ll": [.lowercaseLetter], "lt": [.titlecaseLetter], "lm": [.modifierLetter],
        "lo": [.otherLetter], "m": [.nonspacingMark, .spacingMark, .enclosingMark], "mn": [.nonspacingMark],
        "mc": [.spacingMark], "me": [.enclosingMark], "n": [.decimalNumber, .letterNumber, .otherNumber],
        "nd": [.decimalNumber], "nl": [.letterNumber], "no": [.otherNumber],
        "p": [
            .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation,
        ],
        "pc": [.connectorPunctuation], "pd": [.dashPunctuation], "ps": [.openPunctuation], "pe": [.closePunctuation],
        "pi": [.initialPunctuation], "pf": [.finalPunctuation], "po": [.otherPunctuation],
        "s": [.mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol], "sm": [.mathSymbol],
        "sc": [.currencySymbol], "sk": [.modifierSymbol], "so": [.otherSymbol],
        "z": [.spaceSeparator, .lineSeparator, .paragraphSeparator], "zs": [.spaceSeparator], "zl": [.lineSeparator],
        "zp": [.paragraphSeparator], "c": [.control, .format, .surrogate, .privateUse, .unassigned], "cc": [.control],
        "cf": [.format], "cn": [.unassigned], "co": [.privateUse], "cs": [.surrogate],
        "letter": [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter],
    ]

    /// The main blocks of a few scripts.
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

    /// The class of a property's name, which is compared without case, spaces and underscores.
    static func property(_ name: String) -> ScalarClass? {
        let key = String(name.lowercased().filter { $0 != "_" && $0 != " " && $0 != "-" })
        if let found = posix[key] { return found }
        if let found = categories[key] { return .category(found) }
        return scripts[key].map { .script($0) }
    }
}
