import TestSupport

/// A command line, taken apart, so that an option can be left out and the reference need not read options.
struct Question {
    enum Command: String, CaseIterable {
        case state, log, replay, bisect, check, history, blame, diff, derived, why, info, show, stats, verify
        case slice, merge, redact, minimize, repair, marks
        /// `diff` of the run and its beginning.
        case runs
    }

    enum Position {
        case number(Int)
        case start
        case end
        case beforeEnd(Int)
        case mark(String)
        case time(String)

        var text: String {
            switch self {
            case .number(let number): String(number)
            case .start: "start"
            case .end: "end"
            case .beforeEnd(let count): "end-\(count)"
            case .mark(let text): "mark:\(text)"
            case .time(let text): text
            }
        }
    }

    struct Range {
        var from: Position?
        var to: Position?

        init(from: Position? = nil, to: Position? = nil) { (self.from, self.to) = (from, to) }

        var text: String { "\(from?.text ?? "")..\(to?.text ?? "")" }
    }

    var command: Command
    var range: Range?
    /// The positions that are asked about: `--at`, or the operands of `diff`, `show` and `why`.
    var positions: [Position] = []
    var store: String?
    var filterPath: PlainPattern?
    var source: String?
    var function: String?
    /// Patterns of names and of types of actions.
    var name: String?
    var action: String?
    var condition: String?
    var count: Int?
    var isReverse = false
    var recovers = false
    var isChanged = false
    var isFinal = false
    var isMonotone = false
    var isSummary = false
    var all = false
    var select: String?
    /// The path of `blame` and `history`.
    var path: PlainPattern?
    /// The query of `history`, `bisect`, `check`, `minimize` and `derived`.
    var query: String?
    var isGood = false
    var without: [Int] = []
    var only: String?
    var skip: [Int] = []
    var ignore: [Int] = []
    /// What a program looks for in the state, which is good where it is there.
    var needle: String?
    /// What `diff` leaves out.
    var ignoredPath: PlainPattern?

    /// Whether only some commits count.
    var isFiltering: Bool {
        store != nil || filterPath != nil || source != nil || function != nil || name != nil || action != nil
            || condition != nil
    }

    /// Whether the query says what is bad, so that it is refused where it names what the run never has.
    var isCondition: Bool { [.bisect, .check, .minimize].contains(command) && query != nil }

    /// Whether a position is found by what stands in the records, not by their numbers.
    var isLookedUp: Bool {
        (positions + [range?.from, range?.to].compactMap(\.self)).contains {
            switch $0 {
            case .mark, .time: true
            default: false
            }
        }
    }

    /// The arguments that say it, about the journal at a path; `output` is where a journal is written to.
    func arguments(_ journal: String, output: String) -> [String] {
        let typed: Command =
            switch command {
            case .repair: .verify
            case .runs: .diff
            default: command
            }
        var arguments = [typed.rawValue]
        func option(_ name: String, _ value: String?) { if let value { arguments += [name, value] } }
        func flag(_ name: String, _ isSet: Bool) { if isSet { arguments.append(name) } }
        switch command {
        case .bisect:
            option("--from", range?.from?.text)
            option("--to", range?.to?.text)
            if needle == nil { option(isGood ? "--good" : "--bad", query) }
        case .check: option("--invariant", query.map { "holds=" + $0 })
        case .derived:
            option("--define", query.map { "value=" + $0 })
            option("--range", range?.text)
        case .minimize: option("--bad", query)
        case .redact: option("--path", path?.text)
        case .slice, .show: break
        default: option("--range", range?.text)
        }
        if command == .state || command == .blame { option("--at", positions.first?.text) }
        option("--store", store)
        option("--path", filterPath?.text)
        option("--source", source)
        option("--function", function)
        option("--name", name)
        option("--action", action)
        option("--where", condition)
        option("-n", count.map(String.init))
        option("--select", select)
        option("--only", only)
        option("--without", without.isEmpty ? nil : without.map(String.init).joined(separator: ","))
        option("--skip", skip.isEmpty ? nil : skip.map(String.init).joined(separator: ","))
        option("--ignore", ignore.isEmpty ? nil : ignore.map(String.init).joined(separator: ","))
        option("--ignore", ignoredPath?.text)
        flag("--reverse", isReverse)
        flag("--recover", recovers)
        flag("--changed", isChanged)
        flag("--final", isFinal)
        flag("--monotone", isMonotone)
        flag("--summary", isSummary)
        flag("--all", all)
        switch command {
        case .repair: arguments += ["--repair", output]
        case .slice, .merge, .redact, .minimize: arguments += ["-o", output]
        default: break
        }
        arguments.append(journal)
        switch command {
        case .show where range != nil: arguments.append(range?.text ?? "")
        case .diff, .show, .why: arguments += positions.map(\.text)
        case .slice: arguments.append(range?.text ?? "..")
        case .runs: arguments.append(output)
        case .bisect: if let needle { arguments += ["--run", "grep", "-qF", "--", needle] }
        case .blame: if let path { arguments.append(path.text) }
        case .history: if let path { arguments.append(path.text) } else if let query { arguments.append(query) }
        default: break
        }
        return arguments
    }

    /// Whether a query asks for the commit, or for the state before it.
    static func asksAboutCommits(_ query: String) -> Bool {
        ["$old", "$seq", "$store", "$at", "$name", "$time"].contains { query.contains($0) }
    }

    /// The same question with one thing left out, in every way.
    var simpler: [Question] {
        var simpler: [Question] = []
        func attempt(_ isSet: Bool, _ change: (inout Question) -> Void) {
            guard isSet else { return }
            var question = self
            change(&question)
            simpler.append(question)
        }
        attempt(range != nil && command != .slice && command != .show) { $0.range = nil }
        attempt(range?.from != nil) { $0.range?.from = nil }
        attempt(range?.to != nil) { $0.range?.to = nil }
        attempt(!positions.isEmpty && (command == .state || command == .blame)) { $0.positions = [] }
        attempt(
            store != nil && path == nil && query == nil && select == nil && condition == nil && only == nil
                && filterPath == nil
        ) { $0.store = nil }
        attempt(filterPath != nil) { $0.filterPath = nil }
        attempt(source != nil) { $0.source = nil }
        attempt(function != nil) { $0.function = nil }
        attempt(name != nil) { $0.name = nil }
        attempt(action != nil) { $0.action = nil }
        attempt(ignoredPath != nil) { $0.ignoredPath = nil }
        attempt(condition != nil) { $0.condition = nil }
        attempt(count != nil) { $0.count = nil }
        attempt(select != nil) { $0.select = nil }
        attempt(only != nil) { $0.only = nil }
        attempt(!without.isEmpty) { $0.without = Array($0.without.dropFirst()) }
        attempt(!skip.isEmpty) { $0.skip = Array($0.skip.dropFirst()) }
        attempt(!ignore.isEmpty) { $0.ignore = Array($0.ignore.dropFirst()) }
        attempt(all && command == .derived) { $0.all = false }
        attempt(isReverse) { $0.isReverse = false }
        attempt(recovers) { $0.recovers = false }
        attempt(isChanged) { $0.isChanged = false }
        attempt(isFinal) { $0.isFinal = false }
        attempt(isMonotone) { $0.isMonotone = false }
        attempt(isGood) { $0.isGood = false }
        if let path, path.steps.count > 1 || (command == .blame && !path.steps.isEmpty) {
            attempt(true) { $0.path = PlainPattern(Array(path.steps.dropLast())) }
        }
        return simpler
    }
}

/// Writes lines as one writer or another would.
struct StyledText {
    private let style: WritingStyle
    private var random: SeededGenerator

    init(_ style: WritingStyle) {
        self.style = style
        random = SeededGenerator(seed: style.seed)
    }

    /// A line of these members, with its newline.
    mutating func line(_ members: [(key: String, value: PlainJSON)]) -> [UInt8] {
        var bytes = Array(text(.object(PlainObject(members)), isLine: true).utf8)
        if style.sums {
            bytes.removeLast()
            bytes += Array(",\"sum\":\"\(Self.sum(bytes))\"}".utf8)
        }
        return bytes + [0x0A]
    }

    private mutating func space() -> String {
        guard style.spaced else { return "" }
        return ["", " ", "  ", "\t", "\r"][Int.random(in: 0..<5, using: &random)]
    }

    private mutating func text(_ value: PlainJSON, isLine: Bool = false) -> String {
        switch value {
        case .string(let text): return string(text)
        case .array(let elements):
            var parts: [String] = []
            for element in elements { parts.append(space() + text(element) + space()) }
            return "[" + (parts.isEmpty ? space() : parts.joined(separator: ",")) + "]"
        case .object(let members):
            var order = members.map { $0 }
            if style.shuffled, Bool.random(using: &random) { order.shuffle(using: &random) }
            var parts: [String] = []
            for (key, member) in order {
                parts.append(
                    space() + string(key) + space() + ":" + space() + text(member)
                        + (isLine && style.sums ? "" : space()))
            }
            return "{" + (parts.isEmpty ? space() : parts.joined(separator: ",")) + "}"
        default: return value.text()
        }
    }

    private mutating func string(_ text: String) -> String {
        var result = "\""
        for unit in text.unicodeScalars {
            let escapes = style.escaped && Int.random(in: 0..<4, using: &random) == 0
            switch unit {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "/" where escapes: result += "\\/"
            case _ where unit.value < 0x20 || (escapes && unit.value < 0x1_0000):
                let digits = String(unit.value, radix: 16, uppercase: escapes)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(unit)
            }
        }
        return result + "\""
    }

    /// CRC-32C, bit by bit.
    static func sum(_ bytes: [UInt8]) -> String {
        var sum: UInt32 = ~0
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0x82F6_3B78 : sum >> 1 }
        }
        let digits = String(~sum, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
