import Diagnostics
import JSONCore

/// Writes a problem as one line of JSON: `{"kind":"error","code":…,"message":…,"place":{…},"notes":[…],"help":[…]}`.
enum DiagnosticJSON {
    static func line(_ diagnostic: Diagnostic) -> String {
        var object = JSONObject()
        object["kind"] = .string(diagnostic.severity.rawValue)
        object["code"] = .string(diagnostic.code)
        object["message"] = .string(diagnostic.message)
        if let place = diagnostic.place { object["place"] = value(place) }
        if !diagnostic.notes.isEmpty { object["notes"] = .array(diagnostic.notes.map { .string($0) }) }
        if !diagnostic.help.isEmpty { object["help"] = .array(diagnostic.help.map { .string($0) }) }
        return line(object)
    }

    static func note(_ text: String) -> String {
        var object = JSONObject()
        object["kind"] = .string("note")
        object["message"] = .string(text)
        return line(object)
    }

    /// Standard error is mostly a terminal or a log, so nothing acts on it; as JSON it means the same.
    private static func line(_ object: JSONObject) -> String {
        LogLine.defused(ControlCharacters.escapedJSON(JSONValue.object(object).text())) + "\n"
    }

    private static func value(_ place: Place) -> JSONValue {
        var object = JSONObject()
        switch place {
        case .file(let path, let line, let byte, let length):
            object["file"] = .string(path)
            if let line { object["line"] = .number(JSONNumber(line)) }
            if let byte { object["byte"] = .number(JSONNumber(byte)) }
            if let length { object["length"] = .number(JSONNumber(length)) }
        case .source(let excerpt):
            let (line, column) = excerpt.lineAndColumn(of: excerpt.marks.first?.range.lowerBound ?? 0)
            object["source"] = .string(excerpt.name)
            object["line"] = .number(JSONNumber(line))
            object["column"] = .number(JSONNumber(column))
            object["text"] = .string(excerpt.text)
            object["marks"] = .array(excerpt.marks.map(value))
        }
        return .object(object)
    }

    /// A mark by its byte offsets, as `{"from":6,"to":7,"label":…}`.
    private static func value(_ mark: SourceExcerpt.Mark) -> JSONValue {
        var object = JSONObject()
        object["from"] = .number(JSONNumber(mark.range.lowerBound))
        object["to"] = .number(JSONNumber(mark.range.upperBound))
        if let label = mark.label { object["label"] = .string(label) }
        return .object(object)
    }
}
