package import Platform

package struct Terminal: Sendable, Equatable {
    package let isTerminal: Bool
    /// Its columns, to which what is wider is shortened; nil where nothing needs to be.
    package let width: Int?

    package static let none = Terminal(isTerminal: false, width: nil)
    package static let defaultWidth = 80

    package init(isTerminal: Bool, width: Int?) {
        self.isTerminal = isTerminal
        self.width = width
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
