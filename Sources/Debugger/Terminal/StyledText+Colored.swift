import CommandLine

extension StyledText {
    /// The parts of a text that a `Style` coloured: what it put around them becomes their look.
    ///
    /// Text of a journal is escaped before it is coloured, so no sequence can come from there; one that no style makes is text.
    static func parts(of colored: String) -> [StyledText] {
        var parts: [StyledText] = []
        var look = CellStyle.plain
        var pieces = colored.split(separator: "\u{1B}[", omittingEmptySubsequences: false)[...]
        if let first = pieces.popFirst(), !first.isEmpty { parts.append(StyledText(String(first))) }
        for piece in pieces {
            guard let end = piece.firstIndex(of: "m"), let style = CellStyle(parameters: piece[..<end]) else {
                parts.append(StyledText("\u{1B}[" + piece, look))
                continue
            }
            look = style
            let text = piece[piece.index(after: end)...]
            if !text.isEmpty { parts.append(StyledText(String(text), look)) }
        }
        return parts
    }
}

extension CellStyle {
    /// The look that ``parameters(_:)`` writes for sixteen colours; nil for others.
    package init?(parameters: Substring) {
        self = .plain
        for part in parameters.split(separator: ";") {
            switch Int(part) {
            case 0: self = .plain
            case 1: attributes.insert(.bold)
            case 2: attributes.insert(.dim)
            case 4: attributes.insert(.underline)
            case 7: attributes.insert(.reverse)
            case let code? where (30...37).contains(code): foreground = .base(UInt8(code - 30))
            case let code? where (90...97).contains(code): foreground = .base(UInt8(code - 82))
            case let code? where (40...47).contains(code): background = .base(UInt8(code - 40))
            case let code? where (100...107).contains(code): background = .base(UInt8(code - 92))
            default: return nil
            }
        }
    }
}
