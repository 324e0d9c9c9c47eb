/// Knows what xterm, the VT220 and its kin, the Linux console, rxvt and the basic protocol of kitty send; what it does
/// not know is skipped whole, so that no part of it is taken for keys.
struct KeyDecoder {
    /// How many milliseconds a byte that may begin a sequence waits for the next, before it is a key by itself.
    static let escapePatience: Int32 = 40
    /// How long the end of a paste is waited for.
    static let pastePatience: Int32 = 1000
    /// The most of a paste that is kept; the rest is passed over.
    static let pasteLimit = 1 << 20
    /// The longest sequence that means anything.
    private static let sequenceLimit = 64

    private enum State: Equatable {
        case plain
        case character
        case escape
        /// After `ESC [`: parameters and intermediate bytes.
        case control
        /// After `ESC O`.
        case shift
        /// After `ESC ]` and the like: a text that ends with BEL or `ESC \`.
        case text
        /// After an ESC within such a text.
        case textEscape
        /// After `ESC [[`: a function key of the Linux console.
        case console
        case paste
    }

    private var state = State.plain
    private var bytes: [UInt8] = []
    /// Whether Alt was held: ESC came before what is being read.
    private var isAlt = false

    init() {}

    /// In milliseconds; nil where nothing is begun.
    var patience: Int32? {
        switch state {
        case .plain: nil
        case .paste: Self.pastePatience
        case .character, .escape, .control, .shift, .text, .textEscape, .console: Self.escapePatience
        }
    }

    /// - Returns: the keys that are complete with these bytes.
    mutating func feed(_ input: some Sequence<UInt8>) -> [TerminalInput] {
        var output: [TerminalInput] = []
        for byte in input { take(byte, &output) }
        return output
    }

    /// What was begun is all there is of it.
    mutating func timeOut() -> [TerminalInput] {
        var output: [TerminalInput] = []
        defer { reset() }
        switch state {
        case .plain, .textEscape: break
        case .text: if bytes.count == 1 { output.append(.key(.alt(Unicode.Scalar(bytes[0])))) }
        case .character: output.append(.key(Key(.scalar("\u{FFFD}"), isAlt ? .alt : [])))
        case .escape: output.append(.key(Key(.escape, isAlt ? .alt : [])))
        case .control: if bytes.isEmpty { output.append(.key(.alt("["))) }
        case .shift: output.append(.key(.alt("O")))
        case .console: break
        case .paste: endPaste(&output)
        }
        return output
    }

    private mutating func reset() {
        state = .plain
        bytes.removeAll(keepingCapacity: true)
        isAlt = false
    }

    private mutating func take(_ byte: UInt8, _ output: inout [TerminalInput]) {
        switch state {
        case .plain: takePlain(byte, &output)
        case .character: takeContinuation(byte, &output)
        case .escape: takeEscape(byte, &output)
        case .control: takeControl(byte, &output)
        case .shift: takeShift(byte, &output)
        case .text, .textEscape: takeText(byte, &output)
        case .console:
            reset()
            if (0x41...0x45).contains(byte) { output.append(.key(Key(.function(Int(byte) - 0x40)))) }
        case .paste: takePaste(byte, &output)
        }
    }

    // MARK: Characters

    private mutating func takePlain(_ byte: UInt8, _ output: inout [TerminalInput]) {
        if byte == 0x1B {
            state = .escape
        } else if byte < 0x80 {
            var key = Self.key(of: byte)
            if isAlt { key.modifiers.insert(.alt) }
            reset()
            output.append(.key(key))
        } else {
            state = .character
            bytes = [byte]
            finishCharacter(&output)
        }
    }

    private mutating func takeContinuation(_ byte: UInt8, _ output: inout [TerminalInput]) {
        guard byte & 0xC0 == 0x80 else {
            output.append(.key(Key(.scalar("\u{FFFD}"), isAlt ? .alt : [])))
            reset()
            return take(byte, &output)
        }
        bytes.append(byte)
        finishCharacter(&output)
    }

    /// Ends the character where it is complete, or where no more bytes would make it one.
    private mutating func finishCharacter(_ output: inout [TerminalInput]) {
        let length =
            switch bytes[0] {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        guard bytes.count >= length else { return }
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
        let scalar = scalars.count == 1 ? scalars.first ?? "\u{FFFD}" : "\u{FFFD}"
        output.append(.key(Key(.scalar(scalar), isAlt ? .alt : [])))
        reset()
    }

    /// The key of a byte of ASCII, as terminals have sent them since the first ones.
    private static func key(of byte: UInt8) -> Key {
        switch byte {
        case 0x00: .control(" ")
        case 0x08, 0x7F: Key(.backspace)
        case 0x09: Key(.tab)
        case 0x0A, 0x0D: Key(.enter)
        case 0x1B: Key(.escape)
        case 0x01...0x1A: .control(Unicode.Scalar(byte + 0x60))
        case 0x1C...0x1F: .control(Unicode.Scalar(byte + 0x40))
        default: .scalar(Unicode.Scalar(byte))
        }
    }

    // MARK: Sequences

    private mutating func takeEscape(_ byte: UInt8, _ output: inout [TerminalInput]) {
        switch byte {
        case UInt8(ascii: "["): state = .control
        case UInt8(ascii: "O"): state = .shift
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            state = .text
            bytes = [byte]
        case 0x1B:
            // Escape twice, or Alt with a key that sends a sequence.
            if isAlt { output.append(.key(Key(.escape))) }
            isAlt = true
        default:
            state = .plain
            isAlt = true
            takePlain(byte, &output)
        }
    }

    private mutating func takeControl(_ byte: UInt8, _ output: inout [TerminalInput]) {
        switch byte {
        case UInt8(ascii: "[") where bytes.isEmpty: state = .console
        // A final byte of rxvt for Shift. A terminal's own report has it in the middle, after a question mark.
        case UInt8(ascii: "$") where !bytes.isEmpty && bytes.first != UInt8(ascii: "?"): finishControl(byte, &output)
        case 0x20...0x3F:
            // What is too long is read to its end all the same, and means nothing.
            if bytes.count <= Self.sequenceLimit { bytes.append(byte) }
        case 0x40...0x7E: finishControl(byte, &output)
        default:
            reset()
            take(byte, &output)
        }
    }

    private mutating func finishControl(_ final: UInt8, _ output: inout [TerminalInput]) {
        let (body, alt) = (bytes, isAlt)
        reset()
        guard body.count <= Self.sequenceLimit else { return }
        if final == UInt8(ascii: "~"), body == Array("200".utf8) {
            state = .paste
        } else if body.first == UInt8(ascii: "<") {
            if let event = Self.mouse(body.dropFirst(), final) { output.append(.mouse(event)) }
        } else if var key = KeySequence(body, final)?.key {
            if alt { key.modifiers.insert(.alt) }
            output.append(.key(key))
        }
    }

    private mutating func takeShift(_ byte: UInt8, _ output: inout [TerminalInput]) {
        let alt = isAlt
        reset()
        guard (0x20...0x7E).contains(byte) else {
            output.append(.key(.alt("O")))
            return take(byte, &output)
        }
        guard var key = KeySequence.shifted(byte) else { return }
        if alt { key.modifiers.insert(.alt) }
        output.append(.key(key))
    }

    /// Skips a text that the terminal sends about itself: it was not typed.
    private mutating func takeText(_ byte: UInt8, _ output: inout [TerminalInput]) {
        if bytes.count == 1 { bytes.append(byte) }
        switch byte {
        case 0x07, 0x18, 0x1A: reset()
        case 0x1B: state = .textEscape
        case UInt8(ascii: "\\") where state == .textEscape: reset()
        default:
            guard state == .textEscape else { return }
            reset()
            state = .escape
            take(byte, &output)
        }
    }

    /// `< button ; column ; row`, by the protocol that is called SGR.
    private static func mouse(_ body: ArraySlice<UInt8>, _ final: UInt8) -> MouseEvent? {
        let parts = body.split(separator: UInt8(ascii: ";")).map { Int(String(decoding: $0, as: UTF8.self)) ?? -1 }
        guard parts.count == 3, parts.allSatisfy({ (0...100_000).contains($0) }) else { return nil }
        let action: MouseEvent.Action
        switch (parts[0] & 0xE3, final) {
        case (64, _): action = .scrollUp
        case (65, _): action = .scrollDown
        case (32..., _): action = .move
        case (_, UInt8(ascii: "M")): action = .press
        case (_, UInt8(ascii: "m")): action = .release
        default: return nil
        }
        return MouseEvent(action: action, row: max(0, parts[2] - 1), column: max(0, parts[1] - 1))
    }

    // MARK: Pasted text

    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    private mutating func takePaste(_ byte: UInt8, _ output: inout [TerminalInput]) {
        bytes.append(byte)
        if byte == UInt8(ascii: "~"), bytes.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) {
            bytes.removeLast(Self.pasteEnd.count)
            endPaste(&output)
            reset()
        } else if bytes.count > Self.pasteLimit + 2 * Self.pasteEnd.count {
            // The end is looked for in the last bytes, so these stay.
            bytes.removeSubrange(Self.pasteLimit..<(bytes.count - Self.pasteEnd.count))
        }
    }

    private func endPaste(_ output: inout [TerminalInput]) {
        output.append(.paste(String(decoding: bytes.prefix(Self.pasteLimit), as: UTF8.self)))
    }
}
