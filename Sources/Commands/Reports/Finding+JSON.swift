package import CommandLine
package import JSONCore
import TimeTravel

extension Finding {
    /// The columns of a value; a page does not have room for a whole state.
    private static let width = 200
    private static let mostChanges = 24

    package var json: JSONValue {
        .members([
            "tone": .string(tone.rawValue), "title": .string(title), "question": .string(question),
            "invariant": invariant.map(JSONValue.string), "position": position.map { .number($0) },
            "last": last.map { .number($0) }, "record": record.map(Finding.json), "cause": cause.map(Finding.json),
            "fired": .array(
                firings.fired.map { .members(["name": .string($0.name), "change": $0.change.map(Finding.json)]) }),
            "sentences": .array(sentences.map(JSONValue.string)), "commands": .array(commands.map(JSONValue.string)),
        ])
    }

    package static func json(_ record: RecordSummary) -> JSONValue {
        .members([
            "title": .string(record.title), "seq": .number(record.seq), "isCommit": .bool(record.kind == .commit),
            "store": record.store.map(JSONValue.string), "location": record.location.map(JSONValue.string),
            "label": .string(record.label), "time": .string(record.time),
            "changes": .array(record.changes.prefix(mostChanges).map(json)),
            "more": record.changes.count > mostChanges ? .number(record.changes.count - mostChanges) : nil,
        ])
    }

    package static func json(_ change: Change) -> JSONValue {
        guard case .object(var object) = json(change.effect) else { return .null }
        object["path"] = .string(change.path)
        return .object(object)
    }

    private static func json(_ effect: Change.Effect) -> JSONValue {
        func text(_ value: JSONValue) -> JSONValue { .string(ValuePreview.shortened(value, to: width)) }
        return switch effect {
        case .added(let value): .members(["op": "add", "new": text(value)])
        case .removed(let old): .members(["op": "remove", "old": old.map(text)])
        case .replaced(let old, let new): .members(["op": "replace", "old": old.map(text), "new": text(new)])
        case .moved(let from): .members(["op": "move", "from": .string(from)])
        }
    }
}
