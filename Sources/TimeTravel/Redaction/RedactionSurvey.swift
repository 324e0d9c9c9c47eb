import JSONCore
import JournalFormat
import JournalReading

/// Finds every value that any position has at a redacted path: in records and patches as they are written, and in the
/// state after a commit where a move, a copy or an element that shifts brings it there.
struct RedactionSurvey {
    private let matcher: PathMatcher
    private(set) var secrets = SecretTexts()
    /// Each path by itself, as long as nothing was found that it matches.
    private var unmetPaths: [(index: Int, path: PathMatcher)]
    private var derived = NameTable<Bool>()
    private var readers = NameTable<[String]>()

    init(_ matcher: PathMatcher, _ paths: [PathSteps]) {
        self.matcher = matcher
        unmetPaths = paths.enumerated().map { ($0.offset, PathMatcher([$0.element], comparesText: true)) }
    }

    var unmet: [Int] { unmetPaths.map(\.index) }

    /// Reads only what lies at the paths, or whole states if a patch cannot be applied to less.
    mutating func read(_ journal: Journal) throws(JournalError) {
        let empty = self
        do throws(JournalError) {
            try read(journal, matcher.paths)
        } catch {
            guard error.needsWholeState, !matcher.paths.isEverything else { throw error }
            self = empty
            try read(journal, .everything)
        }
    }

    private mutating func read(_ journal: Journal, _ paths: PathSet) throws(JournalError) {
        var state = PositionState(start: journal.start, pruning: paths)
        var filter = RecordFilter(touching: paths, kinds: [.store, .commit, .keyframe, .gap, .derived])
        var reader = journal.records()
        while let line = try reader.next() {
            let matters = filter.mayMatter(line)
            if line.kind == .commit, !matters { state.advance(to: line.seq) } else { try state.apply(line) }
            if matters { note(try line.object(), line.kind, state) }
        }
    }

    private mutating func note(_ record: JSONObject, _ kind: RecordKind, _ state: PositionState) {
        switch kind {
        case .store: note(record["state"], at: [record["store"]?.string ?? ""])
        case .keyframe, .gap:
            for (store, state) in record["states"]?.object ?? JSONObject() { note(state, at: [store]) }
        case .derived: noteDerived(record)
        case .commit:
            guard let json = record["patch"], let patch = try? JSONPatch(json: json) else { return }
            let store = record["store"]?.string ?? ""
            for operation in patch.operations { note(operation, of: store) }
            for path in broughtTo(by: patch, in: store, state.value) {
                note(JSONPointer(path).value(in: state.value), at: path)
            }
        case .journal, .outcome, .abort, .mark, .close, .end, .other: break
        }
    }

    /// The paths at and below which a patch brings values to a match from elsewhere; `state` is the whole one after it.
    private func broughtTo(by patch: JSONPatch, in store: String, _ state: JSONValue) -> [[String]] {
        var paths: [[String]] = []
        var isMoved = patch.operations.count > 1
        for operation in patch.operations {
            let path = [store] + operation.path.segments
            switch operation {
            case .replace, .test: break
            case .add, .remove: if shifts(path) { paths.append(Array(path.dropLast())) }
            case .copy: paths.append(path.last == "-" || shifts(path) ? Array(path.dropLast()) : path)
            case .move(let from, _):
                let from = [store] + from.segments
                isMoved = true
                paths.append(path.last == "-" || shifts(path) ? Array(path.dropLast()) : path)
                if shifts(from) { paths.append(Array(from.dropLast())) }
            }
        }
        guard isMoved else { return paths }
        // Another operation may have shifted what it was brought to: it lies somewhere in the same array then.
        return paths.map { RedactionSurvey.upToArray($0, in: state) }
    }

    private static func upToArray(_ path: [String], in state: JSONValue) -> [String] {
        var value = state
        for (depth, segment) in path.enumerated() {
            switch value {
            case .array: return Array(path.prefix(depth))
            case .object(let members):
                guard let member = members[segment] else { return path }
                value = member
            default: return path
            }
        }
        return path
    }

    /// Whether a path names an element by its number that an insertion or removal at a place shifts, if that is in an array.
    private func shifts(_ path: [String]) -> Bool {
        guard path.count > 1, let last = path.last, case .above(let place) = matcher.meeting(Array(path.dropLast()))
        else { return false }
        return matcher.distinguishesElements(at: place, from: JSONPointer.arrayIndex(last) ?? 0)
    }

    private mutating func note(_ operation: JSONPatch.Operation, of store: String) {
        let path = [store] + operation.path.segments
        // A key on the way inside a match is part of what is redacted.
        if case .inside(let depth) = matcher.meeting(path) {
            for key in path[depth...] { secrets.collect(key: key) }
            meet(.null, at: path)
        }
        switch operation {
        case .add(_, let value), .test(_, let value): note(value, at: path)
        case .replace(_, let value, let old):
            note(value, at: path)
            note(old, at: path)
        case .remove(_, let old): note(old, at: path)
        case .move, .copy: break
        }
    }

    private mutating func note(_ value: JSONValue?, at path: [String]) {
        guard let value else { return }
        switch matcher.meeting(path) {
        case .outside: return
        case .inside: secrets.collect(value)
        case .above(let place):
            for match in matcher.matches(in: value, at: place, path: path) { secrets.collect(match.value) }
        }
        meet(value, at: path)
    }

    private mutating func meet(_ value: JSONValue, at path: [String]) {
        unmetPaths.removeAll { _, matcher in
            switch matcher.meeting(path) {
            case .outside: false
            case .inside: true
            case .above(let place): matcher.hasMatch(in: value, at: place)
            }
        }
    }

    // MARK: Derived values

    private mutating func noteDerived(_ record: JSONObject) {
        guard let name = record["name"]?.string else { return }
        var isSecret = true
        if case .array(let inputs)? = record["inputs"] { isSecret = !inputs.allSatisfy(isHarmless) }
        // A name that is declared again reads what either of them does.
        derived[name] = isSecret || derived[name] == true
        for from in record["from"]?.array ?? [] {
            if let from = from.string { readers.update(from, default: []) { $0.append(name) } }
        }
    }

    private func isHarmless(_ input: JSONValue) -> Bool {
        guard let text = input.string, let pointer = try? JSONPointer(parsing: text),
            case .outside = matcher.meeting(pointer.segments)
        else { return false }
        return true
    }

    /// A derived value may show what is redacted itself, by what is not known of it, or by one that it is made from.
    func derivedSecrets() -> NameTable<Bool> {
        var secrets = derived
        var open = derived.filter(\.value).map(\.name) + readers.names.filter { derived[$0] == nil }
        while let name = open.popLast() {
            for reader in readers[name] ?? [] where secrets[reader] == false {
                secrets[reader] = true
                open.append(reader)
            }
        }
        return secrets
    }
}
