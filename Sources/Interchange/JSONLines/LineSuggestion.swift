public import JSONCore
import JournalFormat
import QueryLanguage

/// A first guess at what the lines of a log mean: which members look like a time, a name, a place, a store and a state.
///
/// Only the first lines and their common members are read, so the guess is for a person who knows the log to correct.
public struct LineSuggestion: Sendable {
    /// How many lines are looked at.
    public static let lineCount = 2000

    /// A guess: an option, its value, and why.
    public struct Guess: Sendable, Equatable {
        /// The option without its dashes.
        public let option: String
        /// Its value.
        public let value: String
        /// What speaks for it.
        public let reason: String
    }

    private struct Seen {
        var count = 0
        var objects = 0
        var arrays = 0
        var times = 0
        var places = 0
        var words = 0
        var numbers = 0
        var values: Set<ByteName> = []
        var bytes = 0
        /// How many were an object of JSON in a text.
        var texts = 0
        var isWord: Bool { words == count && places == 0 && times == 0 }

        mutating func note(_ value: JSONValue) {
            count += 1
            switch value {
            case .object(let members):
                if members["line"]?.number != nil, SourcePlaceText.location(of: value) != nil { places += 1 }
                objects += 1
                bytes += members.count
            case .array(let elements):
                arrays += 1
                bytes += elements.count
            case .string(let text):
                let isDate = text.utf8.count >= 19 || text.utf8.count == 10 && text.utf8.contains(UInt8(ascii: "-"))
                let isNumber = text.utf8.count >= 13 && Double(text) != nil
                if isDate || isNumber, let moment = SourceTime.moment(of: value), isDate || SourceTime.isToday(moment) {
                    times += 1
                }
                if LineSuggestion.isPlace(text) { places += 1 }
                if text.utf8.first == UInt8(ascii: "{"), (try? JSONParser.parse(text))?.object != nil { texts += 1 }
                words += 1
                if values.count <= LineSuggestion.distinctLimit { values.insert(ByteName(text)) }
            case .number(let number):
                numbers += 1
                if let moment = SourceTime.moment(of: value), number.doubleValue > 1e9, SourceTime.isToday(moment) {
                    times += 1
                }
                if values.count <= LineSuggestion.distinctLimit { values.insert(ByteName(number.text)) }
            default: break
            }
        }
    }

    private static let distinctLimit = 64
    private static let depth = 3

    private var seen = NameTable<Seen>()
    /// How many lines were looked at.
    public private(set) var lines = 0
    private var objects = 0
    /// How often a member was what another one was on the line before, so that it is the state before and the other one after.
    private var follows: [ByteName: [ByteName: Int]] = [:]
    private var latest: [(path: String, value: JSONValue)] = []
    private static let comparedCount = 8

    /// Nothing was looked at.
    public init() {}

    /// The guesses about some lines; where a member of most of them is JSON in a text, they are about what stands in it.
    public static func guesses(about lines: [JSONValue]) -> [Guess] {
        let lines = Array(lines.prefix(lineCount))
        // Of one object that has an array of records it is those that say something.
        if lines.count == 1, let (path, records) = records(in: lines[0], depth: 0) {
            var guesses = guesses(about: records)
            let inner = guesses.first { $0.option == "each" }
            guesses.removeAll { $0.option == "each" }
            let each = Guess(
                option: "each", value: path + "[]" + (inner.map { " | " + $0.value } ?? ""),
                reason: "\(path) has \(records.count) records" + (inner.map { ": " + $0.reason } ?? ""))
            return [each] + guesses
        }
        var outer = LineSuggestion()
        for line in lines { outer.note(line) }
        guard let path = outer.textOfJSON else { return outer.guesses }
        let time = outer.best(timeNames) { $0.times * 10 >= $0.count * 9 }
        // The time of the entry is that of the line in it, where that has none of its own.
        let each =
            time.map { ". as $entry | \(path) | fromjson? | objects | \($0) //= $entry\($0)" }
            ?? "\(path) | fromjson? | objects"
        guard let query = try? Query(each) else { return outer.guesses }
        var inner = LineSuggestion()
        for line in lines { for record in (try? query.all(of: line)) ?? [] { inner.note(record) } }
        return [Guess(option: "each", value: each, reason: "\(path) is JSON in a text")] + inner.guesses
    }

    /// The longest array of several objects in an object, and its path.
    private static func records(in value: JSONValue, depth: Int) -> (path: String, records: [JSONValue])? {
        guard depth < Self.depth, case .object(let members) = value else { return nil }
        var found: (path: String, records: [JSONValue])?
        for (name, member) in members {
            var inner = records(in: member, depth: depth + 1)
            if let elements = member.array, elements.count > 1, elements.allSatisfy({ $0.object != nil }) {
                inner = ("", elements)
            }
            if let inner, inner.records.count > found?.records.count ?? 0 {
                found = (text([name]) + inner.path, inner.records)
            }
        }
        return found
    }

    /// Looks at a line.
    public mutating func note(_ line: JSONValue) {
        guard lines < Self.lineCount else { return }
        lines += 1
        if line.object != nil { objects += 1 }
        note(line, at: [], depth: 0)
        compare(line)
    }

    private mutating func compare(_ line: JSONValue) {
        guard case .object(let members) = line else { return }
        var values: [(path: String, value: JSONValue)] = []
        for (key, value) in members where !value.isScalar && values.count < Self.comparedCount {
            values.append((Self.text([key]), value))
        }
        for now in values {
            for before in latest where now.value == before.value && !UTF8Order.equal(now.path, before.path) {
                follows[ByteName(now.path), default: [:]][ByteName(before.path), default: 0] += 1
            }
        }
        latest = values
    }

    /// The member that is JSON in a text on many lines, where none is an object with the name of a state.
    private var textOfJSON: String? {
        guard best(Self.stateNames, isNamed: true, { $0.bytes > 0 && $0.objects * 10 >= $0.count * 9 }) == nil else {
            return nil
        }
        let found = seen.map { path, seen in (path, seen) }.filter { $0.1.texts * 4 > lines }
        return found.count == 1 ? found[0].0 : nil
    }

    /// The member that has the state before another one, by what their values say, else by its name.
    private func before(_ state: String) -> String? {
        func count(_ path: String, is other: String) -> Int { follows[ByteName(path)]?[ByteName(other)] ?? 0 }
        let candidates = seen.map { path, _ in path }.filter { path in
            count(path, is: state) * 2 > lines - 1 && count(path, is: state) > count(state, is: path)
                || Self.rank(path, Self.beforeNames) != nil && (seen[path]?.bytes ?? 0) > 0
                    && path.split(separator: ".").count == state.split(separator: ".").count
        }
        return candidates.filter { !UTF8Order.equal($0, state) }.max { count($0, is: state) < count($1, is: state) }
    }

    private func isBefore(_ path: String) -> Bool {
        if Self.rank(path, Self.beforeNames) != nil {
            return seen.map { other, _ in other }.contains { Self.rank($0, Self.stateNames) != nil }
        }
        return follows[ByteName(path)]?.contains { other, count in
            count * 2 > lines - 1 && count > follows[other]?[ByteName(path)] ?? 0
        } ?? false
    }

    private mutating func note(_ value: JSONValue, at path: [String], depth: Int) {
        if !path.isEmpty { seen.update(Self.text(path), default: Seen()) { $0.note(value) } }
        guard depth < Self.depth, case .object(let members) = value else { return }
        for (key, member) in members { note(member, at: path + [key], depth: depth + 1) }
    }

    static func text(_ path: [String]) -> String {
        path.map { name in
            let isPlain =
                !name.isEmpty
                && name.utf8.allSatisfy {
                    ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || (0x30...0x39).contains($0) || $0 == 0x5F
                }
            return isPlain && !(0x30...0x39).contains(name.utf8.first ?? 0x30)
                ? "." + name : "." + JSONValue.string(name).text()
        }.joined()
    }

    static func isPlace(_ text: String) -> Bool {
        let parts = text.split(separator: ":")
        guard parts.count >= 2, parts.count <= 3, !text.contains(" "),
            // A host with a port has digits there.
            let ending = parts[0].split(separator: ".").dropFirst().last, ending.contains(where: \.isLetter)
        else { return false }
        return parts.dropFirst().allSatisfy { Int($0) != nil }
    }

    // MARK: Guesses

    /// The guesses, in the order in which they are typed; where nothing looks like a state, each line is one whole.
    public var guesses: [Guess] {
        guard lines > 0 else { return [] }
        var guesses: [Guess] = []
        var state =
            best(Self.stateNames, unless: isBefore) { seen in
                seen.bytes > 0 && seen.places == 0 && seen.objects * 10 >= seen.count * 9
            }
            ?? best(Self.stateNames, isNamed: true, unless: isBefore) {
                $0.bytes > 0 && $0.arrays * 10 >= $0.count * 9
            }
        let before = state.flatMap(before)
        let time = best(Self.timeNames) { $0.times * 10 >= $0.count * 9 }
        let place = best(Self.placeNames, isNamed: true) { $0.places * 10 >= $0.count * 9 }
        let name =
            best(Self.actionNames, isNamed: true) { $0.isWord && $0.values.count > 1 }
            ?? best(Self.actionNames, isNamed: true) { $0.isWord && lines == 1 }
        var leftOut = self.leftOut(by: [state, before, store(beside: state)?.path, time, place, name])
        // One member of several is the state only where its name says so.
        if let found = state, Self.rank(found, Self.stateNames) == nil, before == nil, !leftOut.isEmpty {
            (state, leftOut) = (nil, [])
        }
        let action = name.flatMap { self.action(of: $0, with: state == nil ? [] : leftOut) }
        if let action, action.hasRest { leftOut = [] }
        if let state, let count = seen[state]?.count, count * 100 < lines * 98 {
            guesses.append(
                Guess(option: "where", value: "\(state) != null", reason: "\(count) of \(lines) lines have it"))
        }
        let store = store(beside: state)
        if let store { guesses.append(store.guess) }
        if let state {
            let others = leftOut.isEmpty ? "" : ", which has nothing of " + leftOut.joined(separator: ", ")
            guesses.append(
                Guess(option: "state", value: state, reason: "the state on \(seen[state]?.count ?? 0) lines\(others)"))
            if let before {
                guesses.append(Guess(option: "before", value: before, reason: "what the state was before the line"))
            }
        } else {
            guesses.append(stateOfLine(without: [store?.path, time, place].compactMap(\.self)))
        }
        if let name {
            guesses.append(
                Guess(
                    option: "name", value: name, reason: "\(counted(seen[name]?.values.count ?? 0, "different word"))"))
            if let action {
                guesses.append(Guess(option: "action", value: action.query, reason: "the name with what it carries"))
            }
        }
        if let time { guesses.append(Guess(option: "time", value: time, reason: "reads as times")) }
        if let place { guesses.append(Guess(option: "at", value: place, reason: "reads as places in a source")) }
        return guesses
    }

    private func leftOut(by taken: [String?]) -> [String] {
        seen.map { path, _ in path }.sorted(by: UTF8Order.isLess).filter { path in
            !path.dropFirst().contains(".")
                && !taken.contains {
                    $0.map { UTF8Order.equal($0, path) || UTF8Order.begins($0, with: path + ".") } ?? false
                }
        }
    }

    /// The query of an action that has more than its name: the object with its type, or the type with the payload beside it.
    ///
    /// - Parameter rest: the members that no other option takes; `hasRest` says that they are in it.
    private func action(of name: String, with rest: [String]) -> (query: String, hasRest: Bool)? {
        let holder = name.split(separator: ".").dropLast().map { "." + $0 }.joined()
        if holder.isEmpty {
            let members = rest.map { $0.dropFirst() }
            guard !rest.isEmpty, rest.count <= Self.payloadCount else { return nil }
            return ("{type: \(name), \(members.joined(separator: ", "))}", true)
        }
        guard UTF8Order.ends(name, with: ".type"), let seen = seen[holder], seen.bytes > seen.count else { return nil }
        return (holder, false)
    }

    private static let payloadCount = 8

    private func stateOfLine(without taken: [String]) -> Guess {
        func isEverywhere(_ path: String) -> Bool { seen[path]?.count == lines }
        let name = Self.valueNames.first { isEverywhere($0) && seen[$0]?.words == lines }
        if let name, isEverywhere(".value") {
            return Guess(option: "merge", value: "{(\(name)): .value}", reason: "each line says one value")
        }
        let top = taken.filter { !$0.dropFirst().contains(".") }
        guard objects == lines, !top.isEmpty else {
            return Guess(option: "state", value: ".", reason: "no member looks like a state, so each line is one")
        }
        return Guess(
            option: "state", value: "del(\(top.joined(separator: ", ")))",
            reason: "no member looks like a state, so each line is one, without what other options take")
    }

    /// The members that distinguish whose state a line has: of a few values, beside or above the state, and lacking on
    /// no line with one.
    private func store(beside state: String?) -> (guess: Guess, path: String)? {
        let holder = state?.split(separator: ".").dropLast().map { "." + $0 }.joined() ?? ""
        let count = state.flatMap { seen[$0]?.count } ?? lines
        let found = best(Self.storeNames, isNamed: true) { seen in
            seen.values.count > 1 && seen.values.count <= Self.distinctLimit && seen.words + seen.numbers == seen.count
                && seen.times == 0 && seen.places == 0 && seen.count >= count
        }
        guard let found, let seen = seen[found] else { return nil }
        // A number for each line is an id of the line.
        guard UTF8Order.begins(found, with: holder) || !found.dropFirst().contains("."),
            seen.values.count * 2 <= max(4, seen.count)
        else { return nil }
        let isNumber = seen.values.allSatisfy { Int($0.text) != nil }
        let name = found.split(separator: ".").last.map(String.init) ?? "store"
        let value = isNumber ? "\"\(name)\" + (\(found) | tostring)" : found
        return (Guess(option: "store", value: value, reason: "\(seen.values.count) different values"), found)
    }

    /// The path that fits best: one of these names, else, unless it has to be one of them, the one that the most lines have.
    private func best(
        _ names: [String], isNamed: Bool = false, unless isOut: (String) -> Bool = { _ in false },
        _ fits: (Seen) -> Bool
    ) -> String? {
        var best: (path: String, score: Int)?
        for (path, seen) in seen where seen.count * 20 >= lines && fits(seen) && !isOut(path) {
            let depth = path.split(separator: ".").count
            let named = Self.rank(path, names).map { 10_000 - $0 * 100 } ?? 0
            if isNamed, named == 0 { continue }
            // A member deep in a line rather belongs to what the line is about.
            let score = named + seen.count * 100 / max(1, lines) - depth * (named > 0 ? 1000 : 1)
            if score > best?.score ?? .min { best = (path, score) }
        }
        return best?.path
    }

    private static func rank(_ path: String, _ names: [String]) -> Int? {
        let name = path.split(separator: ".").last.map { $0.lowercased().filter { $0.isLetter || $0 == "@" } } ?? ""
        return names.firstIndex { UTF8Order.equal($0.filter { $0 != "_" }, name) }
    }

    private static let stateNames = [
        "state", "snapshot", "new_state", "next_state", "state_after", "after_state", "next", "new", "after",
        "current_state", "current", "curr", "updated",
        "model", "store", "data", "payload", "value", "body",
    ]
    /// What has the state before an event, where another member has the one after it.
    private static let beforeNames = [
        "prev", "previous", "before", "old", "prior", "prev_state", "previous_state", "old_state", "state_before",
        "before_state", "prior_state", "old_value", "prev_value", "last_state", "from_state",
    ]
    /// The columns of a table that has a value a row.
    private static let valueNames = [".key", ".field", ".property", ".metric", ".variable"]
    private static let actionNames = ["action", "event", "name", "op", "type", "msg", "message", "kind"]
    private static let timeNames = [
        "ts", "time", "timestamp", "@timestamp", "t", "date", "at", "created_at", "realtime_timestamp",
    ]
    private static let placeNames = ["caller", "at", "source", "file", "location", "src"]
    private static let storeNames = [
        "store", "node", "nid", "node_id", "nodeid", "service", "svc", "component", "module", "logger", "actor",
        "worker", "entity", "entity_id", "aggregate", "aggregate_id", "session", "session_id", "device", "device_id",
        "tenant", "account", "topic", "app", "id", "name", "host", "instance",
    ]
}
