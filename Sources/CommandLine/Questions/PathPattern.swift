import Diagnostics
package import JSONCore
import JournalFormat
package import JournalReading

/// `*` stands for one segment and `**` for any number; a key that is literally `*` is written `~2`, which RFC 6901
/// leaves free, or with quotes where the path has dots.
package struct PathPattern: Sendable {
    package let steps: PathSteps

    package var text: String { steps.text }

    private let matcher: PathMatcher

    package init(parsing text: String, of option: Option) throws(UsageError) {
        try self.init(parsing: text) { .value(option, text, expected: $0) }
    }

    package init(parsing text: String, operand: String) throws(UsageError) {
        try self.init(parsing: text) { .operand(operand, text, expected: $0) }
    }

    private init(parsing text: String, otherwise error: (String) -> UsageError) throws(UsageError) {
        do throws(PathSteps.Fault) {
            self.init(try PathSteps(typed: text))
        } catch let fault {
            throw error(Self.expectation(fault))
        }
    }

    private static func expectation(_ fault: PathSteps.Fault) -> String {
        switch fault {
        case .tooLong: "a path of at most \(PathSteps.limit) segments"
        case .badEscape: "a path in which '~' is written '~0'"
        case .mixed: "a path with '/' or with '.', not with both, as '/cart/items/0' or 'cart.items[0]'"
        case .missingSlash, .emptyName: "a path with a name after each '.', as 'cart.items[0]'"
        case .negativeIndex: "a path whose indexes count from the front"
        case .badBracket: "a path whose brackets hold an index or a name in double quotes, as 'cart.items[0]'"
        }
    }

    package init(_ steps: PathSteps) {
        self.steps = steps
        matcher = PathMatcher([steps])
    }

    package init(_ pointer: JSONPointer) { self.init(PathSteps(pointer.segments.map(PathSteps.Step.key))) }

    /// The pattern below a store: what is typed under `--store`, as the whole state has it.
    package func below(store: String) -> PathPattern { PathPattern(PathSteps([.key(store)] + steps.steps)) }

    package var pointer: JSONPointer? {
        var keys: [String] = []
        for step in steps.steps {
            guard case .key(let key) = step else { return nil }
            keys.append(key)
        }
        return JSONPointer(keys)
    }

    /// Whether something is, or was, at a path of this pattern; what a `move` or `copy` brings may be, or an element
    /// that shifts.
    package func isShown(by operation: JSONPatch.Operation, below store: String) -> Bool {
        let path = [store] + operation.path.segments
        switch operation {
        case .add, .remove: if matcher.mayShift(at: path) { return true }
        case .move(let from, _): if matcher.mayShift(at: [store] + from.segments) { return true }
        case .replace, .copy, .test: break
        }
        switch operation {
        case .add(_, let value): return matcher.isShown(at: path, [value])
        case .replace(_, let value, let old): return matcher.isShown(at: path, [value] + (old.map { [$0] } ?? []))
        case .remove(_, let old): return matcher.isShown(at: path, old.map { [$0] } ?? [])
        case .move, .copy: return matcher.touch(at: path, [nil]) != .untouched || matcher.mayShift(at: path)
        case .test: return false
        }
    }

    package func isShown(byStore store: String, state: JSONValue) -> Bool { matcher.isShown(at: [store], [state]) }

    package func isShown(by record: Record) -> Bool {
        if case .object(let states)? = record[.states] { return states.contains { isShown(byStore: $0, state: $1) } }
        guard let store = record.store else { return false }
        if let state = record[.state] { return isShown(byStore: store, state: state) }
        return record.patch?.operations.contains { isShown(by: $0, below: store) } ?? false
    }

    /// What is read to have what the pattern matches, and perhaps more.
    package var paths: PathSet { matcher.paths }

    package func isMatch(_ path: JSONPointer) -> Bool {
        guard case .inside(let depth) = matcher.meeting(path.segments) else { return false }
        return depth == path.segments.count
    }

    /// Matches are in document order; places inside a match are left out.
    package func matches(in value: JSONValue) -> [JSONPointer] { matcher.matches(in: value) }

    /// Members are taken out, elements become null.
    package func removing(from value: JSONValue) -> JSONValue {
        matcher.replacing(in: value, at: matcher.root) { _ in .nothing }
    }
}

package struct NearestPath {
    /// How many segments of a path may be slips.
    private static let slips = 2
    private static let tried = 3

    package static func help(for pattern: PathPattern, in state: JSONValue, _ scope: StoreScope) -> [String] {
        guard let typed = pattern.pointer, let nearest = path(like: typed, in: state) else { return [] }
        return ["write '\(scope.pattern(of: nearest))'"]
    }

    /// What is known of the array that a path leads into and past, as "'/cart/items' has 2 elements".
    package static func notes(for pattern: PathPattern, in state: JSONValue, _ scope: StoreScope) -> [String] {
        guard let typed = pattern.pointer else { return [] }
        var value = state
        for (depth, segment) in typed.segments.enumerated() {
            if case .array(let elements) = value, JSONPointer.arrayIndex(segment).map({ $0 >= elements.count }) ?? false
            {
                let path = scope.text(of: JSONPointer(Array(typed.segments.prefix(depth))))
                return ["'\(path)' has \(elements.count.counted("element"))"]
            }
            guard let part = JSONPointer([segment]).value(in: value) else { return [] }
            value = part
        }
        return []
    }

    package static func path(like typed: JSONPointer, in state: JSONValue) -> JSONPointer? {
        if let found = correct(typed.segments[...], in: state, slips: slips) { return JSONPointer(found) }
        // The store's name may be missing.
        guard case .object(let stores) = state else { return nil }
        for (store, part) in stores where typed.value(in: part) != nil { return JSONPointer([store] + typed.segments) }
        return nil
    }

    private static func correct(_ path: ArraySlice<String>, in value: JSONValue, slips: Int) -> [String]? {
        guard let first = path.first else { return [] }
        func correct(by name: String, _ part: JSONValue, slips: Int) -> [String]? {
            Self.correct(path.dropFirst(), in: part, slips: slips).map { [name] + $0 }
        }
        if let part = JSONPointer([first]).value(in: value), let rest = correct(by: first, part, slips: slips) {
            return rest
        }
        guard slips > 0, case .object(let object) = value else { return nil }
        for name in SimilarNames.nearest(to: first, in: object.keys, limit: tried) {
            if let part = object[name], let rest = correct(by: name, part, slips: slips - 1) { return rest }
        }
        return nil
    }
}
