import Foundation
import TestSupport
import Testing

@testable import CommandLine
@testable import Debugger

@Suite("The line editor")
struct LineEditorTests {
    /// The seeds of the random keys.
    private static let seeds: [UInt64] = TestSupport.seeds(0..<150)

    /// Types keys, as a terminal sends them.
    private func type(_ text: String, into editor: inout LineEditor) -> [LineEditor.Action] {
        var decoder = KeyDecoder()
        return (decoder.feed(text.utf8) + decoder.timeOut()).map { editor.handle($0) }
    }

    private func typed(_ keys: String, history: [String] = []) -> LineEditor {
        var lines = LineHistory()
        for line in history { lines.add(line) }
        var editor = LineEditor(history: lines)
        _ = type(keys, into: &editor)
        return editor
    }

    @Test(
        "keys move, kill and yank as in shells",
        arguments: [
            ("abc\u{1B}[Dx", "abxc", 3), ("abc\u{1}x", "xabc", 1), ("abc\u{1}\u{5}x", "abcx", 4),
            ("one two\u{1B}bX", "one Xtwo", 5), ("one two\u{1}\u{1B}fX", "oneX two", 4),
            ("one two\u{17}", "one ", 4), ("one two\u{17}\u{17}\u{19}", "one two", 7),
            ("/cart/total\u{1B}\u{7F}", "/cart/", 6), ("abc\u{15}\u{19}\u{19}", "abcabc", 6),
            ("abc\u{1B}[D\u{B}", "ab", 2), ("ab\u{14}", "ba", 2), ("abc\u{1}\u{4}", "bc", 0), ("ab\u{7F}", "a", 1),
            ("abc def\u{1}\u{1B}d", " def", 0), ("abc\u{1F}", "", 0), ("ab cd\u{1F}", "ab", 2),
            ("e\u{301}x\u{1B}[D\u{7F}", "x", 0), ("字字\u{1B}[Da", "字a字", 2),
        ])
    func keys(_ keys: String, _ text: String, _ cursor: Int) {
        let editor = typed(keys)
        #expect(editor.text == text && editor.cursor == cursor, "\(editor.text), \(editor.cursor)")
    }

    @Test("a mark that is typed joins the character before it")
    func joining() {
        var editor = typed("e")
        _ = editor.handle(.key(.scalar("\u{301}")))
        #expect(editor.text == "e\u{301}" && editor.cursor == 1)
    }

    @Test("the history is walked up and down, and what was being typed comes back")
    func history() {
        #expect(typed("new\u{1B}[A", history: ["one", "two"]).text == "two")
        #expect(typed("new\u{1B}[A\u{1B}[A\u{1B}[A", history: ["one", "two"]).text == "one")
        #expect(typed("new\u{1B}[A\u{1B}[A\u{1B}[B\u{1B}[B", history: ["one", "two"]).text == "new")
    }

    @Test("a search finds the latest line, the one before it, and leaves the line alone when it is given up")
    func search() {
        let lines = ["goto 3", "print .a", "goto 7"]
        #expect(typed("\u{12}go\u{5}", history: lines).text == "goto 7")
        #expect(typed("\u{12}go\u{12}\u{5}", history: lines).text == "goto 3")
        #expect(typed("x\u{12}go\u{7}", history: lines).text == "x")
        #expect(typed("\u{12}nothing", history: lines).search?.isFailing == true)
        var editor = typed("\u{12}pri", history: lines)
        #expect(type("\r", into: &editor) == [.submit("print .a")])
    }

    @Test("the history keeps no line twice in a row, no empty one, and no more than its limit")
    func historyLimits() {
        var history = LineHistory()
        for line in ["a", "a", "", "  ", "b"] { history.add(line) }
        #expect(history.lines == ["a", "b"])
        for number in 0..<(2 * LineHistory.limit) { history.add("\(number)") }
        #expect(history.lines.count == LineHistory.limit && history.lines.last == "\(2 * LineHistory.limit - 1)")
    }

    @Test("a history that is written is read again, and nobody else may read it")
    func historyFile() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/history"
        for line in ["goto 3", "print \"字\"", "two\nlines", ""] { LineHistory.append(line, to: path) }
        #expect(LineHistory(path: path).lines == ["goto 3", "print \"字\""])
        #expect(LineHistory(path: folder.path + "/none").lines.isEmpty)
        let long = (0..<20_000).map { "print \($0) " + String(repeating: "x", count: 60) }
        let grown = folder.write(long.joined(separator: "\n") + "\n", to: "grown")
        let expected = Array(long.suffix(LineHistory.limit))
        #expect(LineHistory(path: grown).lines == expected)
        #expect(LineHistory(path: grown).lines == expected)
        #expect(try FileManager.default.attributesOfItem(atPath: grown)[.size] as? Int ?? .max < LineHistory.fileLimit)
    }

    @Test("completion fills in what all candidates share, then lists them")
    func completion() {
        var editor = LineEditor()
        _ = type("print /ca", into: &editor)
        let offer = { (_: String) in LineCompletion(start: 6, candidates: ["/cart/items", "/cart/total"]) }
        #expect(editor.handle(.key(Key(.tab)), completing: offer) == .changed)
        #expect(editor.text == "print /cart/" && editor.cursor == 12)
        #expect(editor.handle(.key(Key(.tab)), completing: offer) == .list(["/cart/items", "/cart/total"]))
        _ = type("t", into: &editor)
        let one = { (_: String) in LineCompletion(start: 6, candidates: ["/cart/total "]) }
        #expect(editor.handle(.key(Key(.tab)), completing: one) == .changed)
        #expect(editor.text == "print /cart/total ")
        #expect(editor.handle(.key(Key(.tab))) == .nothing)
    }

    @Test("pasted lines stay apart, and control characters among them do nothing")
    func paste() {
        var editor = LineEditor()
        _ = editor.handle(.paste("goto 3\r\nprint\t.a\r\u{3}\u{1B}[A"))
        #expect(editor.text == "goto 3\nprint .a\n\u{3}\u{1B}[A")
        let row = LinePrompt("(debug) ", editor, columns: 80)
        #expect(row.text == #"(debug) goto 3⏎print .a⏎\u0003\u001b[A"#)
    }

    @Test("Ctrl-C gives the line up, Ctrl-D ends only where nothing is typed")
    func ends() {
        var editor = LineEditor()
        #expect(type("\u{4}", into: &editor) == [.end])
        #expect(type("a\u{1}\u{4}", into: &editor).last == .changed)
        #expect(type("a\u{3}", into: &editor).last == .cancel)
    }

    @Test("a long line is shown around its cursor, never wider than the screen")
    func prompt() {
        let editor = typed(String(repeating: "abc字", count: 100))
        for columns in 1...60 {
            for keys in ["", "\u{1}", "\u{1B}b\u{1B}[D\u{1B}[D\u{1B}[D"] {
                var moved = editor
                _ = type(keys, into: &moved)
                let row = LinePrompt("(debug) ", moved, columns: columns)
                #expect(DisplayWidth.of(row.text) <= columns && row.cursor < max(columns, 1), "\(columns) \(row)")
            }
        }
        #expect(LinePrompt("> ", typed("abc"), columns: 20).text == "> abc")
        #expect(LinePrompt("> ", typed("abcdefghij\u{1}"), columns: 10).text == "> abcde…")
    }

    @Test("whatever is typed and pasted, the cursor stands in the line and undoing leads back to nothing")
    func properties() {
        let keys: [String] = [
            "a", "字", "\u{301}", "\u{1F468}", "\u{200D}", " ", "\u{1B}[D", "\u{1B}[C", "\u{1}", "\u{5}", "\u{17}",
            "\u{15}", "\u{B}",
            "\u{19}", "\u{14}", "\u{7F}", "\u{4}", "\u{1B}b", "\u{1B}f", "\u{1B}d", "\u{12}", "\u{7}", "\u{1F}", "\t",
            "\u{1B}[200~x\ny\u{1B}[201~",
        ]
        for seed in Self.seeds {
            var generator = SeededGenerator(seed: seed)
            var editor = typed("", history: ["one", "two 字"])
            for _ in 0..<Int.random(in: 0..<60, using: &generator) {
                _ = type(keys.randomElement(using: &generator) ?? "", into: &editor)
                #expect((0...editor.characters.count).contains(editor.cursor), "seed \(seed)")
                #expect(Array(editor.text) == editor.characters, "seed \(seed)")
                let columns = Int.random(in: 1..<90, using: &generator)
                let row = LinePrompt("(debug) ", editor, columns: columns)
                #expect(DisplayWidth.of(row.text) <= columns, "seed \(seed)")
            }
            _ = type("\u{7}", into: &editor)
            for _ in 0..<300 { _ = type("\u{1F}", into: &editor) }
            #expect(editor.text.isEmpty || editor.history.lines.contains(editor.text), "seed \(seed): \(editor.text)")
        }
    }
}

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
    func keys(_ text: String, _ key: Key) { #expect(keys(text) == [.key(key)]) }

    @Test(
        "what is no key is passed over whole",
        arguments: [
            "\u{1B}[?1;2c", "\u{1B}[97;5:3u", "\u{1B}]11;rgb:0000/0000/0000\u{7}", "\u{1B}]0;name\u{1B}\\",
            "\u{1B}P1+r\u{1B}\\", "\u{1B}_Gi=1;OK\u{1B}\\", "\u{1B}[I", "\u{1B}[57358u", "\u{1B}[<0;1M",
            "\u{1B}[" + String(repeating: "1;", count: 5000) + "A",
        ])
    func noKey(_ text: String) { #expect(keys(text + "x") == [.key(.scalar("x"))]) }

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
            "M", "\u{1B}[<0;3;4M", "\u{7}", "\\", "é", "字", "a", "\u{3}", "$",
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
