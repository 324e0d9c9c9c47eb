/// A key as it was pressed, with what was held down beside it.
struct Key: Hashable, Sendable {
    /// What is on the key.
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

    /// A key by itself.
    init(_ code: Code, _ modifiers: Modifiers = []) {
        self.code = code
        self.modifiers = modifiers
    }

    /// A character by itself.
    static func scalar(_ scalar: Unicode.Scalar) -> Key { Key(.scalar(scalar)) }

    /// A character with Control.
    static func control(_ scalar: Unicode.Scalar) -> Key { Key(.scalar(scalar), .control) }

    /// A character with Alt.
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

/// What comes from a person at a terminal.
enum TerminalInput: Equatable, Sendable {
    case key(Key)
    /// Text that was pasted in one piece: it is data, whatever it holds.
    case paste(String)
    case mouse(MouseEvent)
}
