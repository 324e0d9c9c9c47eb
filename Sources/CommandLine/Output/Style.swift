import JSONCore
package import Platform

package struct Style: Sendable {
    package enum Role: Hashable, Sendable {
        case plain
        /// A command that an answer suggests, to paste.
        case command
        /// What has a look of its own, as the stores of a timeline.
        case look(CellStyle)
        case commit, location, heading, dim
        case path, added, removed, changed
        case key, string, number, word
        case error, warning, note, help, mark
    }

    package static let plain = Style(isColored: false)

    package let isColored: Bool

    package init(isColored: Bool) { self.isColored = isColored }

    package func callAsFunction(_ role: Role, _ text: String) -> String {
        guard isColored, !text.isEmpty else { return text }
        let parameters = CellStyle.role(role).parameters(.sixteen)
        return parameters.isEmpty ? text : "\u{1B}[" + parameters + "m" + text + "\u{1B}[0m"
    }
}

package enum ScreenColor: Hashable, Sendable {
    /// One of the sixteen that the person's theme sets: 0 to 7, and 8 to 15 for the bright ones.
    case base(UInt8)
    case rgb(UInt8, UInt8, UInt8)
}

package enum ColorDepth: Sendable, CaseIterable {
    case none, sixteen, palette, full

    package init(_ environment: Environment) {
        let (name, colors) = (environment["TERM"] ?? "", environment["COLORTERM"] ?? "")
        if colors == "truecolor" || colors == "24bit" || UTF8Order.ends(name, with: "-direct") {
            self = .full
        } else if name.contains("256color") || ["xterm-kitty", "alacritty", "foot", "wezterm"].contains(name) {
            self = .palette
        } else {
            self = .sixteen
        }
    }
}

package struct CellStyle: Hashable, Sendable {
    package struct Attributes: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let bold = Attributes(rawValue: 1)
        package static let dim = Attributes(rawValue: 2)
        package static let underline = Attributes(rawValue: 4)
        package static let reverse = Attributes(rawValue: 8)

        fileprivate static let all: [(Attributes, String)] = [
            (.bold, "1"), (.dim, "2"), (.underline, "4"), (.reverse, "7"),
        ]
    }

    package var foreground: ScreenColor?
    package var background: ScreenColor?
    package var attributes: Attributes = []

    package init(foreground: ScreenColor? = nil, background: ScreenColor? = nil, attributes: Attributes = []) {
        (self.foreground, self.background, self.attributes) = (foreground, background, attributes)
    }

    package static let plain = CellStyle()

    /// The eight base colours, which every theme sets readable.
    package static func role(_ role: Style.Role) -> CellStyle {
        switch role {
        case .commit, .changed: CellStyle(foreground: .base(3))
        case .location: CellStyle(foreground: .base(6))
        case .heading, .path: CellStyle(attributes: .bold)
        case .dim: CellStyle(attributes: .dim)
        case .added, .string: CellStyle(foreground: .base(2))
        case .removed: CellStyle(foreground: .base(1))
        case .key: CellStyle(foreground: .base(4))
        case .number, .plain, .command: .plain
        case .look(let look): look
        case .word: CellStyle(foreground: .base(5))
        case .error, .mark: CellStyle(foreground: .base(1), attributes: .bold)
        case .warning: CellStyle(foreground: .base(3), attributes: .bold)
        case .note: CellStyle(foreground: .base(6), attributes: .bold)
        case .help: CellStyle(foreground: .base(2), attributes: .bold)
        }
    }

    package func with(_ more: Attributes) -> CellStyle {
        CellStyle(foreground: foreground, background: background, attributes: attributes.union(more))
    }

    package func on(_ background: ScreenColor) -> CellStyle {
        CellStyle(foreground: foreground, background: background, attributes: attributes)
    }

    /// The parameters of the SGR sequence (ECMA-48, 8.3.117), from the terminal's own look on; empty where that is it.
    package func parameters(_ depth: ColorDepth) -> String {
        var parts = Attributes.all.filter { attributes.contains($0.0) }.map(\.1)
        if let foreground, depth != .none { parts.append(Self.parameter(foreground, depth, base: 30)) }
        if let background, depth != .none { parts.append(Self.parameter(background, depth, base: 40)) }
        return parts.joined(separator: ";")
    }

    private static func parameter(_ color: ScreenColor, _ depth: ColorDepth, base: Int) -> String {
        switch (color, depth) {
        case (.base(let number), _): return String(baseCode(number) + base)
        case (.rgb(let red, let green, let blue), .full): return "\(base + 8);2;\(red);\(green);\(blue)"
        case (.rgb(let red, let green, let blue), .palette):
            return "\(base + 8);5;\(paletteNumber(Int(red), Int(green), Int(blue)))"
        case (.rgb(let red, let green, let blue), _):
            // Of the eight colours the one with the same parts; what is dark all over is the bright black.
            let bits = [red, green, blue].enumerated().reduce(0) { $0 | ($1.element > 110 ? 1 << $1.offset : 0) }
            return String(baseCode(bits == 0 ? 8 : UInt8(bits)) + base)
        }
    }

    private static func baseCode(_ number: UInt8) -> Int { number < 8 ? Int(number) : Int(number & 7) + 60 }

    /// The nearest of the 256: a grey of the ramp, or a place in the cube of six by six by six.
    private static func paletteNumber(_ red: Int, _ green: Int, _ blue: Int) -> Int {
        if max(red, green, blue) - min(red, green, blue) < 12 {
            let grey = (red + green + blue) / 3
            return grey < 4 ? 16 : grey > 243 ? 231 : 232 + min(23, max(0, (grey - 3) / 10))
        }
        func level(_ part: Int) -> Int { part < 48 ? 0 : part < 115 ? 1 : (part - 35) / 40 }
        return 16 + 36 * level(red) + 6 * level(green) + level(blue)
    }
}

package struct Terminal: Sendable, Equatable {
    package let isTerminal: Bool
    /// Its columns, to which what is wider is shortened; nil where nothing needs to be.
    package let width: Int?

    package static let none = Terminal(isTerminal: false, width: nil)
    package static let defaultWidth = 80

    package init(isTerminal: Bool, width: Int?) {
        (self.isTerminal, self.width) = (isTerminal, width)
    }

    /// What this descriptor is; `COLUMNS`, if set, is believed.
    package init(descriptor: Int32, environment: Environment) {
        isTerminal = TerminalDevice.isTerminal(descriptor)
        let given = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        width = isTerminal ? given ?? TerminalDevice.columns(of: descriptor) ?? Self.defaultWidth : given
    }
}

package enum ColorChoice: String, CaseIterable, Sendable {
    case auto, always, never

    /// Whether to colour: the option beats `NO_COLOR`, which beats `TERM=dumb`, which beats whether it is a terminal.
    package func colors(_ terminal: Terminal, _ environment: Environment) -> Bool {
        switch self {
        case .always: return true
        case .never: return false
        case .auto:
            if let value = environment["NO_COLOR"], !value.isEmpty { return false }
            if environment["TERM"] == "dumb" { return false }
            return terminal.isTerminal
        }
    }
}
