import JSONCore

struct LineCompletion: Equatable, Sendable {
    /// In characters; the candidates replace what follows, up to the cursor.
    var start: Int
    var candidates: [String]

    static let none = LineCompletion(start: 0, candidates: [])
}

/// The keys are those of Emacs, as in shells and debuggers; text is held as characters that people see, so that the
/// cursor never stands within one.
struct LineEditor {
    enum Action: Equatable {
        case changed
        case submit(String)
        case cancel
        case end
        case list([String])
        /// Ctrl-L: the screen may not show what it should.
        case redraw
        case suspend
        case nothing
    }

    static let lengthLimit = 1 << 16
    private static let undoLimit = 200

    private(set) var characters: [Character] = []
    /// Before which character the next one goes.
    private(set) var cursor = 0
    private(set) var history: LineHistory
    private(set) var search: LineSearch?

    /// Which line of the history is shown; that of its end is the one being typed.
    private var place: Int
    private var draft: [Character] = []
    private var killed: [Character] = []
    private var undoable: [(characters: [Character], cursor: Int)] = []
    private var last = LastAction.other

    private enum LastAction: Equatable {
        case typed, killed, completed, other
    }

    init(history: LineHistory = LineHistory()) {
        self.history = history
        place = history.lines.count
    }

    var text: String { String(characters) }

    mutating func handle(_ input: TerminalInput, completing: (String) -> LineCompletion = { _ in .none }) -> Action {
        let before = last
        last = .other
        switch input {
        case .mouse: return .nothing
        case .paste(let text):
            search = nil
            return insert(Self.cleaned(text))
        case .key(let key):
            if search != nil, let action = handleSearch(key) { return action }
            if let scalar = Self.typed(key) { return type(scalar, before) }
            if key == Key(.tab) { return complete(completing, again: before == .completed) }
            return control(key) ?? move(key) ?? kill(key, before) ?? edit(key) ?? .nothing
        }
    }

    mutating func clear() {
        let killed = killed
        self = LineEditor(history: history)
        self.killed = killed
    }

    mutating func keep(_ line: String) {
        history.add(line)
        place = history.lines.count
    }

    mutating func replace(with text: String) {
        remember()
        set(Array(text))
    }

    // MARK: Typing

    private static func typed(_ key: Key) -> Unicode.Scalar? {
        guard case .scalar(let scalar) = key.code, key.modifiers.isSubset(of: .shift) else { return nil }
        return scalar
    }

    /// Line ends of every kind become line feeds, tabs become spaces; the rest stays as it is and is shown escaped.
    private static func cleaned(_ text: String) -> String {
        var result = ""
        var last: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n" where last == "\r": break
            case "\r", "\n": result.unicodeScalars.append("\n")
            case "\t": result.unicodeScalars.append(" ")
            default: result.unicodeScalars.append(scalar)
            }
            last = scalar
        }
        return result
    }

    private mutating func type(_ scalar: Unicode.Scalar, _ before: LastAction) -> Action {
        // What is typed in one go is undone in one go, word by word.
        let isRepeated = before == .typed && scalar != " "
        let action = insert(String(scalar), remembering: !isRepeated)
        last = .typed
        return action
    }

    private mutating func insert(_ text: String, remembering: Bool = true) -> Action {
        guard !text.isEmpty, characters.count + text.unicodeScalars.count <= Self.lengthLimit else { return .nothing }
        if remembering { remember() }
        // A mark joins the character before it, so what people see as characters is found anew.
        let front = Array(String(characters[..<cursor]) + text)
        characters = Array(String(front) + String(characters[cursor...]))
        cursor = min(front.count, characters.count)
        return .changed
    }

    private mutating func set(_ text: [Character]) {
        characters = text
        cursor = text.count
    }

    // MARK: Keys that do not insert text

    private mutating func control(_ key: Key) -> Action? {
        switch key {
        case Key(.enter): return .submit(text)
        case .control("c"): return .cancel
        case .control("d") where characters.isEmpty: return .end
        case .control("l"): return .redraw
        case .control("z"): return .suspend
        case .control("r"):
            search = LineSearch(from: history.lines.count)
            return .changed
        default: return nil
        }
    }

    private mutating func move(_ key: Key) -> Action? {
        switch key {
        case Key(.left), .control("b"): cursor = max(0, cursor - 1)
        case Key(.right), .control("f"): cursor = min(characters.count, cursor + 1)
        case Key(.left, .control), Key(.left, .alt), .alt("b"): cursor = wordStart
        case Key(.right, .control), Key(.right, .alt), .alt("f"): cursor = wordEnd
        case Key(.home), .control("a"): cursor = 0
        case Key(.end), .control("e"): cursor = characters.count
        case Key(.up), .control("p"): return show(place - 1)
        case Key(.down), .control("n"): return show(place + 1)
        case .alt("<"), Key(.pageUp): return show(0)
        case .alt(">"), Key(.pageDown): return show(history.lines.count)
        default: return nil
        }
        return .changed
    }

    private mutating func show(_ line: Int) -> Action {
        guard line != place, (0...history.lines.count).contains(line) else { return .nothing }
        if place == history.lines.count { draft = characters }
        place = line
        set(line == history.lines.count ? draft : Array(history.lines[line]))
        undoable = []
        return .changed
    }

    private mutating func kill(_ key: Key, _ before: LastAction) -> Action? {
        let range: Range<Int>
        switch key {
        case .control("k"): range = cursor..<characters.count
        case .control("u"): range = 0..<cursor
        case .control("w"): range = blankStart..<cursor
        case Key(.backspace, .alt), Key(.backspace, .control): range = wordStart..<cursor
        case .alt("d"), Key(.delete, .control): range = cursor..<wordEnd
        default: return nil
        }
        guard !range.isEmpty else { return .nothing }
        let text = characters[range]
        // Kills in a row are yanked as one.
        if before != .killed { killed = [] }
        killed = range.upperBound == cursor ? text + killed : killed + text
        remove(range)
        last = .killed
        return .changed
    }

    private mutating func edit(_ key: Key) -> Action? {
        switch key {
        case Key(.backspace), Key(.backspace, .shift):
            guard cursor > 0 else { return .nothing }
            remove(cursor - 1..<cursor)
        case Key(.delete), .control("d"):
            guard cursor < characters.count else { return .nothing }
            remove(cursor..<cursor + 1)
        case .control("y"): return insert(String(killed))
        case .control("t"):
            guard cursor > 0, characters.count > 1 else { return .nothing }
            remember()
            let place = min(cursor, characters.count - 1)
            characters.swapAt(place - 1, place)
            set(String(characters), cursor: place + 1)
        case .control("_"), .control("/"):
            guard let state = undoable.popLast() else { return .nothing }
            (characters, cursor) = state
        default: return nil
        }
        return .changed
    }

    private mutating func remove(_ range: Range<Int>) {
        remember()
        let front = String(characters[..<range.lowerBound])
        set(front + String(characters[range.upperBound...]), cursor: front.count)
    }

    /// Finds the characters anew: parts that are put together may join.
    private mutating func set(_ text: String, cursor place: Int) {
        characters = Array(text)
        cursor = min(place, characters.count)
    }

    private mutating func remember() {
        undoable.append((characters, cursor))
        if undoable.count > Self.undoLimit { undoable.removeFirst() }
    }

    // MARK: Words

    private static func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }

    private var wordStart: Int {
        var place = cursor
        while place > 0, !Self.isWord(characters[place - 1]) { place -= 1 }
        while place > 0, Self.isWord(characters[place - 1]) { place -= 1 }
        return place
    }

    private var wordEnd: Int {
        var place = cursor
        while place < characters.count, !Self.isWord(characters[place]) { place += 1 }
        while place < characters.count, Self.isWord(characters[place]) { place += 1 }
        return place
    }

    private var blankStart: Int {
        var place = cursor
        while place > 0, characters[place - 1].isWhitespace { place -= 1 }
        while place > 0, !characters[place - 1].isWhitespace { place -= 1 }
        return place
    }

    // MARK: Completion

    private mutating func complete(_ completing: (String) -> LineCompletion, again: Bool) -> Action {
        let completion = completing(String(characters[..<cursor]))
        let start = min(max(0, completion.start), cursor)
        guard let first = completion.candidates.first else { return .nothing }
        let common = completion.candidates.dropFirst().reduce(Array(first)) { common, candidate in
            Array(zip(common, candidate).prefix { UTF8Order.equal(String($0), String($1)) }.map(\.0))
        }
        last = .completed
        let word = String(characters[start..<cursor])
        if UTF8Order.equal(String(common), word) || common.count < cursor - start {
            return completion.candidates.count > 1 && again ? .list(completion.candidates) : .nothing
        }
        remember()
        let front = String(characters[..<start]) + String(common)
        set(front + String(characters[cursor...]), cursor: front.count)
        return .changed
    }

    // MARK: Search

    /// Nil where the search ends and the key does what it does elsewhere.
    private mutating func handleSearch(_ key: Key) -> Action? {
        guard var going = search else { return nil }
        switch key {
        case .control("r"): going.find(in: history.lines, before: going.place)
        case .control("s"): going.find(in: history.lines, after: going.place)
        case .control("g"), .control("c"), Key(.escape):
            search = nil
            return .changed
        case Key(.backspace):
            if !going.text.isEmpty { going.text.removeLast() }
            going.find(in: history.lines, before: history.lines.count)
        default:
            guard let scalar = Self.typed(key) else {
                search = nil
                if let found = going.found { replace(with: found) }
                return nil
            }
            going.text.unicodeScalars.append(scalar)
            going.find(in: history.lines, before: going.place + 1)
        }
        search = going
        return .changed
    }
}
