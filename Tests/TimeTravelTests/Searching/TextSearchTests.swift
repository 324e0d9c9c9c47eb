import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import Testing

@testable import TimeTravel

/// `TextSearch` follows nodes through a tree; this keeps the places of a text as a flat table of paths, which every operation
/// rewrites by what RFC 6902 says of it.
@Suite("Where a text came in and went, held against a table of paths")
struct TextSearchTests {
    /// Texts, numbers, names and forms with escapes that random journals have, and one that they have not.
    static let needles = ["a", "5", "1.50", "é", "quo\"te", "a/b", "m~n", "\\", "line\nfeed", "tap 1", "add", "zebra"]

    @Test("every place is there that the table has, with the commit that took it away", arguments: seeds(0..<80))
    func everyPlace(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, gaps: seed % 2 == 0, foreign: seed % 3 != 0)
        for needle in Self.needles {
            let pattern = TextPattern(needle)
            let found = try Self.lines(pattern, run.range, run.journal)
            let expected = try PathTable.lines(run, needle: needle)
            #expect(found.difference(from: expected).map(String.init(describing:)) == [], "seed \(seed), '\(needle)'")
        }
    }

    @Test("a range has the places that came in within it", arguments: seeds(0..<40))
    func ranges(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, gaps: false, foreign: seed % 2 == 0)
        let (low, high) = (CommitNumber(Int(seed) % 30 + 1), CommitNumber(Int(seed) % 30 + 25))
        let range = try #require(PositionRange(low, high))
        for needle in ["a", "é", "5", "a/b"] {
            let found = try Self.lines(TextPattern(needle), range, run.journal)
            let expected = try PathTable.lines(run, needle: needle, low.rawValue, high.rawValue)
            #expect(
                found.difference(from: expected).map(String.init(describing:)) == [],
                "seed \(seed), '\(needle)', \(low)..\(high)")
        }
    }

    @Test("a regular expression that is a text finds what the text does", arguments: seeds(0..<20))
    func expressions(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, foreign: true)
        for (needle, expression) in [("a", "a"), ("é", "[é]"), ("a/b", "a/b"), ("5", "5")] {
            #expect(
                try Self.lines(TextPattern(expression: expression), run.range, run.journal)
                    == Self.lines(TextPattern(needle), run.range, run.journal), "seed \(seed), '\(needle)'")
        }
    }

    @Test("after damage it goes on with what the next keyframe has, and says what was lost", arguments: seeds(0..<40))
    func damage(seed: UInt64) throws {
        let run = try RandomRun(damagedWith: seed)
        let search = try TextSearch(
            TextPattern("a"), run.range, from: run.journal.start, in: run.journal, recover: true)
        var open: [Int: String] = [:]
        while let step = try search.next() {
            for hit in step.came { if let place = hit.place { open[place] = "\(hit.kind) \(hit.value.text())" } }
            for place in step.gone { open[place] = nil }
        }
        #expect(search.unanswered.lost >= run.lost, "seed \(seed)")
        guard let end = run.states[run.range.upper.rawValue] else { return }
        var expected: [String] = []
        PathTable.visit(end, JSONPointer(), matching: "a") { _, isName, value in
            expected.append("\(isName ? TextSearch.Kind.name : .value) \(value.text())")
        }
        #expect(open.count == expected.count, "seed \(seed)")
    }

    private static func lines(
        _ pattern: TextPattern, _ range: PositionRange, _ journal: Journal
    ) throws -> [String] {
        var lines: [String] = []
        var gone: [Int: Int] = [:]
        guard let start = try TextSearch.start(of: pattern, range, in: journal) else { return [] }
        var found: [(hit: TextSearch.Hit, seq: Int)] = []
        let search = try TextSearch(pattern, range, from: start, in: journal)
        while let step = try search.next() {
            found += step.came.map { ($0, step.seq.rawValue) }
            for place in step.gone { gone[place] = step.seq.rawValue }
        }
        for (hit, seq) in found {
            let end = hit.place.flatMap { gone[$0] }
            lines.append(
                "\(seq) \(hit.kind.rawValue) \(hit.path?.text ?? "-") \(hit.value.text()) \(end.map(String.init) ?? "stays")"
            )
        }
        return lines.sorted()
    }
}

/// The places of a text, by their paths.
private struct PathTable {
    private struct Place: Hashable {
        let path: [String]
        let isName: Bool
    }

    private struct Found {
        let seq: Int
        let isName: Bool
        let value: JSONValue
        var path: [String] = []
        var gone: Int?
    }

    private let needle: String
    private var state = JSONValue.object(JSONObject())
    private var table: [Place: Int] = [:]
    private var found: [Found] = []
    private var events: [String] = []
    private var seq = 0

    /// Every place of a value that has a text.
    static func visit(
        _ value: JSONValue, _ path: JSONPointer, matching needle: String, _ note: (JSONPointer, Bool, JSONValue) -> Void
    ) {
        func has(_ text: String) -> Bool { text.utf8.firstRange(of: needle.utf8) != nil }
        switch value {
        case .object(let object):
            for (key, member) in object {
                if has(key) { note(path.appending(key), true, .string(key)) }
                visit(member, path.appending(key), matching: needle, note)
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                visit(element, path.appending(String(index)), matching: needle, note)
            }
        case .string(let text): if has(text) { note(path, false, value) }
        case .number(let number): if has(number.text) { note(path, false, value) }
        case .null, .bool: break
        }
    }

    private func places(_ value: JSONValue, at path: [String]) -> [(Place, JSONValue)] {
        var places: [(Place, JSONValue)] = []
        PathTable.visit(value, JSONPointer(path), matching: needle) {
            places.append((Place(path: $0.segments, isName: $1), $2))
        }
        return places
    }

    private static func isBelow(_ path: [String], _ top: [String]) -> Bool {
        path.count >= top.count && zip(path, top).allSatisfy(UTF8Order.equal)
    }

    // MARK: Operations

    private mutating func open(_ place: Place, _ value: JSONValue) {
        table[place] = found.count
        found.append(Found(seq: seq, isName: place.isName, value: value))
    }

    private mutating func close(_ place: Place) {
        if let number = table.removeValue(forKey: place) { found[number].gone = seq }
    }

    /// Elements from an index on move by some places.
    private mutating func shift(_ array: [String], from index: Int, by distance: Int) {
        var shifted: [Place: Int] = [:]
        for (place, number) in table {
            var path = place.path
            if path.count > array.count, PathTable.isBelow(path, array), let old = Int(path[array.count]), old >= index
            {
                path[array.count] = String(old + distance)
            }
            shifted[Place(path: path, isName: place.isName)] = number
        }
        table = shifted
    }

    /// A value in the place of what is there.
    private mutating func overwrite(_ path: [String], _ value: JSONValue?) {
        let new = value.map { places($0, at: path) } ?? []
        for place in table.keys
        where PathTable.isBelow(place.path, path) && !(place.isName && place.path.count == path.count)
            && !new.contains(where: { $0.0 == place })
        { close(place) }
        for (place, value) in new where table[place] == nil { open(place, value) }
    }

    private mutating func name(_ path: [String]) {
        let place = Place(path: path, isName: true)
        guard let key = path.last, table[place] == nil, key.utf8.firstRange(of: needle.utf8) != nil else { return }
        open(place, .string(key))
    }

    private func array(around path: [String], in state: JSONValue) -> (path: [String], index: Int)? {
        let parent = Array(path.dropLast())
        guard let last = path.last, case .array(let elements)? = JSONPointer(parent).value(in: state) else {
            return nil
        }
        return (parent, last == "-" ? elements.count : Int(last)!)
    }

    private mutating func add(_ path: [String], _ value: JSONValue) {
        if let array = array(around: path, in: state) {
            shift(array.path, from: array.index, by: 1)
            return overwrite(array.path + [String(array.index)], value)
        }
        name(path)
        overwrite(path, value)
    }

    private mutating func remove(_ path: [String]) {
        overwrite(path, nil)
        close(Place(path: path, isName: true))
        if let array = array(around: path, in: state) { shift(array.path, from: array.index + 1, by: -1) }
    }

    private mutating func move(_ from: [String], _ path: [String], rest: JSONValue) {
        let carried = table.filter { PathTable.isBelow($0.key.path, from) }
        for place in carried.keys { table[place] = nil }
        if let array = array(around: from, in: state) { shift(array.path, from: array.index + 1, by: -1) }
        var target = path
        if let array = array(around: path, in: rest) {
            shift(array.path, from: array.index, by: 1)
            target = array.path + [String(array.index)]
        } else {
            overwrite(path, nil)
        }
        for (place, number) in carried {
            let isTop = place.isName && place.path.count == from.count
            let moved = Place(path: target + place.path.dropFirst(from.count), isName: place.isName)
            let isKept = array(around: path, in: rest) == nil && UTF8Order.equal(from.last!, path.last!)
            if !isTop || isKept && table[moved] == nil { table[moved] = number } else { found[number].gone = seq }
        }
        if array(around: path, in: rest) == nil { name(path) }
    }

    private mutating func apply(_ operation: JSONPatch.Operation) throws {
        switch operation {
        case .add(let path, let value): add(path.segments, value)
        case .replace(let path, let value, _): overwrite(path.segments, value)
        case .copy(let from, let path): add(path.segments, from.value(in: state) ?? .null)
        case .remove(let path, _): remove(path.segments)
        case .move(let from, let path):
            if from == path { return }
            var rest = state
            try JSONPatch([.remove(from, old: nil)]).apply(to: &rest)
            move(from.segments, path.segments, rest: rest)
        case .test: return
        }
        try JSONPatch([operation]).apply(to: &state)
    }

    // MARK: Records

    /// Takes where the places are after a record.
    private mutating func notePaths(since count: Int) {
        for (place, number) in table where number >= count { found[number].path = place.path }
        // What came and went with one record never was.
        for index in count..<found.count where found[index].gone == seq { found[index].path = ["gone"] }
    }

    private mutating func restart(_ new: JSONValue) {
        overwrite([], new)
        state = new
    }

    private mutating func take(_ object: JSONObject, _ kind: RecordKind, _ closing: inout [String]) throws {
        let count = found.count
        let store = object["store"]?.string ?? ""
        switch kind {
        case .commit:
            end(&closing)
            if let payload = object["action"].flatMap({ JSONPointer(["payload"]).value(in: $0) }) {
                events += places(payload, at: []).map {
                    "\(seq) payload \(JSONPointer($0.0.path).text) \($0.1.text()) stays"
                }
            }
            for operation in try JSONPatch(json: object["patch"] ?? .null).inStore(store).operations {
                try apply(operation)
            }
        case .store:
            closing.removeAll { UTF8Order.equal($0, store) }
            try apply(.add(JSONPointer([store]), object["state"] ?? .null))
        case .close: closing.append(store)
        case .gap, .keyframe:
            restart(object["states"] ?? .null)
            closing = []
        case .mark:
            let text = object["text"]?.string ?? ""
            if text.utf8.firstRange(of: needle.utf8) != nil {
                events.append("\(seq) mark - \(JSONValue.string(text).text()) stays")
            }
        default: break
        }
        notePaths(since: count)
    }

    private mutating func end(_ closing: inout [String]) {
        for store in closing {
            remove([store])
            try? JSONPatch([.remove(JSONPointer([store]), old: nil)]).apply(to: &state)
        }
        closing = []
    }

    /// Every place of a run, as a line; of a part of it those that came in within it.
    static func lines(_ run: RandomRun, needle: String, _ lower: Int = -1, _ upper: Int = .max) throws -> [String] {
        var table = PathTable(needle: needle)
        var closing: [String] = []
        var reader = run.journal.records(recover: true)
        while let line = try reader.next(), line.seq.rawValue <= upper {
            table.seq = line.seq.rawValue
            if line.kind == .keyframe, !line.resumed { continue }
            try table.take(try line.object(order: .ascending), line.kind, &closing)
        }
        let lasting = table.found.filter { $0.path != ["gone"] && $0.seq > lower }.map {
            "\($0.seq) \($0.isName ? "name" : "value") \(JSONPointer($0.path).text) \($0.value.text()) "
                + ($0.gone.map(String.init) ?? "stays")
        }
        let passing = table.events.filter { Int($0.prefix { $0.isNumber })! > lower }
        return (lasting + passing).sorted()
    }

    private init(needle: String) { self.needle = needle }
}
