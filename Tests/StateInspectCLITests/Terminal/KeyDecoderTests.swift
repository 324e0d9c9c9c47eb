import Foundation
import TestSupport
import Testing

@testable import StateInspectCLI

@Suite("The key decoder")
struct KeyDecoderTests {
    /// The seeds of the random keys.
    private static let seeds: [UInt64] = TestSupport.seeds(0..<800)

    private func keys(_ text: String) -> [TerminalInput] {
        var decoder = KeyDecoder()
        return decoder.feed(text.utf8) + decoder.timeOut()
    }

    @Test(
        "what terminals send is read as the key that was pressed",
        arguments: [
            ("a", Key.scalar("a")), ("é", .scalar("é")), ("\u{1F600}", .scalar("\u{1F600}")),
            ("\r", Key(.enter)), ("\t", Key(.tab)), ("\u{7F}", Key(.backspace)), ("\u{3}", .control("c")),
            ("\u{1F}", .control("_")), ("\u{0}", .control(" ")), ("\u{1B}", Key(.escape)),
            ("\u{1B}x", .alt("x")), ("\u{1B}ä", .alt("ä")), ("\u{1B}[A", Key(.up)), ("\u{1B}OB", Key(.down)),
            ("\u{1B}[1;5C", Key(.right, .control)), ("\u{1B}[1;4D", Key(.left, [.shift, .alt])),
            ("\u{1B}\u{1B}[A", Key(.up, .alt)), ("\u{1B}[H", Key(.home)), ("\u{1B}[4~", Key(.end)),
            ("\u{1B}[8~", Key(.end)), ("\u{1B}[3;5~", Key(.delete, .control)), ("\u{1B}[3^", Key(.delete, .control)),
            ("\u{1B}[5$", Key(.pageUp, .shift)), ("\u{1B}[Z", Key(.tab, .shift)), ("\u{1B}OP", Key(.function(1))),
            ("\u{1B}[15~", Key(.function(5))), ("\u{1B}[24~", Key(.function(12))), ("\u{1B}[[C", Key(.function(3))),
            ("\u{1B}[97;5u", .control("a")), ("\u{1B}[97;2u", .scalar("A")), ("\u{1B}[27u", Key(.escape)),
            ("\u{1B}[97:65;1:1u", .scalar("a")), ("\u{1B}[27;5;9~", Key(.tab, .control)),
            ("\u{1B}[", .alt("[")), ("\u{1B}O", .alt("O")), ("\u{1B}]", .alt("]")), ("\u{FFFD}", .scalar("\u{FFFD}")),
        ])
    func keys(_ text: String, _ key: Key) {
        #expect(keys(text) == [.key(key)])
    }

    @Test(
        "what is no key is passed over whole",
        arguments: [
            "\u{1B}[?1;2c", "\u{1B}[97;5:3u", "\u{1B}]11;rgb:0000/0000/0000\u{7}", "\u{1B}]0;name\u{1B}\\",
            "\u{1B}P1+r\u{1B}\\", "\u{1B}_Gi=1;OK\u{1B}\\", "\u{1B}[I", "\u{1B}[57358u", "\u{1B}[<0;1M",
            "\u{1B}[" + String(repeating: "1;", count: 5000) + "A",
        ])
    func noKey(_ text: String) {
        #expect(keys(text + "x") == [.key(.scalar("x"))])
    }

    @Test("bytes that are no text become signs of that, one for each character that is broken")
    func brokenText() {
        var decoder = KeyDecoder()
        let bytes: [UInt8] = [0xFF, 0xC3, 0x41, 0xE2, 0x82, 0x42, 0xC3]
        let broken = TerminalInput.key(.scalar("\u{FFFD}"))
        let output = decoder.feed(bytes) + decoder.timeOut()
        #expect(output == [broken, broken, .key(.scalar("A")), broken, .key(.scalar("B")), broken])
    }

    @Test("pasted text is one piece, whatever it holds, and as much of it as is kept")
    func paste() {
        #expect(
            keys("\u{1B}[200~a\u{1B}[A\u{3}\r\nb\u{1B}[201~c")
                == [.paste("a\u{1B}[A\u{3}\r\nb"), .key(.scalar("c"))])
        let long = String(repeating: "x", count: KeyDecoder.pasteLimit + 5000)
        #expect(
            keys("\u{1B}[200~\(long)\u{1B}[201~c")
                == [.paste(String(long.prefix(KeyDecoder.pasteLimit))), .key(.scalar("c"))])
    }

    @Test("a paste whose end never comes ends when nothing comes for a while")
    func endlessPaste() {
        var decoder = KeyDecoder()
        #expect(decoder.feed("\u{1B}[200~abc".utf8).isEmpty)
        #expect(decoder.patience == KeyDecoder.pastePatience)
        #expect(decoder.timeOut() == [.paste("abc")])
        #expect(decoder.patience == nil)
    }

    @Test("the mouse is told by place and action")
    func mouse() {
        #expect(
            keys("\u{1B}[<0;10;5M\u{1B}[<0;10;5m\u{1B}[<64;1;1M\u{1B}[<65;1;1M") == [
                .mouse(MouseEvent(action: .press, row: 4, column: 9)),
                .mouse(MouseEvent(action: .release, row: 4, column: 9)),
                .mouse(MouseEvent(action: .scrollUp, row: 0, column: 0)),
                .mouse(MouseEvent(action: .scrollDown, row: 0, column: 0)),
            ])
    }

    /// Bytes that are mostly parts of sequences.
    private static func bytes(_ generator: inout SeededGenerator) -> [UInt8] {
        let parts = [
            "\u{1B}", "[", "O", "]", "P", "200~", "201~", "\u{1B}[200~", "\u{1B}[201~", "1", ";", ":", "<", "~", "u",
            "M",
            "\u{1B}[<0;3;4M", "\u{7}", "\\", "é", "字", "a", "\u{3}", "$",
        ]
        return (0..<Int.random(in: 0..<40, using: &generator)).flatMap { _ -> [UInt8] in
            if Int.random(in: 0..<4, using: &generator) == 0 { return [UInt8.random(in: 0...255, using: &generator)] }
            return Array((parts.randomElement(using: &generator) ?? "").utf8)
        }
    }

    @Test("keys are the same in whatever pieces the bytes come, and no bytes are too strange")
    func pieces() {
        for seed in Self.seeds {
            var generator = SeededGenerator(seed: seed)
            let bytes = Self.bytes(&generator)
            var (whole, parts) = (KeyDecoder(), KeyDecoder())
            let expected = whole.feed(bytes) + whole.timeOut()
            var output: [TerminalInput] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...min(5, rest.count), using: &generator)
                output += parts.feed(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            #expect(output + parts.timeOut() == expected, "seed \(seed)")
            #expect(whole.patience == nil && whole.feed("x".utf8) == [.key(.scalar("x"))], "seed \(seed)")
        }
    }
}
