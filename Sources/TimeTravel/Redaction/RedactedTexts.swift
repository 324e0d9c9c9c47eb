import JSONCore
import JournalFormat

/// Redacts what has no path of the state: payloads, outcomes, marks, errors, labels, and members of records that nobody knows.
struct RedactedTexts {
    private let values: RedactedValues
    /// The names that end the paths: members of a payload that are called so are taken for what the paths mean.
    private let names: [String]
    private var secrets = SecretTexts()
    /// Whether names of commits that were met lately stay; asked only when all secrets are known.
    private var leftNames = RecentTexts<Bool>(capacity: 512)
    /// The derived values that read what is redacted.
    private var derived = JSONObject()
    /// Each path by itself, as long as nothing was found that it matches.
    private var unmetPaths: [(index: Int, path: PathMatcher)]

    init(_ values: RedactedValues, _ paths: [PathSteps]) {
        self.values = values
        unmetPaths = paths.enumerated().map { ($0.offset, PathMatcher([$0.element])) }
        names = paths.compactMap { path in
            guard case .key(let name)? = path.steps.last, JSONPointer.arrayIndex(name) == nil, path.steps.count > 1
            else { return nil }
            return name
        }
    }

    // MARK: Finding

    /// The places in the list of those paths that match nothing that was collected.
    var unmet: [Int] { unmetPaths.map(\.index) }

    /// Notes what a record holds that is redacted by path.
    mutating func collect(_ record: JSONObject, _ kind: RecordKind) {
        switch kind {
        case .store: collect(record["state"], at: [record["store"]?.string ?? ""])
        case .keyframe, .gap:
            for (store, state) in record["states"]?.object ?? JSONObject() { collect(state, at: [store]) }
        case .derived: collectDerived(record)
        case .commit:
            guard let json = record["patch"], let patch = try? JSONPatch(json: json) else { return }
            for operation in patch.operations { collect(operation, of: record["store"]?.string ?? "") }
        default: break
        }
    }

    private mutating func collect(_ operation: JSONPatch.Operation, of store: String) {
        let path = [store] + operation.path.segments
        // A key on the way inside a match is part of what is redacted.
        if case .inside(let depth) = values.paths.meeting(path) {
            for key in path[depth...] { secrets.collect(.object([key: .null])) }
            note(.null, at: path)
        }
        switch operation {
        case .add(_, let value), .test(_, let value): collect(value, at: path)
        case .replace(_, let value, let old):
            collect(value, at: path)
            collect(old, at: path)
        case .remove(_, let old): collect(old, at: path)
        case .move, .copy: break
        }
    }

    private mutating func collect(_ value: JSONValue?, at path: [String]) {
        guard let value else { return }
        let meeting = values.paths.meeting(path)
        if case .outside = meeting { return }
        note(value, at: path)
        switch meeting {
        case .outside: break
        case .inside: secrets.collect(value)
        case .above(let place):
            var found: [JSONValue] = []
            _ = values.paths.replacing(in: value, at: place) { match in
                found.append(match)
                return .value(match)
            }
            for match in found { secrets.collect(match) }
        }
    }

    /// Takes the paths that match something in a value off the list of those that match nothing.
    private mutating func note(_ value: JSONValue, at path: [String]) {
        unmetPaths.removeAll { _, matcher in
            switch matcher.meeting(path) {
            case .outside: return false
            case .inside: return true
            case .above(let place):
                var isMet = false
                _ = matcher.replacing(in: value, at: place) { match in
                    isMet = true
                    return .value(match)
                }
                return isMet
            }
        }
    }

    private mutating func collectDerived(_ record: JSONObject) {
        guard let name = record["name"]?.string else { return }
        var reads = false
        if case .array(let inputs)? = record["inputs"] {
            reads = inputs.contains { input in
                guard let text = input.string, let pointer = try? JSONPointer(parsing: text) else { return false }
                // One that reads what holds a match may tell it.
                if case .outside = values.paths.meeting(pointer.segments) { return false }
                return true
            }
        }
        if case .array(let from)? = record["from"] {
            reads = reads || from.contains { derived[$0.string ?? ""] != nil }
        }
        if reads { derived[name] = .null }
    }

    // MARK: Redacting

    /// Redacts a record's members that hold no state.
    func redact(_ record: inout JSONObject, _ kind: RecordKind) {
        switch kind {
        case .journal: for member in ["app", "build"] { redactText(&record, member) }
        case .commit:
            redactText(&record, "name")
            if case .object(var action)? = record["action"] {
                redactText(&action, "type")
                if let payload = action["payload"] { action["payload"] = redacted(payload) }
                record["action"] = .object(action)
            }
        case .outcome: redactOutcomes(&record)
        case .mark: redactText(&record, "text")
        case .abort: for member in ["name", "error"] { redactText(&record, member) }
        case .gap: redactText(&record, "reason")
        case .other:
            for (name, value) in record where !["seq", "kind", "time", "sum"].contains(name) {
                record[name] = redacted(value)
            }
        case .store, .derived, .keyframe, .close, .end: break
        }
        if kind == .journal, case .object(var labels)? = record["labels"] {
            for name in labels.keys { redactText(&labels, name) }
            record["labels"] = .object(labels)
        }
    }

    /// Whether the name and the action of a commit's line stay as they are.
    mutating func leavesNames(of commit: CompactLine) -> Bool {
        if let name = commit["name"], !leaves(name: name) { return false }
        guard let action = commit["action"] else { return true }
        guard let value = try? JSONParser.parse(action) else { return false }
        var record: JSONObject = ["action": value]
        redact(&record, .commit)
        return record["action"] == value
    }

    private mutating func leaves(name text: UnsafeRawBufferPointer) -> Bool {
        if let known = leftNames.value(of: text) { return known }
        guard let value = try? JSONParser.parse(text) else { return false }
        let leaves = value.string.map { secrets.isIn($0) } != true
        leftNames.keep(leaves, of: text)
        return leaves
    }

    private func redactText(_ record: inout JSONObject, _ member: String) {
        guard let text = record[member]?.string, let redacted = secrets.replaced(in: text, by: values.mark) else {
            return
        }
        record[member] = .string(redacted)
    }

    private func redactOutcomes(_ record: inout JSONObject) {
        guard case .array(var entries)? = record["derived"] else { return }
        for index in entries.indices {
            guard case .object(var entry) = entries[index], let value = entry["value"] else { continue }
            entry["value"] = derived[entry["name"]?.string ?? ""] == nil ? redacted(value) : values.hash(value)
            entries[index] = .object(entry)
        }
        record["derived"] = .array(entries)
    }

    private func redacted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool: return value
        case .string(let text): return secrets.isIn(text) ? values.hash(value) : value
        case .number(let number): return secrets.isIn(number.text) ? values.hash(value) : value
        case .array(let elements): return .array(elements.map(redacted))
        case .object(let members):
            if value.isRedacted { return value }
            var kept = JSONObject()
            for (name, member) in members {
                // A name cannot be redacted by itself: its object goes as a whole.
                if secrets.isIn(name) { return values.hash(value) }
                let isNamed = names.contains { UTF8Order.equal($0, name) }
                kept[name] = isNamed ? values.hash(member) : redacted(member)
            }
            return .object(kept)
        }
    }
}
