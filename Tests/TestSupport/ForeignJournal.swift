public import JSONCore
import JournalFormat

/// Makes a random journal as another program may write it.
///
/// It has white space, escapes, members in any order, and patches with every operation of RFC 6902, which apply. It keeps what
/// every position must be.
///
/// Strings are tokens that no two places share unless an operation copied them.
public struct ForeignJournal {
    /// Where its choices come from.
    public var random: RandomJSON
    /// The lines made so far.
    public private(set) var lines: [String] = []
    /// The whole state by position; positions inside gaps are missing.
    public private(set) var states: [Int: JSONValue] = [:]
    /// The last commit.
    public private(set) var seq = 0
    /// Every token so far.
    public private(set) var tokens: [String] = []
    private var stores = JSONObject()
    private let time: JSONValue = "2026-01-01T00:00:00.000000Z"
    private let at: JSONValue = ["file": "A/B.swift", "line": 1, "column": 1, "function": "f()"]

    /// Begins a journal with two open stores.
    public init(seed: UInt64) {
        random = RandomJSON(seed: seed)
        write(["seq": 0, "kind": "journal", "version": 1, "id": "foreign", "time": time, "recorder": "hand"])
        for store in ["s", "t"] { open(store) }
    }

    /// The journal as it is now.
    public var bytes: [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }

    private var number: JSONValue { .number(JSONNumber(seq)) }

    private mutating func open(_ store: String) {
        let state = JSONValue.object([
            "list": .array((0..<3).map { _ in tokenValue() }), "b": tokenValue(), "c": tokenValue(),
        ])
        stores[store] = state.ascending()
        write([
            "seq": number, "kind": "store", "store": .string(store), "type": "T", "time": time, "at": at,
            "state": state,
        ])
        states[seq] = JSONValue.object(stores).ascending()
    }

    /// Adds random records.
    public mutating func run(commits: Int) {
        while seq < commits {
            switch random.below(14) {
            case 0: write(["seq": number, "kind": "mark", "time": time, "text": .string("saw \(someToken()) here")])
            case 1:
                write([
                    "seq": number, "kind": "abort", "store": "s", "time": time, "at": at, "error": .string(someToken()),
                    "extra": [.string(someToken()), .object([someToken(): 1])],
                ])
            case 2: write(["seq": number, "kind": "odd", "deep": [.object([someToken(): .string(someToken())])]])
            case 3 where seq > 0: write(["seq": number, "kind": "keyframe", "states": .object(stores)])
            case 4: gap()
            case 5: reopen("t")
            default: commit()
            }
        }
    }

    /// Ends a store, and opens another of its name.
    private mutating func reopen(_ store: String) {
        write(["seq": number, "kind": "close", "store": .string(store), "time": time])
        open(store)
    }

    private mutating func gap() {
        let first = seq + 1
        seq += 1 + random.below(2)
        for store in ["s", "t"] {
            stores[store] = JSONValue.object(["list": [tokenValue(), tokenValue()], "b": tokenValue()])
        }
        write([
            "seq": number, "kind": "gap", "time": time, "first": .number(JSONNumber(first)),
            "lost": .number(JSONNumber(seq - first + 1)), "reason": .string(someToken()), "states": .object(stores),
        ])
        states[seq] = JSONValue.object(stores).ascending()
    }

    private mutating func commit() {
        let store = random.chance(50) ? "s" : "t"
        var operations: [JSONPatch.Operation] = []
        var state = stores[store] ?? .null
        for _ in 0..<random.below(4) {
            let operation = operation(on: state)
            var next = state
            guard (try? JSONPatch([operation]).apply(to: &next, order: .ascending)) != nil,
                next.text().utf8.count < 4_000
            else { continue }
            state = next
            operations.append(operation)
        }
        stores[store] = state
        seq += 1
        var record: JSONObject = [
            "seq": number, "kind": "commit", "store": .string(store), "version": number, "time": time, "at": at,
        ]
        if random.chance(20) {
            record["action"] = [
                "type": .string(someToken()), "payload": [.string(someToken())], "meta": .string(someToken()),
            ]
        }
        if random.chance(10) { record["thread"] = .string(someToken()) }
        record["patch"] = JSONPatch(operations).json
        write(record)
        states[seq] = JSONValue.object(stores).ascending()
    }

    /// An operation of any kind, which mostly applies to the state.
    public mutating func operation(on state: JSONValue) -> JSONPatch.Operation {
        let path = JSONPointer(random.path(in: state))
        let part = path.value(in: state) ?? .null
        switch random.below(9) {
        case 0: return .test(path, part)
        case 1: return .copy(from: path, to: place(in: state))
        case 2, 3: return .move(from: path, to: place(in: state))
        case 4: return .remove(path, old: random.chance(50) ? part : nil)
        case 5, 6: return .add(place(in: state), tokenValue())
        default: return .replace(path, tokenValue(), old: random.chance(50) ? part : nil)
        }
    }

    /// Where something can be added.
    private mutating func place(in state: JSONValue) -> JSONPointer {
        let path = JSONPointer(random.path(in: state))
        switch path.value(in: state) {
        case .array(let elements)?:
            return path.appending(random.chance(25) ? "-" : String(random.below(elements.count + 1)))
        case .object?: return path.appending(key())
        default: return path
        }
    }

    private mutating func key() -> String {
        switch random.below(8) {
        case 0: token()
        case 1: someToken()
        default: ["a", "b", "c", "list", "1", "x", "-", "~", ""][random.below(9)]
        }
    }

    private mutating func tokenValue(depth: Int = 2) -> JSONValue {
        switch depth == 0 ? 0 : random.below(6) {
        case 1: return .array((0..<random.below(4)).map { _ in tokenValue(depth: depth - 1) })
        case 2:
            var object = JSONObject()
            for _ in 0..<random.below(4) { object[key()] = tokenValue(depth: depth - 1) }
            return JSONValue.object(object).ascending()
        case 3: return .number(JSONNumber(random.below(3)))
        default: return .string(token())
        }
    }

    /// A text that was nowhere before.
    private mutating func token() -> String {
        let ends = ["é", "\"q", "a/b", "\\n", "~1", "\u{1}", "\t!", "😀", "plain"]
        let number = 1_000 + tokens.count
        tokens.append("k\(number)-\(ends[random.below(ends.count)])")
        return tokens[tokens.count - 1]
    }

    private mutating func someToken() -> String { tokens.isEmpty ? "none" : tokens[random.below(tokens.count)] }

    // MARK: Writing

    private mutating func write(_ record: JSONObject) {
        var text = ""
        append(.object(record), isRecord: true, to: &text)
        lines.append(text)
    }

    private mutating func space() -> String { random.chance(8) ? [" ", "\t", "  "][random.below(3)] : "" }

    private mutating func append(_ value: JSONValue, isRecord: Bool = false, to text: inout String) {
        switch value {
        case .null, .bool, .number: text += value.text()
        case .string(let string): append(string, to: &text)
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                text += (index > 0 ? "," : "") + space()
                append(element, to: &text)
            }
            text += "]"
        case .object(let members):
            var members = Array(members)
            // Only its first two members let a line be found by halves.
            if !isRecord { members.shuffle(using: &random.generator) }
            text += "{"
            for (index, member) in members.enumerated() {
                text += (index > 0 ? "," : "") + (isRecord && index < 2 ? "" : space())
                append(member.key, isPlain: isRecord, to: &text)
                text += ":" + (isRecord && index < 2 ? "" : space())
                append(member.value, isRecord: false, to: &text)
            }
            text += "}"
        }
    }

    private mutating func append(_ string: String, isPlain: Bool = false, to text: inout String) {
        let isEscaped = !isPlain && random.chance(15)
        guard isEscaped else { return text += JSONValue.string(string).text() }
        text += "\""
        for unit in string.utf16 {
            if random.chance(50) || unit < 0x20 || unit > 0x7E || unit == 0x22 || unit == 0x5C {
                let digits = String(unit, radix: 16, uppercase: random.chance(50))
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                text += unit == 0x2F && random.chance(50) ? "\\/" : String(Character(Unicode.Scalar(unit) ?? " "))
            }
        }
        text += "\""
    }
}

/// Writes the lines of a journal as other writers might: with white space, members in another order, escapes where none are
/// needed, and members that stand twice, of which the last one counts.
public struct ForeignForm {
    private var random: RandomJSON
    private var bytes: [UInt8] = []

    /// Starts the forms of a seed.
    public init(seed: UInt64) { random = RandomJSON(seed: seed) }

    /// Another form of a whole journal; sums, which would be wrong, are left out.
    public mutating func journal(_ journal: [UInt8]) -> [UInt8] {
        journal.split(separator: 0x0A).flatMap { line(Array($0)) + [0x0A] }
    }

    /// Another form of a record's line.
    public mutating func line(_ line: [UInt8]) -> [UInt8] {
        guard case .object(var record)? = try? JSONParser.parse(line) else { return line }
        record.removeValue(forKey: "sum")
        return text(.object(record))
    }

    /// Another form of a value's text.
    public mutating func text(_ value: JSONValue) -> [UInt8] {
        bytes = []
        write(value)
        return bytes
    }

    private mutating func write(_ value: JSONValue) {
        space()
        switch value {
        case .object(let members): write(members)
        case .array(let elements):
            bytes.append(0x5B)
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(0x2C) }
                write(element)
            }
            bytes.append(0x5D)
        case .string(let text): write(text)
        default: bytes += value.text().utf8
        }
        space()
    }

    private mutating func write(_ object: JSONObject) {
        var members = object.map { ($0.key, $0.value) }
        if random.chance(40) { members.shuffle(using: &random.generator) }
        for (name, _) in members where random.chance(5) && name != "seq" && name != "kind" {
            guard let place = members.firstIndex(where: { UTF8Order.equal($0.0, name) }) else { continue }
            members.insert((name, decoy()), at: random.below(place + 1))
        }
        bytes.append(0x7B)
        for (index, member) in members.enumerated() {
            if index > 0 { bytes.append(0x2C) }
            space()
            write(member.0)
            space()
            bytes.append(0x3A)
            write(member.1)
        }
        space()
        bytes.append(0x7D)
    }

    private mutating func decoy() -> JSONValue {
        [.string("replace"), .string("/a"), .string("cart"), .array([]), .object(JSONObject()), 7, .null][
            random.below(7)]
    }

    private mutating func space() {
        guard random.chance(25) else { return }
        bytes += [" ", "\t", "  ", "\r"][random.below(4)].utf8
    }

    private mutating func write(_ text: String) {
        bytes.append(0x22)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "/" where random.chance(50): bytes += "\\/".utf8
            case "\"", "\\", "\u{0}"..<"\u{20}": escape(scalar)
            case _ where random.chance(10): escape(scalar)
            default: bytes += String(scalar).utf8
            }
        }
        bytes.append(0x22)
    }

    private mutating func escape(_ scalar: Unicode.Scalar) {
        for unit in String(scalar).utf16 {
            let digits = String(unit, radix: 16, uppercase: random.chance(50))
            bytes += "\\u".utf8 + Array(repeating: 0x30, count: 4 - digits.count) + digits.utf8
        }
    }
}
