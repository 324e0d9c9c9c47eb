struct Key: Hashable, Sendable {
    enum Code: Hashable, Sendable {
        /// A key that stands for a character, or for a part of one.
        case scalar(Unicode.Scalar)
        case enter, tab, backspace, delete, insert, escape
        case up, down, left, right, home, end, pageUp, pageDown
        case function(Int)
    }

    /// Keys held down beside another one; the bits are those of the protocols of xterm and kitty.
    struct Modifiers: OptionSet, Hashable, Sendable {
        let rawValue: UInt8

        static let shift = Modifiers(rawValue: 1)
        static let alt = Modifiers(rawValue: 2)
        static let control = Modifiers(rawValue: 4)
    }

    let code: Code
    var modifiers: Modifiers = []

    init(_ code: Code, _ modifiers: Modifiers = []) {
        self.code = code
        self.modifiers = modifiers
    }

    static func scalar(_ scalar: Unicode.Scalar) -> Key { Key(.scalar(scalar)) }

    static func control(_ scalar: Unicode.Scalar) -> Key { Key(.scalar(scalar), .control) }

    static func alt(_ scalar: Unicode.Scalar) -> Key { Key(.scalar(scalar), .alt) }
}

/// What the mouse did, at a place that counts from 0.
struct MouseEvent: Hashable, Sendable {
    enum Action: Hashable, Sendable {
        case press, release, move, scrollUp, scrollDown
    }

    let action: Action
    let row: Int
    let column: Int
}

enum TerminalInput: Equatable, Sendable {
    case key(Key)
    /// Text that was pasted in one piece: it is data, whatever it holds.
    case paste(String)
    case mouse(MouseEvent)
}

/// A key that a terminal sends as a control sequence: `ESC [`, parameters, a final byte (ECMA-48, 5.4).
struct KeySequence {
    /// The numbers between the semicolons, each with those after its colons; what is left out is nil.
    private let parameters: [[Int?]]
    private let final: UInt8

    init?(_ body: [UInt8], _ final: UInt8) {
        var parameters: [[Int?]] = [[]]
        for part in body.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false) {
            let numbers = part.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map { digits in
                digits.isEmpty ? nil : Int(String(decoding: digits, as: UTF8.self)) ?? -1
            }
            guard !numbers.contains(where: { ($0 ?? 0) < 0 }) else { return nil }
            parameters.append(numbers)
        }
        self.parameters = Array(parameters.dropFirst())
        self.final = final
    }

    /// Nil for what is none, also for a key that is let go.
    var key: Key? {
        guard parameter(1, 1) != 3 else { return nil }
        switch final {
        case UInt8(ascii: "~"), UInt8(ascii: "^"), UInt8(ascii: "$"), UInt8(ascii: "@"): return numbered
        case UInt8(ascii: "u"): return unicode(parameter(0))
        case UInt8(ascii: "Z"): return Key(.tab, .shift)
        case UInt8(ascii: "a")...UInt8(ascii: "d"):
            return Self.letter(final - 0x20).map { Key($0, .shift) }
        default: return Self.letter(final).map { Key($0, modifiers) }
        }
    }

    /// A key that is sent as `ESC O` and a letter.
    static func shifted(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "M"): Key(.enter)
        case UInt8(ascii: "I"): Key(.tab)
        case UInt8(ascii: "a")...UInt8(ascii: "d"): letter(byte - 0x20).map { Key($0, .control) }
        // The keypad, where it sends what is on it.
        case UInt8(ascii: "j")...UInt8(ascii: "y"): .scalar(Unicode.Scalar(byte - 0x40))
        default: letter(byte).map { Key($0) }
        }
    }

    private static func letter(_ byte: UInt8) -> Key.Code? {
        switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(byte) - 0x4F)
        default: nil
        }
    }

    /// `number ; modifiers ~`; rxvt says the modifiers by the final byte.
    private var numbered: Key? {
        if parameter(0) == 27 { return unicode(parameter(2)) }
        guard let code = Self.code(of: parameter(0) ?? 0) else { return nil }
        switch final {
        case UInt8(ascii: "^"): return Key(code, .control)
        case UInt8(ascii: "$"): return Key(code, .shift)
        case UInt8(ascii: "@"): return Key(code, [.control, .shift])
        default: return Key(code, modifiers)
        }
    }

    private static func code(of number: Int) -> Key.Code? {
        switch number {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23...24: .function(number - 12)
        default: nil
        }
    }

    /// A key by its character's number, as kitty and xterm's `modifyOtherKeys` send it.
    private func unicode(_ number: Int?) -> Key? {
        guard let number, let scalar = Unicode.Scalar(UInt32(clamping: number)) else { return nil }
        switch scalar.value {
        case 9: return Key(.tab, modifiers)
        case 13, 57414: return Key(.enter, modifiers)
        case 27: return Key(.escape, modifiers)
        case 8, 127: return Key(.backspace, modifiers)
        // The private use area holds keys that have no character.
        case 0..<0x20, 0x80..<0xA0, 57344...63743: return nil
        default:
            var modifiers = modifiers
            guard modifiers.contains(.shift) else { return Key(.scalar(scalar), modifiers) }
            // With Shift a letter comes as it is without.
            let upper = scalar.properties.uppercaseMapping.unicodeScalars
            modifiers.remove(.shift)
            return Key(.scalar(upper.count == 1 ? upper.first ?? scalar : scalar), modifiers)
        }
    }

    /// The keys held down: one more than their bits.
    private var modifiers: Key.Modifiers {
        let bits = max(0, (parameter(1) ?? 1) - 1)
        return Key.Modifiers(rawValue: UInt8(bits & 7))
    }

    private func parameter(_ index: Int, _ part: Int = 0) -> Int? {
        guard index < parameters.count, part < parameters[index].count else { return nil }
        return parameters[index][part]
    }
}
