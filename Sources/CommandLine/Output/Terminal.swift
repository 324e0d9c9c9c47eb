package import Platform

/// Who is at the other end of a stream.
package struct Terminal: Sendable, Equatable {
    /// Whether it is a terminal: a person may be watching.
    package let isTerminal: Bool

    /// Its columns, to which what is wider is shortened; nil where nothing needs to be.
    package let width: Int?

    /// A file or a pipe.
    package static let none = Terminal(isTerminal: false, width: nil)

    /// The columns of a terminal that does not report its size.
    package static let defaultWidth = 80

    /// A terminal or not.
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

/// When output is coloured.
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
