public import JSONCore
import JournalFormat

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

    /// What was seen at a path.
    private struct Seen {
        var count = 0
        var objects = 0
        var times = 0
        var places = 0
        var words = 0
        var numbers = 0
        var values: Set<String> = []
        var bytes = 0

        mutating func note(_ value: JSONValue) {
            count += 1
            switch value {
            case .object(let members):
                objects += 1
                bytes += members.count
            case .string(let text):
                if SourceTime.moment(of: value) != nil, text.utf8.count >= 19 { times += 1 }
                if LineSuggestion.isPlace(text) { places += 1 }
                words += 1
                if values.count <= LineSuggestion.distinctLimit { values.insert(text) }
            case .number(let number):
                numbers += 1
                // From 2001 to 2100, in any unit.
                if let moment = SourceTime.moment(of: value), number.doubleValue > 1e9,
                    (978_307_200_000_000...4_102_444_800_000_000).contains(moment.microseconds)
                {
                    times += 1
                }
                if values.count <= LineSuggestion.distinctLimit { values.insert(number.text) }
            default: break
            }
        }
    }

    private static let distinctLimit = 64
    private static let depth = 3

    private var paths: [String] = []
    private var seen: [String: Seen] = [:]
    /// How many lines were looked at.
    public private(set) var lines = 0

    /// Nothing was looked at.
    public init() {}

    /// Looks at a line.
    public mutating func note(_ line: JSONValue) {
        guard lines < Self.lineCount else { return }
        lines += 1
        note(line, at: [], depth: 0)
    }

    private mutating func note(_ value: JSONValue, at path: [String], depth: Int) {
        if !path.isEmpty {
            let text = Self.text(path)
            if seen[text] == nil { paths.append(text) }
            seen[text, default: Seen()].note(value)
        }
        guard depth < Self.depth, case .object(let members) = value else { return }
        for (key, member) in members { note(member, at: path + [key], depth: depth + 1) }
    }

    /// A path of members as it is written in a query.
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
        guard parts.count >= 2, parts.count <= 3, parts[0].contains("."), !text.contains(" ") else { return false }
        return parts.dropFirst().allSatisfy { Int($0) != nil }
    }

    // MARK: Guesses

    /// The guesses, in the order in which they are typed; without one of the option `state` nothing looks like a state.
    public var guesses: [Guess] {
        var guesses: [Guess] = []
        guard let state = best(Self.stateNames, { $0.objects * 10 >= $0.count * 9 && $0.bytes > 0 }) else { return [] }
        if let count = seen[state]?.count, count * 100 < lines * 98 {
            guesses.append(
                Guess(option: "where", value: "\(state) != null", reason: "\(count) of \(lines) lines have it"))
        }
        if let store = store(beside: state) { guesses.append(store) }
        guesses.append(Guess(option: "state", value: state, reason: "an object on \(seen[state]?.count ?? 0) lines"))
        if let name = best(Self.actionNames, { $0.words == $0.count && $0.places == 0 && $0.times == 0 }) {
            let count = seen[name]?.values.count ?? 0
            guesses.append(Guess(option: "name", value: name, reason: "\(count) different words"))
        }
        if let time = best(Self.timeNames, { $0.times * 10 >= $0.count * 9 }) {
            guesses.append(Guess(option: "time", value: time, reason: "reads as times"))
        }
        if let place = best(Self.placeNames, { $0.places * 10 >= $0.count * 9 }) {
            guesses.append(Guess(option: "at", value: place, reason: "reads as 'file:line'"))
        }
        return guesses
    }

    /// The members that distinguish whose state a line has: those of a few values, beside the state or above it.
    private func store(beside state: String) -> Guess? {
        let holder = state.split(separator: ".").dropLast().map { "." + $0 }.joined()
        let found = best(Self.storeNames) { seen in
            seen.values.count > 1 && seen.values.count <= Self.distinctLimit && seen.words + seen.numbers == seen.count
                && seen.times == 0 && seen.places == 0
        }
        guard let found, let seen = seen[found], Self.rank(found, Self.storeNames) != nil else { return nil }
        guard found.hasPrefix(holder) || !found.dropFirst().contains(".") else { return nil }
        let isNumber = seen.values.allSatisfy { Int($0) != nil }
        let name = found.split(separator: ".").last.map(String.init) ?? "store"
        let value = isNumber ? "\"\(name)\" + (\(found) | tostring)" : found
        return Guess(option: "store", value: value, reason: "\(seen.values.count) different values")
    }

    /// The path that fits best: by how it is called, how many lines have it, and how near to the top it is.
    private func best(_ names: [String], _ fits: (Seen) -> Bool) -> String? {
        var best: (path: String, score: Int)?
        for path in paths {
            guard let seen = seen[path], seen.count * 20 >= lines, fits(seen) else { continue }
            let depth = path.split(separator: ".").count
            let named = Self.rank(path, names).map { 10_000 - $0 * 100 } ?? 0
            if names == Self.actionNames || names == Self.storeNames, named == 0 { continue }
            let score = named + seen.count * 100 / max(1, lines) - depth
            if score > best?.score ?? .min { best = (path, score) }
        }
        return best?.path
    }

    private static func rank(_ path: String, _ names: [String]) -> Int? {
        let name = path.split(separator: ".").last.map { $0.lowercased().filter { $0 != "\"" } } ?? ""
        return names.firstIndex(of: name)
    }

    private static let stateNames = [
        "state", "snapshot", "newstate", "new_state", "nextstate", "next_state", "after", "model", "store", "data",
        "payload",
        "value", "body",
    ]
    private static let actionNames = ["action", "event", "name", "op", "type", "msg", "message", "kind"]
    private static let timeNames = ["ts", "time", "timestamp", "@timestamp", "t", "date", "at", "created_at"]
    private static let placeNames = ["caller", "at", "source", "file", "location", "src"]
    private static let storeNames = [
        "store", "node", "nid", "node_id", "nodeid", "service", "svc", "component", "module", "logger", "actor",
        "worker",
        "entity", "entity_id", "aggregate", "aggregate_id", "session", "session_id", "device", "device_id", "tenant",
        "account", "topic", "app", "id", "name", "host", "instance",
    ]
}
