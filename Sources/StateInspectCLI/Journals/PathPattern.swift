import JSONCore

/// A PATH as it is typed: a JSON Pointer in which `*` stands for one segment and `**` for any number.
///
/// A key that is literally `*` is written `~2`, which RFC 6901 leaves free.
struct PathPattern: Sendable, Equatable {
    private typealias Segment = PathSteps.Step

    /// What is left of a pattern; its start tells which.
    private typealias Rest = ArraySlice<Segment>

    private let segments: [Segment]

    /// The pattern as it was typed.
    let text: String

    /// Reads a pattern.
    ///
    /// - Throws: `UsageError` naming the option, where the text is no such path.
    init(parsing text: String, of option: OptionName) throws(UsageError) {
        try self.init(parsing: text) { .value(option, text, expected: $0) }
    }

    /// Reads a pattern that is typed as an operand.
    ///
    /// - Throws: `UsageError` naming the operand, where the text is no such path.
    init(parsing text: String, operand: String) throws(UsageError) {
        try self.init(parsing: text) { .operand(operand, text, expected: $0) }
    }

    private init(parsing text: String, otherwise error: (String) -> UsageError) throws(UsageError) {
        do throws(PathSteps.Fault) {
            segments = try PathSteps(parsing: text).steps
        } catch let fault {
            throw error(Self.expectation(of: text, fault))
        }
        self.text = text
    }

    private static func expectation(of text: String, _ fault: PathSteps.Fault) -> String {
        switch fault {
        case .missingSlash: "a path such as '/\(text)', or '' for everything"
        case .tooLong: "a path of at most \(PathSteps.limit) segments"
        case .badEscape: "a path in which '~' is written '~0'"
        }
    }

    private init(_ segments: [Segment], text: String) {
        self.segments = segments
        self.text = text
    }

    /// The pattern below a store: what is typed under `--store`, as the whole state has it.
    func below(store: String) -> PathPattern {
        PathPattern([.key(store)] + segments, text: JSONPointer([store]).text + text)
    }

    /// The pattern step by step.
    var steps: PathSteps { PathSteps(segments) }

    /// The path, where nothing in it stands for something else.
    var pointer: JSONPointer? {
        var keys: [String] = []
        for segment in segments {
            guard case .key(let key) = segment else { return nil }
            keys.append(key)
        }
        return JSONPointer(keys)
    }

    /// Whether a change touches a path of this pattern: it is equal to it, above it or below it.
    ///
    /// A change of an element's place touches its array. Without the state an index cannot be told from a member that is
    /// written in digits, so a member added to or removed from an object like `{"17":…}` counts as such a change too.
    func isTouched(by operation: JSONPatch.Operation, below store: String) -> Bool {
        switch operation {
        case .replace(let path, let value, let old):
            return isTouched(at: [store] + path.segments, values: [value] + (old.map { [$0] } ?? []))
        case .add(let path, let value): return isTouched(moving: [store] + path.segments, values: [value])
        case .remove(let path, let old):
            return isTouched(moving: [store] + path.segments, values: old.map { [$0] } ?? [])
        case .move(let from, let path), .copy(let from, let path):
            return isTouched(moving: [store] + from.segments, values: [])
                || isTouched(moving: [store] + path.segments, values: [])
        case .test: return false
        }
    }

    /// Whether a whole store's appearance touches a path of this pattern.
    func isTouched(byStore store: String, state: JSONValue) -> Bool { isTouched(at: [store], values: [state]) }

    /// What a change must touch to touch this pattern, and perhaps more: fast to tell, for a first look at a line.
    var paths: PathSet {
        var path: [PathSet.Segment] = []
        for segment in segments {
            switch segment {
            case .key(let key): path.append(.key(key))
            case .one: path.append(.each)
            case .any: return .everything
            }
        }
        var paths = PathSet.nothing
        paths.insert(path)
        return paths
    }

    /// Where the pattern matches in a value, in document order; what lies inside a match is not told.
    func matches(in value: JSONValue) -> [JSONPointer] {
        var matches: [JSONPointer] = []
        var path: [String] = []
        Self.collect(value, [segments[...]], &path, into: &matches)
        return matches
    }

    private static func collect(
        _ value: JSONValue, _ rests: [Rest], _ path: inout [String], into matches: inout [JSONPointer]
    ) {
        if rests.isEmpty { return }
        if rests.contains(where: isEnd) { return matches.append(JSONPointer(path)) }
        switch value {
        case .object(let object):
            for (key, part) in object {
                path.append(key)
                collect(part, step(rests, key), &path, into: &matches)
                path.removeLast()
            }
        case .array(let elements):
            for (index, part) in elements.enumerated() {
                path.append(String(index))
                collect(part, step(rests, String(index)), &path, into: &matches)
                path.removeLast()
            }
        default: return
        }
    }

    /// The value without everything at or below this pattern: members are taken out, elements become null.
    func removing(from value: JSONValue) -> JSONValue { Self.removing([segments[...]], from: value) ?? .null }

    // MARK: Matching

    private func isTouched(moving path: [String], values: [JSONValue]) -> Bool {
        guard let last = path.last, JSONPointer.arrayIndex(last) != nil else {
            return isTouched(at: path, values: values)
        }
        return isTouched(at: path, values: values) || isTouched(at: path.dropLast(), values: [])
    }

    /// Whether the change at `path` of these values is at, above or below a match.
    ///
    /// Above a pattern that has `**` only the values can tell whether something below matches.
    private func isTouched(at path: [String], values: [JSONValue]) -> Bool {
        var rests: [Rest] = [segments[...]]
        for key in path {
            if rests.contains(where: \.isEmpty) { return true }
            rests = Self.step(rests, key)
        }
        if rests.contains(where: { Self.isEnd($0) || !$0.contains(.any) }) { return true }
        return values.contains { Self.matchesInside($0, rests) }
    }

    /// What remains of the pattern behind a segment of a path, in every way that it can be taken; each way once.
    private static func step(_ rests: [Rest], _ key: String) -> [Rest] {
        var next: [Rest] = []
        for rest in rests { step(rest, key, into: &next) }
        return next
    }

    private static func step(_ rest: Rest, _ key: String, into next: inout [Rest]) {
        guard let first = rest.first else { return }
        switch first {
        case .one: append(rest.dropFirst(), to: &next)
        case .key(let expected): if UTF8Order.equal(expected, key) { append(rest.dropFirst(), to: &next) }
        case .any:
            append(rest, to: &next)
            let behind = rest.dropFirst()
            if behind.isEmpty { append(behind, to: &next) } else { step(behind, key, into: &next) }
        }
    }

    private static func append(_ rest: Rest, to next: inout [Rest]) {
        if !next.contains(where: { $0.startIndex == rest.startIndex }) { next.append(rest) }
    }

    /// Whether the pattern may end here.
    private static func isEnd(_ rest: Rest) -> Bool { rest.allSatisfy { $0 == .any } }

    /// Whether one of the rests matches the value or something in it.
    ///
    /// - Complexity: O(n · m) for a value of n parts and a pattern of m segments.
    private static func matchesInside(_ value: JSONValue, _ rests: [Rest]) -> Bool {
        if rests.isEmpty { return false }
        if rests.contains(where: isEnd) { return true }
        switch value {
        case .object(let object): return object.contains { key, part in matchesInside(part, step(rests, key)) }
        case .array(let elements):
            return elements.enumerated().contains { index, part in matchesInside(part, step(rests, String(index))) }
        default: return false
        }
    }

    /// The value without what one of the rests matches; nil where that is the value itself.
    private static func removing(_ rests: [Rest], from value: JSONValue) -> JSONValue? {
        if rests.isEmpty { return value }
        if rests.contains(where: isEnd) { return nil }
        switch value {
        case .object(let object):
            var kept = JSONObject()
            for (key, part) in object {
                if let part = removing(step(rests, key), from: part) { kept[key] = part }
            }
            return .object(kept)
        case .array(let elements):
            return .array(
                elements.enumerated().map { index, part in
                    removing(step(rests, String(index)), from: part) ?? .null
                })
        default: return value
        }
    }
}
